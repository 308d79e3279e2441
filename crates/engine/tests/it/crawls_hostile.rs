//! A web that wants to keep a crawl for ever, and to teach it nonsense.

use crate::crawls::wish;
use crate::lab::Lab;
use discovery::crawl::{CrawlSettings, StrategyName};
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use store::{CrawlPageFilter, CrawlPhase};
use testkit::site::{Answer, Asked, Site};

/// Pages worth finding.
const GOOD: usize = 40;

const BUDGET: u32 = 400;

/// So many of them, of two texts each.
const NOTES: usize = 42;

/// Honest pages about something else: without them there is nothing to hold new words against, and nothing is learned.
const PLAIN: [&str; 14] = [
    "Trains run on rails between stations, and the railway sells tickets to passengers every morning.",
    "Cheese is made from milk by farmers who keep cows and sell it on the village market.",
    "Rocks are formed under pressure, and geologists study layers of stone in the mountains.",
    "Football is played by two teams whose goalkeepers may touch the ball with their hands.",
    "The storm brought rain and wind to the coast, where fishing boats stayed in the harbour.",
    "A violin has four strings and is played with a bow in the orchestra of the town.",
    "Engineers tested the new bridge with lorries full of sand before traffic was let across.",
    "The parliament voted on taxes after a long debate between ministers and the opposition.",
    "Bees carry pollen from flower to flower, and the keeper takes honey from the hive in summer.",
    "The telescope showed rings around the planet and several moons that nobody had seen.",
    "Potatoes are planted in spring, watered in dry weeks and dug out of the soil in autumn.",
    "The hospital hired nurses and a surgeon, so that patients wait no longer than a week.",
    "Glaciers move slowly downhill, carrying gravel, and melt where the valley grows warm.",
    "The baker rises at three, kneads dough for rolls and heats the oven before dawn.",
];

fn good(n: usize) -> String {
    let next: String = (1..=3)
        .map(|k| 3 * n + k)
        .filter(|k| *k < GOOD)
        .map(|k| format!("<li><a href='/good/{k}'>A novel, number {k}</a></li>"))
        .collect();
    format!(
        "<html lang=en><title>Novel {n}</title><main><p>The author wrote this novel, a book of {n} chapters. \
         Readers like the book and its author.</p><ul>{next}</ul></main>"
    )
}

/// Calendars, facets, session ids and redirects without end.
fn traps(asked: &Asked, sessions: &AtomicU64) -> Answer {
    let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
    let number = |text: &str| text.rsplit(['/', '=']).next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
    let dull = "<p>Nothing is planned for this day. Choose another day to see what is planned.</p>";
    match path {
        "/" => {
            let ways = "<a href='/good/0'>Novels</a> <a href='/calendar?day=1'>Calendar</a> <a href='/shop?f=0'>Shop</a> \
                        <a href='/session'>Members</a> <a href='/hop/0'>More</a>";
            let plain: String = (0..NOTES).map(|n| format!("<a href='/plain/{n}'>Notes {n}</a> ")).collect();
            Answer::html(format!("<html lang=en><title>Home</title><p>{ways}</p><p>{plain}</p>"))
        }
        "/calendar" => {
            let day = number(query);
            let links: String = (1..=5)
                .map(|k| format!("<a href='/calendar?day={}'>day {}</a> ", day + k, day + k))
                .collect();
            Answer::html(format!("<html lang=en><title>Day {day}</title>{dull}<p>{links}</p>"))
        }
        "/shop" => {
            let names = ["color", "size", "brand", "sort", "page"];
            let links: String = (0..10)
                .map(|k| {
                    format!("<a href='/shop?{query}&{}={}'>filter {k}</a> ", names[k % 5], query.len() + k)
                })
                .collect();
            Answer::html(format!(
                "<html lang=en><title>Shop</title><p>All goods, filtered.</p><p>{links}</p>"
            ))
        }
        "/session" => {
            let id = sessions.fetch_add(1, Ordering::Relaxed);
            let links: String =
                (0..5).map(|k| format!("<a href='/session?page={k}&sid={id:016x}'>page {k}</a> ")).collect();
            Answer::html(format!(
                "<html lang=en><title>Members</title><p>Members only, please come in.</p><p>{links}</p>"
            ))
        }
        path if path.starts_with("/plain/") => {
            let n = number(path) as usize;
            let (one, other) = (PLAIN[n % PLAIN.len()], PLAIN[(n * 5 + 3) % PLAIN.len()]);
            Answer::html(format!("<html lang=en><title>Notes {n}</title><p>{one} {other}</p>"))
        }
        path if path.starts_with("/hop/") => Answer::redirect(302, format!("/hop/{}", number(path) + 1)),
        path if path.starts_with("/good/") && (number(path) as usize) < GOOD => {
            Answer::html(good(number(path) as usize))
        }
        _ => Answer::status(404),
    }
}

/// Every page says the topic's words very often, beside a word of its own that it wants to be learned.
fn stuffed(asked: &Asked) -> Answer {
    let n: u64 = asked.path.rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let links: String =
        (1..=8).map(|k| format!("<a href='/buy/{}'>book novel author</a> ", 8 * n + k)).collect();
    let text = "book novel author zyxxpill ".repeat(60);
    Answer::html(format!(
        "<html lang=en><title>book novel author zyxxpill {n}</title><p>{text}</p><p>{links}</p>"
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn traps_cost_little_and_teach_nothing() {
    let mut lab = Lab::new();
    lab.fetch.limits.first_byte = Duration::from_millis(300);
    let sessions = AtomicU64::new(0);
    let port = Site::start(|_| Answer::status(404)).await.address().port();
    let place = |host: u8| (Ipv4Addr::new(127, 97, 0, host), port).into();
    let spam = Site::start_on(place(2), None, stuffed).await;
    let tarpit =
        Site::start_on(place(3), None, |_| Answer::html("late").after(Duration::from_secs(30))).await;
    let (to_spam, to_tarpit) = (spam.url("/buy/0").to_string(), tarpit.url("/").to_string());
    let site = Site::start_on(place(1), None, move |asked| {
        if asked.path == "/good/1" {
            let ads =
                format!("<p><a href='{to_spam}'>book novel author</a> <a href='{to_tarpit}'>a book</a></p>");
            return Answer::html(good(1) + &ads);
        }
        traps(asked, &sessions)
    })
    .await;
    let handle = lab.idle();
    lab.store.save_topic(crate::crawls::topic(), jiff::Timestamp::now()).await.unwrap();
    let mut wish = wish(vec![site.url("/").into()], BUDGET);
    wish.settings =
        CrawlSettings { pages: BUDGET, strategy: StrategyName::Ontology, ..CrawlSettings::default() };
    let began = Instant::now();
    let id = handle.start_crawl(wish).await.unwrap();
    // A tarpit rests for a minute after each time-out: it must not keep the rest waiting.
    let stop = handle.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(6)).await;
        stop.interrupt();
    });
    let info = handle.run_crawl(id).await.unwrap();
    let paths = site.paths();
    let asked = |start: &str| paths.iter().filter(|path| path.starts_with(start)).count();
    let found = lab
        .store
        .crawl_pages(id, CrawlPageFilter { all: true, limit: 1_000, ..Default::default() })
        .await
        .unwrap();
    let good = found.iter().filter(|page| page.url.path().starts_with("/good/")).count();
    let told = format!(
        "{} good, calendar {}, shop {}, session {}, hops {}, spam {}, tarpit {}, {:?}, {}",
        good,
        asked("/calendar"),
        asked("/shop"),
        asked("/session"),
        asked("/hop"),
        spam.paths().len(),
        tarpit.paths().len(),
        began.elapsed(),
        info.why
    );
    assert_eq!(good, GOOD, "{told}");
    assert!(info.fetched <= u64::from(BUDGET), "{told}");
    assert!(info.phase != CrawlPhase::Paused, "{told}");
    assert!(asked("/hop") <= 25 && tarpit.paths().len() <= 4, "{told}");
    // What is worth reading is read first; what is left of the budget may go into traps, a bounded part into each.
    let last = paths.iter().rposition(|path| path.starts_with("/good/")).unwrap();
    let wasted = paths[..last].iter().filter(|path| !path.starts_with("/good/")).count();
    assert!(wasted <= GOOD, "{wasted} requests before the last good page; {told}");
    assert!(asked("/calendar") <= 100 && asked("/session") <= 100, "{told}");
    assert!(spam.paths().len() <= BUDGET as usize / 4, "{told}");
    let lessons = lab.store.topic_lessons("Books".into(), 1_000).await.unwrap();
    let learned = serde_json::to_string(&lessons).unwrap();
    assert!(!lessons.is_empty() && !learned.contains("zyxxpill"), "{told}, {} read: {learned}", info.fetched);
}

/// A user may choose a seed that turns out to be hostile: its word is one of several.
#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_seed_teaches_nothing() {
    let lab = Lab::new();
    let port = Site::start(|_| Answer::status(404)).await.address().port();
    let place = |host: u8| (Ipv4Addr::new(127, 98, 0, host), port).into();
    let spam = Site::start_on(place(2), None, stuffed).await;
    // Says little enough of its own to look honest.
    let sly = Site::start_on(place(3), None, |asked| {
        let n: u64 = asked.path.rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        let next = format!("<a href='/sly/{}'>a novel</a> <a href='/sly/{}'>a book</a>", 2 * n + 1, 2 * n + 2);
        let plain = PLAIN[n as usize % PLAIN.len()];
        Answer::html(format!(
            "<html lang=en><title>Novel {n}</title><p>The author wrote this novel, a book with qwertypill and \
             asdfpill. {plain}</p>{next}"
        ))
    })
    .await;
    let sessions = AtomicU64::new(0);
    let site = Site::start_on(place(1), None, move |asked| traps(asked, &sessions)).await;
    let handle = lab.idle();
    lab.store.save_topic(crate::crawls::topic(), jiff::Timestamp::now()).await.unwrap();
    let seeds = [site.url("/"), spam.url("/buy/0"), sly.url("/sly/0")];
    let mut wish = wish(seeds.into_iter().map(Into::into).collect(), 200);
    wish.settings =
        CrawlSettings { pages: 200, strategy: StrategyName::Ontology, ..CrawlSettings::default() };
    let id = handle.start_crawl(wish).await.unwrap();
    let info = handle.run_crawl(id).await.unwrap();
    assert!(spam.paths().len() > 3 && sly.paths().len() > 10, "{info:?}");
    let lessons = lab.store.topic_lessons("Books".into(), 1_000).await.unwrap();
    let learned = serde_json::to_string(&lessons).unwrap();
    assert!(!learned.contains("pill"), "{} read: {learned}", info.fetched);
}

/// Traps that have learned to speak: a calendar and filters on whose every page a word of the topic stands, and links to
/// pages that are not there.
#[tokio::test(flavor = "multi_thread")]
async fn traps_that_name_the_topic_do_not_eat_the_budget() {
    let lab = Lab::new();
    let site = Site::start(|asked| {
        let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
        let number = |text: &str| text.rsplit(['/', '=']).next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
        match path {
            "/" => {
                let dead: String = (0..200).map(|n| format!("<a href='/lost/{n}'>A book, {n}</a> ")).collect();
                Answer::html(format!(
                    "<html lang=en><title>Books</title><a href='/calendar?day=1'>Book readings</a> \
                     <a href='/shop?f=0'>All books</a> <a href='/good/0'>Novels</a> {dead}"
                ))
            }
            "/calendar" => {
                let day = number(query);
                let links: String =
                    (1..=5).map(|k| format!("<a href='/calendar?day={}'>A book on day {}</a> ", day + k, day + k)).collect();
                Answer::html(format!(
                    "<html lang=en><title>Book readings, day {day}</title><p>On day {day} an author reads from a book, \
                     and people listen until late.</p>{links}"
                ))
            }
            "/shop" => {
                let names = ["color", "size", "brand", "sort", "page"];
                let links: String = (0..10)
                    .map(|k| format!("<a href='/shop?{query}&{}={}'>books, {k}</a> ", names[k % 5], query.len() + k))
                    .collect();
                Answer::html(format!(
                    "<html lang=en><title>Books and novels</title><p>Every book and novel of filter {}, by author.</p>{links}",
                    query.len()
                ))
            }
            path if path.starts_with("/good/") && (number(path) as usize) < GOOD => Answer::html(good(number(path) as usize)),
            _ => Answer::status(404),
        }
    })
    .await;
    let handle = lab.idle();
    let mut wish = wish(vec![site.url("/").into()], 250);
    wish.settings =
        CrawlSettings { pages: 250, strategy: StrategyName::Ontology, ..CrawlSettings::default() };
    let info = crate::crawls::run(&handle, wish).await;
    let paths = site.paths();
    let asked = |start: &str| paths.iter().filter(|path| path.starts_with(start)).count();
    let told = format!(
        "good {}, calendar {}, shop {}, lost {}; {}",
        asked("/good/"),
        asked("/calendar"),
        asked("/shop"),
        asked("/lost"),
        info.why
    );
    assert_eq!(asked("/good/"), GOOD, "{told}");
    assert!(asked("/calendar") <= 60 && asked("/shop") <= 120 && asked("/lost") <= 20, "{told}");
}
