//! One file a command.

mod access;
mod articles;
mod backup;
mod calendar;
mod classify;
mod crawl;
mod demo;
mod detect;
mod doctor;
mod events;
mod folders;
mod hosts;
mod laboratory;
mod moving;
mod notify;
mod plan;
mod refile;
mod replay;
mod rules;
mod serve;
mod sources;
mod topics;
mod trace;
mod visit;
mod watches;
mod worker;

use crate::cli::{Cli, Command};
use crate::config::Config;
use crate::logging;
use clap::CommandFactory;

/// Does what was typed.
pub(crate) async fn run(cli: Cli) -> anyhow::Result<()> {
    let long_running = matches!(cli.command, Command::Serve(_) | Command::Worker(_) | Command::Demo(_));
    logging::start(if long_running { "info" } else { "warn" }, cli.common.log_format);
    if let Command::Completions { shell } = cli.command {
        clap_complete::generate(shell, &mut Cli::command(), "ripplewatch", &mut std::io::stdout());
        return Ok(());
    }
    let json = cli.common.json;
    if let Command::Classify(options) = &cli.command
        && options.is_free_standing()
    {
        return classify::free_standing(options, json);
    }
    if let Command::Laboratory(command) = cli.command {
        return laboratory::run(command, json);
    }
    if let Command::Replay(options) = &cli.command {
        return replay::run(options, json);
    }
    if let Command::Detect(options) = &cli.command {
        return detect::run(options, json);
    }
    let config = Config::load(&cli.common)?;
    match cli.command {
        Command::Demo(options) => demo::run(config, cli.common.data.is_some(), options).await,
        Command::Serve(options) => serve::run(config, options).await,
        Command::Worker(options) => worker::run(config, options).await,
        Command::Sources(command) => sources::run(config, command, json).await,
        Command::Watches(command) => watches::run(config, command, json).await,
        Command::Articles(command) => articles::run(&config, command, json).await,
        Command::Folders(command) => folders::run(&config, command, json).await,
        Command::Rules(command) => rules::run(&config, command, json).await,
        Command::Events(command) => events::run(&config, command, json).await,
        Command::Classify(options) => classify::run(config, &options, json).await,
        Command::Notify(command) => notify::run(config, *command, json).await,
        Command::Calendar(command) => calendar::run(&config, command, json).await,
        Command::Visit { source } => visit::run(&config, &source, json).await,
        Command::Crawl(command) => crawl::run(config, command, json).await,
        Command::Topics(command) => topics::run(config, command, json).await,
        Command::Plan(options) => plan::run(&config, options, json).await,
        Command::Trace(command) => trace::run(&config, command, json).await,
        Command::Hosts(command) => hosts::run(&config, command, json).await,
        Command::Backup { file } => backup::write(&config, file, json).await,
        Command::Restore { file, replace } => backup::restore(&config, &file, replace, json),
        Command::Move(options) => moving::run(&config, options, json).await,
        Command::Doctor => doctor::run(&config, json).await,
        Command::Tokens(command) => access::tokens(&config, command, json).await,
        Command::Password { remove } => access::password(&config, remove).await,
        Command::Completions { .. } | Command::Laboratory(_) | Command::Replay(_) | Command::Detect(_) => {
            Ok(())
        }
    }
}
