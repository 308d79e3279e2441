//! `hosts`: manners towards each.

use crate::cli::{Hosts, MaybeInterval};
use crate::config::Config;
use crate::console;
use crate::context::open_store;
use crate::exit::bad_input;
use crate::words::when;
use jiff::Timestamp;

pub(crate) async fn run(config: &Config, command: Hosts, json: bool) -> anyhow::Result<()> {
    let store = open_store(config)?;
    match command {
        Hosts::List { limit } => {
            let hosts = store.hosts(limit).await?;
            if json {
                return console::json(&hosts);
            }
            let now = Timestamp::now();
            let row = |host: &store::HostInfo| {
                let wait = host.not_before.filter(|until| *until > now);
                vec![
                    host.name.clone(),
                    host.sources.to_string(),
                    host.own_delay.map_or_else(|| "default".into(), |delay| format!("{delay:?}")),
                    host.troubles.to_string(),
                    wait.map_or_else(|| "-".into(), |until| when(until, now)),
                ]
            };
            let rows: Vec<_> = hosts.iter().map(row).collect();
            console::table(&["host", "sources", "delay", "troubles", "left alone until"], &rows);
            Ok(())
        }
        Hosts::Delay { host, delay: MaybeInterval(delay) } => {
            if !store.set_host_delay(host.to_ascii_lowercase(), delay).await? {
                return Err(bad_input(format!(
                    "no source is on the host “{host}”; see `ripplewatch hosts list`"
                )));
            }
            console::note("set; it holds from the next turn of the host");
            Ok(())
        }
    }
}
