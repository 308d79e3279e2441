//! What is around every page.

use super::assets::{ICON, SCRIPT, STYLE};
use super::icons::{Icon, icon};
use super::visitor::Visitor;
use crate::access::csrf::Fields;
use crate::words::number;
use maud::{DOCTYPE, Markup, html};

/// Which entry of the navigation is the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    Articles,
    Events,
    Folders,
    Rules,
    Review,
    Sources,
    Plan,
    Discover,
    Add,
    Health,
    None,
}

/// When a page was made, for the script that keeps it fresh.
struct Moment {
    now: i64,
    /// Seconds the monitor's clock shows for a real one.
    speed: f64,
    change: u64,
    /// The feed of what the page shows.
    feed: Option<String>,
}

/// A page for a visitor.
pub(crate) fn page(visitor: &Visitor, tab: Tab, title: &str, content: &Markup) -> Markup {
    let moment = Moment {
        now: visitor.now.as_millisecond(),
        speed: visitor.app.clock_speed(),
        change: visitor.change,
        feed: feed_of(&visitor.here),
    };
    let header = html! {
        (brand())
        @if visitor.counts.is_some() { (navigation(visitor, tab)) }
    };
    let main = html! {
        @if let Some(flash) = &visitor.flash {
            p .flash role="status" { (icon(Icon::Check)) span { (flash) } }
        }
        (content)
    };
    let banner = visitor.app.settings.demo.as_deref();
    document(title, Some(&moment), banner, &header, &main)
}

/// A page that knows nothing of who looks at it.
pub(crate) fn bare(title: &str, content: &Markup) -> Markup {
    document(title, None, None, &brand(), content)
}

fn document(
    title: &str,
    moment: Option<&Moment>,
    banner: Option<&str>,
    header: &Markup,
    main: &Markup,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-now=[moment.map(|moment| moment.now)] data-speed=[moment.map(|moment| moment.speed)]
            data-change=[moment.map(|moment| moment.change)] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Ripplewatch" }
                link rel="icon" href=(ICON.path);
                link rel="stylesheet" href=(STYLE.path);
                @if let Some(feed) = moment.and_then(|moment| moment.feed.as_ref()) {
                    link rel="alternate" type="application/atom+xml" title=(title) href=(feed);
                }
                script src=(SCRIPT.path) defer {}
            }
            body {
                a .skip href="#main" { "Skip to the content" }
                @if let Some(banner) = banner {
                    p .banner { (banner) }
                }
                header .top { div .wrap { (header) } }
                main #main .wrap tabindex="-1" { (main) }
                (keyboard_help())
            }
        }
    }
}

/// The feed of what a page of this address shows.
fn feed_of(here: &str) -> Option<String> {
    let (path, query) = here.split_once('?').unwrap_or((here, ""));
    let of_folder = |id: i64| format!("/feeds/folders/{id}.atom");
    match path {
        "/" => Some(match Fields::of_query(query).text("folder").parse() {
            Ok(id) => of_folder(id),
            Err(_) => "/feeds/articles.atom".into(),
        }),
        path if path.starts_with("/events") => Some("/feeds/events.atom".into()),
        "/watches" => Some("/feeds/watches.atom".into()),
        path if path.starts_with("/watches/") => {
            let id: i64 = path.strip_prefix("/watches/")?.parse().ok()?;
            Some(format!("/feeds/watches/{id}.atom"))
        }
        path => path.strip_prefix("/folders/")?.parse().ok().map(of_folder),
    }
}

fn brand() -> Markup {
    html! {
        a .brand href="/" {
            svg viewBox="0 0 28 28" aria-hidden="true" {
                circle cx="14" cy="14" r="3" {}
                circle cx="14" cy="14" r="7.5" {}
                circle cx="14" cy="14" r="12" {}
            }
            span { "Ripplewatch" }
        }
    }
}

fn navigation(visitor: &Visitor, tab: Tab) -> Markup {
    let counts = visitor.counts;
    let unread = counts.map_or(0, |counts| counts.unread);
    let sources = counts.map_or(0, |counts| counts.sources);
    let events = counts.map_or(0, |counts| counts.events);
    let troubled = counts.map_or(0, |counts| counts.failing + counts.late);
    html! {
        nav aria-label="Main" {
            (entry(tab == Tab::Articles, "/", "Articles", ("count-unread", unread, "unread", false)))
            (entry(tab == Tab::Events, "/events", "Events", ("count-events", events, "going on", true)))
            (plain_entry(tab == Tab::Folders, "/folders", "Folders"))
            (plain_entry(tab == Tab::Rules, "/rules", "Rules"))
            (plain_entry(tab == Tab::Review, "/review", "Review"))
            (entry(tab == Tab::Sources, "/sources", "Sources", ("count-sources", sources, "watched", false)))
            (plain_entry(tab == Tab::Plan, "/plan", "Plan"))
            (plain_entry(tab == Tab::Discover, "/crawls", "Discover"))
            (entry(tab == Tab::Health, "/health", "Health", ("count-trouble", troubled, "failing or late", true)))
        }
        div .tools {
            a .button.primary href="/sources/add" aria-current=[(tab == Tab::Add).then_some("page")] {
                (icon(Icon::Plus)) span { "Add" span .wide-only { " source" } }
            }
            @if visitor.app.needs_login() {
                form method="post" action="/logout" {
                    (visitor.hidden())
                    button .button { "Log out" }
                }
            }
        }
    }
}

fn plain_entry(current: bool, href: &str, name: &str) -> Markup {
    html! { a href=(href) aria-current=[current.then_some("page")] { (name) } }
}

fn entry(current: bool, href: &str, name: &str, (id, n, what, alarming): (&str, u64, &str, bool)) -> Markup {
    html! {
        a href=(href) aria-current=[current.then_some("page")] {
            (name)
            span id=(id) data-live {
                @if n > 0 {
                    span .count.alarming[alarming] title={ (n) " " (what) } { (number(n)) }
                }
            }
        }
    }
}

/// Shown by the script when `?` is pressed.
fn keyboard_help() -> Markup {
    const KEYS: [(&str, &str); 13] = [
        ("j / k", "next, previous article"),
        ("o or Enter", "open it"),
        ("v", "open the original"),
        ("m", "mark as read or unread"),
        ("s", "star or unstar"),
        ("f", "file the article, or correct it"),
        ("c", "it is filed right; confirm the event"),
        ("d", "dismiss the event"),
        ("/", "search"),
        ("g a · g e · g f · g r", "go to Articles, Events, Folders, Rules"),
        ("g v · g s · g p · g h", "go to Review, Sources, Plan, Health"),
        ("g w · g t · g c · g n", "go to Watches, Notifications, Crawls, add a source"),
        ("?", "this help"),
    ];
    html! {
        dialog #keys aria-labelledby="keys-title" {
            h2 #keys-title { "Keyboard" }
            dl {
                @for (key, what) in KEYS {
                    div { dt { kbd { (key) } } dd { (what) } }
                }
            }
            form method="dialog" { button .button { "Close" } }
        }
    }
}
