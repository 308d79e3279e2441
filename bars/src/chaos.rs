//! Several processes of the program on one database, in all the trouble that processes get into. The judges are the sites'
//! own log and the books afterwards.

mod books;
mod checks;
mod drain;
mod driver;
mod faults;
pub(crate) mod fleet;
pub(crate) mod ready;
mod receiver;
pub(crate) mod settings;
pub(crate) mod web;
mod words;
pub(crate) mod world;

pub use settings::Settings;

use books::Books;
use checks::Evidence;
use driver::{Driver, Happened};
use fleet::Fleet;
use model::SourceId;
use receiver::Receiver;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use testkit::postgres::Postgres;
use web::Web;
use world::World;

/// Makes the trouble and judges what came of it: whether everything held.
pub async fn run(settings: Settings) -> anyhow::Result<bool> {
    anyhow::ensure!(settings.sources.is_multiple_of(settings.hosts), "as many sources on every host");
    let throw_away = tempfile::tempdir()?;
    let folder = settings.keep.clone().unwrap_or_else(|| throw_away.path().to_owned());
    std::fs::create_dir_all(&folder)?;
    be_quick();
    let postgres = tokio::task::spawn_blocking(Postgres::start_durable).await?;
    let name = postgres.new_database(None);
    let database = postgres.url_of(&name);
    let world = Arc::new(World::new(&settings));
    let (listener, receiver) = (Web::bind().await?, Receiver::start(settings.seed, settings.failing).await?);
    let port = listener.local_addr()?.port();
    let began = Instant::now();
    ready::make_ready(&settings, &world, port, &database, &folder, &receiver.url).await?;
    println!(
        "  {} hosts, {} sources, {} articles, {} pages to crawl; seed {}; ready in {:.1?}; files in {}",
        world.hosts.len(),
        world.sources.len(),
        world.articles.len(),
        world.crawled * world::PAGES_PER_HOST,
        settings.seed,
        began.elapsed(),
        folder.display()
    );
    let web = Arc::new(Web::start(world, listener)?);
    let fleet = Fleet::start(settings.clone(), database.clone(), folder.clone(), web.began)?;
    let (fleet, postgres, happened) = make_trouble(fleet, postgres, web.clone()).await?;
    let (fleet, postgres, left) = come_to_an_end(fleet, postgres, name.clone(), web.clone()).await?;
    let judged = tokio::task::spawn_blocking(move || {
        judge(&Case { settings, folder, name, web, receiver, fleet, postgres, happened }, left)
    });
    Ok(judged.await?)
}

/// Requests are written down when they are read: that should not wait for those who are measured.
fn be_quick() {
    let own = std::process::id().to_string();
    let _ = std::process::Command::new("renice")
        .args(["-n", "-10", "-p", &own])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status();
}

async fn make_trouble(
    mut fleet: Fleet,
    mut postgres: Postgres,
    web: Arc<Web>,
) -> anyhow::Result<(Fleet, Postgres, Happened)> {
    let plan = faults::plan(&fleet.settings);
    let driven = tokio::task::spawn_blocking(move || {
        let happened = Driver::new(&mut fleet, &mut postgres, &web).drive(plan)?;
        anyhow::Ok((fleet, postgres, happened))
    });
    driven.await?
}

/// Everything that was begun is done, and everybody ends; `None` if nothing was left undone.
async fn come_to_an_end(
    mut fleet: Fleet,
    postgres: Postgres,
    name: String,
    web: Arc<Web>,
) -> anyhow::Result<(Fleet, Postgres, Option<String>)> {
    // A visit that saw all that was published is enough, also one that was under way when the trouble ended.
    let since = web.began_at + fleet.settings.published_until() + Duration::from_secs(1);
    let (database, ids) = (fleet.database.clone(), postgres.rows_of(&name, "SELECT id FROM source"));
    let sources = ids.iter().filter_map(|row| row.concat().parse().ok().map(SourceId)).collect();
    println!(
        "  {:>6.1} s  the trouble is over; every source is asked for once more",
        web.now().as_secs_f64()
    );
    drain::ask_for_all(&database, sources).await?;
    let drained = tokio::task::spawn_blocking(move || {
        let books = Books { postgres: &postgres, database: &name };
        let (left, took) = drain::wait(&books, &mut fleet, &web, since)?;
        println!("  {:>6.1} s  done after {took:.1?}; everybody ends", web.now().as_secs_f64());
        for at in 0..fleet.members.len() {
            fleet.end(at)?;
        }
        let left = (!left.is_nothing()).then(|| left.to_string());
        anyhow::Ok((fleet, postgres, left))
    });
    drained.await?
}

struct Case {
    settings: Settings,
    folder: PathBuf,
    name: String,
    web: Arc<Web>,
    receiver: Receiver,
    fleet: Fleet,
    postgres: Postgres,
    happened: Happened,
}

/// The sites' log as text, for whoever wants to look closer.
fn lines(log: &[web::Asked]) -> String {
    let line = |one: &web::Asked| {
        format!(
            "{:.4} {} {} {} {} {}\n",
            one.at.as_secs_f64(),
            one.host + 1,
            one.status,
            one.by,
            one.from.port(),
            one.path
        )
    };
    log.iter().map(line).collect()
}

fn judge(case: &Case, left: Option<String>) -> bool {
    let evidence = Evidence {
        settings: &case.settings,
        web: &case.web,
        log: case.web.log(),
        books: Books { postgres: &case.postgres, database: &case.name },
        heard: case.receiver.heard(),
        lives: case.fleet.lives.clone(),
        happened: &case.happened,
        folder: &case.folder,
    };
    if case.settings.keep.is_some() {
        let _ = std::fs::write(case.folder.join("requests.txt"), lines(&evidence.log));
    }
    println!("\n  {} faults:", case.happened.count());
    for (fault, count) in &case.happened.faults {
        println!("    {count:>4}  {fault}");
    }
    for ended in &case.fleet.ended_by_themselves {
        println!("    ended by itself: {ended}");
    }
    println!("  slowest clean end {:.1?}", case.fleet.slowest_end);
    let mut held = checks::all(&evidence);
    if let Some(left) = left {
        println!("  FAIL  left undone after {:?}: {left}", case.settings.drain);
        held = false;
    }
    let enough = case.happened.count() >= case.settings.faults.saturating_sub(case.settings.faults / 10);
    if !enough {
        println!("  FAIL  only {} of {} faults happened", case.happened.count(), case.settings.faults);
    }
    println!(
        "figure: {} faults on {} processes, {} articles, {} requests: {}",
        case.happened.count(),
        case.settings.workers + 1,
        case.web.world.articles.len(),
        evidence.log.len(),
        if held { "everything held" } else { "not everything held" }
    );
    held && enough
}
