//! What is left when nothing else can be done: URLs that failed, and hosts that cannot be reached. They do not hold up the
//! end of a crawl for longer than a try or two.

use super::desk::Desk;
use super::reach::Standing;
use super::{Run, Trouble};
use discovery::crawl::Spot;
use fetch::BoxFuture;
use store::StoreError;

/// What is to be done about it.
#[derive(Debug)]
pub(super) enum Remainder {
    /// There is something worth waiting for.
    Waits,
    /// It was given up: there is nothing left.
    GivenUp,
    /// All that is left is on hosts that used to answer; why.
    Pause(String),
}

/// Tries after which a URL is given up if nothing else is left.
const TRIES_AT_THE_END: u32 = 2;

/// Rows given up in one deed.
const SLICE: usize = 1_000;

/// Looks at what is left while nothing is under way.
pub(super) async fn look(run: &Run) -> Remainder {
    let queued = match give_up(run) {
        Ok(queued) => queued,
        Err(remainder) => return remainder,
    };
    wait(run, queued).await;
    Remainder::GivenUp
}

type Deed = BoxFuture<'static, Result<(), StoreError>>;

fn give_up(run: &Run) -> Result<Vec<Deed>, Remainder> {
    let now = run.worker.clock.now();
    let mut desk = run.desk();
    if desk.reach.is_down().is_some() || desk.reach.is_fine() && desk.tries.is_empty() {
        return Err(Remainder::Waits);
    }
    let mut gone = None;
    let mut left: Vec<(u32, Option<String>)> = Vec::new();
    for host in desk.mind.waiting_hosts() {
        match desk.reach.standing(host, now) {
            Standing::Open | Standing::Away => return Err(Remainder::Waits),
            Standing::Gone(why) => gone = Some(why.to_owned()),
            Standing::Dead(why) => {
                let why = format!("its host could not be reached: {why}");
                left.extend(desk.mind.waiting_on(host).iter().map(|spot| (spot.0, Some(why.clone()))));
            }
        }
    }
    for spot in desk.mind.retries() {
        let host = desk.mind.host_of(spot);
        match host.map_or(Standing::Open, |host| desk.reach.standing(host, now)) {
            Standing::Gone(why) => gone = Some(why.to_owned()),
            Standing::Dead(_) => left.push((spot.0, None)),
            Standing::Away => return Err(Remainder::Waits),
            Standing::Open => {
                let tries = desk.tries.get(&spot.0);
                if tries.is_none_or(|tries| tries.asked_to_wait || tries.count < TRIES_AT_THE_END) {
                    return Err(Remainder::Waits);
                }
                left.push((spot.0, None));
            }
        }
    }
    if let Some(why) = gone {
        return Err(Remainder::Pause(format!("what is left is on hosts that no longer answer: {why}")));
    }
    if left.is_empty() {
        return Err(Remainder::Waits);
    }
    let spots: Vec<Spot> = left.iter().map(|(spot, _)| Spot(*spot)).collect();
    desk.mind.give_up(&spots);
    desk.given_up += spots.len() as u64;
    for spot in spots {
        desk.tries.remove(&spot.0);
    }
    Ok(deeds(run, &mut desk, &left))
}

fn deeds(run: &Run, desk: &mut Desk, left: &[(u32, Option<String>)]) -> Vec<Deed> {
    let mut deeds: Vec<Deed> = Vec::new();
    for slice in left.chunks(SLICE) {
        let deed = desk.next_deed();
        deeds.push(Box::pin(run.worker.store.give_up_crawl_urls(run.id, run.epoch, deed, slice.to_vec())));
    }
    deeds
}

/// URLs that the mind dropped while they waited are dropped in the rows, too.
pub(super) async fn store_trapped(run: &Run) {
    let queued = {
        let mut desk = run.desk();
        let trapped: Vec<(u32, Option<String>)> =
            desk.mind.take_trapped().into_iter().map(|spot| (spot.0, Some(REPEATS.to_owned()))).collect();
        desk.count_dropped("repeats", trapped.len() as u64);
        deeds(run, &mut desk, &trapped)
    };
    wait(run, queued).await;
}

/// Why they were.
const REPEATS: &str = "this part of the site repeats itself, or what it links to is not there";

async fn wait(run: &Run, queued: Vec<Deed>) {
    for deed in queued {
        if let Err(error) = deed.await {
            run.fails(Trouble::Store(error));
        }
    }
}
