//! The web UI: server-rendered pages that work without JavaScript; a small script makes them live.

mod add;
mod article;
mod articles;
mod assets;
mod calendar;
mod chart;
mod crawls;
mod deeds;
mod events;
mod filed;
mod flash;
mod folders;
mod health;
mod icons;
mod links;
mod login;
mod many;
mod marked;
mod notifications;
mod parts;
mod plan;
mod preview;
mod refiling;
mod review;
pub(crate) mod rules;
mod shell;
mod source;
mod sources;
mod teach;
mod topics;
mod trouble;
mod visitor;
mod watches;
mod why;

pub(crate) use filed::folders as folders_of;
pub(crate) use links::link;
pub(crate) use trouble::{Trouble, nothing_here};

use crate::routes::Listed;

/// Pages for whoever may come in.
pub(crate) fn pages() -> Listed {
    Listed::default()
        .get("/", articles::list)
        .post("/articles/read", article::mark_all_read)
        .get("/articles/{id}", article::show)
        .post("/articles/{id}/marks", article::mark)
        .get("/articles/{id}/teach", teach::show)
        .post("/articles/{id}/teach", teach::act)
        .post("/articles/{id}/teach/preview", teach::preview)
        .post("/lessons/undo", teach::undo)
        .post("/articles/{id}/confirm", article::confirm)
        .get("/folders", folders::list)
        .post("/folders", folders::create)
        .get("/folders/{id}", folders::show)
        .post("/folders/{id}", folders::change)
        .get("/rules", rules::list)
        .get("/rules.jsonl", rules::json_lines)
        .get("/rules.txt", rules::text)
        .get("/rules/lessons", rules::history)
        .get("/rules/report", rules::report)
        .post("/rules/undo", rules::undo)
        .post("/rules/check", rules::check)
        .get("/rules/{id}", rules::show)
        .get("/rules/{id}/retire", rules::ask_retirement)
        .post("/rules/{id}/retire", rules::retire)
        .post("/refiling", refiling::steer)
        .get("/review", review::queue)
        .get("/sources", sources::list)
        .post("/sources", add::add)
        .get("/sources.opml", sources::opml)
        .get("/sources/add", add::form)
        .get("/sources/preview", add::begin_again)
        .post("/sources/preview", preview::show)
        .post("/sources/many", many::add)
        .post("/sources/deeds", deeds::run)
        .get("/sources/{id}", source::show)
        .post("/sources/{id}", source::edit)
        .get("/watches", watches::list)
        .post("/watches", watches::add)
        .get("/watches/add", watches::ask)
        .post("/watches/preview", watches::preview)
        .get("/watches/{id}", watches::show)
        .post("/watches/{id}", watches::act)
        .get("/notifications", notifications::list)
        .post("/notifications", notifications::create)
        .post("/notifications/feed-key", notifications::feed_key)
        .post("/notifications/deliveries/{id}", notifications::retry)
        .get("/notifications/{id}", notifications::show)
        .post("/notifications/{id}", notifications::act)
        .get("/events", events::list)
        .get("/events/settings", events::show_settings)
        .post("/events/settings", events::change_settings)
        .get("/events/{id}", events::show)
        .post("/events/{id}/verdict", events::judge)
        .get("/calendar", calendar::list)
        .post("/calendar", calendar::add)
        .post("/calendar/preview", calendar::preview)
        .post("/calendar/import", calendar::import)
        .post("/calendar/{id}/remove", calendar::remove)
        .get("/plan", plan::show)
        .get("/plan/settings", plan::show_settings)
        .post("/plan/settings", plan::change)
        .get("/plan/what-if", plan::show_what_if)
        .post("/plan/what-if", plan::ask)
        .post("/plan/apply", plan::apply)
        .get("/crawls", crawls::list)
        .post("/crawls", crawls::begin)
        .get("/crawls/start", crawls::ask)
        .get("/crawls/{id}", crawls::show)
        .post("/crawls/{id}", crawls::act)
        .get("/crawls/{id}/pages", crawls::pages)
        .get("/crawls/{id}/explain", crawls::explain)
        .get("/topics", topics::list)
        .post("/topics", topics::add)
        .get("/topics/add", topics::ask)
        .get("/topics/{name}", topics::show)
        .post("/topics/{name}", topics::act)
        .get("/topics/{name}/export", topics::export)
        .get("/health", health::show)
}

/// The way in, and what it needs to look like something.
pub(crate) fn doors() -> Listed {
    Listed::default()
        .get("/login", login::form)
        .post("/login", login::log_in)
        .get("/setup", login::setup_form)
        .post("/setup", login::set_up)
        .post("/logout", login::log_out)
        .get("/assets/{file}", assets::serve)
}
