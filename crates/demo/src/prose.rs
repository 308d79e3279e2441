//! Writes: headlines, teasers and text from a plot and the vocabulary.

use crate::random::{Dice, hash};
use crate::subject::Subject;
use crate::vocabulary::kinship::leads;
use crate::vocabulary::{Theme, common, theme};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::borrow::Cow;

/// All that decides what an article says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plot {
    pub(crate) subject: Subject,
    /// Seed of who, where, how many: shared by all who tell the same story.
    pub(crate) facts: u64,
    /// Seed of the wording: each article's own.
    pub(crate) wording: u64,
    /// When it is told, for the day of the week.
    pub(crate) at: Timestamp,
}

/// How deep a filled slot may ask for further slots. Two is all the vocabulary needs.
const DEPTH: usize = 3;

/// How many people of each topic and role a country has. Few, so that names come back and rules can be
/// written on them.
const CAST: usize = 9;

/// The independent streams of wording, so that a teaser does not need the headline's draws.
#[derive(Clone, Copy)]
enum Stream {
    Headline = 1,
    Lead,
    Body,
}

impl Plot {
    /// The headline.
    pub(crate) fn headline(&self) -> String {
        let mut dice = self.dice(Stream::Headline);
        let template = self.theme().headlines[dice.below(self.theme().headlines.len())];
        capitalised(self.fill(template, &mut dice))
    }

    /// The first sentence, one that goes with the headline.
    pub(crate) fn lead(&self) -> String {
        let headline = self.dice(Stream::Headline).below(self.theme().headlines.len());
        let mut dice = self.dice(Stream::Lead);
        let template = *dice.pick(leads(self.subject.topic, headline));
        capitalised(self.fill(template, &mut dice))
    }

    /// The text, four to nine paragraphs, of which the lead is the first.
    pub(crate) fn paragraphs(&self) -> Vec<String> {
        let mut dice = self.dice(Stream::Body);
        let mut pool: Vec<&str> = self.theme().sentences.iter().chain(common::SENTENCES).copied().collect();
        dice.shuffle(&mut pool);
        let mut pool = pool.into_iter();
        let mut paragraphs = vec![self.lead()];
        for _ in 0..dice.between(2, 7) {
            let length = dice.between(2, 4);
            let sentences: Vec<String> = pool
                .by_ref()
                .take(length)
                .map(|template| capitalised(self.fill(template, &mut dice)))
                .collect();
            paragraphs.push(sentences.join(" "));
        }
        let closer = dice.pick(common::CLOSERS);
        paragraphs.push(capitalised(self.fill(closer, &mut dice)));
        paragraphs
    }

    fn theme(&self) -> &'static Theme {
        theme(self.subject.topic)
    }

    fn dice(&self, stream: Stream) -> Dice {
        Dice::of(&[self.wording, stream as u64])
    }

    fn fill(&self, template: &str, wording: &mut Dice) -> String {
        let mut out = String::with_capacity(template.len() * 2);
        self.fill_into(&mut out, template, wording, 0);
        out
    }

    fn fill_into(&self, out: &mut String, template: &str, wording: &mut Dice, depth: usize) {
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let Some((slot, after)) = after.split_once('}') else {
                break;
            };
            self.fill_slot(out, slot, wording, depth);
            rest = after;
        }
        out.push_str(rest);
    }

    fn fill_slot(&self, out: &mut String, slot: &str, wording: &mut Dice, depth: usize) {
        let (article, slot) = slot.strip_prefix("a:").map_or((false, slot), |slot| (true, slot));
        let start = out.len();
        let (class, mut dice) = match slot.strip_prefix('~') {
            Some(class) => (class, Dice::of(&[wording.next()])),
            // The same slot in the same story is the same draw, whoever writes and however often.
            None => (slot, Dice::of(&[self.facts, hash(slot.as_bytes())])),
        };
        if let Some(fact) = self.fact(class, &mut dice) {
            out.push_str(&fact);
        } else if depth < DEPTH {
            let template = dice.pick(self.words(class));
            self.fill_into(out, template, wording, depth + 1);
        }
        if article {
            let vowel = out[start..].starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
            out.insert_str(start, if vowel { "an " } else { "a " });
        }
    }

    /// Facts that come from the plot itself and not from a list of words.
    fn fact(&self, slot: &str, dice: &mut Dice) -> Option<Cow<'static, str>> {
        let Subject { country, sport, .. } = self.subject;
        let sport = sport.map_or("sport", |sport| sport.name);
        Some(match slot {
            "country" => country.name.into(),
            "adj" => country.adjective.into(),
            "capital" => country.capital.into(),
            "town" | "town2" => self.town(slot == "town2").into(),
            "region" => (*dice.pick(country.regions)).into(),
            "sport" => sport.into(),
            "Sport" => capitalised(sport.to_owned()).into(),
            "person" => self.name(0).join(" ").into(),
            "surname" => self.name(0)[1].into(),
            "rival" => self.name(1).join(" ").into(),
            "rivalname" => self.name(1)[1].into(),
            "expert" => self.name(2).join(" ").into(),
            "number" => dice.between(12, 95).to_string().into(),
            "percent" => format!("{}.{}", dice.between(1, 14), dice.below(10)).into(),
            "big" => thousands(dice.between(12, 980) * 10).into(),
            "money" => {
                let (amount, unit) =
                    (dice.between(2, 95), dice.pick(&["million", "million", "million", "billion"]));
                format!("{amount} {unit} crowns").into()
            }
            "weekday" => self.at.to_zoned(TimeZone::UTC).strftime("%A").to_string().into(),
            _ => return None,
        })
    }

    /// The second town is never the first.
    fn town(&self, second: bool) -> &'static str {
        let towns = self.subject.country.towns;
        let first = Dice::of(&[self.facts, 11]).below(towns.len());
        let step = if second { 1 + Dice::of(&[self.facts, 12]).below(towns.len() - 1) } else { 0 };
        towns[(first + step) % towns.len()]
    }

    /// One of the few people of this country and topic. The three roles of a story are three different
    /// people with three different family names.
    fn name(&self, role: usize) -> [&'static str; 2] {
        let Subject { topic, country, sport } = self.subject;
        let circle = hash(sport.map_or(topic.word(), |sport| sport.name).as_bytes());
        let mut casting = Dice::of(&[self.facts, 13]);
        let who = (casting.below(CAST) + role * casting.between(1, 4)) % CAST;
        let given = Dice::of(&[circle, who as u64]).pick(country.given);
        let family =
            country.family[(Dice::of(&[circle]).below(country.family.len()) + who) % country.family.len()];
        [given, family]
    }

    /// What may fill a slot: the sport's own words first, then the topic's, then everybody's. A digit at the
    /// end asks for the same words.
    fn words(&self, slot: &str) -> &'static [&'static str] {
        let sport = self.subject.sport.map_or(&[][..], |sport| sport.classes);
        let find = |name: &str| {
            let classes = sport.iter().chain(self.theme().classes).chain(common::CLASSES);
            classes.into_iter().find(|(class, _)| *class == name).map(|(_, words)| *words)
        };
        find(slot).or_else(|| find(slot.trim_end_matches(char::is_numeric))).unwrap_or(&[""])
    }
}

/// With a capital first letter.
pub(crate) fn capitalised(text: String) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if first.is_lowercase() => first.to_uppercase().chain(chars).collect(),
        _ => text,
    }
}

fn thousands(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}
