//! Who publishes what, and when: made from a seed, the same in every run. Nothing here knows of requests.

use super::settings::Settings;
use super::words::{TOPICS, headline};
use sample::Dice;
use std::net::Ipv4Addr;
use std::time::Duration;

/// What every list of a host shows from the beginning.
const FIRST_ARTICLES: usize = 5;
/// Pages of one host of the crawl's web.
pub(crate) const PAGES_PER_HOST: usize = 10;
/// Articles of one burst, on each source that is known for its topic, and elsewhere.
const BURST: (usize, usize) = (8, 14);
/// Sources that are known for a topic.
const KNOWN_FOR: usize = 2;
/// They were visited so often before, with so many hours in between; every second visit found an article.
const PAST_VISITS: u32 = 20;
const PAST_HOURS: u32 = 6;

/// The sites, and everything they will ever publish.
pub(crate) struct World {
    pub(crate) hosts: Vec<Host>,
    pub(crate) sources: Vec<Source>,
    pub(crate) articles: Vec<Article>,
    /// The articles of each source, the oldest first.
    pub(crate) on: Vec<Vec<usize>>,
    /// Visits of the days before: without them nobody knows what is usual.
    pub(crate) past: Vec<PastVisit>,
    /// The first hosts have the pages that the crawl is to find.
    pub(crate) crawled: usize,
}

/// One host.
pub(crate) struct Host {
    pub(crate) address: Ipv4Addr,
    /// What its robots.txt asks for.
    pub(crate) crawl_delay: Option<Duration>,
    /// How long it thinks before each answer.
    pub(crate) thinks: Duration,
    /// The first list asked for after each of these times is answered with 503.
    pub(crate) busy: Vec<Duration>,
}

/// A list page or a feed.
pub(crate) struct Source {
    pub(crate) host: usize,
    pub(crate) path: String,
}

/// An article.
pub(crate) struct Article {
    pub(crate) host: usize,
    pub(crate) path: String,
    pub(crate) title: String,
    /// Its headline holds the word of this topic.
    pub(crate) topic: Option<usize>,
    /// Its text holds the word that files it by its text.
    pub(crate) text: bool,
    /// When it is published, from the beginning on.
    pub(crate) at: Duration,
    /// The sources that list it.
    pub(crate) listed: Vec<usize>,
}

/// A visit of the days before.
pub(crate) struct PastVisit {
    pub(crate) source: usize,
    pub(crate) hours_ago: u32,
    pub(crate) found: Option<usize>,
}

impl World {
    pub(crate) fn new(settings: &Settings) -> Self {
        let mut dice = Dice::new(settings.seed);
        let hosts = (0..settings.hosts).map(|number| host(settings, &mut dice, number)).collect();
        let sources = (0..settings.sources).map(|number| source(settings, number)).collect();
        let mut world = Self {
            hosts,
            sources,
            articles: Vec::new(),
            on: vec![Vec::new(); settings.sources],
            past: Vec::new(),
            crawled: settings.crawled,
        };
        for host in 0..settings.hosts {
            let all: Vec<usize> = (host..settings.sources).step_by(settings.hosts).collect();
            for _ in 0..FIRST_ARTICLES {
                world.add(&mut dice, all.clone(), Duration::ZERO, None);
            }
        }
        world.add_news(settings, &mut dice);
        world.add_bursts(settings, &mut dice);
        for (source, on) in world.on.iter_mut().enumerate() {
            on.sort_by_key(|article| (world.articles[*article].at, *article));
            debug_assert!(!on.is_empty(), "source {source} has articles from the beginning");
        }
        world
    }

    /// What comes day in, day out: now and then on a topic, now and then on several lists.
    fn add_news(&mut self, settings: &Settings, dice: &mut Dice) {
        for number in 0..settings.news {
            let at = between(dice, settings.span.mul_f64(0.05), settings.published_until());
            let first = dice.below(settings.sources);
            let mut listed = vec![first];
            if dice.chance(10) {
                listed.push(
                    (first + settings.hosts * dice.below(settings.sources / settings.hosts))
                        % settings.sources,
                );
            }
            if dice.chance(5) {
                listed.push(dice.below(settings.sources));
            }
            listed.sort_unstable();
            listed.dedup();
            // The article is at home with the first one that lists it.
            let home = listed.iter().position(|source| *source == first).unwrap_or_default();
            listed.swap(0, home);
            let topic = (number % 100 == 0).then(|| dice.below(settings.topics));
            self.add(dice, listed, at, topic);
        }
    }

    /// Each topic has a time at which many sites write about it.
    fn add_bursts(&mut self, settings: &Settings, dice: &mut Dice) {
        for topic in 0..settings.topics {
            let at = between(dice, settings.span.mul_f64(0.3), settings.published_until());
            for _ in 0..KNOWN_FOR {
                let source = dice.below(settings.sources);
                self.add_past(dice, source, topic);
                for _ in 0..BURST.0 {
                    self.add(dice, vec![source], at, Some(topic));
                }
            }
            for _ in 0..BURST.1 {
                let source = dice.below(settings.sources);
                self.add(dice, vec![source], at, Some(topic));
            }
        }
    }

    fn add_past(&mut self, dice: &mut Dice, source: usize, topic: usize) {
        for visit in (0..PAST_VISITS).rev() {
            let found = visit.is_multiple_of(2).then(|| {
                self.add(dice, vec![source], Duration::ZERO, Some(topic));
                self.articles.len() - 1
            });
            self.past.push(PastVisit { source, hours_ago: 1 + visit * PAST_HOURS, found });
        }
    }

    fn add(&mut self, dice: &mut Dice, listed: Vec<usize>, at: Duration, topic: Option<usize>) {
        let number = self.articles.len();
        let host = listed.first().map_or(0, |source| self.sources[*source].host);
        let title = headline(number as u64, topic.map(|topic| TOPICS[topic]));
        let slug: String = title
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
            .collect();
        for source in &listed {
            self.on[*source].push(number);
        }
        let text = dice.chance(10);
        let path = format!("/2026/03/02/{slug}-{number}");
        self.articles.push(Article { host, path, title, topic, text, at, listed });
    }

    /// The URL of a path on a host.
    pub(crate) fn url(&self, port: u16, host: usize, path: &str) -> String {
        format!("http://{}:{port}{path}", self.hosts[host].address)
    }

    /// The host at an address.
    pub(crate) fn host_at(&self, address: Ipv4Addr) -> Option<usize> {
        let [_, _, high, low] = address.octets();
        let number = usize::from(high) * 250 + usize::from(low).checked_sub(1)?;
        self.hosts.get(number).filter(|host| host.address == address).map(|_| number)
    }

    /// Where a page of the crawl's web leads: host and number. All pages can be reached from the first one of the first host.
    pub(crate) fn links(&self, host: usize, page: usize) -> Vec<(usize, usize)> {
        let below = [2 * page + 1, 2 * page + 2].into_iter().filter(|page| *page < PAGES_PER_HOST);
        let mut links: Vec<(usize, usize)> = below.map(|page| (host, page)).collect();
        if page == 0 {
            links.extend(
                [2 * host + 1, 2 * host + 2].into_iter().filter(|to| *to < self.crawled).map(|to| (to, 0)),
            );
        }
        let mut dice = Dice::new((host * PAGES_PER_HOST + page) as u64);
        links.push((dice.below(self.crawled), dice.below(PAGES_PER_HOST)));
        links
    }
}

fn host(settings: &Settings, dice: &mut Dice, number: usize) -> Host {
    let address = Ipv4Addr::new(127, settings.net, (number / 250) as u8, (number % 250 + 1) as u8);
    let crawl_delay = dice.chance(10).then_some(settings.crawl_delay);
    let slow = if dice.chance(10) { 50 + dice.below(250) } else { 0 };
    let thinks = settings.thinks.unwrap_or(Duration::from_millis(slow as u64));
    let mut busy = Vec::new();
    if settings.busy_every > 0 && number % settings.busy_every == 1 {
        // Twice at most, and in a short run at once: each time it rests for a minute or two.
        let early = if settings.busy_twice() { settings.span / 4 } else { Duration::ZERO };
        busy.push(between(dice, Duration::ZERO, early));
        busy.extend(
            settings.busy_twice().then(|| between(dice, settings.span / 2, settings.span.mul_f64(0.7))),
        );
    }
    Host { address, crawl_delay, thinks, busy }
}

fn source(settings: &Settings, number: usize) -> Source {
    let place = number / settings.hosts;
    let path = if place.is_multiple_of(2) { format!("/feed/{place}.xml") } else { format!("/list/{place}") };
    Source { host: number % settings.hosts, path }
}

pub(crate) fn between(dice: &mut Dice, from: Duration, to: Duration) -> Duration {
    from + Duration::from_millis(dice.below((to.saturating_sub(from)).as_millis() as usize) as u64)
}
