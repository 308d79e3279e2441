//! Sites: who publishes, how it looks, how it is delivered.

use crate::random::Dice;
use crate::rhythm::Rhythm;
use crate::subject::{Subject, Topic};
use crate::vocabulary::countries::{COUNTRIES, Country, country};
use crate::vocabulary::sports::SPORTS;

/// A site of the world.
#[derive(Debug, Clone)]
pub struct Site {
    /// Its index, by which articles and requests name it.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// How its pages are built.
    pub layout: Layout,
    /// When it publishes, in local time.
    pub rhythm: Rhythm,
    /// Local time, in hours east of UTC.
    pub utc_offset: i8,
    /// How much it publishes, as a multiple of the mean site.
    pub pace: f64,
    /// The country it reports on most.
    pub home: &'static str,
    /// Its sections; each article belongs to exactly one.
    pub sections: &'static [Section],
    /// What it offers to be watched.
    pub offers: &'static [Offer],
    /// How many articles its list pages show.
    pub page_size: usize,
    /// Its furniture (weather, markets, clock) changes without any news.
    pub lively: bool,
    /// How its answers are sent.
    pub delivery: Delivery,
    pub(crate) naming: Naming,
    pub(crate) linking: Linking,
    /// Interest in each topic, in the order of [`Topic::ALL`].
    pub(crate) interests: [f64; 6],
}

/// A family of page templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Lead story, section blocks, most-read list.
    Broadsheet,
    /// A grid of cards with pictures and adverts between.
    Tabloid,
    /// Ranked rows of a table with points and comments.
    Aggregator,
    /// Posts with excerpts, tags and an archive.
    Blog,
    /// Dated notices of an authority.
    Notices,
    /// Time stamps and headlines, by day.
    Wire,
    /// Hero, grid, results table and fixtures.
    Sports,
    /// Numbered features, market ticker, opinion rail.
    Business,
    /// A stream of stories with kickers and bylines.
    Tech,
    /// An older system: teasers, weather, small ads.
    Regional,
}

/// A section of a site.
#[derive(Debug)]
pub struct Section {
    /// Its part of the address.
    pub slug: &'static str,
    /// What readers see.
    pub name: &'static str,
    pub(crate) covers: Covers,
}

/// What belongs to a section. The first section that covers a subject has it, so sections never overlap.
#[derive(Debug)]
pub(crate) enum Covers {
    Topics(&'static [Topic]),
    Sports(&'static [&'static str]),
    /// What happens at home; the same topics elsewhere belong to a later section.
    Home,
    Rest,
}

/// Something that can be watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Offer {
    /// The front page.
    Front,
    /// The page of each section.
    Sections,
    /// RSS 2.0.
    Rss,
    /// Atom.
    Atom,
    /// RSS 1.0, which is RDF.
    Rdf,
    /// JSON Feed.
    JsonFeed,
    /// A sitemap of article addresses.
    Sitemap,
    /// A news sitemap, with titles.
    NewsSitemap,
    /// An index of compressed sitemaps, one a day.
    SitemapIndex,
}

/// How answers are sent.
#[derive(Debug, Clone, Copy)]
pub struct Delivery {
    /// Sends an `ETag` and honours `If-None-Match`.
    pub etag: bool,
    /// Sends `Last-Modified` and honours `If-Modified-Since`.
    pub last_modified: bool,
    /// Compresses when asked to.
    pub gzip: bool,
    /// How text becomes bytes.
    pub charset: Charset,
    /// `Crawl-delay` in `robots.txt`, in seconds.
    pub crawl_delay: Option<u32>,
}

/// How text becomes bytes, and where that is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Charset {
    /// UTF-8, said in the header.
    Utf8,
    /// windows-1252, said in the header.
    Windows1252,
    /// ISO-8859-1, said only in the page.
    Latin1,
}

/// How a site names its articles.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Naming {
    /// `/2026/03/14/slug`
    Dated,
    /// `/section/slug-1234`
    SectionSlug,
    /// `/article/slug.html`
    Html,
    /// `/story/1234/slug`
    Story,
    /// `/item?id=1234`
    Item,
    /// `/notices/2026-0012`
    Notice,
}

/// How pages link to articles; each is the same article to one who knows addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Linking {
    Rooted,
    Absolute,
    /// With `utm_` parameters.
    Tracked,
    /// With a fragment.
    Fragment,
}

impl Site {
    /// The slug of the section that has `subject`.
    pub(crate) fn section_of(&self, subject: Subject) -> &'static str {
        self.sections
            .iter()
            .find(|section| section.covers.has(subject, self.home))
            .map_or("news", |section| section.slug)
    }

    /// The section with this slug.
    pub fn section(&self, slug: &str) -> Option<&'static Section> {
        self.sections.iter().find(|section| section.slug == slug)
    }

    /// How much it cares about `topic`, from 0 to 1.
    pub(crate) fn interest(&self, topic: Topic) -> f64 {
        self.interests[topic as usize] / self.interests.iter().sum::<f64>()
    }

    /// What its next article is about.
    pub(crate) fn choose_subject(&self, dice: &mut Dice) -> Subject {
        let topic = Topic::ALL[dice.weighted(&self.interests)];
        let country = self.choose_country(dice);
        let sport = (topic == Topic::Sport).then(|| dice.pick(&SPORTS));
        Subject { topic, country, sport }
    }

    fn choose_country(&self, dice: &mut Dice) -> &'static Country {
        match country(self.home) {
            Some(home) if dice.chance(0.55) => home,
            _ => dice.pick(&COUNTRIES),
        }
    }
}

impl Covers {
    fn has(&self, subject: Subject, home: &str) -> bool {
        match self {
            Self::Topics(topics) => topics.contains(&subject.topic),
            Self::Sports(names) => subject.sport.is_some_and(|sport| names.contains(&sport.name)),
            Self::Home => subject.country.name == home && subject.topic != Topic::Sport,
            Self::Rest => true,
        }
    }
}

impl Charset {
    /// Its registered name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Windows1252 => "windows-1252",
            Self::Latin1 => "iso-8859-1",
        }
    }
}
