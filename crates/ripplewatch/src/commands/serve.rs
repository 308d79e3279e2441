//! `serve`: visit as planned, show it in the browser.

use crate::cli::Serve;
use crate::commands::worker::Example;
use crate::config::Config;
use crate::console;
use crate::context::{DataLock, clock, open_store, parts};
use crate::exit::bad_input;
use anyhow::Context;
use engine::{Engine, JournalFile};
use jiff::tz::TimeZone;
use model::Clock;
use server::{Login, ServerSettings};
use std::fs::File;
use std::io::BufWriter;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use store::{Roles, Secret, Store, WatchSettings};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Runs until it is told to stop.
pub(crate) async fn run(mut config: Config, options: Serve) -> anyhow::Result<()> {
    config.listen = options.listen.unwrap_or(config.listen);
    config.interval = options.interval.unwrap_or(config.interval);
    config.fetch.default_delay = options.delay.unwrap_or(config.fetch.default_delay);
    config.allow(&options.allow);
    if config.database.is_none() && options.roles == Some(Roles::NONE) {
        return Err(bad_input(
            "with --roles none somebody else must visit, and in a file nobody can: leave it out, or use --database",
        ));
    }
    let _lock = DataLock::demand(&config)?;
    let listener = listen(config.listen).await?;
    let store = open_store(&config)?;
    let clock = clock(&store, options.clock).await?;
    let journal = options.journal.as_deref().map(journal).transpose()?;
    let roles = options.roles.unwrap_or(Roles::ALL);
    watch(&config, store, listener, clock, None, journal, roles).await
}

/// A new file for the decisions of the policy.
pub(crate) fn journal(file: &Path) -> anyhow::Result<JournalFile> {
    let made = File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(Box::new(BufWriter::new(made)))
}

/// The monitor and its pages on open data, until a signal comes.
pub(crate) async fn watch(
    config: &Config,
    store: Store,
    listener: TcpListener,
    clock: Arc<dyn Clock>,
    demo: Option<String>,
    journal: Option<JournalFile>,
    roles: Roles,
) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    let login = login(&store, address, !config.allowed_hosts.is_empty()).await?;
    take_own_zone(&store).await?;
    let mut parts = parts(config, store, clock)?;
    parts.journal = journal;
    parts.roles = roles;
    parts.settings.public_url = config.link_base(address);
    Example::give(config, &parts.store, &parts.settings.public_url).await?;
    let engine = Engine::start(parts).await?;
    console::line(&format!("Ripplewatch is at http://{address}/"));
    if let Login::Required { setup_token: Some(token) } = &login {
        console::line(&format!("Set the password first: http://{address}/setup?token={token}"));
    }
    let stop = CancellationToken::new();
    let settings = ServerSettings {
        login,
        allowed_hosts: config.allowed_hosts.clone(),
        demo,
        interval: config.interval,
    };
    let pages = server::serve(listener, engine.handle(), settings, stop.clone().cancelled_owned());
    let mut pages = tokio::spawn(pages);
    tokio::select! {
        result = &mut pages => { result??; }
        result = stop_signal() => result?,
    }
    console::note("stopping");
    stop.cancel();
    engine.stop().await;
    if !pages.is_finished() {
        pages.await??;
    }
    Ok(())
}

/// Hours of the week are those of this machine, until somebody chooses others.
async fn take_own_zone(store: &Store) -> anyhow::Result<()> {
    let own = TimeZone::system();
    if let (None, Some(zone)) = (store.watch_settings().await?, own.iana_name()) {
        let settings = WatchSettings { zone: zone.to_owned(), ..WatchSettings::default() };
        // A zone without a usable name is as good as none.
        if settings.problem().is_none() {
            store.set_watch_settings(settings).await?;
        }
    }
    Ok(())
}

/// Binds the address, or says what is in the way.
pub(crate) async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => bad_input(format!(
            "{address} is already in use. Stop the program that has it, or choose another with --listen ADDR (port 0 takes a free one)"
        )),
        std::io::ErrorKind::AddrNotAvailable => {
            bad_input(format!("{address} is not an address of this machine. Choose another with --listen ADDR"))
        }
        _ => anyhow::anyhow!("cannot listen on {address}: {error}"),
    })
}

/// Beyond loopback nobody gets in without a password, and a proxy that serves us by a name of its own is beyond
/// loopback; with a password, nobody does anywhere.
async fn login(store: &Store, address: SocketAddr, behind_proxy: bool) -> anyhow::Result<Login> {
    let has_password = store.setting::<String>("password").await?.is_some();
    Ok(match (has_password, address.ip().is_loopback() && !behind_proxy) {
        (true, _) => Login::Required { setup_token: None },
        (false, true) => Login::Open,
        (false, false) => Login::Required { setup_token: Some(Secret::new("")?.reveal().to_owned()) },
    })
}

/// Comes with Ctrl-C, and with what `systemctl stop` and `timeout` send.
pub(crate) async fn stop_signal() -> anyhow::Result<()> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(())
}
