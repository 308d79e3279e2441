//! What can be typed about topics.

use super::{network, positive};
use clap::{Args, Subcommand};
use discovery::ontology::Format;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Subcommand)]
pub(crate) enum Topics {
    /// List the topics: those that come with the program, and your own
    List,
    /// Show a topic: its classes with their weights, their words, and what was learned from where
    Show {
        /// Its name
        name: String,
        /// At most this many words of each class
        #[arg(long, default_value_t = 12, value_name = "N")]
        words: usize,
    },
    /// Make a topic from words, or from pages on it
    Build(TopicBuild),
    /// Make a topic of an ontology file: Turtle, RDF/XML or SKOS
    Import {
        /// The file, or - for standard input
        file: PathBuf,
        /// What to call it [default: the name of the file]
        #[arg(long)]
        name: Option<String>,
        /// The class to look for [default: what the file says, or the class called like the topic]
        #[arg(long)]
        class: Option<String>,
        /// How the file is written: turtle, rdf-xml or skos [default: by its looks]
        #[arg(long)]
        format: Option<Format>,
        /// Replace a topic of the same name, with all it has learned
        #[arg(long)]
        replace: bool,
    },
    /// Write a topic as a file that other programs read
    Export {
        /// Its name
        name: String,
        /// The file to write [default: standard output]
        file: Option<PathBuf>,
        /// How to write it: turtle, rdf-xml or skos
        #[arg(long, default_value = "turtle")]
        format: Format,
        /// As it was given, without what crawls have taught it
        #[arg(long)]
        given: bool,
    },
    /// Learn classes, relations and words from the tables of a SQLite file or a PostgreSQL database
    LearnFromDatabase(TopicDatabase),
    /// Take back something a crawl has taught a topic; it is not learned again
    Undo {
        /// The topic's name
        name: String,
        /// The lesson by its number, or by the word that was learned; without one, all lessons are listed
        lesson: Option<String>,
        /// Everything that crawls have taught it
        #[arg(long, conflicts_with = "lesson")]
        all: bool,
        /// Everything that this crawl has taught it
        #[arg(long, value_name = "N", conflicts_with_all = ["lesson", "all"])]
        crawl: Option<model::CrawlId>,
    },
    /// Remove a topic; its crawls stay
    Remove {
        /// Its name
        name: String,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ripplewatch topics build Sailing --word boat --word \"sailing ship\" --word regatta\n  ripplewatch topics build Sailing --page https://example.org/sailing --page notes.html"
)]
pub(crate) struct TopicBuild {
    /// What to call it; its words count most
    pub(crate) name: String,
    /// A word or phrase that pages on it use; may be repeated
    #[arg(long = "word", value_name = "WORD")]
    pub(crate) words: Vec<String>,
    /// A page on it, by URL or as a file (HTML or plain text); may be repeated, three to five are good
    #[arg(long = "page", value_name = "URL|FILE")]
    pub(crate) pages: Vec<String>,
    /// The language of its words and of pages that do not say theirs
    #[arg(long, default_value = "en", value_name = "CODE")]
    pub(crate) language: String,
    /// Replace a topic of the same name, with all it has learned
    #[arg(long)]
    pub(crate) replace: bool,
    /// Address or network that may be visited although it is private; may be repeated
    #[arg(long, value_name = "NET", value_parser = network)]
    pub(crate) allow: Vec<ipnet::IpNet>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ripplewatch topics learn-from-database shop.db --class book --name Books\n  ripplewatch topics learn-from-database postgres://reader:password@db.example/shop --dry-run\n\nThe database is only read. Names of customers, staff and other people in tables about them are not taken as words."
)]
pub(crate) struct TopicDatabase {
    /// The path of a SQLite file, or a URL such as `postgres://user:password@host/database`
    pub(crate) address: String,
    /// The class to look for, e.g. book
    #[arg(long)]
    pub(crate) class: Option<String>,
    /// What to call the topic [default: the class]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Add to this topic instead: classes of the same name grow together. It cannot be undone; of a topic that comes with
    /// the program, a copy of your own is made
    #[arg(long, value_name = "TOPIC", conflicts_with_all = ["name", "class"])]
    pub(crate) into: Option<String>,
    /// Only show what would be learned, and why
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Replace a topic of the same name, with all it has learned
    #[arg(long)]
    pub(crate) replace: bool,
    /// For looking at the data, all in all; what is not looked at by then is said
    #[arg(long, default_value = "30s", value_parser = positive, value_name = "TIME")]
    pub(crate) time: Duration,
    /// Tables at most
    #[arg(long, default_value_t = 1000, value_name = "N")]
    pub(crate) tables: usize,
}
