//! Configuration, typed twice: what a file says, and what it means together with environment and flags.
//! Later wins: defaults, file, environment, flags.

use crate::cli::{self, Common};
use crate::exit::bad_input;
use anyhow::Context;
use engine::EngineSettings;
use ipnet::IpNet;
use serde::Deserialize;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::Hidden;
use url::Url;

/// What all commands need to know.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) data: PathBuf,
    /// The URL of a database that has the data instead of a file in that folder. There may be a password in it.
    pub(crate) database: Option<Hidden>,
    pub(crate) listen: SocketAddr,
    pub(crate) allowed_hosts: Vec<String>,
    /// Where people reach the pages, if not at the address we listen on.
    pub(crate) public_url: Option<Url>,
    pub(crate) interval: Duration,
    pub(crate) fetch: fetch::Settings,
    pub(crate) engine: EngineSettings,
}

/// What a configuration file may say.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ConfigFile {
    /// Folder of the data.
    data: Option<PathBuf>,
    /// A PostgreSQL database that has the data instead.
    database: Option<String>,
    server: ServerSection,
    visits: VisitsSection,
    politeness: PolitenessSection,
    retention: RetentionSection,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ServerSection {
    /// Address to listen on.
    listen: Option<SocketAddr>,
    /// Names under which browsers may reach the pages, e.g. behind a proxy.
    allowed_hosts: Vec<String>,
    /// Where people reach the pages: what links in messages and feeds begin with.
    public_url: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct VisitsSection {
    /// How often sources without an interval of their own are visited, e.g. "30m".
    interval: Option<Time>,
    /// Hosts that have their turn at the same time.
    hosts_at_once: Option<usize>,
    /// Requests under way at the same time.
    requests_at_once: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PolitenessSection {
    /// Pause between two requests to one host, e.g. "2s".
    delay: Option<Time>,
    /// Where a webmaster can learn who visits: part of the User-Agent.
    contact: Option<String>,
    /// Private addresses or networks that may be visited.
    allow: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RetentionSection {
    /// Days articles are kept; starred ones always are.
    articles_days: Option<u32>,
    /// Days visits are kept.
    visits_days: Option<u32>,
    /// Megabytes for pages as fetched.
    pages_mb: Option<u64>,
}

/// A time as people write it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct Time(Duration);

impl TryFrom<String> for Time {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        cli::duration(&text).map(Self)
    }
}

impl Config {
    /// What file, environment and the common flags say together.
    pub(crate) fn load(common: &Common) -> anyhow::Result<Self> {
        let file = read_file(common.config.as_deref())?;
        let mut engine = EngineSettings::default();
        let mut fetch = fetch::Settings::default();
        let days = |days: u32| Duration::from_hours(24).saturating_mul(days);
        set(&mut engine.hosts_at_once, places("visits.hosts_at_once", file.visits.hosts_at_once)?);
        set(&mut engine.requests_at_once, places("visits.requests_at_once", file.visits.requests_at_once)?);
        engine.slow_hosts_at_once = (engine.hosts_at_once.min(engine.requests_at_once) / 2).max(1);
        if let Some(articles) = file.retention.articles_days {
            engine.retention.articles = Some(days(articles));
        }
        if let Some(visits) = file.retention.visits_days {
            engine.retention.visits = Some(days(visits));
        }
        if let Some(megabytes) = file.retention.pages_mb {
            engine.retention.page_bytes = Some(megabytes.saturating_mul(1_000_000));
        }
        set(&mut fetch.default_delay, file.politeness.delay.map(|time| time.0));
        if let Some(contact) = &file.politeness.contact {
            fetch.user_agent = fetch::user_agent(contact);
        }
        for text in &file.politeness.allow {
            fetch
                .allow
                .push(cli::network(text).map_err(|why| bad_input(format!("politeness.allow: {why}")))?);
        }
        let database = common.database.clone().or(file.database).map(Hidden::new);
        let data = match common.data.clone().or(file.data) {
            Some(data) => data,
            // Nothing is kept in a folder then.
            None if database.is_some() => default_data().unwrap_or_default(),
            None => default_data()?,
        };
        Ok(Self {
            data,
            database,
            listen: file.server.listen.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, 8765))),
            allowed_hosts: file.server.allowed_hosts,
            public_url: file.server.public_url.as_deref().map(public_url).transpose()?,
            interval: file
                .visits
                .interval
                .map_or(Duration::from_mins(30), |time| time.0)
                .max(Duration::from_millis(1)),
            fetch,
            engine,
        })
    }

    /// What links in messages begin with, for a server that listens there.
    pub(crate) fn link_base(&self, listening: SocketAddr) -> Url {
        self.public_url.clone().unwrap_or_else(|| engine::own_url(listening))
    }

    /// Adds addresses that may be visited although they are private.
    pub(crate) fn allow(&mut self, networks: &[IpNet]) {
        self.fetch.allow.extend(networks);
    }
}

/// The address of the pages' root, without anything behind it.
fn public_url(text: &str) -> anyhow::Result<Url> {
    let wrong = || {
        bad_input(format!(
            "server.public_url: “{text}” is not the address of a site; write for example https://watch.example.org/"
        ))
    };
    let url = Url::parse(text).map_err(|_| wrong())?;
    let is_root = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let is_plain =
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    if is_root && is_plain { Ok(url) } else { Err(wrong()) }
}

/// None at all would never visit anything; a million would only waste memory.
fn places(name: &str, wanted: Option<usize>) -> anyhow::Result<Option<usize>> {
    match wanted {
        Some(count) if !(1..=100_000).contains(&count) => {
            Err(bad_input(format!("{name} must be between 1 and 100000")))
        }
        wanted => Ok(wanted),
    }
}

fn set<T>(target: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *target = value;
    }
}

fn read_file(named: Option<&Path>) -> anyhow::Result<ConfigFile> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => match xdg("XDG_CONFIG_HOME", ".config") {
            Some(folder) => folder.join("ripplewatch/config.toml"),
            None => return Ok(ConfigFile::default()),
        },
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => parse(&text).map_err(|why| bad_input(format!("{}: {why}", path.display()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => {
            Ok(ConfigFile::default())
        }
        Err(error) => Err(error).with_context(|| format!("cannot read the configuration {}", path.display())),
    }
}

fn parse(text: &str) -> Result<ConfigFile, String> {
    toml::from_str(text).map_err(|error| {
        // Not the line itself: it may hold the database's password.
        let before = error.span().map_or(0, |span| span.start);
        let line = 1 + text.bytes().take(before).filter(|byte| *byte == b'\n').count();
        let message = format!("line {line}: {}", error.message().trim_end());
        match nearest_name(error.message()) {
            Some(name) => format!("{message}\nhint: did you mean `{name}`?"),
            None => message,
        }
    })
}

/// serde says: unknown field `dealy`, expected one of `delay`, `contact`, `allow`.
fn nearest_name(message: &str) -> Option<&str> {
    let mut names = message.strip_prefix("unknown field")?.split('`').skip(1).step_by(2);
    let unknown = names.next()?;
    let distances = names.map(|name| (distance(unknown, name), name));
    distances.min().filter(|(distance, name)| *distance <= name.len() / 2).map(|(_, name)| name)
}

/// Levenshtein's distance: how many letters to change.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.chars().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

fn default_data() -> anyhow::Result<PathBuf> {
    let folder = xdg("XDG_DATA_HOME", ".local/share").ok_or_else(|| {
        bad_input("neither XDG_DATA_HOME nor HOME is set: say where the data is with --data DIR")
    })?;
    Ok(folder.join("ripplewatch"))
}

fn xdg(variable: &str, below_home: &str) -> Option<PathBuf> {
    let set = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    set.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(below_home)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_refused_with_the_nearest_name() {
        let why = parse("[politeness]\ndealy = \"5s\"\n").unwrap_err();
        assert!(why.contains("dealy") && why.contains("did you mean `delay`?"), "{why}");
        assert!(why.contains("line 2"), "{why}");
    }

    #[test]
    fn a_broken_line_is_numbered_but_not_shown() {
        for broken in ["= \"postgres://me:sesame@host/x\n", "= [\"postgres://me:sesame@host/x\"]\n"] {
            let why = parse(&format!("[visits]\n\ndatabase {broken}")).unwrap_err();
            assert!(why.contains("line 3") && !why.contains("sesame"), "{why}");
        }
    }

    #[test]
    fn wrong_values_are_named() {
        assert!(parse("[visits]\ninterval = \"often\"").unwrap_err().contains("often"));
        assert!(parse("[server]\nlisten = \"here\"").is_err());
        assert!(parse("nonsense").is_err());
    }

    #[test]
    fn a_public_address_is_that_of_a_site() {
        assert!(public_url("https://watch.example.org").is_ok());
        for odd in
            ["watch.example.org", "ftp://a.example/", "https://a.example/watch", "https://u@a.example/"]
        {
            assert!(public_url(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn the_example_in_the_manual_is_valid() {
        let manual = include_str!("../../../docs/manual.md");
        let example = manual.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        let file = parse(example).unwrap();
        assert_eq!(file.visits.interval.unwrap().0, Duration::from_mins(30));
    }
}
