//! `tokens` and `password`: who may come in.

use crate::cli::Tokens;
use crate::config::Config;
use crate::console;
use crate::context::open_store;
use crate::exit::bad_input;
use crate::words::maybe_when;
use jiff::Timestamp;

pub(crate) async fn tokens(config: &Config, command: Tokens, json: bool) -> anyhow::Result<()> {
    let store = open_store(config)?;
    match command {
        Tokens::Add { name } => {
            let token = store.add_token(name.clone(), Timestamp::now()).await?;
            if json {
                return console::json(&serde_json::json!({ "name": name, "token": token.reveal() }));
            }
            console::line(token.reveal());
            console::note("it is shown only now; send it as `Authorization: Bearer TOKEN`");
        }
        Tokens::List => {
            let tokens = store.tokens().await?;
            if json {
                return console::json(&tokens);
            }
            let now = Timestamp::now();
            let row = |token: &store::TokenInfo| {
                vec![
                    token.name.clone(),
                    maybe_when(Some(token.created_at), now),
                    maybe_when(token.last_used_at, now),
                ]
            };
            console::table(&["name", "made", "last used"], &tokens.iter().map(row).collect::<Vec<_>>());
        }
        Tokens::Remove { name } => store.remove_token(name).await?,
    }
    Ok(())
}

pub(crate) async fn password(config: &Config, remove: bool) -> anyhow::Result<()> {
    let store = open_store(config)?;
    if remove {
        store.set_setting::<String>("password", None).await?;
    } else {
        console::note("type the new password and press Enter:");
        let mut password = String::new();
        std::io::stdin().read_line(&mut password)?;
        server::set_password(&store, password.trim_end_matches(['\r', '\n']))
            .await
            .map_err(|error| bad_input(error.to_string()))?;
    }
    // Whoever was logged in with the old one must log in again.
    store.end_login(None).await?;
    console::note(if remove {
        "the password is removed"
    } else {
        "the password is set; restart `serve` to use it"
    });
    Ok(())
}
