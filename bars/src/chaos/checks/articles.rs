//! Every article that was published is in the books: once, with every list it stands on, in its folders, with its text.

use super::{Check, Evidence};
use crate::chaos::ready::{BY_TEXT, DESK};
use crate::chaos::words::{TEXT_WORD, TOPICS};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Check> {
    let (web, books) = (evidence.web, &evidence.books);
    let world = &web.world;
    let urls: Vec<String> =
        world.articles.iter().map(|article| web.url(article.host, &article.path)).collect();
    let mut stored: BTreeMap<String, usize> = BTreeMap::new();
    for row in books.rows("SELECT url FROM article") {
        *stored.entry(row.concat()).or_default() += 1;
    }
    let published: BTreeSet<&str> = urls.iter().map(String::as_str).collect();
    let lost: Vec<&String> = urls.iter().filter(|url| !stored.contains_key(*url)).collect();
    let doubled = stored.values().filter(|count| **count > 1).count();
    let foreign: Vec<&String> = stored.keys().filter(|url| !published.contains(url.as_str())).collect();
    let says = format!(
        "{} published, {} stored, {} lost, {doubled} doubled, {} never published",
        urls.len(),
        stored.len(),
        lost.len(),
        foreign.len()
    );
    let holds = lost.is_empty() && doubled == 0 && foreign.is_empty();
    let examples = lost.iter().map(|url| format!("lost: {url}"));
    let articles = Check::new("articles: none lost, none doubled", holds, says)
        .with(examples.chain(foreign.iter().map(|url| format!("never published: {url}"))));
    vec![articles, listings(evidence, &urls), filings(evidence, &urls), texts(evidence)]
}

fn listings(evidence: &Evidence<'_>, urls: &[String]) -> Check {
    let (web, books) = (evidence.web, &evidence.books);
    let listed = books.pairs(
        "SELECT a.url, s.url FROM listing l JOIN article a ON a.id = l.article_id JOIN source s ON s.id = l.source_id",
    );
    let mut wanted = Vec::new();
    for (article, url) in web.world.articles.iter().zip(urls) {
        for source in &article.listed {
            let source = &web.world.sources[*source];
            wanted.push((url.clone(), web.url(source.host, &source.path)));
        }
    }
    compare("every list an article stands on", wanted, listed)
}

fn filings(evidence: &Evidence<'_>, urls: &[String]) -> Check {
    let filed = evidence.books.pairs(
        "SELECT DISTINCT a.url, CASE WHEN p.name IS NULL THEN f.name ELSE p.name || '/' || f.name END
         FROM filing g JOIN article a ON a.id = g.article_id JOIN folder f ON f.id = g.folder_id
         LEFT JOIN folder p ON p.id = f.parent_id",
    );
    let mut wanted = Vec::new();
    for (article, url) in evidence.web.world.articles.iter().zip(urls) {
        wanted.extend(article.topic.map(|topic| (url.clone(), format!("{DESK}/{}", TOPICS[topic]))));
        wanted.extend(article.text.then(|| (url.clone(), BY_TEXT.to_owned())));
    }
    compare("filed by the rules", wanted, filed)
}

fn compare(name: &'static str, wanted: Vec<(String, String)>, found: Vec<(String, String)>) -> Check {
    let (asked, there) = (wanted.len(), found.len());
    let (wanted, found) =
        (wanted.into_iter().collect::<BTreeSet<_>>(), found.into_iter().collect::<BTreeSet<_>>());
    let missing: Vec<_> = wanted.difference(&found).collect();
    let surplus: Vec<_> = found.difference(&wanted).collect();
    let says = format!("{asked} to be, {there} there, {} missing, {} too many", missing.len(), surplus.len());
    let holds = missing.is_empty() && surplus.is_empty() && asked == there;
    let examples = missing.iter().map(|(from, to)| format!("missing: {from} in {to}"));
    Check::new(name, holds, says)
        .with(examples.chain(surplus.iter().map(|(from, to)| format!("too many: {from} in {to}"))))
}

fn texts(evidence: &Evidence<'_>) -> Check {
    let books = &evidence.books;
    let unread = books.pairs(
        "SELECT a.url, a.body || ' ' || a.body_tries || ' ' || coalesce(a.body_outcome, '') FROM article a
         LEFT JOIN article_text t ON t.article_id = a.id WHERE a.body <> 'read' OR t.article_id IS NULL LIMIT 1000",
    );
    let marked = books.number(&format!("SELECT count(*) FROM article_text WHERE text LIKE '%{TEXT_WORD}%'"));
    let wanted = evidence.web.world.articles.iter().filter(|article| article.text).count() as i64;
    let says = format!("{} pages not read; {marked} of {wanted} marked texts found", unread.len());
    Check::new("every article's page was read", unread.is_empty() && marked == wanted, says)
        .with(unread.iter().map(|(url, why)| format!("{url}: {why}")))
}
