//! The thirty sites, one line each.

use crate::rhythm::Rhythm::{self, Evening, MorningPaper, NightGames, OfficeHours, RoundTheClock, Weekly};
use crate::site::Linking::{self, Absolute, Fragment, Rooted, Tracked};
use crate::site::Naming::{self, Dated, Html, Item, Notice, SectionSlug, Story};
use crate::site::Offer::{Atom, Front, JsonFeed, NewsSitemap, Rdf, Rss, Sections, Sitemap, SitemapIndex};
use crate::site::{Charset, Covers, Delivery, Layout, Offer, Section, Site};
use crate::subject::Topic;

/// The cast for `count` sites. Beyond thirty the same newsrooms come back as editions.
pub(crate) fn cast(count: usize) -> Vec<Site> {
    let mean_pace = ROLES.iter().map(|role| role.pace).sum::<f64>() / ROLES.len() as f64;
    (0..count)
        .map(|index| {
            let role = &ROLES[index % ROLES.len()];
            let name = match index / ROLES.len() {
                0 => role.name.to_owned(),
                edition => format!("{}, edition {}", role.name, edition + 1),
            };
            Site {
                index,
                name,
                layout: role.layout,
                rhythm: role.rhythm,
                utc_offset: role.utc_offset,
                pace: role.pace / mean_pace,
                home: role.home,
                sections: role.sections,
                offers: role.offers,
                page_size: 20 + (index * 8) % 21,
                lively: matches!(role.delivery, Manner::Lively),
                delivery: role.delivery.delivery(),
                naming: role.naming,
                linking: role.linking,
                interests: role.interests,
            }
        })
        .collect()
}

struct Role {
    name: &'static str,
    layout: Layout,
    home: &'static str,
    rhythm: Rhythm,
    utc_offset: i8,
    pace: f64,
    sections: &'static [Section],
    offers: &'static [Offer],
    naming: Naming,
    linking: Linking,
    delivery: Manner,
    interests: [f64; 6],
}

/// The habits of the servers.
#[derive(Clone, Copy)]
enum Manner {
    /// `ETag`, `Last-Modified`, gzip: what good servers do.
    Model,
    /// Only an `ETag`.
    Tagged,
    /// Only `Last-Modified`.
    Dated,
    /// Neither, and furniture that changes by itself.
    Lively,
    /// Neither, but pages hold still.
    Plain,
    Windows1252,
    Latin1,
    /// Asks for a second between requests.
    Unhurried,
}

impl Manner {
    fn delivery(self) -> Delivery {
        let base = Delivery {
            etag: false,
            last_modified: false,
            gzip: false,
            charset: Charset::Utf8,
            crawl_delay: None,
        };
        match self {
            Self::Model => Delivery { etag: true, last_modified: true, gzip: true, ..base },
            Self::Tagged => Delivery { etag: true, ..base },
            Self::Dated => Delivery { last_modified: true, ..base },
            Self::Lively => Delivery { gzip: true, ..base },
            Self::Plain => base,
            Self::Windows1252 => Delivery { last_modified: true, charset: Charset::Windows1252, ..base },
            Self::Latin1 => Delivery { charset: Charset::Latin1, ..base },
            Self::Unhurried => Delivery { etag: true, crawl_delay: Some(1), ..base },
        }
    }
}

const fn section(slug: &'static str, name: &'static str, covers: Covers) -> Section {
    Section { slug, name, covers }
}

const fn topics(slug: &'static str, name: &'static str, topics: &'static [Topic]) -> Section {
    section(slug, name, Covers::Topics(topics))
}

static GENERAL: &[Section] = &[
    topics("politics", "Politics", &[Topic::Politics]),
    topics("business", "Business", &[Topic::Business]),
    topics("technology", "Technology", &[Topic::Technology]),
    topics("sport", "Sport", &[Topic::Sport]),
    section("life", "Life & Weather", Covers::Rest),
];

static HOME_AND_WORLD: &[Section] = &[
    topics("sport", "Sport", &[Topic::Sport]),
    topics("economy", "Economy", &[Topic::Business, Topic::Technology]),
    section("home", "At home", Covers::Home),
    section("world", "World", Covers::Rest),
];

static LOCAL: &[Section] = &[
    topics("police", "Police & Courts", &[Topic::Crime]),
    topics("weather", "Weather", &[Topic::Weather]),
    topics("sport", "Local Sport", &[Topic::Sport]),
    section("town-hall", "Town Hall & Business", Covers::Rest),
];

static ARENA: &[Section] = &[
    section("water", "Water", Covers::Sports(&["aquatics", "canoeing", "rowing", "sailing", "triathlon"])),
    section(
        "ball-games",
        "Ball games",
        Covers::Sports(&[
            "basketball",
            "football",
            "golf",
            "handball",
            "hockey",
            "rugby sevens",
            "volleyball",
            "tennis",
            "table tennis",
            "badminton",
        ]),
    ),
    section("combat", "Combat", Covers::Sports(&["boxing", "fencing", "judo", "taekwondo", "wrestling"])),
    section("track-and-more", "Track & more", Covers::Rest),
];

static MARKETS: &[Section] = &[
    topics("companies", "Companies", &[Topic::Business]),
    topics("innovation", "Innovation", &[Topic::Technology]),
    section("policy", "Policy", Covers::Rest),
];

static GADGETS: &[Section] =
    &[topics("news", "News", &[Topic::Technology]), section("industry", "Industry", Covers::Rest)];

static SINGLE: &[Section] = &[section("all", "All", Covers::Rest)];

static OFFICE: &[Section] = &[
    topics("warnings", "Warnings", &[Topic::Weather, Topic::Crime]),
    section("announcements", "Announcements", Covers::Rest),
];

// Interests: politics, business, technology, weather, crime, sport.
const ALL_ROUND: [f64; 6] = [5.0, 4.0, 3.0, 2.0, 3.0, 5.0];
const POPULAR: [f64; 6] = [2.0, 1.0, 1.0, 2.0, 6.0, 6.0];
const CHRONICLE: [f64; 6] = [3.0, 2.0, 0.5, 4.0, 5.0, 5.0];
const ARENA_ONLY: [f64; 6] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
const MONEY: [f64; 6] = [3.0, 10.0, 4.0, 0.5, 0.5, 0.0];
const GEEK: [f64; 6] = [0.0, 2.0, 10.0, 0.0, 0.0, 0.0];
const STATE: [f64; 6] = [8.0, 2.0, 1.0, 2.0, 2.0, 0.0];
const SKY: [f64; 6] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
const JUSTICE: [f64; 6] = [1.0, 0.0, 0.0, 0.5, 8.0, 0.0];

#[rustfmt::skip]
static ROLES: [Role; 30] = {
    use Layout as L;
    use Manner as M;
    const fn role(
        name: &'static str, layout: Layout, home: &'static str, (rhythm, utc_offset, pace): (Rhythm, i8, f64),
        (sections, offers): (&'static [Section], &'static [Offer]), (naming, linking, delivery): (Naming, Linking, Manner),
        interests: [f64; 6],
    ) -> Role {
        Role { name, layout, home, rhythm, utc_offset, pace, sections, offers, naming, linking, delivery, interests }
    }
    [
        role("The Meridian Post", L::Broadsheet, "France", (MorningPaper, 1, 2.0), (GENERAL, &[Front, Sections, Rss]), (Dated, Rooted, M::Model), ALL_ROUND),
        role("Daily Lantern", L::Tabloid, "Australia", (RoundTheClock, 10, 1.8), (GENERAL, &[Front]), (Html, Tracked, M::Lively), POPULAR),
        role("Stackwharf", L::Aggregator, "Canada", (Evening, -5, 1.2), (SINGLE, &[Front]), (Item, Rooted, M::Plain), GEEK),
        role("Arena Now", L::Sports, "Greece", (NightGames, 2, 1.7), (ARENA, &[Front, Sections]), (SectionSlug, Rooted, M::Model), ARENA_ONLY),
        role("Unison Wire", L::Wire, "Norway", (RoundTheClock, 0, 2.4), (GENERAL, &[Front, NewsSitemap]), (Story, Absolute, M::Dated), ALL_ROUND),
        role("Ledger & Loom", L::Business, "Germany", (OfficeHours, 1, 1.2), (MARKETS, &[Front, Atom]), (SectionSlug, Rooted, M::Tagged), MONEY),
        role("Circuit Garden", L::Tech, "Japan", (Evening, 9, 1.1), (GADGETS, &[Front, JsonFeed]), (Dated, Absolute, M::Model), GEEK),
        role("Kalamitsa Courier", L::Regional, "Greece", (MorningPaper, 2, 0.8), (LOCAL, &[Front, Sections]), (Html, Rooted, M::Windows1252), CHRONICLE),
        role("Office of Public Notices", L::Notices, "Kenya", (OfficeHours, 3, 0.6), (OFFICE, &[Front]), (Notice, Rooted, M::Dated), STATE),
        role("Notes from the Pier", L::Blog, "Norway", (Evening, 1, 0.3), (SINGLE, &[Front, Atom]), (Dated, Rooted, M::Tagged), ALL_ROUND),
        role("The Capital Gazette of Athens", L::Broadsheet, "Greece", (MorningPaper, 2, 1.5), (HOME_AND_WORLD, &[Front, Sections]), (SectionSlug, Fragment, M::Lively), ALL_ROUND),
        role("Pulse Today", L::Tabloid, "Brazil", (RoundTheClock, -3, 1.6), (GENERAL, &[Front, Rss]), (Story, Tracked, M::Plain), POPULAR),
        role("Finish Line", L::Sports, "Kenya", (NightGames, 3, 1.3), (ARENA, &[Front, Rss]), (Dated, Rooted, M::Lively), ARENA_ONLY),
        role("Regatta & Relay", L::Sports, "Australia", (NightGames, 10, 0.9), (ARENA, &[Sections, SitemapIndex]), (Html, Rooted, M::Plain), ARENA_ONLY),
        role("Orient Dispatch", L::Wire, "Japan", (RoundTheClock, 9, 2.0), (GENERAL, &[Front, Rdf]), (SectionSlug, Rooted, M::Model), ALL_ROUND),
        role("The Weekly Abacus", L::Business, "India", (Weekly, 5, 0.5), (MARKETS, &[Front]), (Dated, Absolute, M::Model), MONEY),
        role("Bytes at Breakfast", L::Blog, "Germany", (MorningPaper, 1, 0.4), (SINGLE, &[Front, Rss]), (Html, Rooted, M::Dated), GEEK),
        role("Silicon Terrace", L::Tech, "India", (OfficeHours, 5, 1.0), (GADGETS, &[Front, NewsSitemap]), (Story, Rooted, M::Tagged), GEEK),
        role("Fjellvik Blad", L::Regional, "Norway", (MorningPaper, 1, 0.7), (LOCAL, &[Front, Rss]), (SectionSlug, Rooted, M::Latin1), CHRONICLE),
        role("Storm Desk", L::Wire, "Canada", (RoundTheClock, -5, 0.8), (SINGLE, &[Front]), (Story, Rooted, M::Plain), SKY),
        role("Ministry Bulletin", L::Notices, "Brazil", (OfficeHours, -3, 0.7), (OFFICE, &[Front, Sections, Sitemap]), (Notice, Rooted, M::Unhurried), STATE),
        role("The Prairie Standard", L::Broadsheet, "Canada", (MorningPaper, -6, 1.2), (GENERAL, &[Front, SitemapIndex]), (Dated, Rooted, M::Model), ALL_ROUND),
        role("Courtroom Corner", L::Blog, "France", (OfficeHours, 1, 0.5), (SINGLE, &[Front]), (SectionSlug, Absolute, M::Plain), JUSTICE),
        role("Valcreuse Matin", L::Regional, "France", (MorningPaper, 1, 0.8), (LOCAL, &[Front, NewsSitemap]), (Dated, Tracked, M::Lively), CHRONICLE),
        role("Savanna Business Review", L::Business, "Kenya", (OfficeHours, 3, 0.9), (MARKETS, &[Front, Sections, Rss]), (Html, Rooted, M::Dated), MONEY),
        role("Linkhouse", L::Aggregator, "Germany", (Evening, 1, 0.9), (SINGLE, &[Front, Rss]), (Story, Rooted, M::Tagged), [2.0, 2.0, 6.0, 0.5, 0.5, 0.5]),
        role("Sportblatt Lindenfurt", L::Sports, "Germany", (NightGames, 1, 1.1), (ARENA, &[Front, Atom]), (SectionSlug, Rooted, M::Tagged), ARENA_ONLY),
        role("Delhi Evening Mirror", L::Tabloid, "India", (Evening, 5, 1.4), (GENERAL, &[Front, Sections]), (Html, Rooted, M::Model), POPULAR),
        role("Police Reports Online", L::Notices, "Germany", (RoundTheClock, 1, 0.9), (SINGLE, &[Front, Rdf]), (Notice, Rooted, M::Plain), JUSTICE),
        role("Southern Cross Tribune", L::Broadsheet, "Australia", (RoundTheClock, 10, 1.5), (HOME_AND_WORLD, &[Front, Sitemap]), (Story, Absolute, M::Dated), ALL_ROUND),
    ]
};
