//! What is done on the page: add, save, test, pause, remove, try again.

use super::form::{Kind, Values};
use super::{edit_page, page, secret_page};
use crate::access::csrf::Fields;
use crate::feeds;
use crate::problem::Problem;
use crate::ui::links::after;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::{Number, Visitor};
use axum::response::{IntoResponse, Redirect, Response};
use engine::ChannelWish;
use model::{ChannelId, DeliveryId};
use store::{DeliveryState, Target};

const HERE: &str = "/notifications";

pub(crate) async fn create(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    let kind =
        Kind::from_word(fields.text("kind")).ok_or_else(|| Problem::bad_request("which kind of channel?"))?;
    let values = Values::typed(&fields);
    let added = match values.wish(kind) {
        Ok(wish) => visitor.app.engine.add_channel(kind.word(), wish).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match added {
        Ok(channel) => {
            visitor.app.changed();
            match channel.settings.target {
                Target::Webhook { .. } => Ok(secret_page(&visitor, &channel)),
                Target::Mail(_) => Ok(done(HERE, "channel_added")),
            }
        }
        Err(problem) if problem.status.is_client_error() => {
            page(&visitor, Some((kind, values, problem))).await
        }
        Err(problem) => Err(problem.into()),
    }
}

pub(crate) async fn act(visitor: Visitor, Number(id): Number, fields: Fields) -> Result<Response, Trouble> {
    let id = ChannelId(id);
    let app = &visitor.app;
    let set = |enabled| ChannelWish { enabled: Some(enabled), ..ChannelWish::default() };
    let place = match fields.text("deed") {
        "save" => return save(&visitor, id, &fields).await,
        "test" => {
            let tested = app.engine.test_channel(id).await?;
            let fine = tested.state == DeliveryState::Delivered;
            done(HERE, if fine { "test_delivered" } else { "test_failed" })
        }
        "pause" => {
            app.engine.change_channel(id, set(false)).await?;
            done(HERE, "channel_paused")
        }
        "resume" => {
            app.engine.change_channel(id, set(true)).await?;
            done(HERE, "channel_resumed")
        }
        "secret" => {
            let renewed = ChannelWish { new_secret: true, ..ChannelWish::default() };
            secret_page(&visitor, &app.engine.change_channel(id, renewed).await?)
        }
        "remove" => {
            app.store().remove_channel(id).await?;
            done(HERE, "channel_removed")
        }
        _ => return Err(Problem::bad_request("there is no such deed").into()),
    };
    app.changed();
    Ok(place)
}

async fn save(visitor: &Visitor, id: ChannelId, fields: &Fields) -> Result<Response, Trouble> {
    let channel = visitor.app.store().channel(id).await?;
    let values = Values::typed(fields);
    let saved = match values.wish(Kind::of(&channel.settings.target)) {
        Ok(wish) => visitor.app.engine.change_channel(id, wish).await.map_err(Problem::from),
        Err(problem) => Err(problem),
    };
    match saved {
        Ok(_) => {
            visitor.app.changed();
            Ok(done(HERE, "edited"))
        }
        Err(problem) if problem.status.is_client_error() => {
            edit_page(visitor, &channel, &values, Some(problem)).await
        }
        Err(problem) => Err(problem.into()),
    }
}

pub(crate) async fn retry(visitor: Visitor, Number(id): Number, _: Fields) -> Result<Response, Trouble> {
    visitor.app.store().retry_delivery(DeliveryId(id), visitor.now).await?;
    visitor.app.engine.tell();
    Ok(done(HERE, "retried"))
}

pub(crate) async fn feed_key(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    match fields.text("deed") {
        "renew" => {
            feeds::renew_key(&visitor.app).await?;
            Ok(done(HERE, "feed_key"))
        }
        "revoke" => {
            feeds::revoke_key(&visitor.app).await?;
            Ok(done(HERE, "feed_key_revoked"))
        }
        _ => Err(Problem::bad_request("there is no such deed").into()),
    }
}

fn done(place: &str, what: &str) -> Response {
    Redirect::to(&after(place, what, None)).into_response()
}
