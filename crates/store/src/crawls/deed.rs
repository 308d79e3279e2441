//! The deeds of crawls, done together: what they need to know is asked once for all of them, and what they write is gathered.

use super::candidates::save_candidate;
use super::gathered::{Gathered, UrlAfter};
use super::record::{NewCrawlUrl, PageRecord, UrlEnd};
use super::urls::UrlState;
use crate::StoreError;
use crate::database::{Columns, Connection, Kind, Set};
use crate::leases::{After, HeldHosts};
use crate::robots::save_robots;
use crate::topics::save_lessons;
use crate::writer::{Company, Together};
use model::CrawlId;
use std::collections::{BTreeMap, BTreeSet};

/// A deed of a crawl.
pub(crate) struct CrawlDeed {
    pub(super) crawl: CrawlId,
    /// Which start of it.
    pub(super) epoch: i64,
    /// Which deed of that start, counted from 0.
    pub(super) number: i64,
    pub(super) what: What,
}

pub(super) enum What {
    Page(Box<PageRecord>),
    NewUrls(Vec<NewCrawlUrl>),
    /// URLs that will not be asked for any more, each with its reason.
    GivenUp(Vec<(u32, Option<String>)>),
}

/// A crawl as it stands; also the fence: an earlier start of it, or one that a refused deed left with a gap, writes nothing.
#[derive(Default)]
pub(super) struct Standing {
    epoch: i64,
    deeds: i64,
    known: i64,
    pub(super) more: Counts,
}

/// What deeds add to a crawl's row.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) deeds: i64,
    pub(super) new: i64,
    pub(super) fetched: i64,
    pub(super) relevant: i64,
    pub(super) failed: i64,
    pub(super) warc: Option<(u32, u64)>,
}

impl Together for CrawlDeed {
    type Done = ();
    /// It concerns its crawl and its host.
    const COMPANY: Company = Company::Beside;

    fn run_together(
        connection: &Connection,
        deeds: &mut [&mut Self],
    ) -> Result<Vec<Result<(), StoreError>>, StoreError> {
        let pages = deeds.iter().filter_map(|deed| deed.page());
        let hosts = HeldHosts::ask(
            connection,
            pages.filter_map(|page| page.host.as_ref()).map(|(lease, _)| lease.host_id),
        )?;
        let crawls = standing(connection, deeds.iter().map(|deed| deed.crawl))?;
        let pages = deeds.iter().filter(|deed| deed.reads_page()).count();
        let mut gathered = Gathered::new(connection, crawls, hosts, pages)?;
        let mut done = Vec::with_capacity(deeds.len());
        for deed in deeds {
            done.push(if deed.is_admitted(&mut gathered) {
                Ok(deed.run(connection, &mut gathered)?)
            } else {
                Err(StoreError::Fenced)
            });
        }
        gathered.write(connection)?;
        Ok(done)
    }
}

impl CrawlDeed {
    fn page(&self) -> Option<&PageRecord> {
        if let What::Page(page) = &self.what { Some(page) } else { None }
    }

    fn reads_page(&self) -> bool {
        self.page().is_some_and(|page| matches!(page.end, UrlEnd::Page(_)))
    }

    fn new_urls(&self) -> &[NewCrawlUrl] {
        match &self.what {
            What::Page(page) => &page.new,
            What::NewUrls(new) => new,
            What::GivenUp(_) => &[],
        }
    }

    /// Whether it is the next deed of its crawl; then it is counted.
    fn is_admitted(&self, gathered: &mut Gathered) -> bool {
        // A host that is kept may have been given back by a later deed of this crawl: the crawl's own fence is enough.
        if let Some((lease, After::GiveBack { .. })) = self.page().and_then(|page| page.host.as_ref())
            && !gathered.hosts.holds(lease)
        {
            return false;
        }
        let new = self.new_urls();
        let Some(crawl) = gathered.crawls.get_mut(&self.crawl) else { return false };
        let follows = new.first().is_none_or(|first| i64::from(first.spot) == crawl.known);
        if crawl.epoch != self.epoch || crawl.deeds != self.number || !follows {
            return false;
        }
        crawl.deeds += 1;
        crawl.known += new.len() as i64;
        crawl.more.add(self);
        true
    }

    fn run(&self, connection: &Connection, gathered: &mut Gathered) -> Result<(), StoreError> {
        gathered.urls(self.crawl, self.new_urls());
        match &self.what {
            What::Page(page) => end_page(connection, gathered, page),
            What::NewUrls(_) => Ok(()),
            What::GivenUp(urls) => {
                gathered.write(connection)?;
                give_up(connection, self.crawl, urls)
            }
        }
    }
}

impl Counts {
    fn add(&mut self, deed: &CrawlDeed) {
        self.deeds += 1;
        self.new += deed.new_urls().len() as i64;
        match &deed.what {
            What::GivenUp(urls) => self.failed += urls.len() as i64,
            What::NewUrls(_) => {}
            What::Page(record) => {
                self.warc = record.warc.or(self.warc);
                match &record.end {
                    UrlEnd::Page(page) => {
                        self.fetched += 1;
                        self.relevant += i64::from(page.on_topic);
                    }
                    UrlEnd::Nothing(_) => self.failed += 1,
                    UrlEnd::Redirect(_) | UrlEnd::Later { .. } => {}
                }
            }
        }
    }
}

fn standing(
    connection: &Connection,
    crawls: impl Iterator<Item = CrawlId>,
) -> Result<BTreeMap<CrawlId, Standing>, StoreError> {
    const CRAWLS: Columns = &[("crawl", Kind::Number)];
    // Always in the same order, so that no two wait for each other.
    let crawls: BTreeSet<CrawlId> = crawls.collect();
    let crawls = Set::of_numbers(CRAWLS, crawls.into_iter().map(|crawl| crawl.0));
    let sql = format!(
        "SELECT id, epoch, deeds, known FROM crawl WHERE id = {{crawl}}{}",
        connection.dialect().holding_rows()
    );
    let found = connection.ask_set(&sql, &crawls, |row| {
        let (epoch, deeds, known) = (row.get(1)?, row.get(2)?, row.get(3)?);
        Ok((CrawlId(row.get(0)?), Standing { epoch, deeds, known, ..Standing::default() }))
    })?;
    Ok(found.into_iter().collect())
}

fn end_page(connection: &Connection, gathered: &mut Gathered, record: &PageRecord) -> Result<(), StoreError> {
    let after = |state, why| UrlAfter { state, not_before: None, why, tried: 0 };
    let after = match &record.end {
        UrlEnd::Page(page) => after(UrlState::Fetched, page.unkept.as_ref()),
        UrlEnd::Redirect(to) => after(UrlState::Redirected, Some(to)),
        UrlEnd::Nothing(why) => after(UrlState::Dropped, Some(why)),
        UrlEnd::Later { at, why, counts } => UrlAfter {
            state: UrlState::Resting,
            not_before: Some(*at),
            why: Some(why),
            tried: u32::from(*counts),
        },
    };
    gathered.end(connection, record, &after)?;
    if let UrlEnd::Page(page) = &record.end {
        gathered.page(record, page)?;
    }
    for candidate in &record.candidates {
        save_candidate(connection, record.crawl, record.spot, candidate, record.now)?;
    }
    if !record.lessons.is_empty() {
        save_lessons(connection, record.crawl, &record.lessons, record.now)?;
    }
    save_robots(connection, &record.robots)?;
    // One that is not held was given back by a later deed of this crawl.
    if let Some((lease, after)) = record.host.as_ref().filter(|(lease, _)| gathered.hosts.holds(lease)) {
        gathered.hosts.settle(lease.host_id, after);
    }
    Ok(())
}

fn give_up(
    connection: &Connection,
    crawl: CrawlId,
    urls: &[(u32, Option<String>)],
) -> Result<(), StoreError> {
    const GIVEN_UP: Columns =
        &[("crawl", Kind::Number), ("place", Kind::Number), ("now", Kind::Number), ("reason", Kind::Text)];
    let mut given_up = Set::new(GIVEN_UP);
    for (spot, reason) in urls {
        given_up.push(crate::database::params![crawl.0, spot, UrlState::Dropped.number(), reason]);
    }
    connection.send_set(
        "UPDATE crawl_url SET state = {now}, not_before = NULL, why = coalesce({reason}, why)
         {rows} WHERE crawl_id = {crawl} AND spot = {place}",
        given_up,
    )?;
    Ok(())
}
