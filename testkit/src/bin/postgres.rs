//! A PostgreSQL to try things with: on loopback, gone with all its data when it is stopped. `cargo xtask postgres` runs it.

#![expect(clippy::print_stdout, reason = "it tells whoever started it where it is")]

use testkit::postgres::Postgres;

const PORT: u16 = 54329;

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let postgres = Postgres::start_at(PORT);
    postgres.run("CREATE DATABASE ripplewatch");
    println!("PostgreSQL is at {}", postgres.url_of("ripplewatch"));
    println!("Ctrl-C stops it; what is in it goes with it.");
    let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminated.recv() => Ok(()),
    }
}
