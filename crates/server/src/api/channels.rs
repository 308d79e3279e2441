//! Channels: the ways people are told. List, make, change, test, remove.

use super::extract::{Body, Id};
use super::views::DeliveryView;
use super::{ErrorBody, Refusal};
use crate::app::App;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use engine::ChannelWish;
use http::StatusCode;
use http::header::LOCATION;
use jiff::Timestamp;
use model::{ChannelId, FolderId};
use serde::{Deserialize, Serialize};
use store::Target;
use utoipa::ToSchema;

/// A way to tell people. Secrets are left out.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Channel {
    id: i64,
    name: String,
    /// `webhook` or `mail`.
    kind: &'static str,
    /// Where a webhook is.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// What a webhook's messages are signed with: only when it was just made.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mail: Option<MailServer>,
    /// Kinds of messages: `event_opened`, `event_ended`, `source_late`, `watch_changed`, `watch_gone`, `watch_ended`.
    wants: Vec<String>,
    /// Only about these folders and those inside them; empty: all.
    folders: Vec<i64>,
    /// `at_once`, `hourly` or `daily 08:00`.
    rhythm: String,
    /// Hours without messages: `22:00-07:00`.
    quiet: Option<String>,
    /// The time zone of these hours.
    zone: String,
    enabled: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_delivered_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    failing_since: Option<Timestamp>,
    last_error: Option<String>,
    /// Not tried before this, because it fails.
    #[schema(value_type = Option<String>, format = DateTime)]
    retry_at: Option<Timestamp>,
}

/// A mail server, and whom the mail is for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MailServer {
    host: String,
    port: u16,
    /// `implicit`, `starttls` or `none`.
    encryption: &'static str,
    user: Option<String>,
    from: String,
    to: Vec<String>,
}

impl Channel {
    fn of(channel: store::Channel, reveal: bool) -> Self {
        let settings = channel.settings;
        let kind = settings.target.word();
        let (url, secret, mail) = match settings.target {
            Target::Webhook { url, secret } => {
                (Some(url.into()), reveal.then(|| secret.reveal().to_owned()), None)
            }
            Target::Mail(mail) => {
                let mail = MailServer {
                    host: mail.host,
                    port: mail.port,
                    encryption: mail.encryption.word(),
                    user: mail.user,
                    from: mail.from,
                    to: mail.to,
                };
                (None, None, Some(mail))
            }
        };
        Self {
            id: channel.id.0,
            name: settings.name,
            kind,
            url,
            secret,
            mail,
            wants: settings.wants,
            folders: settings.folders.into_iter().map(|id| id.0).collect(),
            rhythm: settings.rhythm.to_string(),
            quiet: settings.quiet.map(|quiet| quiet.to_string()),
            zone: settings.zone,
            enabled: settings.enabled,
            created_at: channel.created_at,
            last_delivered_at: channel.last_delivered_at,
            failing_since: channel.failing_since,
            last_error: channel.last_error,
            retry_at: channel.retry_at,
        }
    }
}

/// A channel to make, or what to change about one; what is left out stays as it is or takes its default.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChannelBody {
    /// `webhook` or `mail`; only to make one.
    kind: Option<String>,
    name: Option<String>,
    /// Where a webhook is.
    url: Option<String>,
    /// What to sign with, at least 16 characters; by default a new random text.
    secret: Option<String>,
    /// Make a new secret; it is in the answer.
    #[serde(default)]
    new_secret: bool,
    host: Option<String>,
    port: Option<u16>,
    encryption: Option<String>,
    /// Empty: no login.
    user: Option<String>,
    password: Option<String>,
    from: Option<String>,
    to: Option<Vec<String>>,
    wants: Option<Vec<String>>,
    folders: Option<Vec<i64>>,
    rhythm: Option<String>,
    /// Empty: none.
    quiet: Option<String>,
    zone: Option<String>,
    enabled: Option<bool>,
}

impl ChannelBody {
    fn wish(self) -> ChannelWish {
        ChannelWish {
            name: self.name,
            url: self.url,
            secret: self.secret,
            new_secret: self.new_secret,
            host: self.host,
            port: self.port,
            encryption: self.encryption,
            user: self.user,
            password: self.password,
            from: self.from,
            to: self.to,
            wants: self.wants,
            folders: self.folders.map(|ids| ids.into_iter().map(FolderId).collect()),
            rhythm: self.rhythm,
            quiet: self.quiet,
            zone: self.zone,
            enabled: self.enabled,
        }
    }
}

/// All channels.
#[utoipa::path(
    get, path = "/channels", tag = "telling", operation_id = "list_channels",
    responses((status = 200, body = Vec<Channel>))
)]
pub(crate) async fn list(State(app): State<App>) -> Result<Json<Vec<Channel>>, Refusal> {
    let channels = app.store().channels().await?;
    Ok(Json(channels.into_iter().map(|channel| Channel::of(channel, false)).collect()))
}

/// Makes a channel. The answer to a webhook holds its secret, this once.
#[utoipa::path(
    post, path = "/channels", tag = "telling", operation_id = "add_channel", request_body = ChannelBody,
    responses((status = 201, body = Channel, headers(("Location" = String))), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody))
)]
pub(crate) async fn add(State(app): State<App>, Body(body): Body<ChannelBody>) -> Result<Response, Refusal> {
    let kind = body.kind.clone().unwrap_or_else(|| "webhook".into());
    let channel = app.engine.add_channel(&kind, body.wish()).await?;
    app.changed();
    let place = format!("/api/v1/channels/{}", channel.id);
    Ok((StatusCode::CREATED, [(LOCATION, place)], Json(Channel::of(channel, true))).into_response())
}

/// One channel.
#[utoipa::path(
    get, path = "/channels/{id}", tag = "telling", operation_id = "get_channel", params(("id" = i64, Path)),
    responses((status = 200, body = Channel), (status = 404, body = ErrorBody))
)]
pub(crate) async fn one(State(app): State<App>, Id(id): Id) -> Result<Json<Channel>, Refusal> {
    Ok(Json(Channel::of(app.store().channel(ChannelId(id)).await?, false)))
}

/// Changes a channel. What waits for it to be mended is tried at once.
#[utoipa::path(
    patch, path = "/channels/{id}", tag = "telling", operation_id = "edit_channel", params(("id" = i64, Path)),
    request_body = ChannelBody,
    responses((status = 200, body = Channel), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody))
)]
pub(crate) async fn edit(
    State(app): State<App>,
    Id(id): Id,
    Body(body): Body<ChannelBody>,
) -> Result<Json<Channel>, Refusal> {
    let reveal = body.new_secret;
    let channel = app.engine.change_channel(ChannelId(id), body.wish()).await?;
    app.changed();
    Ok(Json(Channel::of(channel, reveal)))
}

/// Removes a channel, and what is on its way through it.
#[utoipa::path(
    delete, path = "/channels/{id}", tag = "telling", operation_id = "remove_channel", params(("id" = i64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody))
)]
pub(crate) async fn remove(State(app): State<App>, Id(id): Id) -> Result<StatusCode, Refusal> {
    app.store().remove_channel(ChannelId(id)).await?;
    app.changed();
    Ok(StatusCode::NO_CONTENT)
}

/// Sends a test through a channel, the real way, and answers how it ended.
#[utoipa::path(
    post, path = "/channels/{id}/test", tag = "telling", operation_id = "test_channel", params(("id" = i64, Path)),
    responses((status = 200, body = DeliveryView), (status = 404, body = ErrorBody))
)]
pub(crate) async fn test(State(app): State<App>, Id(id): Id) -> Result<Json<DeliveryView>, Refusal> {
    Ok(Json(app.engine.test_channel(ChannelId(id)).await?.into()))
}
