//! Recording visits, several together: what they need to know is asked once for all of them, and what they write is gathered.
//! Each is done as if those before it had been stored.

use super::gathered::{Gathered, SourceAfter};
use super::listed::{Listed, NewArticle};
use super::{Recorded, SeenByVisit, VisitRecord};
use crate::StoreError;
use crate::database::{Columns, Connection, Kind, Set};
use crate::events::{Pending, Told, after_triggered};
use crate::knowledge::Known;
use crate::leases::HeldHosts;
use crate::plan::{not_before, within_host_budget};
use crate::robots::save_robots;
use crate::rows::{ms, source};
use crate::watch::{Catalogue, Held, VisitSeen, WatchSettings, Watching, catalogues, watch_visit};
use crate::watches::{Looked, look, looked_at};
use jiff::Timestamp;
use model::{PlannedVisit, Source, SourceId, Validators, VisitId};
use scheduling::News;
use std::collections::{HashMap, HashSet};

/// Says when the next visit is; asked once, inside the transaction.
pub(super) type Plan = dyn FnMut(&SeenByVisit) -> Result<PlannedVisit, StoreError> + Send;

/// Records visits in their order; what came of each. A visit that is refused has written nothing. Any other trouble is an
/// error for all of them: then each is to be recorded by itself.
pub(super) fn record_visits(
    connection: &Connection,
    known: &Known,
    watching: &Watching,
    visits: &mut [(&VisitRecord, &mut Plan)],
) -> Result<Vec<Result<Recorded, StoreError>>, StoreError> {
    let hosts = HeldHosts::ask(connection, visits.iter().map(|(record, _)| record.lease.host_id))?;
    let admitted: Vec<bool> = visits.iter().map(|(record, _)| hosts.holds(&record.lease)).collect();
    let records: Vec<&VisitRecord> = visits
        .iter()
        .zip(&admitted)
        .filter(|(_, admitted)| **admitted)
        .map(|((record, _), _)| *record)
        .collect();
    if records.is_empty() {
        return Ok(visits.iter().map(|_| Err(StoreError::Fenced)).collect());
    }
    // Before anything is written: what is loaded now must not know of these visits yet.
    let held = watching.held(connection)?;
    let mut round = Round::begin(connection, known, held, hosts, &records)?;
    let (mut done, mut place) = (Vec::with_capacity(visits.len()), 0);
    for ((record, plan), admitted) in visits.iter_mut().zip(admitted) {
        let source = if admitted { round.admit(record)? } else { Err(StoreError::Fenced) };
        done.push(match source {
            Ok((source, pending)) => Ok(round.record((place, record), source, pending, *plan)?),
            Err(refused) => Err(refused),
        });
        place += usize::from(admitted);
    }
    round.gathered.write(connection)?;
    round.held.keep();
    Ok(done)
}

struct Round<'a> {
    connection: &'a Connection,
    known: &'a Known,
    held: Held<'a>,
    settings: WatchSettings,
    gathered: Gathered,
    /// The sources as they were; each is taken out when it is visited.
    sources: HashMap<SourceId, (Source, Pending)>,
    numbers: std::vec::IntoIter<i64>,
    listed: Listed<'a>,
    /// Sources with watches that look.
    looked_at: HashSet<SourceId>,
    /// How far back the first articles of sources go that are not known for long.
    catalogues: HashMap<SourceId, Catalogue>,
}

impl<'a> Round<'a> {
    fn begin(
        connection: &'a Connection,
        known: &'a Known,
        held: Held<'a>,
        hosts: HeldHosts,
        records: &[&'a VisitRecord],
    ) -> Result<Self, StoreError> {
        let ids: HashSet<SourceId> = records.iter().map(|record| record.source_id).collect();
        let sources = sources(connection, ids.iter().copied())?;
        let names = sources
            .values()
            .filter_map(|(source, _)| model::host_name(&source.url).map(|name| (name, source.host_id)));
        let listed = Listed::ask(connection, records, names.collect())?;
        let young: HashSet<SourceId> = held.look().map_or_else(HashSet::new, |loaded| {
            let is_young =
                |record: &&&VisitRecord| loaded.watcher.wants_catalogue(record.source_id, record.at);
            records.iter().filter(is_young).map(|record| record.source_id).collect()
        });
        let mut known_catalogues = catalogues(connection, young.iter().copied())?;
        Ok(Self {
            connection,
            known,
            settings: held.settings(),
            held,
            gathered: Gathered::new(connection, hosts),
            sources,
            numbers: connection.next_numbers("visit", records.len())?,
            listed,
            looked_at: looked_at(connection, ids)?,
            catalogues: young
                .into_iter()
                .map(|source| (source, Catalogue(known_catalogues.remove(&source))))
                .collect(),
        })
    }

    /// The source as it is at this visit, and the event that the visit is for; or why the visit is refused.
    fn admit(&mut self, record: &VisitRecord) -> Result<Result<(Source, Pending), StoreError>, StoreError> {
        // An earlier one of these visits may have given it back.
        if !self.gathered.hosts.holds(&record.lease) {
            return Ok(Err(StoreError::Fenced));
        }
        let mut found = self.sources.remove(&record.source_id);
        if found.is_none() {
            // An earlier one of these visits has changed it.
            self.gathered.write(self.connection)?;
            found = sources(self.connection, [record.source_id])?.remove(&record.source_id);
            self.catalogues.remove(&record.source_id);
        }
        let Some((source, pending)) = found else {
            return Ok(Err(StoreError::not_found(format!("source {}", record.source_id))));
        };
        // A visit that a person asked for meanwhile is not the event's.
        let is_planned = record.reason == source.state.next_reason;
        Ok(Ok((source, if is_planned { pending } else { Pending::default() })))
    }

    fn record(
        &mut self,
        (place, record): (usize, &'a VisitRecord),
        source: Source,
        pending: Pending,
        plan: &mut Plan,
    ) -> Result<Recorded, StoreError> {
        let (connection, success) = (self.connection, record.outcome.is_success());
        let visit_id = VisitId(self.numbers.next().ok_or(StoreError::Closed)?);
        save_robots(connection, &record.robots)?;
        let gathered = &mut self.gathered;
        let of_visit = (visit_id, &source);
        let new = self.listed.gather(connection, self.known, gathered, (place, record), of_visit)?;
        gathered.visit(visit_id, record, new.len(), pending.event)?;
        let failures = if success { 0 } else { source.state.failures.saturating_add(1) };
        let (paused, interval) = (source.paused, source.interval);
        let news = news(record, &new);
        let seen = SeenByVisit { source, failures, listed: record.articles.len() as u32, news };
        let mut looked = Looked::default();
        if success && self.looked_at.contains(&record.source_id) {
            gathered.write(connection)?;
            looked = look(connection, record, visit_id)?;
        }
        // A visit that a person asked for does not bring a paused source back.
        let planned = match (!paused).then(|| plan(&seen)).transpose()? {
            Some(planned) => {
                let planned = not_before(record.earliest, looked.no_later(planned));
                let (host, visits) = (seen.source.host_id, record.rules.visits_per_host_and_day);
                Some(within_host_budget(connection, host, visits, record.at, planned)?)
            }
            None => None,
        };
        let (planned, pending) = match planned {
            Some(planned) if success => {
                if pending.event.is_some() {
                    gathered.write(connection)?;
                }
                let after = after_triggered(connection, &self.settings, pending, planned, &seen, record)?;
                (Some(after.0), after.1)
            }
            planned => (planned, Pending::default()),
        };
        // A selector or a watch changed meanwhile wants the page read afresh.
        let none = Validators::default();
        let validators = match &record.validators {
            _ if looked.unread || seen.source.selector != record.selector => &none,
            Some(validators) => validators,
            None => &seen.source.state.validators,
        };
        let (planned_ref, has_news) = (planned.as_ref(), !new.is_empty());
        let after = SourceAfter { failures, has_news, planned: planned_ref, pending: &pending, validators };
        gathered.source(record, &after)?;
        let told = self.watch(record, visit_id, interval, &new)?;
        self.gathered.hosts.settle(record.lease.host_id, &record.after);
        let new = new.iter().map(|article| article.id).collect();
        Ok(Recorded {
            visit_id,
            new,
            planned,
            events: told.events,
            triggered: told.visits,
            told: looked.told,
        })
    }

    /// Tells the watcher.
    fn watch(
        &mut self,
        record: &VisitRecord,
        visit: VisitId,
        interval: Option<std::time::Duration>,
        new: &[NewArticle<'_>],
    ) -> Result<Told, StoreError> {
        let Some(loaded) = record.outcome.is_success().then(|| self.held.moving()).flatten() else {
            return Ok(Told::default());
        };
        let catalogue = self.catalogues.remove(&record.source_id);
        let seen = VisitSeen { record, visit, interval, new, catalogue };
        let told = watch_visit(self.connection, loaded, &mut self.gathered, &seen)?;
        if told.visits > 0 {
            // Any of them may have been brought forward.
            self.sources.clear();
        }
        Ok(told)
    }
}

/// Sources, each with the event that its next visit is for.
fn sources(
    connection: &Connection,
    ids: impl IntoIterator<Item = SourceId>,
) -> Result<HashMap<SourceId, (Source, Pending)>, StoreError> {
    const SOURCES: Columns = &[("source_id", Kind::Number)];
    let ids = Set::of_numbers(SOURCES, ids.into_iter().map(|id| id.0));
    let rows = connection.ask_set("SELECT * FROM source WHERE id = {source_id}", &ids, |row| {
        Ok((SourceId(row.get("id")?), (source(row)?, Pending::read(row)?)))
    })?;
    Ok(rows.into_iter().collect())
}

/// The new articles as policies see them. A date without a time of day says nothing of the hour, and one in the future
/// nothing at all.
fn news(record: &VisitRecord, new: &[NewArticle<'_>]) -> Vec<News> {
    let says = |at: &Timestamp| *at <= record.at && ms(*at) % 86_400_000 != 0;
    let one = |article: &NewArticle<'_>| News {
        at: article.found.published_at.filter(says).unwrap_or(record.at),
        folders: article.folders.clone(),
    };
    new.iter().map(one).collect()
}
