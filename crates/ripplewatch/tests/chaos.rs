//! Several processes on one PostgreSQL, killed, stopped beyond their leases and restarted, the database with them: the bar
//! `cargo xtask bars chaos` in small, judged by the same code.

use bars::chaos::{Settings, run};

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_doubled_or_rushed_whoever_dies() {
    let settings = Settings::short(env!("CARGO_BIN_EXE_ripplewatch").into());
    assert!(run(settings).await.unwrap(), "see what was printed");
}
