//! Every page that can be reached was fetched, once in effect; none that is forbidden was asked for.

use super::{Check, Evidence};
use crate::chaos::world::PAGES_PER_HOST;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Check> {
    let (web, books) = (evidence.web, &evidence.books);
    let wanted: BTreeSet<String> = (0..web.world.crawled)
        .flat_map(|host| (0..PAGES_PER_HOST).map(move |page| web.url(host, &format!("/p/{page}"))))
        .collect();
    let mut stored: BTreeMap<String, usize> = BTreeMap::new();
    let pages =
        "SELECT u.url FROM crawl_page p JOIN crawl_url u ON u.crawl_id = p.crawl_id AND u.spot = p.spot
                 WHERE p.status = 200";
    for row in books.rows(pages) {
        *stored.entry(row.concat()).or_default() += 1;
    }
    let lost: Vec<&String> = wanted.iter().filter(|url| !stored.contains_key(*url)).collect();
    let doubled = stored.values().filter(|count| **count > 1).count();
    let surplus = stored.keys().filter(|url| !wanted.contains(*url)).count();
    let mut asked: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for line in evidence.log.iter().filter(|line| line.path.starts_with("/p/")) {
        *asked.entry((line.host, &line.path)).or_default() += 1;
    }
    let again: usize = asked.values().map(|count| count - 1).sum();
    let forbidden = evidence.log.iter().filter(|line| line.path == "/secret").count();
    let says = format!(
        "{} of {} stored, {doubled} twice, {surplus} others; {again} asked for again; {forbidden} forbidden ones asked for",
        stored.len() - surplus,
        wanted.len()
    );
    let holds = lost.is_empty() && doubled == 0 && surplus == 0 && forbidden == 0;
    let story = |url: &&String| {
        let sql = format!("SELECT state, coalesce(why, '') FROM crawl_url WHERE url = '{url}'");
        format!("not fetched: {url} {:?}", books.rows(&sql))
    };
    let fetched = Check::new("every reachable page, once", holds, says).with(lost.iter().take(5).map(story));
    vec![fetched, archive(evidence, wanted.len())]
}

/// The WARC files hold every page, whoever wrote them.
fn archive(evidence: &Evidence<'_>, wanted: usize) -> Check {
    let (mut urls, mut records, mut broken) = (BTreeSet::new(), 0, 0);
    for file in std::fs::read_dir(evidence.folder.join("crawl")).into_iter().flatten().flatten() {
        let file = file.path();
        if file.extension().is_none_or(|ending| ending != "gz") {
            continue;
        }
        let bytes = std::fs::read(&file).unwrap_or_default();
        for record in warc::Records::new(&bytes) {
            match record {
                Ok(record) if record.field("WARC-Type") == Some("response") => {
                    let url = record.field("WARC-Target-URI").unwrap_or_default().to_owned();
                    if url.contains("/p/") {
                        records += 1;
                        urls.insert(url);
                    }
                }
                Ok(_) => {}
                Err(_) => broken += 1,
            }
        }
    }
    let says = format!("{} of {wanted} pages in {records} records, {broken} broken", urls.len());
    Check::new(
        "every page in the WARC files, once",
        urls.len() == wanted && records == wanted && broken == 0,
        says,
    )
}
