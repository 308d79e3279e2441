//! What can be typed.

mod calendar;
mod crawl;
mod detect;
mod events;
mod knowledge;
mod laboratory;
mod notify;
mod plan;
mod replay;
mod topics;
mod watches;

pub(crate) use calendar::{Calendar, EntryOptions};
pub(crate) use crawl::{Crawl, CrawlManners, CrawlResume, CrawlStart};
pub(crate) use detect::Detect;
pub(crate) use events::Events;
pub(crate) use knowledge::{Accept, Classify, Folders, RuleAdd, Rules};
pub(crate) use laboratory::{AmocOptions, CrawlLabOptions, ExpertOptions, Laboratory};
pub(crate) use notify::{AddChannel, ChannelOptions, ChannelRef, Notify};
pub(crate) use plan::{Plan, PlanCommand, PlanSet};
pub(crate) use replay::{AsPublished, PaceWord, Replay};
pub(crate) use topics::{TopicBuild, TopicDatabase, Topics};
pub(crate) use watches::{WatchOptions, Watches};

use clap::{Args, Parser, Subcommand, ValueEnum};
use jiff::{SignedDuration, Timestamp};
use model::{ArticleId, SourceId};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use store::Roles;

/// Watches web pages and feeds, and tells you first.
#[derive(Debug, Parser)]
#[command(name = "ripplewatch", version, propagate_version = true, arg_required_else_help = true)]
#[command(
    after_help = "Try it:\n  ripplewatch demo                                   a small web of news sites on this machine\n  ripplewatch sources add https://example.org/news    watch a page, feed or sitemap\n  ripplewatch serve                                   visit, and show it in the browser"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// Folder of the data [default: the XDG data folder]
    #[arg(long, global = true, env = "RIPPLEWATCH_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// A PostgreSQL database to keep the data in, instead of a file; the URL may hold a password
    #[arg(long, global = true, env = "RIPPLEWATCH_DATABASE", hide_env_values = true, value_name = "URL")]
    pub(crate) database: Option<String>,
    /// Configuration file [default: ripplewatch/config.toml in the XDG configuration folder]
    #[arg(long, global = true, env = "RIPPLEWATCH_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print JSON for machines instead of tables for people
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// How logs are written to standard error
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text, env = "RIPPLEWATCH_LOG_FORMAT")]
    pub(crate) log_format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// One line for people
    Text,
    /// One JSON object a line
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the offline demo: a web of news sites on loopback with a fast clock, the monitor and its pages
    Demo(Demo),
    /// Visit the sources as planned and serve the web pages and the API
    Serve(Serve),
    /// Work on a database that others share: visit, crawl, file anew; as many of these as you like, on any machine
    Worker(Worker),
    /// Watch something: add, list, show, change, remove, import and export sources
    #[command(subcommand)]
    Sources(Sources),
    /// Watches on parts of pages: list, add, show, change, pause, resume, remove, test
    #[command(subcommand)]
    Watches(Watches),
    /// Read what was found: list, show and search articles
    #[command(subcommand)]
    Articles(Articles),
    /// Folders of articles: list, create, rename, move, merge, delete
    #[command(subcommand)]
    Folders(Folders),
    /// What files articles into folders: list, show, add, check, import, export, report, undo and retire rules
    #[command(subcommand)]
    Rules(Rules),
    /// What was unusually busy: list and show events, confirm or dismiss them
    #[command(subcommand)]
    Events(Events),
    /// Tell which folders an article belongs into, and why
    Classify(Box<Classify>),
    /// Tell which times of a count series are unusual, without any data of its own
    Detect(Detect),
    /// How people are told: list, add, test and remove channels, see what was delivered
    #[command(subcommand)]
    Notify(Box<Notify>),
    /// Dates at which a folder is expected to be busy, so that only what exceeds them is an event
    #[command(subcommand)]
    Calendar(Calendar),
    /// Visit one source now
    Visit {
        /// Its id or URL
        source: SourceRef,
    },
    /// Find pages on a topic: start, status, stop, resume, pages, explain, candidates, promote
    #[command(subcommand)]
    Crawl(Crawl),
    /// What crawls look for: list, show, build, import, export, learn-from-database, remove
    #[command(subcommand)]
    Topics(Topics),
    /// Show the coming visits, each with its reason; set policy, budget and interests
    Plan(Plan),
    /// Your own history as a file that `replay` reads
    #[command(subcommand)]
    Trace(Trace),
    /// Manners towards hosts: see who is left alone and until when, set a delay
    #[command(subcommand)]
    Hosts(Hosts),
    /// Write all data to one file, while everything goes on
    Backup {
        /// The file to write
        file: PathBuf,
    },
    /// Put the data of a backup in place, after checking it whole
    Restore {
        /// The file to read
        file: PathBuf,
        /// Put data that is there aside instead of refusing
        #[arg(long)]
        replace: bool,
    },
    /// Move all data from a folder to PostgreSQL or back; interrupted, the same command goes on
    Move(Move),
    /// Check data, schema, clock and network rules, and say what to do
    Doctor,
    /// API tokens: add, list and remove
    #[command(subcommand)]
    Tokens(Tokens),
    /// Set the password of the web pages, read from standard input
    Password {
        /// Remove it instead
        #[arg(long)]
        remove: bool,
    },
    /// Replay a history through policies: how soon would each have met the articles, with the same visits?
    Replay(Box<Replay>),
    /// Measure on real histories, through the code that runs live
    #[command(subcommand)]
    Laboratory(Laboratory),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Address to listen on; beyond loopback a password is needed [default: 127.0.0.1:8765]
    #[arg(long, env = "RIPPLEWATCH_LISTEN", value_name = "ADDR")]
    pub(crate) listen: Option<SocketAddr>,
    /// Visit sources that have no interval of their own this often [default: 30m]
    #[arg(long, env = "RIPPLEWATCH_INTERVAL", value_parser = positive, value_name = "TIME")]
    pub(crate) interval: Option<Duration>,
    /// Pause between two requests to one host [default: 2s]
    #[arg(long, env = "RIPPLEWATCH_DELAY", value_parser = duration, value_name = "TIME")]
    pub(crate) delay: Option<Duration>,
    /// Address or network that may be visited although it is private, e.g. 127.0.0.0/8; may be repeated
    #[arg(long, value_name = "NET", value_parser = network)]
    pub(crate) allow: Vec<ipnet::IpNet>,
    /// A clock that begins at a time and runs faster: 2026-03-02T06:00:00Z@600. For trying out what takes days
    #[arg(long, hide = true, value_parser = clock, value_name = "TIME@SPEED")]
    pub(crate) clock: Option<(Timestamp, f64)>,
    /// What this process does beside its pages: visiting, crawling, filing, or none [default: all]
    #[arg(long, value_name = "ROLES", value_parser = roles)]
    pub(crate) roles: Option<Roles>,
    /// Write every decision of the policy to this file, to be checked with `laboratory retrace`
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "It takes interval and delay from the `serve` that was started last on the database, unless told otherwise here."
)]
pub(crate) struct Worker {
    /// What it does: visiting, crawling, filing; several with commas [default: all]
    #[arg(long, value_name = "ROLES", value_parser = roles)]
    pub(crate) roles: Option<Roles>,
    /// What it is called on the Health page [default: the machine's name and the process's number]
    #[arg(long, value_name = "NAME", value_parser = label)]
    pub(crate) name: Option<String>,
    /// Requests under way at the same time [default: 128]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) connections: Option<u16>,
    /// Visit sources that have no interval of their own this often, on average over all workers
    #[arg(long, env = "RIPPLEWATCH_INTERVAL", value_parser = positive, value_name = "TIME")]
    pub(crate) interval: Option<Duration>,
    /// Pause between two requests to one host
    #[arg(long, env = "RIPPLEWATCH_DELAY", value_parser = duration, value_name = "TIME")]
    pub(crate) delay: Option<Duration>,
    /// Address or network that may be visited although it is private, e.g. 127.0.0.0/8; may be repeated
    #[arg(long, value_name = "NET", value_parser = network)]
    pub(crate) allow: Vec<ipnet::IpNet>,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Address to listen on
    #[arg(long, env = "RIPPLEWATCH_LISTEN", value_name = "ADDR", default_value = "127.0.0.1:8765")]
    pub(crate) listen: SocketAddr,
    /// How many times faster than real time the demo's clock runs
    #[arg(long, default_value_t = 600.0, value_parser = speed)]
    pub(crate) speed: f64,
    /// The same seed makes the same web
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Number of news sites
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub(crate) sites: u16,
    /// Write every decision of the policy to this file, to be checked with `laboratory retrace`
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Move {
    /// Where the data are: `sqlite` (the data folder), `postgres` (the database of --database), a folder, or a
    /// postgres:// URL. They stay there as they are
    #[arg(long, value_name = "PLACE")]
    pub(crate) from: String,
    /// Where they are to be: the same words; a new folder or an empty database
    #[arg(long, value_name = "PLACE")]
    pub(crate) to: String,
    /// Throw away what an interrupted move has brought, and begin anew
    #[arg(long)]
    pub(crate) restart: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Trace {
    /// Write what your sources published, and when, as `published_at,source,url,title,folders`
    Export {
        /// The file to write; gzip if it ends in .gz
        file: PathBuf,
        /// The last so many weeks
        #[arg(long, value_name = "N", default_value_t = 52, value_parser = clap::value_parser!(u32).range(1..=5200))]
        weeks: u32,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Sources {
    /// Watch pages, feeds or sitemaps
    Add {
        /// Their URLs
        #[arg(required = true)]
        urls: Vec<String>,
        /// What to call it (with one URL)
        #[arg(long)]
        title: Option<String>,
        /// CSS selector that says where the articles are on a list page
        #[arg(long)]
        selector: Option<String>,
        /// Visit this often, e.g. 10m or 2h, instead of leaving it to the policy
        #[arg(long, value_parser = positive, value_name = "TIME")]
        interval: Option<Duration>,
        /// Address or network that may be visited although it is private; may be repeated
        #[arg(long, value_name = "NET", value_parser = network)]
        allow: Vec<ipnet::IpNet>,
    },
    /// Show what a URL would be as a source, without storing anything
    Preview {
        /// The URL
        url: String,
        /// CSS selector to try
        #[arg(long)]
        selector: Option<String>,
        /// Show all links with their places on the page, to write a selector from
        #[arg(long)]
        links: bool,
        /// Address or network that may be visited although it is private; may be repeated
        #[arg(long, value_name = "NET", value_parser = network)]
        allow: Vec<ipnet::IpNet>,
    },
    /// List the sources
    List {
        /// Only those whose title or URL contains this
        #[arg(long)]
        search: Option<String>,
        /// Only those whose last visit failed
        #[arg(long)]
        failing: bool,
        /// At most this many
        #[arg(long, default_value_t = 1000)]
        limit: usize,
    },
    /// Show one source and its last visits
    Show {
        /// Its id or URL
        source: SourceRef,
    },
    /// Change a source
    Edit {
        /// Its id or URL
        source: SourceRef,
        /// A new title; empty takes the page's own
        #[arg(long)]
        title: Option<String>,
        /// A new selector; empty removes it
        #[arg(long)]
        selector: Option<String>,
        /// A new interval, or `policy` to leave it to the policy
        #[arg(long, value_parser = maybe_duration, value_name = "TIME")]
        interval: Option<MaybeInterval>,
        /// Do not visit it until resumed
        #[arg(long, conflicts_with = "resume")]
        pause: bool,
        /// Visit it again
        #[arg(long)]
        resume: bool,
    },
    /// Stop watching a source; its articles stay
    Remove {
        /// Their ids or URLs
        #[arg(required = true)]
        sources: Vec<SourceRef>,
    },
    /// Add all sources of an OPML file or a list with one URL a line
    Import {
        /// The file, or - for standard input
        file: PathBuf,
        /// Address or network that may be visited although it is private; may be repeated
        #[arg(long, value_name = "NET", value_parser = network)]
        allow: Vec<ipnet::IpNet>,
    },
    /// Write all sources as OPML (or, with --list, one URL a line)
    Export {
        /// The file [default: standard output]
        file: Option<PathBuf>,
        /// One URL a line
        #[arg(long)]
        list: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Articles {
    /// List articles, newest first
    List {
        #[command(flatten)]
        filter: ArticleOptions,
    },
    /// Show one article with its text
    Show {
        /// Its id
        id: ArticleId,
        /// Print the page as it was fetched instead
        #[arg(long)]
        page: bool,
    },
    /// Search titles and texts
    Search {
        /// Words that must all occur
        #[arg(required = true)]
        words: Vec<String>,
        #[command(flatten)]
        filter: ArticleOptions,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ArticleOptions {
    /// Only those that this source listed (id or URL)
    #[arg(long)]
    pub(crate) source: Option<SourceRef>,
    /// Only those in this folder, or in one inside it
    #[arg(long, value_name = "PATH", conflicts_with = "unfiled")]
    pub(crate) folder: Option<String>,
    /// Only those that no rule files anywhere
    #[arg(long)]
    pub(crate) unfiled: bool,
    /// Only unread ones
    #[arg(long)]
    pub(crate) unread: bool,
    /// Only starred ones
    #[arg(long)]
    pub(crate) starred: bool,
    /// At most this many
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: usize,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Tokens {
    /// Make a token; it is shown once
    Add {
        /// What it is for
        name: String,
    },
    /// List the tokens
    List,
    /// Take a token back
    Remove {
        /// Its name
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Hosts {
    /// List the hosts, those in trouble first
    List {
        /// At most this many
        #[arg(long, default_value_t = 100)]
        limit: usize,
    },
    /// Set the pause between two requests to a host
    Delay {
        /// Its name, e.g. news.example
        host: String,
        /// The pause, e.g. 10s, or `default`
        #[arg(value_parser = host_delay)]
        delay: MaybeInterval,
    },
}

/// A source by id or URL.
#[derive(Debug, Clone)]
pub(crate) enum SourceRef {
    Id(SourceId),
    Url(String),
}

/// A time, or leaving it to the policy or the default.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MaybeInterval(pub(crate) Option<Duration>);

impl std::str::FromStr for SourceRef {
    type Err = std::convert::Infallible;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.parse().map_or_else(|_| Self::Url(text.to_owned()), Self::Id))
    }
}

/// "30m", "2h", "1 day"; at least a millisecond, at most a year.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    const YEAR: Duration = Duration::from_hours(24 * 366);
    let span: SignedDuration =
        text.parse().map_err(|_| format!("“{text}” is not a time; write for example 30s, 10m or 2h"))?;
    let span = Duration::try_from(span).map_err(|_| format!("“{text}” is negative"))?;
    if span > YEAR { Err(format!("“{text}” is longer than a year")) } else { Ok(span) }
}

fn maybe_duration(text: &str) -> Result<MaybeInterval, String> {
    if text == "policy" {
        Ok(MaybeInterval(None))
    } else {
        positive(text).map(|span| MaybeInterval(Some(span)))
    }
}

fn host_delay(text: &str) -> Result<MaybeInterval, String> {
    if text == "default" {
        Ok(MaybeInterval(None))
    } else {
        duration(text).map(|span| MaybeInterval(Some(span)))
    }
}

fn positive(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("an interval must be longer than nothing".into()),
        span => Ok(span),
    }
}

/// A network, or one address.
pub(crate) fn network(text: &str) -> Result<ipnet::IpNet, String> {
    let address = || text.parse::<std::net::IpAddr>().map(ipnet::IpNet::from);
    text.parse().or_else(|_| address()).map_err(|_| {
        format!("“{text}” is not an address or network; write for example 192.168.1.5 or 10.0.0.0/8")
    })
}

/// A name that fits into a line.
fn label(text: &str) -> Result<String, String> {
    let fits = (1..=80).contains(&text.trim().chars().count()) && !text.chars().any(char::is_control);
    if fits { Ok(text.trim().to_owned()) } else { Err("a name has 1 to 80 characters, in one line".into()) }
}

/// Roles with commas between, or none.
fn roles(text: &str) -> Result<Roles, String> {
    let mut roles = Roles::NONE;
    for word in text.split(',').map(str::trim) {
        match word {
            "visiting" => roles.visiting = true,
            "crawling" => roles.crawling = true,
            "filing" => roles.filing = true,
            "none" if text.trim() == "none" => {}
            _ => {
                return Err(format!("“{word}” is no role; there are visiting, crawling and filing, or none"));
            }
        }
    }
    Ok(roles)
}

fn clock(text: &str) -> Result<(Timestamp, f64), String> {
    let (start, factor) = text.split_once('@').ok_or("write for example 2026-03-02T06:00:00Z@600")?;
    Ok((start.parse().map_err(|_| format!("“{start}” is not a time"))?, speed(factor)?))
}

fn speed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if (1.0..=100_000.0).contains(&speed) => Ok(speed),
        _ => Err("a speed between 1 and 100000 is needed".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        assert_eq!(duration("30m"), Ok(Duration::from_mins(30)));
        assert_eq!(duration("1h 30m"), Ok(Duration::from_mins(90)));
        assert_eq!(duration("0s"), Ok(Duration::ZERO));
        assert!(duration("soon").unwrap_err().contains("30s"));
        assert!(duration("-5m").is_err());
        assert!(duration("9000h").unwrap_err().contains("year"));
    }
}
