//! `doctor`: is all well, and if not, what to do.

use crate::config::Config;
use crate::console;
use crate::context::{DataLock, open_store};
use crate::exit::{Exit, Told};
use crate::words::size;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use store::{SCHEMA_VERSION, Store};

#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    well: bool,
    said: String,
}

pub(crate) async fn run(config: &Config, json: bool) -> anyhow::Result<()> {
    let mut findings = vec![clock(None), gate(config), agent(config)];
    let mut told = None;
    match open_store(config) {
        Err(error) => findings.push(ill("data", format!("{error:#}"))),
        Ok(store) => {
            findings.push(well("data", format!("{} can be read and written", store.name())));
            findings.push(well("schema", format!("version {SCHEMA_VERSION}")));
            findings.push(integrity(&store).await);
            findings.extend(sources(&store).await?);
            findings[0] = clock(last_visit(&store).await?);
            told = Some(store);
        }
    }
    if let Some(store) = &told {
        findings.push(running(config, store).await);
    }
    let unwell = findings.iter().filter(|finding| !finding.well).count();
    if json {
        console::json(&findings)?;
    } else {
        for finding in &findings {
            let mark = if finding.well { "ok     " } else { "PROBLEM" };
            console::line(&format!("{mark}  {:<10}{}", finding.check, finding.said));
        }
    }
    if unwell == 0 {
        return Ok(());
    }
    let message = format!("{unwell} of {} checks found a problem", findings.len());
    Err(Told { exit: Exit::Unwell, message }.into())
}

fn well(check: &'static str, said: String) -> Finding {
    Finding { check, well: true, said }
}

fn ill(check: &'static str, said: String) -> Finding {
    Finding { check, well: false, said }
}

fn clock(last_visit: Option<Timestamp>) -> Finding {
    // The day this was written: a clock before it is certainly wrong.
    const WRITTEN: i64 = 1_794_700_800;
    let now = Timestamp::now();
    if now.as_second() < WRITTEN {
        return ill("clock", format!("it shows {now:.0}, which is past: set the system's time (NTP)"));
    }
    match last_visit {
        Some(last) if last > now.saturating_add(SignedDuration::from_mins(5)).unwrap_or(now) => ill(
            "clock",
            format!(
                "it shows {now:.0}, but the last visit was at {last:.0}: the clock was set back, or the data is a demo's"
            ),
        ),
        _ => well("clock", format!("{now:.0}")),
    }
}

async fn last_visit(store: &Store) -> anyhow::Result<Option<Timestamp>> {
    let all = store::SourceFilter { limit: 10_000, ..store::SourceFilter::default() };
    Ok(store.sources_page(all).await?.sources.iter().filter_map(|source| source.state.last_visit_at).max())
}

fn gate(config: &Config) -> Finding {
    let allowed: Vec<_> = config.fetch.allow.iter().map(ToString::to_string).collect();
    well(
        "network",
        match allowed.as_slice() {
            [] => "public addresses only; private ones are refused unless allowed by name (politeness.allow)"
                .into(),
            some => format!("public addresses, and by your leave {}", some.join(", ")),
        },
    )
}

fn agent(config: &Config) -> Finding {
    let agent = &config.fetch.user_agent;
    if agent.contains("ripplewatch.example") {
        return well(
            "agent",
            format!("{agent}; set politeness.contact to a page of yours so that webmasters can reach you"),
        );
    }
    well("agent", agent.clone())
}

async fn integrity(store: &Store) -> Finding {
    match store.check_integrity().await {
        Ok(faults) if faults.is_empty() => {
            let bytes = store.bytes().await.unwrap_or(0);
            well("integrity", format!("the data are sound ({})", size(bytes)))
        }
        Ok(faults) => {
            ill("integrity", format!("{}; restore a backup with `ripplewatch restore`", faults.join("; ")))
        }
        Err(error) => ill("integrity", error.to_string()),
    }
}

async fn sources(store: &Store) -> anyhow::Result<Vec<Finding>> {
    let now = Timestamp::now();
    let ago = |hours| now.saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(now);
    let health = store.health(ago(24), ago(1)).await?;
    let mut findings = vec![well(
        "sources",
        format!("{} watched, {} paused, {} articles", health.sources, health.paused, health.articles),
    )];
    if health.failing > 0 {
        findings.push(ill(
            "failing",
            format!("{} sources; see `ripplewatch sources list --failing`", health.failing),
        ));
    }
    if !health.late.is_empty() {
        let many = if health.late.len() >= 50 { "50 or more".into() } else { health.late.len().to_string() };
        findings.push(ill(
            "late",
            format!("{many} sources are more than an hour overdue; is `ripplewatch serve` running?"),
        ));
    }
    Ok(findings)
}

async fn running(config: &Config, store: &Store) -> Finding {
    match DataLock::take(config, store, |roles| roles.visiting).await {
        Ok(Some(_)) => well("monitor", "not running; start it with `ripplewatch serve`".into()),
        Ok(None) => well("monitor", "running".into()),
        Err(error) => ill("monitor", format!("{error:#}")),
    }
}
