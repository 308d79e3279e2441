//! The articles on visited pages: which of them are new.

use super::VisitRecord;
use super::gathered::Gathered;
use crate::StoreError;
use crate::database::{Columns, Connection, Kind, Set, params};
use crate::hosts::{host_id, known_hosts};
use crate::knowledge::{Known, file_article};
use knowledge::Fields;
use model::{ArticleId, BodyState, FolderId, Found, HostId, Source, SourceId, VisitId};
use std::collections::{HashMap, HashSet};

/// An article that was never seen before.
pub(crate) struct NewArticle<'a> {
    pub(crate) id: ArticleId,
    pub(crate) found: &'a Found,
    /// Where it was filed.
    pub(crate) folders: Vec<FolderId>,
}

impl NewArticle<'_> {
    /// What it is filed by: what will stand in its row, without asking for it.
    fn fields(&self, source: &Source) -> Fields<'static> {
        let (title, name) = (self.found.title.clone(), source.title.as_deref().unwrap_or_default());
        Fields {
            body: None,
            anchor: Some(title.clone().into()),
            title: Some(title.into()),
            url: Some(self.found.url.as_str().to_owned().into()),
            source: source.url.host_str().map(|host| format!("{name} {host}").into()),
            language: None,
        }
    }
}

/// What else stands in a new article's row.
pub(super) struct NewRow {
    pub(super) visit: VisitId,
    pub(super) host: HostId,
    pub(super) body: BodyState,
}

impl NewRow {
    pub(super) fn reads_body(&self) -> bool {
        self.body == BodyState::Waiting
    }
}

/// An article that was met before.
#[derive(Clone, Copy)]
enum Met {
    /// Retention removed it: not news again.
    Removed,
    /// Listed by this source already.
    Here,
    Elsewhere(ArticleId),
}

/// What is known of the articles on some visited pages, and what becomes known with each visit.
pub(super) struct Listed<'a> {
    /// For each visit, in the order of its page, what was known before any of them.
    met: Vec<Vec<Option<Met>>>,
    /// Numbers for those that are new.
    numbers: std::vec::IntoIter<i64>,
    /// New ones, by their URL.
    fresh: HashMap<&'a str, ArticleId>,
    /// What came to be listed, and by whom.
    added: HashSet<(ArticleId, SourceId)>,
    /// Hosts of new articles, by name.
    hosts: HashMap<String, HostId>,
}

impl<'a> Listed<'a> {
    /// Asks once for all that is on the pages of these visits. `hosts` are known already.
    pub(super) fn ask(
        connection: &Connection,
        records: &[&'a VisitRecord],
        mut hosts: HashMap<String, HostId>,
    ) -> Result<Self, StoreError> {
        let met = meet(connection, records)?;
        let mut unknown: HashSet<&str> = HashSet::new();
        let mut strange: HashSet<String> = HashSet::new();
        for (record, met) in records.iter().zip(&met) {
            for (found, _) in record.articles.iter().zip(met).filter(|(_, met)| met.is_none()) {
                unknown.insert(found.url.as_str());
                let name = model::host_name(&found.url).unwrap_or_default();
                if !hosts.contains_key(&name) {
                    strange.insert(name);
                }
            }
        }
        hosts.extend(known_hosts(connection, strange.iter().map(String::as_str))?);
        let numbers = connection.next_numbers("article", unknown.len())?;
        Ok(Self { met, numbers, fresh: HashMap::new(), added: HashSet::new(), hosts })
    }

    /// Gathers what is new on the page of one visit, oldest first: pages list the newest on top, and lists here are newest
    /// first by number.
    pub(super) fn gather(
        &mut self,
        connection: &Connection,
        known: &Known,
        gathered: &mut Gathered,
        (place, record): (usize, &'a VisitRecord),
        (visit, source): (VisitId, &Source),
    ) -> Result<Vec<NewArticle<'a>>, StoreError> {
        let met = self.met.get_mut(place).map(std::mem::take).unwrap_or_default();
        let mut unknown = Vec::new();
        for (found, met) in record.articles.iter().zip(met) {
            let made = || self.fresh.get(found.url.as_str()).map(|id| Met::Elsewhere(*id));
            match met.or_else(made) {
                None => unknown.push(found),
                // The same page may list an article twice.
                Some(Met::Elsewhere(article)) if self.added.insert((article, record.source_id)) => {
                    gathered.listing(article, visit, record);
                }
                Some(_) => {}
            }
        }
        let read_from = unknown.len().saturating_sub(record.bodies);
        let mut new = Vec::with_capacity(unknown.len());
        for (place, found) in unknown.into_iter().rev().enumerate() {
            if self.fresh.contains_key(found.url.as_str()) {
                continue;
            }
            let body = if place >= read_from { BodyState::Waiting } else { BodyState::Missing };
            let row = NewRow { visit, host: self.host_of(connection, found)?, body };
            let id = ArticleId(self.numbers.next().ok_or(StoreError::Closed)?);
            let mut article = NewArticle { id, found, folders: Vec::new() };
            article.folders =
                file_article(connection, known, id, &article.fields(source), &mut gathered.filings)?;
            self.fresh.insert(found.url.as_str(), id);
            self.added.insert((id, record.source_id));
            gathered.article(&article, &row, record);
            gathered.listing(id, visit, record);
            // The visited host itself is brought up to date when its lease is released.
            if row.reads_body() && row.host != source.host_id {
                gathered.due(row.host, record.at);
            }
            new.push(article);
        }
        Ok(new)
    }

    fn host_of(&mut self, connection: &Connection, found: &Found) -> Result<HostId, StoreError> {
        let name = model::host_name(&found.url).unwrap_or_default();
        if let Some(host) = self.hosts.get(&name) {
            return Ok(*host);
        }
        let host = host_id(connection, &name)?;
        self.hosts.insert(name, host);
        Ok(host)
    }
}

/// What was met before of the articles of each visit.
fn meet(connection: &Connection, records: &[&VisitRecord]) -> Result<Vec<Vec<Option<Met>>>, StoreError> {
    const ARTICLES: Columns =
        &[("visit", Kind::Number), ("place", Kind::Number), ("url", Kind::Text), ("source", Kind::Number)];
    let mut articles = Set::new(ARTICLES);
    for (visit, record) in records.iter().enumerate() {
        for (place, found) in record.articles.iter().enumerate() {
            let source = record.source_id.0;
            articles.push(params![visit as i64, place as i64, found.url.as_str(), source]);
        }
    }
    let answers = connection.ask_set(
        "SELECT {visit} AS visit, {place} AS place, k.article_id, l.source_id IS NOT NULL AS here FROM known_url k
         LEFT JOIN listing l ON l.article_id = k.article_id AND l.source_id = {source} WHERE k.url = {url}",
        &articles,
        |row| {
            let (article, here): (Option<i64>, bool) = (row.get(2)?, row.get(3)?);
            let met = match article {
                None => Met::Removed,
                Some(_) if here => Met::Here,
                Some(id) => Met::Elsewhere(ArticleId(id)),
            };
            Ok((row.get::<_, i64>(0)? as usize, row.get::<_, i64>(1)? as usize, met))
        },
    )?;
    let mut met: Vec<Vec<Option<Met>>> =
        records.iter().map(|record| vec![None; record.articles.len()]).collect();
    for (visit, place, one) in answers {
        if let Some(spot) = met.get_mut(visit).and_then(|met| met.get_mut(place)) {
            *spot = Some(one);
        }
    }
    Ok(met)
}
