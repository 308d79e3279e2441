//! What the deeds of crawls write, gathered: rows of several deeds go into a table together.

use super::deed::Standing;
use super::record::{FoundPage, NewCrawlUrl, PageRecord};
use super::urls::UrlState;
use crate::StoreError;
use crate::database::search::NewWords;
use crate::database::{Columns, Connection, Kind, Set, params};
use crate::leases::HeldHosts;
use crate::rows::{ms, to_json};
use jiff::Timestamp;
use model::CrawlId;
use std::collections::{BTreeMap, HashSet};

pub(super) struct Gathered {
    pub(super) crawls: BTreeMap<CrawlId, Standing>,
    pub(super) hosts: HeldHosts,
    urls: Set,
    ends: Set,
    /// The URLs among them, each once.
    ended: HashSet<(CrawlId, u32)>,
    pages: Set,
    words: NewWords,
    /// For the pages.
    numbers: std::vec::IntoIter<i64>,
}

/// What becomes of a URL.
pub(super) struct UrlAfter<'a> {
    pub(super) state: UrlState,
    pub(super) not_before: Option<Timestamp>,
    pub(super) why: Option<&'a String>,
    pub(super) tried: u32,
}

impl Gathered {
    pub(super) fn new(
        connection: &Connection,
        crawls: BTreeMap<CrawlId, Standing>,
        hosts: HeldHosts,
        pages: usize,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            crawls,
            hosts,
            urls: Set::new(URLS),
            ends: Set::new(ENDS),
            ended: HashSet::new(),
            pages: Set::new(PAGES),
            words: NewWords::new(connection.dialect(), "crawl_words"),
            numbers: connection.next_numbers("crawl_page", pages)?,
        })
    }

    pub(super) fn urls(&mut self, crawl: CrawlId, new: &[NewCrawlUrl]) {
        for url in new {
            self.urls.push(params![
                crawl.0,
                url.spot,
                url.depth,
                url.parent,
                f64::from(url.priority),
                url.hash.cast_signed(),
                url.url.as_str(),
                url.anchor
            ]);
        }
    }

    pub(super) fn end(
        &mut self,
        connection: &Connection,
        record: &PageRecord,
        after: &UrlAfter<'_>,
    ) -> Result<(), StoreError> {
        if !self.ended.insert((record.crawl, record.spot)) {
            self.write(connection)?;
            self.ended.insert((record.crawl, record.spot));
        }
        let UrlAfter { state, not_before, why, tried } = after;
        self.ends.push(params![record.crawl.0, record.spot, state.number(), not_before.map(ms), why, tried]);
        Ok(())
    }

    pub(super) fn page(&mut self, record: &PageRecord, page: &FoundPage) -> Result<(), StoreError> {
        let id = self.numbers.next().ok_or(StoreError::Closed)?;
        self.pages.push(params![
            id,
            record.crawl.0,
            record.spot,
            ms(record.now),
            page.status,
            page.bytes as i64,
            page.score,
            page.on_topic,
            to_json(&page.evidence)?,
            page.title,
            page.language,
            page.fingerprint.map(u64::cast_signed),
            page.warc.map(|(file, _)| file),
            page.warc.map(|(_, offset)| offset as i64),
            record.new.first().map_or(0, |url| url.spot),
            record.new.len() as i64
        ]);
        if page.on_topic {
            self.words.push(id, page.title.as_deref().unwrap_or_default(), &page.text);
        }
        Ok(())
    }

    /// Writes everything.
    pub(super) fn write(&mut self, connection: &Connection) -> Result<(), StoreError> {
        connection.send_set(INSERT_URLS, self.urls.take())?;
        // A URL that a deed speaks of is there.
        let ends = self.ends.take();
        if connection.execute_set(UPDATE_URLS, &ends)? != std::mem::take(&mut self.ended).len() {
            return Err(StoreError::Fenced);
        }
        connection.send_set(INSERT_PAGES, self.pages.take())?;
        self.words.write(connection)?;
        self.count(connection)?;
        self.hosts.write(connection)
    }

    fn count(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let mut counts = Set::new(COUNTS);
        for (crawl, standing) in &mut self.crawls {
            let more = std::mem::take(&mut standing.more);
            if more.deeds > 0 {
                counts.push(params![
                    crawl.0,
                    more.deeds,
                    more.new,
                    more.fetched,
                    more.relevant,
                    more.failed,
                    more.warc.map(|(file, _)| file),
                    more.warc.map(|(_, bytes)| bytes as i64)
                ]);
            }
        }
        connection.send_set(
            "UPDATE crawl SET deeds = deeds + {done}, known = known + {found}, fetched = fetched + {pages},
                 relevant = relevant + {kept}, failed = failed + {lost},
                 warc_file = coalesce({file}, warc_file), warc_bytes = coalesce({length}, warc_bytes)
             {rows} WHERE id = {crawl}",
            counts,
        )?;
        Ok(())
    }
}

const COUNTS: Columns = &[
    ("crawl", Kind::Number),
    ("done", Kind::Number),
    ("found", Kind::Number),
    ("pages", Kind::Number),
    ("kept", Kind::Number),
    ("lost", Kind::Number),
    ("file", Kind::Number),
    ("length", Kind::Number),
];

const URLS: Columns = &[
    ("crawl", Kind::Number),
    ("spot", Kind::Number),
    ("depth", Kind::Number),
    ("parent", Kind::Number),
    ("priority", Kind::Real),
    ("hash", Kind::Number),
    ("url", Kind::Text),
    ("anchor", Kind::Text),
];

const INSERT_URLS: &str =
    "INSERT INTO crawl_url (crawl_id, spot, state, depth, parent, priority, hash, url, anchor)
     VALUES ({crawl}, {spot}, 0, {depth}, {parent}, {priority}, {hash}, {url}, {anchor})";

const ENDS: Columns = &[
    ("crawl", Kind::Number),
    ("place", Kind::Number),
    ("now", Kind::Number),
    ("pause", Kind::Number),
    ("reason", Kind::Text),
    ("tried", Kind::Number),
];

const UPDATE_URLS: &str =
    "UPDATE crawl_url SET state = {now}, not_before = {pause}, why = {reason}, tries = tries + {tried}
     {rows} WHERE crawl_id = {crawl} AND spot = {place}";

const PAGES: Columns = &[
    ("page", Kind::Number),
    ("crawl", Kind::Number),
    ("spot", Kind::Number),
    ("fetched", Kind::Number),
    ("status", Kind::Number),
    ("bytes", Kind::Number),
    ("score", Kind::Real),
    ("on_topic", Kind::Number),
    ("evidence", Kind::Text),
    ("title", Kind::Text),
    ("language", Kind::Text),
    ("fingerprint", Kind::Number),
    ("warc_file", Kind::Number),
    ("warc_offset", Kind::Number),
    ("new_from", Kind::Number),
    ("new_count", Kind::Number),
];

const INSERT_PAGES: &str =
    "INSERT INTO crawl_page (id, crawl_id, spot, fetched_at, status, bytes, score, on_topic, evidence, title, language,
         fingerprint, warc_file, warc_offset, new_from, new_count)
     VALUES ({page}, {crawl}, {spot}, {fetched}, {status}, {bytes}, {score}, {on_topic}, {evidence}, {title}, {language},
         {fingerprint}, {warc_file}, {warc_offset}, {new_from}, {new_count})";
