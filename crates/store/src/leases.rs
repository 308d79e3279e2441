//! Leases on hosts. Whoever holds a host's lease is the one polite visitor it sees.

use crate::database::{Columns, Connection, Kind, OptionalExtension, Set, ToValue, params};
use crate::hosts::{KEPT, Stored, due_of, host_id, manners, manners_row, refresh_due, save_manners_of};
use crate::robots::robots_of;
use crate::rows::{ms, source, span_ms, to_json, url};
use crate::watches::{Lookout, lookouts};
use crate::{Store, StoreError};
use jiff::Timestamp;
use model::{ArticleId, Epoch, HostId, Manners, RobotsRecord, Source};
use scheduling::{SLOTS, Share};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;
use url::Url;

/// Proof of holding a host. Every write about the host shows it; an old epoch is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The host.
    pub host_id: HostId,
    /// Which lease of it.
    pub epoch: Epoch,
}

/// What becomes of a host after a deed on it.
#[derive(Debug, Clone)]
pub enum After {
    /// There is more to do. Manners are stored at once if they must outlast a crash.
    Keep(Option<Manners>),
    /// It is given back in the same deed.
    GiveBack {
        /// Manners towards it by now.
        manners: Manners,
        /// It was slow or in trouble: it is kept to the slow share.
        slow: bool,
    },
}

/// How many hosts a worker wants, and for how long.
#[derive(Debug, Clone)]
pub struct LeaseRequest {
    /// Who asks: one name per process start.
    pub owner: String,
    /// The hosts that are its to visit.
    pub share: Share,
    /// The time.
    pub now: Timestamp,
    /// Until when the lease holds without being released.
    pub lease_until: Timestamp,
    /// At most this many hosts that answer well.
    pub hosts: usize,
    /// At most this many hosts that were slow or in trouble the last time: they must not fill all workers.
    pub slow_hosts: usize,
    /// At most this much work of each kind a host.
    pub work_per_host: usize,
    /// The delay of hosts that have none of their own.
    pub default_delay: Duration,
}

/// A leased host with its due work.
#[derive(Debug)]
pub struct HostWork {
    /// The lease.
    pub lease: Lease,
    /// The host's name.
    pub name: String,
    /// It was slow or in trouble the last time.
    pub slow: bool,
    /// Manners towards it so far.
    pub manners: Manners,
    /// What its robots.txt said.
    pub robots: Vec<RobotsRecord>,
    /// Sources to visit, most overdue first.
    pub visits: Vec<DueVisit>,
    /// Articles whose page is to be read.
    pub bodies: Vec<DueBody>,
}

/// What came of entering a host.
#[derive(Debug)]
pub enum Entered {
    /// It is leased.
    Leased(Box<HostWork>),
    /// The same worker holds it already.
    Ours,
    /// Another worker holds it.
    Held,
}

/// A source whose time has come.
#[derive(Debug)]
pub struct DueVisit {
    /// The source.
    pub source: Source,
    /// The text hash of its last content, to notice a plain page's change.
    pub text_hash: Option<i64>,
    /// The watches on parts of its page.
    pub lookouts: Vec<Lookout>,
}

/// An article whose page is to be read.
#[derive(Debug)]
pub struct DueBody {
    /// The article.
    pub article_id: ArticleId,
    /// Where its page is.
    pub url: Url,
    /// How often that was tried already.
    pub tries: u32,
}

impl Store {
    /// Leases hosts whose work is due, most overdue first, and says what the work is.
    pub async fn lease_due_hosts(&self, request: LeaseRequest) -> Result<Vec<HostWork>, StoreError> {
        self.write_beside(move |connection| {
            let mut ids = due_hosts(connection, &request, false, request.hosts)?;
            if request.slow_hosts > 0 {
                ids.extend(due_hosts(connection, &request, true, request.slow_hosts)?);
            }
            lease_hosts(connection, &ids, &request)
        })
        .await
    }

    /// Leases one host whether or not anything is due, for a visit that a person asked for.
    /// `None` if a worker holds it.
    pub async fn lease_host(
        &self,
        name: String,
        request: LeaseRequest,
    ) -> Result<Option<HostWork>, StoreError> {
        self.write_beside(move |connection| {
            let id = host_id(connection, &name)?;
            let sql = format!(
                "SELECT lease_owner IS NULL OR lease_until <= ?2 FROM host WHERE id = ?1{}",
                connection.dialect().holding_free_rows()
            );
            let free: Option<bool> =
                connection.query_row(&sql, params![id.0, ms(request.now)], |row| row.get(0)).optional()?;
            if free == Some(true) { lease_one(connection, id, &request).map(Some) } else { Ok(None) }
        })
        .await
    }

    /// Leases one host for a crawl, without any work of the monitor's. `None` if a worker holds it, or if the monitor has
    /// something due on it and is there to do it (`after_monitor`).
    pub async fn lease_host_for_crawl(
        &self,
        name: String,
        request: LeaseRequest,
        after_monitor: bool,
    ) -> Result<Option<HostWork>, StoreError> {
        self.write_beside(move |connection| {
            let id = host_id(connection, &name)?;
            let free: Option<bool> = connection
                .prepare_cached(&format!(
                    "SELECT (lease_owner IS NULL OR lease_until <= ?2) AND (NOT ?3 OR due_at IS NULL OR due_at > ?2)
                     FROM host WHERE id = ?1{}",
                    connection.dialect().holding_free_rows()
                ))?
                .query_row(params![id.0, ms(request.now), after_monitor], |row| row.get(0))
                .optional()?;
            let request = LeaseRequest { work_per_host: 0, ..request.clone() };
            if free == Some(true) { lease_one(connection, id, &request).map(Some) } else { Ok(None) }
        })
        .await
    }

    /// Leases one host that a redirect leads to, without any work of its own.
    pub async fn enter_host(&self, name: String, request: LeaseRequest) -> Result<Entered, StoreError> {
        self.write_beside(move |connection| {
            let id = host_id(connection, &name)?;
            let sql = format!(
                "SELECT lease_owner IS NULL OR lease_until <= ?2, lease_owner = ?3 FROM host WHERE id = ?1{}",
                connection.dialect().holding_free_rows()
            );
            let found: Option<(bool, Option<bool>)> = connection
                .query_row(&sql, params![id.0, ms(request.now), request.owner], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .optional()?;
            let request = LeaseRequest { work_per_host: 0, ..request.clone() };
            Ok(match found {
                Some((true, _)) => Entered::Leased(Box::new(lease_one(connection, id, &request)?)),
                Some((_, Some(true))) => Entered::Ours,
                _ => Entered::Held,
            })
        })
        .await
    }

    /// Gives a host back, with what was learned about how to treat it. `slow` keeps it to the slow share.
    pub async fn release_host(&self, lease: Lease, manners: Manners, slow: bool) -> Result<(), StoreError> {
        let after = After::GiveBack { manners, slow };
        self.write_beside(move |connection| {
            check_lease(connection, &lease)?;
            settle(connection, &lease, &after)
        })
        .await
    }

    /// Ends every lease, on hosts, crawls and channels. Only for a process that has made sure it is alone with the data: what it finds
    /// leased belonged to one that died.
    pub async fn end_all_leases(&self) -> Result<usize, StoreError> {
        self.write(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT id FROM host WHERE lease_owner IS NOT NULL")?;
            let ids: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            for &id in &ids {
                connection.execute(
                    "UPDATE host SET lease_owner = NULL, lease_until = NULL, epoch = epoch + 1 WHERE id = ?1",
                    [id],
                )?;
                refresh_due(connection, HostId(id))?;
            }
            connection.execute("UPDATE crawl SET lease_owner = NULL WHERE lease_owner IS NOT NULL", [])?;
            connection.execute(
                "UPDATE channel SET lease_owner = NULL, lease_until = NULL WHERE lease_owner IS NOT NULL",
                [],
            )?;
            Ok(ids.len())
        })
        .await
    }

    /// When there is next something to lease of this share: work on a free host, or a lease that runs out.
    pub async fn next_due(&self, share: &Share) -> Result<Option<Timestamp>, StoreError> {
        let slots = slots(share)?;
        self.read(move |connection| {
            let earliest = |sql: &str| -> Result<Option<i64>, StoreError> {
                let sql = format!("{sql} {} ORDER BY 1 LIMIT 1", in_slots(connection, slots.as_ref(), "?1"));
                let slots = slots.iter().map(|slots| slots as &dyn ToValue).collect::<Vec<_>>();
                Ok(connection.prepare_cached(&sql)?.query_row(&slots[..], |row| row.get(0)).optional()?)
            };
            let free = earliest("SELECT due_at FROM host WHERE due_at IS NOT NULL AND lease_owner IS NULL")?;
            let held = earliest("SELECT lease_until FROM host WHERE lease_owner IS NOT NULL")?;
            let at = free.into_iter().chain(held).min();
            Ok(at.and_then(|at| Timestamp::from_millisecond(at).ok()))
        })
        .await
    }
}

fn due_hosts(
    connection: &Connection,
    request: &LeaseRequest,
    slow: bool,
    limit: usize,
) -> Result<Vec<i64>, StoreError> {
    let slots = slots(&request.share)?;
    let mut statement = connection.prepare_cached(&format!(
        "SELECT id FROM host
         WHERE due_at <= ?1 AND slow = ?2 AND (lease_owner IS NULL OR lease_until <= ?1){}
         ORDER BY due_at LIMIT ?3{}",
        in_slots(connection, slots.as_ref(), "?4"),
        connection.dialect().holding_free_rows()
    ))?;
    let (now, limit) = (ms(request.now), limit as i64);
    let mut values: Vec<&dyn ToValue> = vec![&now, &slow, &limit];
    values.extend(slots.as_ref().map(|slots| slots as &dyn ToValue));
    let ids = statement.query_map(&values[..], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// The slots of a share as a list; `None` if it is everything.
fn slots(share: &Share) -> Result<Option<String>, StoreError> {
    share.slots().as_ref().map(to_json).transpose()
}

/// Only hosts in the slots that are given at `place`, unless it is all.
fn in_slots(connection: &Connection, slots: Option<&String>, place: &str) -> String {
    let list = connection.dialect().numbers_of_json(place);
    slots.map_or_else(String::new, |_| format!(" AND id % {SLOTS} IN {list}"))
}

fn lease_one(connection: &Connection, host: HostId, request: &LeaseRequest) -> Result<HostWork, StoreError> {
    lease_hosts(connection, &[host.0], request)?.pop().ok_or(StoreError::Fenced)
}

/// Takes the leases of free hosts, and says what is due on them. All that is asked is asked for all hosts at once.
fn lease_hosts(
    connection: &Connection,
    ids: &[i64],
    request: &LeaseRequest,
) -> Result<Vec<HostWork>, StoreError> {
    let mut hosts = Set::new(LEASED);
    let (until, delay) = (ms(request.lease_until), span_ms(request.default_delay));
    for id in ids {
        hosts.push(params![id, request.owner, until, delay]);
    }
    // A lease that ran out may still be used by a worker that does not know it yet; its last request may
    // have been made just before. The new holder keeps its distance from that moment.
    let taken = connection.ask_set(
        "UPDATE host SET epoch = epoch + 1, slow = CASE WHEN lease_owner IS NULL THEN slow ELSE 1 END,
             not_before = CASE WHEN lease_until IS NULL THEN not_before
                 ELSE max(coalesce(not_before, 0),
                          lease_until + max(coalesce(own_delay_ms, {delay}), coalesce(crawl_delay_ms, 0))) END,
             lease_owner = {owner}, lease_until = {until}
         {rows} WHERE id = {host_id} RETURNING *",
        &hosts,
        |row| {
            let lease = Lease { host_id: HostId(row.get("id")?), epoch: Epoch(row.get("epoch")?) };
            Ok((lease, row.get("name")?, row.get("slow")?, manners(row)?))
        },
    )?;
    let due = Set::of_due(ids, request);
    let mut robots = robots_of(connection, ids)?;
    let mut visits = due_visits(connection, &due)?;
    let mut bodies = due_bodies(connection, &due)?;
    let mut work: HashMap<i64, HostWork> = taken
        .into_iter()
        .map(|(lease, name, slow, manners)| {
            let id = lease.host_id.0;
            let of_host = HostWork {
                lease,
                name,
                slow,
                manners,
                robots: robots.remove(&id).unwrap_or_default(),
                visits: visits.remove(&id).unwrap_or_default(),
                bodies: bodies.remove(&id).unwrap_or_default(),
            };
            (id, of_host)
        })
        .collect();
    // Most overdue first, as they were chosen.
    Ok(ids.iter().filter_map(|id| work.remove(id)).collect())
}

const LEASED: Columns =
    &[("host_id", Kind::Number), ("owner", Kind::Text), ("until", Kind::Number), ("delay", Kind::Number)];
const DUE: Columns = &[("host", Kind::Number), ("now", Kind::Number), ("most", Kind::Number)];

impl Set {
    /// The hosts whose work is asked for, if any is wanted.
    fn of_due(hosts: &[i64], request: &LeaseRequest) -> Self {
        let mut due = Self::new(DUE);
        let most = request.work_per_host as i64;
        for host in hosts.iter().filter(|_| most > 0) {
            due.push(params![host, ms(request.now), most]);
        }
        due
    }
}

fn due_visits(connection: &Connection, due: &Set) -> Result<HashMap<i64, Vec<DueVisit>>, StoreError> {
    let visits = connection.ask_set(
        "SELECT * FROM source WHERE host_id = {host} AND next_at <= {now} ORDER BY next_at LIMIT {most}",
        due,
        |row| Ok(DueVisit { source: source(row)?, text_hash: row.get("text_hash")?, lookouts: Vec::new() }),
    )?;
    let mut lookouts = lookouts(connection, visits.iter().map(|due| due.source.id))?;
    let mut by_host: HashMap<i64, Vec<DueVisit>> = HashMap::new();
    for mut visit in visits {
        visit.lookouts = lookouts.remove(&visit.source.id).unwrap_or_default();
        by_host.entry(visit.source.host_id.0).or_default().push(visit);
    }
    for visits in by_host.values_mut() {
        visits.sort_by_key(|due| due.source.state.next_at);
    }
    Ok(by_host)
}

fn due_bodies(connection: &Connection, due: &Set) -> Result<HashMap<i64, Vec<DueBody>>, StoreError> {
    let mut bodies = connection.ask_set(
        "SELECT host_id, body_at, id, url, body_tries FROM article
         WHERE host_id = {host} AND body_at IS NOT NULL AND body_at <= {now} ORDER BY body_at, id DESC LIMIT {most}",
        due,
        |row| {
            let body =
                DueBody { article_id: ArticleId(row.get(2)?), url: url(row, "url")?, tries: row.get(4)? };
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, body))
        },
    )?;
    bodies.sort_by_key(|(_, at, body)| (*at, Reverse(body.article_id)));
    let mut by_host: HashMap<i64, Vec<DueBody>> = HashMap::new();
    for (host, _, body) in bodies {
        by_host.entry(host).or_default().push(body);
    }
    Ok(by_host)
}

/// What becomes of hosts after the deeds on them; of each, the last word counts.
#[derive(Default)]
struct Settling(BTreeMap<HostId, After>);

impl Settling {
    fn settle(&mut self, host: HostId, after: &After) {
        if !matches!(after, After::Keep(None)) {
            self.0.insert(host, after.clone());
        }
    }

    fn write(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let (mut kept, mut given) = (Set::new(KEPT), Set::new(GIVEN_BACK));
        for (host, after) in std::mem::take(&mut self.0) {
            match after {
                After::Keep(None) => {}
                After::Keep(Some(manners)) => kept.push(&manners_row(&host.0, &Stored::of(&manners))),
                After::GiveBack { manners, slow } => {
                    let stored = Stored::of(&manners);
                    let [host, delay, pause, troubles, last] = manners_row(&host.0, &stored);
                    given.push(&[host, delay, pause, troubles, last, &slow]);
                }
            }
        }
        save_manners_of(connection, kept)?;
        connection.send_set(
            &format!(
                "UPDATE host SET crawl_delay_ms = {{crawl_delay}}, not_before = {{not_before}}, troubles = {{troubles}},
                     last_trouble = {{last_trouble}}, lease_owner = NULL, lease_until = NULL, slow = {{slow}}, due_at = ({})
                 {{rows}} WHERE id = {{host_id}}",
                due_of("{host_id}", "{not_before}")
            ),
            given,
        )?;
        Ok(())
    }
}

const GIVEN_BACK: Columns = &[KEPT[0], KEPT[1], KEPT[2], KEPT[3], KEPT[4], ("slow", Kind::Number)];

/// Does what a deed wants to become of its host.
pub(crate) fn settle(connection: &Connection, lease: &Lease, after: &After) -> Result<(), StoreError> {
    let mut settling = Settling::default();
    settling.settle(lease.host_id, after);
    settling.write(connection)
}

/// Refuses a writer whose lease is no longer the current one.
pub(crate) fn check_lease(connection: &Connection, lease: &Lease) -> Result<(), StoreError> {
    let hosts = HeldHosts::ask(connection, [lease.host_id])?;
    if hosts.holds(lease) { Ok(()) } else { Err(StoreError::Fenced) }
}

/// Hosts that somebody holds, and what becomes of them with the deeds of a group.
pub(crate) struct HeldHosts {
    held: HashMap<HostId, (Epoch, Manners)>,
    settling: Settling,
}

impl HeldHosts {
    /// Asks which of these hosts are held, by anybody. Their rows stay as they are until the deeds are over.
    pub(crate) fn ask(
        connection: &Connection,
        hosts: impl IntoIterator<Item = HostId>,
    ) -> Result<Self, StoreError> {
        const HOSTS: Columns = &[("host_id", Kind::Number)];
        // Always in the same order, so that no two wait for each other.
        let hosts: BTreeSet<HostId> = hosts.into_iter().collect();
        let hosts = Set::of_numbers(HOSTS, hosts.into_iter().map(|host| host.0));
        let sql = format!(
            "SELECT * FROM host WHERE id = {{host_id}} AND lease_owner IS NOT NULL{}",
            connection.dialect().holding_rows()
        );
        let held = connection.ask_set(&sql, &hosts, |row| {
            Ok((HostId(row.get("id")?), (Epoch(row.get("epoch")?), manners(row)?)))
        })?;
        Ok(Self { held: held.into_iter().collect(), settling: Settling::default() })
    }

    /// Whether a lease is the current one.
    pub(crate) fn holds(&self, lease: &Lease) -> bool {
        self.held.get(&lease.host_id).is_some_and(|(epoch, _)| *epoch == lease.epoch)
    }

    /// What becomes of a host after a deed on it.
    pub(crate) fn settle(&mut self, host: HostId, after: &After) {
        match after {
            After::Keep(None) => return,
            After::Keep(Some(manners)) => match self.held.get_mut(&host) {
                // As they are stored; the user's own delay is not stored with them.
                Some((_, stored))
                    if *stored == (Manners { own_delay: stored.own_delay, ..manners.clone() }) =>
                {
                    return;
                }
                Some((_, stored)) => stored.clone_from(manners),
                None => {}
            },
            // Whoever comes later is refused.
            After::GiveBack { .. } => drop(self.held.remove(&host)),
        }
        self.settling.settle(host, after);
    }

    pub(crate) fn write(&mut self, connection: &Connection) -> Result<(), StoreError> {
        self.settling.write(connection)
    }
}
