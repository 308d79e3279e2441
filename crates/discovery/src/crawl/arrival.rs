//! A page came: what a crawl makes of it.

use super::facts::PageFacts;
use super::known::{HostNumber, Spot, SpotState};
use super::name::StrategyName;
use super::pages::Page;
use super::verdict::Verdict;
use super::{Crawl, SEED};
use crate::ontology::PageRef;
use std::sync::Arc;

/// URLs that are looked at again after one page, besides its own links.
const AGAIN: usize = 400;
/// URLs that are looked at again when everything should be; the next ones follow the next time.
const ROUND: usize = 6_000;
/// The best waiting URLs are looked at again each time: they are next.
const TOP: usize = 200;
/// Links of one page that are entered.
const LINKS: usize = 2_000;
/// After so many pages the ontology's learner draws its first conclusions, then each time the pages have doubled, and
/// at the latest after `REVISE_LATEST`: early pages change much, late ones little.
const REVISE: u32 = 20;
const REVISE_LATEST: u32 = 320;
/// Pages after which the judge's word counts for the repository.
const SEEN_ENOUGH: u32 = 20;
/// So many different words of the topic's own say it outright: then a lower level is enough. On the demo's web 3 of 4
/// articles on the topic stay below the usual one, none of the others reaches this.
const SEVERAL: usize = 2;
const FOR_SEVERAL: f64 = 0.3;
/// A page with fewer different words must say several of the topic's.
const LEAST_WORDS: usize = 4;
/// Pages that any host may bring before its harvest is looked at.
const HOST_START: f32 = 100.0;
/// Pages a host may bring for each one on the topic.
const HOST_REWARD: f32 = 20.0;

impl Crawl {
    /// A page came and was read.
    pub fn arrived(&mut self, spot: Spot, facts: PageFacts) -> Verdict {
        let Some(known) = self.memory.knowns.get(spot).filter(|known| known.state != SpotState::Fetched)
        else {
            return Verdict::default();
        };
        let (depth, was, part) = (known.depth, known.state, known.prefix);
        self.frontier.remove(&mut self.memory.knowns, spot);
        self.counts.asked -= u32::from(was == SpotState::Asked);
        let (number, mut verdict) = self.read(spot, depth, &facts);
        let names = self.memory.knowns.get(spot).map_or(0, |known| known.parameters);
        // What says nothing new earns nothing, whatever words of the topic stand in it.
        let is_new = self.traps.is_new(&facts.url, &facts.signs.words);
        let repeated = self.traps.fetched(part, names, verdict.on_topic && is_new, facts.signs.fingerprint);
        if verdict.on_topic && is_new && !repeated {
            self.traps.rewards(&facts.url);
        }
        if repeated {
            self.said_before(number);
        }
        self.strategy.page(&mut self.memory, number, &facts);
        self.pay_back(spot, number);
        self.enter_links(spot, number, depth, &facts, &mut verdict);
        self.look_again(number, &mut verdict);
        verdict.lessons = self.teach(spot, &facts, verdict.on_topic, repeated);
        verdict.evidence = facts.reading.evidence;
        verdict
    }

    /// The page is judged and remembered.
    fn read(&mut self, spot: Spot, depth: u16, facts: &PageFacts) -> (u32, Verdict) {
        let (relevant, content) = self.content(facts);
        let memory = &mut self.memory;
        let number = memory.pages.len();
        let ours = self.settings.strategy == StrategyName::Ontology;
        let (score, on_topic) = if ours {
            // Seeds are examples only of a topic that was made from examples; a shop's front page is none.
            let vouched = depth == 0 && relevant && !self.topic.experience.examples.is_empty();
            let score = memory.judge.judge(number, &facts.signs.words, &facts.signs.title, content, vouched);
            // The ontology knows its own words; the judge knows what stands out here, once it has seen enough.
            let stands_out = memory.judge.has_examples() && number >= SEEN_ENOUGH && score >= 0.5;
            // Words that people chose say it outright, however usual they are on this site.
            let outright = !memory.judge.has_examples() && relevant;
            (if outright { score.max(content) } else { score }, relevant || stands_out)
        } else {
            (content, relevant)
        };
        let cosine = memory.relevance_of_counts(facts.signs.words.iter().copied());
        memory.pages.add(Page { score, content, cosine, on_topic, ..Page::new(spot) });
        if let Some(known) = memory.knowns.get_mut(spot) {
            known.state = SpotState::Fetched;
            known.place = number;
        }
        self.counts.fetched += 1;
        self.counts.relevant += u32::from(on_topic);
        // What people see does not contradict itself: from one half on, a page is on the topic.
        let shown = if on_topic { score.max(0.5) } else { score.min(0.499) };
        (number, Verdict { on_topic, score: f64::from(shown), ..Verdict::default() })
    }

    /// Whether the page is on the topic by what it says, and how much. Where people gave the words, how many different
    /// ones a page has tells more than how large a part of it they are.
    fn content(&self, facts: &PageFacts) -> (bool, f32) {
        let reading = &facts.reading;
        let (relevant, content) = (reading.relevant, reading.normalised as f32);
        if !self.topic.experience.examples.is_empty() {
            return (relevant, content);
        }
        let own = reading.evidence.iter().filter(|found| found.class == self.topic.class).count();
        if own >= SEVERAL {
            let (score, level) = (reading.score.max(0.0), self.reader.level() * FOR_SEVERAL);
            let said = (score * score / (score * score + level * level)) as f32;
            return (relevant || score >= level, content.max(said));
        }
        // A page of hardly a word but the topic's own is a heading without a text.
        let bare = facts.signs.words.len() < LEAST_WORDS;
        if bare { (false, content.min(0.499)) } else { (relevant, content) }
    }

    /// The page says what another said: whatever it is about, it was not worth the way.
    fn said_before(&mut self, number: u32) {
        if let Some(page) = self.memory.pages.get_mut(number) {
            page.score = 0.0;
        }
    }

    /// What led here has earned something, or not: parents, host, part of the site, place on the page.
    fn pay_back(&mut self, spot: Spot, number: u32) {
        let memory = &mut self.memory;
        let read = memory.pages.get(number).map(|page| (page.score, page.on_topic));
        let Some(((score, on_topic), known)) = read.zip(memory.knowns.get(spot)) else {
            return;
        };
        let (part, path, host) = (known.prefix, u32::from(known.path), known.host);
        if known.depth > 0 {
            memory.prefixes.add(part, score);
            memory.places.add(path, score);
            memory.hosts.add(host, score);
        }
        let parents: Vec<u32> = memory.links.parents(&memory.knowns, spot).collect();
        for parent in parents {
            if let Some(page) = memory.pages.get_mut(parent) {
                page.children += 1;
                page.good_children += score;
                page.hits += u32::from(on_topic);
            }
        }
        let earned = memory.hosts.get(host);
        let overdrawn = earned.pages > HOST_START + HOST_REWARD * earned.good;
        self.frontier.overdraw(&self.memory.knowns, HostNumber(host), overdrawn);
    }

    fn enter_links(&mut self, spot: Spot, number: u32, depth: u16, facts: &PageFacts, verdict: &mut Verdict) {
        if facts.signs.nofollow {
            return;
        }
        let first = self.memory.links.len();
        for link in facts.signs.links.iter().filter(|link| !link.disowned).take(LINKS) {
            match self.discover(link, Some(spot), depth.saturating_add(1), 0.0) {
                Ok(new) => verdict.new.extend(new),
                Err(reason) => {
                    verdict.dropped.push((link.url.clone(), reason));
                    continue;
                }
            }
            let Some(to) = self.memory.knowns.find(link.hash).filter(|to| *to != spot) else { continue };
            self.memory.links.add(&mut self.memory.knowns, number, to);
            if let Some(known) = self.memory.knowns.get_mut(to) {
                link.words.iter().for_each(|word| known.words.add(*word));
            }
            self.strategy.link(&mut self.memory, number, to, link);
        }
        let count = self.memory.links.len() - first;
        if let Some(page) = self.memory.pages.get_mut(number) {
            page.first_link = first;
            page.links = count;
        }
    }

    /// New and known URLs find their places.
    fn look_again(&mut self, number: u32, verdict: &mut Verdict) {
        let mut again: Vec<Spot> = Vec::new();
        let everything = self.strategy.done(&mut self.memory, number, &mut again);
        again.truncate(AGAIN);
        if let Some(page) = self.memory.pages.get(number) {
            again.extend(self.memory.links.children(page.first_link, page.links));
        }
        if everything {
            again.extend(self.frontier.top(&self.memory.knowns, TOP));
            again.extend(self.next_round());
        }
        for spot in again {
            self.reprice(spot);
        }
        for new in &mut verdict.new {
            new.priority = self.memory.knowns.get(new.spot).map_or(0.0, |known| known.priority);
        }
    }

    fn reprice(&mut self, spot: Spot) {
        let waits = |known: &super::Known| known.state == SpotState::Waiting && known.priority < SEED;
        if self.memory.knowns.get(spot).is_some_and(waits) {
            let worth = self.strategy.worth(&self.memory, spot);
            self.frontier.reprice(&mut self.memory.knowns, spot, worth);
        }
    }

    /// The next stretch of known URLs.
    fn next_round(&mut self) -> Vec<Spot> {
        let known = self.memory.knowns.len();
        let count = known.min(ROUND);
        let from = self.cursor as usize;
        self.cursor = ((from + count) % known.max(1)) as u32;
        (from..from + count).map(|place| Spot((place % known.max(1)) as u32)).collect()
    }

    /// The ontology watches, and now and then draws its conclusions.
    fn teach(
        &mut self,
        spot: Spot,
        facts: &PageFacts,
        on_topic: bool,
        repeated: bool,
    ) -> Vec<crate::ontology::Lesson> {
        let Some(learner) = &mut self.learner else { return Vec::new() };
        let host = self.memory.knowns.get(spot).and_then(|known| self.names.get(known.host as usize));
        let page =
            PageRef { number: u64::from(spot.0), url: &facts.url, host: host.map_or("", String::as_str) };
        // What was said before is not said twice as loud.
        if !(repeated && on_topic) {
            learner.observe(&page, &facts.reading, on_topic);
        }
        if !is_time_to_revise(self.counts.fetched) {
            return Vec::new();
        }
        let lessons = learner.revise();
        // Where most pages are on the topic already, its own words are what is common here, and there is nothing to teach.
        if !self.topic.experience.examples.is_empty() || self.counts.harvest() < 0.5 {
            self.reader = Arc::new(learner.reader());
        }
        lessons
    }
}

fn is_time_to_revise(pages: u32) -> bool {
    let (rounds, rest) = (pages / REVISE, pages % REVISE);
    rest == 0 && (rounds.is_power_of_two() || pages.is_multiple_of(REVISE_LATEST))
}
