//! `rules`: what files articles into folders.

mod add;
mod list;
mod plan;
mod show;
mod transfer;
mod upkeep;

use crate::cli::Rules;
use crate::config::Config;
use crate::context::open_store;

pub(crate) use transfer::{file_name, parse_rules, read_file};

pub(crate) async fn run(config: &Config, command: Rules, json: bool) -> anyhow::Result<()> {
    let store = open_store(config)?;
    match command {
        Rules::List { folder, word, limit } => list::run(&store, folder, word, limit, json).await,
        Rules::Show { id } => show::run(&store, id, json).await,
        Rules::Add(options) => add::add(config, &store, *options, json).await,
        Rules::Check => upkeep::check(&store, json).await,
        Rules::Import { file, renumber, accept, dry_run } => {
            let options = knowledge::ImportOptions { renumber, accept };
            transfer::import(config, &store, &file, options, dry_run, json).await
        }
        Rules::Export { file, text } => transfer::export(&store, file, text).await,
        Rules::Stats => upkeep::stats(&store, json).await,
        Rules::Report { days } => upkeep::report(&store, days, json).await,
        Rules::Undo => upkeep::undo(config, &store, json).await,
        Rules::Retire { id, accept, note, dry_run } => {
            add::retire(config, &store, id, accept, note, dry_run, json).await
        }
        Rules::Refile { stop, resume } => upkeep::refile(config, &store, stop, resume, json).await,
    }
}
