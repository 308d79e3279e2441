//! Messages in words. Facts come from the deed that wrote them; one that is missing is left out.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use page::watches::Diff;
use serde_json::Value;
use std::collections::BTreeMap;
use store::Message;
use url::Url;

/// More articles than this are a list nobody reads; the page has them all.
const MOST_ARTICLES: usize = 20;
const MOST_SOURCES: usize = 20;
const LONGEST_TITLE: usize = 200;

/// A message in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Story {
    /// The subject: "Sport is unusually busy: 9 stories against 2.1 expected".
    pub title: String,
    /// What there is to say, a sentence or two each.
    pub paragraphs: Vec<String>,
    /// The sources that show it, with their counts.
    pub sources: Vec<String>,
    /// The articles it is about.
    pub articles: Vec<StoryArticle>,
    /// What changed, word by word.
    pub diff: Option<Diff>,
    /// The page that says more.
    pub link: Option<Url>,
    /// The folder it is about.
    pub folder: Option<String>,
    /// When it was written.
    pub at: Timestamp,
}

/// An article a message is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryArticle {
    /// Its title.
    pub title: String,
    /// Where it is, if that is on the web.
    pub url: Option<Url>,
    /// Who has it.
    pub source: Option<String>,
}

impl Story {
    /// Puts a message into words, for people in this time zone.
    pub fn of(message: &Message, base: &Url, zone: &TimeZone) -> Self {
        let facts = &message.payload;
        let said = match message.kind.as_str() {
            "source_late" => late(facts, zone),
            "test" => test(facts),
            kind if kind.starts_with("watch_") => watch(kind, facts, zone),
            kind if kind.starts_with("event") => event(kind, facts, zone),
            other => (format!("Ripplewatch: {}", other.replace('_', " ")), Vec::new()),
        };
        let link = match (text(facts, "url"), message.kind.as_str()) {
            (_, "source_late") => facts["source"].as_i64().map(|id| format!("/sources/{id}")),
            (_, "test") => Some("/notifications".into()),
            (path, _) => path.filter(|path| path.starts_with('/')),
        };
        Self {
            title: one_line(&said.0),
            paragraphs: said.1,
            sources: list(facts, "sources").iter().take(MOST_SOURCES).filter_map(source).collect(),
            articles: list(facts, "articles").iter().take(MOST_ARTICLES).filter_map(article).collect(),
            diff: serde_json::from_value(facts["diff"].clone())
                .ok()
                .filter(|diff: &Diff| !diff.hunks.is_empty()),
            link: link.and_then(|path| absolute(&path, base)),
            folder: text(&facts["folder"], "name").map(|name| one_line(&name)),
            at: message.created_at,
        }
    }
}

/// A page of ours, as seen from elsewhere.
pub(super) fn absolute(path: &str, base: &Url) -> Option<Url> {
    base.join(path).ok().filter(|url| url.origin() == base.origin())
}

/// "12 messages: Sport (8), Weather (3), other (1)".
pub(super) fn digest_title(messages: &[Message], base: &Url, zone: &TimeZone) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for message in messages {
        let folder = Story::of(message, base, zone).folder.unwrap_or_else(|| "other".into());
        *counts.entry(folder).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let folders: Vec<_> =
        counts.iter().take(5).map(|(folder, count)| format!("{folder} ({count})")).collect();
    let more = if counts.len() > 5 { ", …" } else { "" };
    one_line(&format!("{} messages: {}{more}", messages.len(), folders.join(", ")))
}

/// A time as people in this zone say it.
pub(super) fn when(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone()).strftime("%A, %-d %B %Y, %H:%M %Z").to_string()
}

fn event(kind: &str, facts: &Value, zone: &TimeZone) -> (String, Vec<String>) {
    let folder = text(&facts["folder"], "name").unwrap_or_else(|| "A folder".into());
    let state = text(facts, "state").unwrap_or_else(|| kind.trim_start_matches("event_").to_owned());
    let is = match state.as_str() {
        "grew" => "is still unusually busy",
        "ended" => "is calm again",
        _ => "is unusually busy",
    };
    let counts = match (number(facts, "observed"), number(facts, "expected")) {
        (Some(observed), Some(expected)) => {
            let noun = if observed == "1" { "story" } else { "stories" };
            format!(": {observed} {noun} against {expected} expected")
        }
        _ => String::new(),
    };
    let mut paragraphs = Vec::new();
    // A detector's reason names the usual range; without one, we do.
    let range = || Some(format!("Usual would be {} to {}", number(facts, "low")?, number(facts, "high")?));
    paragraphs.extend(
        text(facts, "reason").or_else(range).map(|reason| format!("{}.", reason.trim_end_matches('.'))),
    );
    if let Some(source) = text(facts, "began_in") {
        paragraphs.push(format!("Seen first in {}.", one_line(&source)));
    }
    let moment = |name: &str| text(facts, name)?.parse::<Timestamp>().ok().map(|at| when(at, zone));
    let times = [("began_at", "Began"), ("opened_at", "Noticed"), ("ended_at", "Ended")];
    let times = times.iter().filter_map(|(name, verb)| Some(format!("{verb}: {}.", moment(name)?)));
    let times: Vec<_> = times.collect();
    if !times.is_empty() {
        paragraphs.push(times.join(" "));
    }
    (format!("{folder} {is}{counts}"), paragraphs)
}

fn watch(kind: &str, facts: &Value, zone: &TimeZone) -> (String, Vec<String>) {
    let name = text(&facts["watch"], "name").unwrap_or_else(|| "A watch".into());
    let numbers = match (plain_number(facts, "number_before"), plain_number(facts, "number")) {
        (Some(before), Some(now)) if before != now => Some(format!("{before} → {now}")),
        _ => None,
    };
    let changed =
        || numbers.clone().or_else(|| text(facts, "summary")).unwrap_or_else(|| "it changed".into());
    let why = text(facts, "why");
    let said = match (kind, text(facts, "state").as_deref()) {
        ("watch_gone", _) => "the part is gone from its page".to_owned(),
        ("watch_ended", _) => "the watch has ended".into(),
        (_, Some("back")) => "the part is on its page".into(),
        (_, Some("flapping")) => "it changes to and fro".into(),
        (_, Some("settled")) => format!("it has come to rest: {}", changed()),
        _ => changed(),
    };
    let mut paragraphs = Vec::new();
    paragraphs.extend(why.map(|why| format!("{}.", capital(why.trim_end_matches('.')))));
    let since = text(facts, "since").and_then(|at| at.parse::<Timestamp>().ok());
    paragraphs.extend(since.map(|at| format!("Compared with {}.", when(at, zone))));
    let page = &facts["source"];
    match (text(page, "title"), text(page, "url")) {
        (Some(title), Some(url)) if title != url => {
            paragraphs.push(format!("Page: {} — {url}", one_line(&title)));
        }
        (_, Some(url)) => paragraphs.push(format!("Page: {url}")),
        _ => {}
    }
    (format!("{name}: {said}"), paragraphs)
}

/// A number with all its digits: prices are exact.
fn plain_number(facts: &Value, name: &str) -> Option<String> {
    facts[name].as_f64().filter(|value| value.is_finite()).map(|value| value.to_string())
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn late(facts: &Value, zone: &TimeZone) -> (String, Vec<String>) {
    let url = text(facts, "url").unwrap_or_else(|| "a source".into());
    let name = text(facts, "title").unwrap_or_else(|| url.clone());
    let due = text(facts, "due_at").and_then(|at| at.parse::<Timestamp>().ok());
    let mut paragraphs = Vec::new();
    paragraphs.extend(due.map(|at| format!("It should have been visited on {}.", when(at, zone))));
    paragraphs.push(format!("Address: {url}"));
    paragraphs.push("The Health page says what is late and why.".into());
    (format!("{name} was not visited on time"), paragraphs)
}

fn test(facts: &Value) -> (String, Vec<String>) {
    let name = text(facts, "channel").unwrap_or_default();
    let words = "This is how messages arrive here. Nothing has happened: somebody pressed Test.";
    (format!("A test of the channel “{name}”"), vec![words.into()])
}

fn source(facts: &Value) -> Option<String> {
    let title = one_line(&text(facts, "title")?);
    Some(match (number(facts, "observed"), number(facts, "expected")) {
        (Some(observed), Some(expected)) => format!("{title}: {observed} against {expected} expected"),
        (Some(observed), None) => format!("{title}: {observed}"),
        _ => title,
    })
}

fn article(facts: &Value) -> Option<StoryArticle> {
    let url = text(facts, "url").and_then(|url| Url::parse(&url).ok());
    Some(StoryArticle {
        title: one_line(&text(facts, "title")?),
        url: url.filter(|url| matches!(url.scheme(), "http" | "https")),
        source: text(facts, "source").map(|source| one_line(&source)),
    })
}

fn list<'a>(facts: &'a Value, name: &str) -> &'a [Value] {
    facts[name].as_array().map_or(&[], Vec::as_slice)
}

fn text(facts: &Value, name: &str) -> Option<String> {
    facts[name].as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// 9, 2.1; a tenth is as exact as anyone wants it.
fn number(facts: &Value, name: &str) -> Option<String> {
    let value = facts[name].as_f64().filter(|value| value.is_finite())?;
    let text = format!("{value:.1}");
    Some(text.strip_suffix(".0").map_or(text.clone(), str::to_owned))
}

/// Text from elsewhere in one line of bearable length: nothing in it can begin a new header.
fn one_line(text: &str) -> String {
    let spaced = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = spaced.collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST_TITLE {
        return line;
    }
    line.chars().take(LONGEST_TITLE - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(kind: &str, payload: Value) -> Story {
        let message =
            Message { key: "k".into(), kind: kind.into(), payload, created_at: Timestamp::UNIX_EPOCH };
        Story::of(&message, &"https://watch.example/".parse().unwrap(), &TimeZone::UTC)
    }

    #[test]
    fn an_event_is_told_with_its_numbers_and_where_to_read_on() {
        let story = told(
            "event_opened",
            json!({"event": 7, "folder": {"id": 3, "name": "Sport"}, "state": "opened", "observed": 9, "expected": 2.13,
                "low": 0, "high": 5.04, "reason": "More than in any of the last six weeks.",
                "began_at": "2026-07-06T10:00:00Z", "began_in": "The Times", "sources": [{"id": 1, "title": "The Times", "observed": 5, "expected": 0.8}],
                "articles": [{"id": 1, "title": "Goal!", "url": "https://a.example/1", "source": "The Times"},
                    {"id": 2, "title": "Foul", "url": "javascript:alert(1)"}], "url": "/events/7"}),
        );
        assert_eq!(story.title, "Sport is unusually busy: 9 stories against 2.1 expected");
        assert_eq!(story.paragraphs[0], "More than in any of the last six weeks.");
        assert_eq!(story.paragraphs[1], "Seen first in The Times.");
        assert_eq!(story.paragraphs[2], "Began: Monday, 6 July 2026, 10:00 UTC.");
        assert_eq!(story.sources, ["The Times: 5 against 0.8 expected"]);
        assert_eq!(story.link.unwrap().as_str(), "https://watch.example/events/7");
        assert_eq!((story.articles.len(), story.articles[1].url.as_ref()), (2, None));
    }

    #[test]
    fn missing_facts_are_left_out_and_foreign_links_are_none() {
        let story = told("event_ended", json!({}));
        assert_eq!(
            told("event_opened", json!({"low": 0, "high": 5.04})).paragraphs,
            ["Usual would be 0 to 5."]
        );
        assert_eq!(story.title, "A folder is calm again");
        assert!(story.paragraphs.is_empty() && story.link.is_none());
        assert_eq!(told("event_grew", json!({"url": "//evil.example/"})).link, None);
        assert_eq!(
            told("event_opened", json!({"observed": f64::NAN, "folder": 3})).title,
            "A folder is unusually busy"
        );
        assert_eq!(told("something_new", Value::Null).title, "Ripplewatch: something new");
    }

    #[test]
    fn a_watch_is_told_with_what_changed() {
        let facts = json!({"watch": {"id": 3, "name": "Price"}, "state": "changed", "why": "it changed", "number_before": 10.0,
            "number": 12.5, "summary": "1 word came, 1 went", "since": "2026-07-06T10:00:00Z",
            "source": {"id": 1, "title": "Lamps", "url": "https://a.example/"}, "url": "/watches/3",
            "diff": {"hunks": [[{"removed": "10"}, {"added": " 12.5"}, {"same": " euros"}]], "removed": 1, "added": 1, "changed": 1}});
        let story = told("watch_changed", facts.clone());
        assert_eq!(story.title, "Price: 10 → 12.5");
        assert_eq!(
            story.paragraphs,
            [
                "It changed.",
                "Compared with Monday, 6 July 2026, 10:00 UTC.",
                "Page: Lamps — https://a.example/"
            ]
        );
        assert_eq!(story.diff.unwrap().text(), "[-10-] {+12.5+} euros");
        assert_eq!(story.link.unwrap().path(), "/watches/3");
        assert_eq!(told("watch_gone", facts).title, "Price: the part is gone from its page");
        assert_eq!(told("watch_ended", json!({})).title, "A watch: the watch has ended");
    }

    #[test]
    fn a_title_is_one_line() {
        let story = told(
            "source_late",
            json!({"source": 4, "title": "Times\r\nBcc: all@example.com\u{0}", "url": "https://a.example/"}),
        );
        assert_eq!(story.title, "Times Bcc: all@example.com was not visited on time");
        assert_eq!(story.link.unwrap().path(), "/sources/4");
        assert_eq!(told("source_late", json!({"title": "x".repeat(900)})).title.chars().count(), 200);
    }
}
