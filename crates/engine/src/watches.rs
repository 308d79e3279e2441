//! Watches as someone asks for them, in words: the pages, the API and the command line mean the same by them.

use crate::reading;
use crate::telling::default_zone;
use crate::worker::Worker;
use fetch::Response;
use jiff::Timestamp;
use model::{Outcome, SourceId, WatchId};
use page::watches::{Aim, Sight, Terms, WatchError};
use std::str::FromStr;
use std::sync::Arc;
use store::{StoreError, Watch, WatchEdit};
use url::Url;

const LONGEST_NAME: usize = 100;

/// What is to be set. What is left out stays as it is, or takes its default; what is empty is taken away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WatchWish {
    /// What it is called; by default after what it looks at.
    pub name: Option<String>,
    /// What it looks at: `text`, `css .price`, `table 2`, …
    pub what: Option<String>,
    /// Only inside what this CSS selector matches.
    pub within: Option<String>,
    /// Lines that match this regular expression are left out.
    pub ignore: Option<String>,
    /// When a look counts: `every visit`, `every 30 minutes`, `at 09:00 on mon-fri`.
    pub when: Option<String>,
    /// How far its number must move: `up 5`, `down 10 %`, `by 2`.
    pub moved: Option<String>,
    /// When it ends: `after 2026-12-31`, `told 3 times`, `contains sold out`, …
    pub stops: Option<Vec<String>>,
    /// Which changes are told: `always`, `appears sold out`, `below 5`, …
    pub notify: Option<String>,
    /// The time zone of its times; by default this machine's.
    pub zone: Option<String>,
}

/// Why a watch cannot be as asked for.
#[derive(Debug, thiserror::Error)]
pub enum WatchRefusal {
    /// What it should do.
    #[error(transparent)]
    Terms(#[from] WatchError),
    /// It was not said what to look at.
    #[error("say what to look at: text, links, images, keyword, phrase, table, list, css or regex")]
    Nothing,
    /// Its name.
    #[error("a watch needs a name of at most {LONGEST_NAME} characters")]
    Name,
    /// It could not be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl WatchWish {
    /// The terms it asks for, on top of those there are.
    pub fn terms(&self, base: Option<&Terms>, now: Timestamp) -> Result<Terms, WatchRefusal> {
        let mut terms = match (base, &self.what) {
            (Some(base), None) => base.clone(),
            (Some(base), Some(what)) => {
                let mut terms = base.clone();
                terms.aim.what = what.parse()?;
                terms
            }
            (None, Some(what)) => Terms { zone: default_zone(), ..Terms::new(Aim::at(what.parse()?)) },
            (None, None) => return Err(WatchRefusal::Nothing),
        };
        set_text(&mut terms.aim.within, self.within.as_deref());
        set_text(&mut terms.aim.ignore, self.ignore.as_deref());
        set(&mut terms.when, self.when.as_deref())?;
        set(&mut terms.notify, self.notify.as_deref())?;
        match self.moved.as_deref().map(str::trim) {
            None => {}
            Some("") => terms.moved = None,
            Some(text) => terms.moved = Some(text.parse()?),
        }
        if let Some(stops) = &self.stops {
            let stops = stops.iter().map(|stop| stop.trim()).filter(|stop| !stop.is_empty());
            terms.stops = stops.map(str::parse).collect::<Result<_, _>>()?;
        }
        if let Some(zone) = self.zone.as_deref().map(str::trim).filter(|zone| !zone.is_empty()) {
            zone.clone_into(&mut terms.zone);
        }
        terms.check(now)?;
        Ok(terms)
    }

    /// The name it asks for.
    fn name(&self) -> Result<Option<String>, WatchRefusal> {
        let name = self.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        match name.map(|name| name.chars().count()) {
            Some(length) if length > LONGEST_NAME => Err(WatchRefusal::Name),
            _ => Ok(name.map(str::to_owned)),
        }
    }
}

fn set<T: FromStr<Err = WatchError>>(target: &mut T, text: Option<&str>) -> Result<(), WatchError> {
    if let Some(text) = text {
        *target = text.parse()?;
    }
    Ok(())
}

fn set_text(target: &mut Option<String>, text: Option<&str>) {
    if let Some(text) = text.map(str::trim) {
        *target = Some(text.to_owned()).filter(|text| !text.is_empty());
    }
}

pub(crate) async fn add(worker: &Worker, source: SourceId, wish: &WatchWish) -> Result<Watch, WatchRefusal> {
    let now = worker.clock.now();
    let terms = wish.terms(None, now)?;
    let called = || terms.aim.what.to_string().chars().take(LONGEST_NAME).collect();
    let name = wish.name()?.unwrap_or_else(called);
    let id = worker.store.add_watch(source, name, terms, now).await?;
    worker.wake.notify_one();
    worker.announce();
    Ok(worker.store.watch(id).await?)
}

pub(crate) async fn change(worker: &Worker, id: WatchId, wish: &WatchWish) -> Result<Watch, WatchRefusal> {
    let now = worker.clock.now();
    let current = worker.store.watch(id).await?;
    // An old end that has come is no reason to refuse another name.
    let same = WatchWish { name: wish.name.clone(), ..WatchWish::default() } == *wish;
    let terms = if same { None } else { Some(wish.terms(Some(&current.terms), now)?) };
    let edit = WatchEdit { name: wish.name()?, terms, paused: None };
    edit_watch(worker, id, edit).await
}

pub(crate) async fn edit_watch(worker: &Worker, id: WatchId, edit: WatchEdit) -> Result<Watch, WatchRefusal> {
    let watch = worker.store.edit_watch(id, edit, worker.clock.now()).await?;
    worker.wake.notify_one();
    worker.announce();
    Ok(watch)
}

/// A page as it was fetched to look at, for as many looks as one likes. Nothing is stored. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Fetched {
    outcome: Outcome,
    final_url: Url,
    response: Option<Arc<Response>>,
}

/// What a watch would see.
#[derive(Debug)]
pub struct Glance {
    /// How the fetch ended.
    pub outcome: Outcome,
    /// Where it led in the end.
    pub final_url: Url,
    /// What is seen, if the page could be read.
    pub sight: Option<Sight>,
}

pub(crate) async fn fetch_page(worker: &Worker, url: &Url) -> Fetched {
    let reply = worker.ask_once(url).await;
    let response = reply.response.filter(|_| matches!(reply.outcome, Outcome::NewContent)).map(Arc::new);
    Fetched { outcome: reply.outcome, final_url: reply.final_url, response }
}

pub(crate) async fn glance(worker: &Worker, fetched: &Fetched, aim: &Aim) -> Glance {
    let Fetched { outcome, final_url, response } = fetched.clone();
    let mut glance = Glance { outcome, final_url, sight: None };
    let Some(response) = response else {
        return glance;
    };
    let (url, caps, aims) = (glance.final_url.clone(), worker.settings.caps, [aim.clone()]);
    let read = move || reading::read_page(&response, &url, None, &aims, &caps).map(|(_, sights)| sights);
    match worker.on_cpu(read).await {
        Some(Ok(sights)) => glance.sight = sights.into_iter().next(),
        Some(Err(outcome)) => glance.outcome = outcome,
        None => {}
    }
    glance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(what: &str) -> WatchWish {
        WatchWish { what: Some(what.into()), ..WatchWish::default() }
    }

    #[test]
    fn what_is_left_out_stays_and_what_is_empty_goes() {
        let now = Timestamp::UNIX_EPOCH;
        let full = WatchWish {
            within: Some("main".into()),
            moved: Some("up 5 %".into()),
            stops: Some(vec!["below 3".into(), " ".into()]),
            when: Some("every hour".into()),
            ..wish("css .price")
        };
        let terms = full.terms(None, now).unwrap();
        assert_eq!((terms.stops.len(), terms.aim.within.as_deref()), (1, Some("main")));
        let less = WatchWish { within: Some(String::new()), moved: Some(" ".into()), ..WatchWish::default() };
        let terms = less.terms(Some(&terms), now).unwrap();
        assert_eq!((terms.aim.within, terms.moved), (None, None));
        assert_eq!((terms.when.to_string(), terms.stops.len()), ("every 1 hour".into(), 1));
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_way_out() {
        let refused = |wish: WatchWish| wish.terms(None, Timestamp::UNIX_EPOCH).unwrap_err().to_string();
        assert!(refused(WatchWish::default()).contains("say what to look at"));
        assert!(refused(wish("css [")).contains("not a CSS selector"));
        let past = WatchWish { stops: Some(vec!["after 1969-12-30".into()]), ..wish("text") };
        assert!(refused(past).contains("in the past"));
        let zone = WatchWish { zone: Some("Mars".into()), ..wish("text") };
        assert!(refused(zone).contains("no time zone"));
        let long = WatchWish { name: Some("x".repeat(101)), ..wish("text") };
        assert!(matches!(long.name(), Err(WatchRefusal::Name)));
    }
}
