//! `notify add`: a new channel.

use super::ChannelRow;
use crate::cli::{AddChannel, ChannelOptions};
use crate::commands::folders;
use crate::config::Config;
use crate::console;
use crate::context::idle_engine;
use crate::exit::bad_input;
use engine::{ChannelError, ChannelWish};
use store::Store;

pub(super) async fn run(
    mut config: Config,
    store: Store,
    command: AddChannel,
    json: bool,
) -> anyhow::Result<()> {
    let (kind, wish, options) = match command {
        AddChannel::Webhook { url, secret, common } => {
            let wish = ChannelWish { url: Some(url), secret, ..ChannelWish::default() };
            ("webhook", wish, common)
        }
        AddChannel::Mail { to, from, host, port, encryption, user, common } => {
            let password = user.as_ref().map(|_| read_password()).transpose()?;
            let wish = ChannelWish {
                to: Some(to),
                from: Some(from),
                host: Some(host),
                port,
                encryption: Some(encryption),
                user,
                password,
                ..ChannelWish::default()
            };
            ("mail", wish, common)
        }
    };
    config.allow(&options.allow);
    let wish = with_options(&store, wish, options).await?;
    let engine = idle_engine(&config, store).await?;
    let channel = engine.add_channel(kind, wish).await.map_err(refused)?;
    let row = ChannelRow::of(&channel, true);
    if json {
        return console::json(&row);
    }
    console::line(&row.id.to_string());
    if let Some(secret) = &row.secret {
        console::note(&format!("secret: {secret}"));
        console::note("it is shown only now; each message is signed with it (header Ripplewatch-Signature)");
    }
    console::hint(&format!("try it with `ripplewatch notify test {}`", row.id));
    Ok(())
}

async fn with_options(
    store: &Store,
    wish: ChannelWish,
    options: ChannelOptions,
) -> anyhow::Result<ChannelWish> {
    let mut chosen = Vec::new();
    for path in options.folder {
        chosen.push(folders::find(store, path).await?);
    }
    Ok(ChannelWish {
        name: options.name,
        wants: (!options.wants.is_empty()).then_some(options.wants),
        folders: (!chosen.is_empty()).then_some(chosen),
        rhythm: options.rhythm,
        quiet: options.quiet,
        zone: options.zone,
        ..wish
    })
}

fn read_password() -> anyhow::Result<String> {
    console::note("type the password of the mail server and press Enter:");
    let mut password = String::new();
    std::io::stdin().read_line(&mut password)?;
    Ok(password.trim_end_matches(['\r', '\n']).to_owned())
}

fn refused(error: ChannelError) -> anyhow::Error {
    match error {
        ChannelError::Store(error) => error.into(),
        ChannelError::Gate(refusal @ fetch::gate::Refusal::Address { .. }) => bad_input(format!(
            "{refusal}\nhint: if you mean it, allow the address with --allow NET, here and for `serve`"
        )),
        error => bad_input(error.to_string()),
    }
}
