//! The form of a watch: what is typed into it, and what that asks for.

use crate::access::csrf::Fields;
use crate::ui::visitor::Visitor;
use engine::{WatchWish, default_zone};
use maud::{Markup, html};
use page::watches::{Terms, What};

/// What the fields of the form hold.
#[derive(Debug, Clone, Default)]
pub(super) struct Typed {
    pub(super) name: String,
    what: String,
    of: String,
    within: String,
    ignore: String,
    when: String,
    when_at: String,
    moved: String,
    moved_by: String,
    notify: String,
    notify_of: String,
    /// Kinds and texts, in the order of the form.
    stops: Vec<(String, String)>,
    zone: String,
}

/// Rows for stop conditions: at least some, one more than are filled, at most what a watch may have.
const STOPS: std::ops::RangeInclusive<usize> = 3..=8;

const WHEN: [(&str, &str); 3] =
    [("every visit", "whenever the page is visited"), ("every", "every …"), ("at", "at these times …")];
const MOVED: [(&str, &str); 4] = [
    ("", "any change"),
    ("up", "its number goes up by"),
    ("down", "its number goes down by"),
    ("by", "its number moves by"),
];
const NOTIFY: [(&str, &str); 6] = [
    ("always", "every such change"),
    ("appears", "only if these words appear"),
    ("disappears", "only if these words disappear"),
    ("above", "only if its number is above"),
    ("below", "only if its number is below"),
    ("words", "only if this many words changed"),
];
const STOP: [(&str, &str); 7] = [
    ("", "never"),
    ("after", "after a day"),
    ("told", "after so many messages"),
    ("contains", "when it contains"),
    ("lacks", "when it lacks"),
    ("above", "when its number is above"),
    ("below", "when its number is below"),
];

impl Typed {
    /// Of a new watch.
    pub(super) fn blank() -> Self {
        Self {
            what: "text".into(),
            when: "every visit".into(),
            notify: "always".into(),
            zone: default_zone(),
            ..Self::default()
        }
    }

    /// As typed.
    pub(super) fn read(fields: &Fields) -> Self {
        let text = |name: &str| fields.text(name).chars().take(2_000).collect::<String>();
        let row = |row: usize| (text(&format!("stop{row}")), text(&format!("stop{row}_of")));
        Self {
            name: text("name"),
            what: text("what"),
            of: text("of"),
            within: text("within"),
            ignore: text("ignore"),
            when: text("when"),
            when_at: text("when_at"),
            moved: text("moved"),
            moved_by: text("moved_by"),
            notify: text("notify"),
            notify_of: text("notify_of"),
            stops: (0..*STOPS.end()).map(row).collect(),
            zone: text("zone"),
        }
    }

    /// Of a watch that is there.
    pub(super) fn of(name: &str, terms: &Terms) -> Self {
        let split = |text: String| {
            let (word, rest) = text.split_once(' ').unwrap_or((&text, ""));
            (word.to_owned(), rest.to_owned())
        };
        let (what, of) = split(terms.aim.what.to_string());
        let (when, when_at) = match terms.when.to_string() {
            every_visit if every_visit == "every visit" => (every_visit, String::new()),
            other => split(other),
        };
        let (moved, moved_by) = terms.moved.map(|moved| split(moved.to_string())).unwrap_or_default();
        let (notify, notify_of) = split(terms.notify.to_string());
        Self {
            name: name.to_owned(),
            what,
            of,
            within: terms.aim.within.clone().unwrap_or_default(),
            ignore: terms.aim.ignore.clone().unwrap_or_default(),
            when,
            when_at,
            moved,
            moved_by,
            notify,
            notify_of,
            stops: terms.stops.iter().map(|stop| split(stop.to_string())).collect(),
            zone: terms.zone.clone(),
        }
    }

    /// What it asks for, with everything said.
    pub(super) fn wish(&self) -> WatchWish {
        let joined = |word: &str, rest: &str| format!("{word} {rest}").trim().to_owned();
        let when =
            if self.when == "every visit" { self.when.clone() } else { joined(&self.when, &self.when_at) };
        let moved = if self.moved.is_empty() { String::new() } else { joined(&self.moved, &self.moved_by) };
        let notify =
            if self.notify == "always" { self.notify.clone() } else { joined(&self.notify, &self.notify_of) };
        let stops = self.stops.iter().filter(|(kind, _)| !kind.is_empty());
        WatchWish {
            name: Some(self.name.clone()),
            stops: Some(stops.map(|(kind, of)| joined(kind, of)).collect()),
            when: Some(when),
            moved: Some(moved),
            notify: Some(notify),
            zone: Some(self.zone.clone()),
            ..self.aim()
        }
    }

    /// Only what it looks at.
    pub(super) fn aim(&self) -> WatchWish {
        // Fields that stay filled from another choice mean nothing to these.
        let bare = matches!(self.what.as_str(), "text" | "links" | "images");
        let what = if bare { self.what.clone() } else { format!("{} {}", self.what, self.of) };
        WatchWish {
            what: Some(what),
            within: Some(self.within.clone()),
            ignore: Some(self.ignore.clone()),
            ..WatchWish::default()
        }
    }
}

/// The fields. Those that matter first; the rest unfolds.
pub(super) fn fields(typed: &Typed) -> Markup {
    let filled = typed.stops.iter().filter(|(kind, _)| !kind.is_empty()).count();
    let rows = (filled + 1).clamp(*STOPS.start(), *STOPS.end());
    let narrowed = !typed.within.is_empty() || !typed.ignore.is_empty();
    html! {
        div .fields.aim {
            label {
                span { "Look at" }
                (choice("what", &What::WORDS, &typed.what))
            }
            label {
                span { "Which" }
                (text("of", &typed.of, ".price", "Word, phrase, place, CSS selector or regular expression"))
                small { "A word, a phrase, the place of a table or list, a CSS selector (with " code { "@src" } " at its end for an \
                    attribute) or a regular expression. Not needed for text, links and images." }
            }
            label .wide { span { "Name" } (text("name", &typed.name, "After what it looks at", "Name")) }
        }
        details .more-fields open[narrowed] {
            summary { "Narrow it down" }
            div .fields {
                label {
                    span { "Only inside" }
                    (text("within", &typed.within, "main", "Only inside"))
                    small { "CSS selector of the part of the page that counts." }
                }
                label {
                    span { "Leave out lines that match" }
                    (text("ignore", &typed.ignore, "^Updated", "Leave out lines that match"))
                    small { "A regular expression: for dates, counters, greetings." }
                }
            }
        }
        fieldset .conditions {
            legend { "When to look" }
            (row(&choice("when", &WHEN, &typed.when), &text("when_at", &typed.when_at, "30 minutes, or 09:00, 17:30 on mon-fri", "How often, or at which times")))
        }
        fieldset .conditions {
            legend { "Tell me" }
            (row(&choice("moved", &MOVED, &typed.moved), &text("moved_by", &typed.moved_by, "5, or 10 %", "By how much, or how many per cent")))
            (row(&choice("notify", &NOTIFY, &typed.notify), &text("notify_of", &typed.notify_of, "words, or a number", "Which words, or which number")))
        }
        details .more-fields open[filled > 0] {
            summary { "When it ends" }
            fieldset .conditions {
                legend .visually-hidden { "When it ends" }
                @for place in 0..rows {
                    @let (kind, of) = typed.stops.get(place).cloned().unwrap_or_default();
                    (row(&choice(&format!("stop{place}"), &STOP, &kind), &text(&format!("stop{place}_of"), &of, "2026-12-31, 3, sold out", "Which day, how many, which words or number")))
                }
            }
            div .fields { label { span { "Time zone" } (text("zone", &typed.zone, "UTC", "Time zone")) } }
        }
    }
}

fn row(choice: &Markup, text: &Markup) -> Markup {
    html! { div .either { (choice) (text) } }
}

fn choice(name: &str, options: &[(&str, &str)], chosen: &str) -> Markup {
    html! {
        select name=(name) aria-label=(name_of(name)) {
            @for (word, words) in options {
                option value=(word) selected[*word == chosen] { (crate::words::capitalised(words)) }
            }
        }
    }
}

fn name_of(name: &str) -> &'static str {
    match name {
        "what" => "Look at",
        "when" => "When to look",
        "moved" => "Which change",
        "notify" => "Which of these changes",
        _ => "When it ends",
    }
}

fn text(name: &str, value: &str, placeholder: &str, label: &str) -> Markup {
    html! {
        input type="text" name=(name) value=(value) placeholder=(placeholder) aria-label=(label) maxlength="1200"
            spellcheck="false" autocapitalize="off" autocomplete="off";
    }
}

/// The hidden fields that say which page is meant.
pub(super) fn page_fields(visitor: &Visitor, source: Option<model::SourceId>) -> Markup {
    html! {
        (visitor.hidden())
        @if let Some(source) = source { input type="hidden" name="source" value=(source); }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn fields_of(pairs: &[(&str, &str)]) -> Fields {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(pairs);
        Fields::of_query(&query.finish())
    }

    #[test]
    fn what_is_typed_is_what_is_asked_for_and_shown_again() {
        let typed = Typed::read(&fields_of(&[
            ("what", "css"),
            ("of", ".price"),
            ("when", "at"),
            ("when_at", "09:00 on mon-fri"),
            ("moved", "down"),
            ("moved_by", "5 %"),
            ("notify", "below"),
            ("notify_of", "100"),
            ("stop0", "after"),
            ("stop0_of", "2999-12-31"),
            ("stop1", ""),
            ("stop1_of", "left over"),
            ("zone", "UTC"),
        ]));
        let terms = typed.wish().terms(None, Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(terms.aim.what.to_string(), "css .price");
        assert_eq!((terms.when.to_string(), terms.stops.len()), ("at 09:00 on mon-fri".into(), 1));
        let again = Typed::of("", &terms).wish().terms(None, Timestamp::UNIX_EPOCH).unwrap();
        assert_eq!(again, terms);
        let plain = Typed { of: "left over".into(), ..Typed::blank() };
        assert_eq!(plain.wish().terms(None, Timestamp::UNIX_EPOCH).unwrap().aim.what, What::Text);
    }
}
