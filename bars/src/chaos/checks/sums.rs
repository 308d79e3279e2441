//! What is counted twice is counted alike, and nobody holds anything at the end.

use super::{Check, Evidence};

/// Questions whose answer must be no row.
const NONE: [(&str, &str); 14] = [
    (
        "articles of a source",
        "SELECT s.id, s.articles, count(l.article_id) FROM source s LEFT JOIN listing l ON l.source_id = s.id
         GROUP BY s.id HAVING s.articles <> count(l.article_id)",
    ),
    (
        "new articles of a visit",
        "SELECT v.id, v.new, count(a.id) FROM visit v LEFT JOIN article a ON a.visit_id = v.id
         GROUP BY v.id HAVING v.new <> count(a.id)",
    ),
    (
        "an article's visit is its source's",
        "SELECT a.id FROM article a LEFT JOIN visit v ON v.id = a.visit_id WHERE v.source_id IS DISTINCT FROM a.source_id",
    ),
    (
        "a listing's visit is its source's",
        "SELECT l.article_id, l.source_id FROM listing l LEFT JOIN visit v ON v.id = l.visit_id
         WHERE v.source_id IS DISTINCT FROM l.source_id",
    ),
    (
        "known URLs are those of articles",
        "SELECT a.url FROM article a LEFT JOIN known_url k ON k.url = a.url WHERE k.article_id IS DISTINCT FROM a.id
         UNION ALL SELECT k.url FROM known_url k WHERE k.article_id IS NULL",
    ),
    (
        "folders of an article",
        "SELECT a.id, a.folders, count(DISTINCT f.folder_id) FROM article a LEFT JOIN filing f ON f.article_id = a.id
         GROUP BY a.id HAVING a.folders <> count(DISTINCT f.folder_id)",
    ),
    (
        "the last visit of a source",
        "SELECT s.id, s.last_visit_at, max(v.at) FROM source s JOIN visit v ON v.source_id = s.id
         GROUP BY s.id HAVING s.last_visit_at IS DISTINCT FROM max(v.at)",
    ),
    (
        "words of every article",
        "SELECT a.id FROM article a LEFT JOIN article_words w ON w.rowid = a.id WHERE w.rowid IS NULL",
    ),
    (
        "when a host is due",
        "SELECT h.name, h.due_at, due.at FROM host h JOIN (
             SELECT h.id, greatest(least((SELECT min(next_at) FROM source WHERE host_id = h.id),
                                         (SELECT min(body_at) FROM article WHERE host_id = h.id)), h.not_before) AS at
             FROM host h) due ON due.id = h.id
         WHERE h.due_at IS NULL AND due.at IS NOT NULL OR h.due_at > due.at",
    ),
    ("no host is held", "SELECT name, lease_owner, lease_until FROM host WHERE lease_owner IS NOT NULL"),
    (
        "no crawl, no channel is held",
        "SELECT 'crawl ' || id FROM crawl WHERE lease_owner IS NOT NULL
         UNION ALL SELECT 'channel ' || id FROM channel WHERE lease_owner IS NOT NULL",
    ),
    ("no worker is left", "SELECT name, label FROM worker"),
    (
        "pages and URLs of the crawl",
        "SELECT c.fetched, (SELECT count(*) FROM crawl_page p WHERE p.crawl_id = c.id AND p.status > 0), c.known,
             (SELECT count(*) FROM crawl_url u WHERE u.crawl_id = c.id) FROM crawl c
         WHERE c.known <> (SELECT count(*) FROM crawl_url u WHERE u.crawl_id = c.id)
            OR (SELECT count(DISTINCT url) FROM crawl_url u WHERE u.crawl_id = c.id) <> c.known",
    ),
    (
        "deliveries are over",
        "SELECT id, state, tries, last_error FROM delivery WHERE state <> 'delivered'",
    ),
];

pub(super) fn check(evidence: &Evidence<'_>) -> Vec<Check> {
    let books = &evidence.books;
    let (mut broken, mut examples) = (0, Vec::new());
    for (name, sql) in NONE {
        let rows = books.rows(sql);
        broken += usize::from(!rows.is_empty());
        let shown = rows.iter().take(3).map(|row| row.join(" ")).collect::<Vec<_>>().join("; ");
        if !rows.is_empty() {
            examples.push(format!("{name}: {} rows: {shown}", rows.len()));
        }
    }
    let says = format!("{} invariants, {broken} broken", NONE.len());
    vec![Check::new("the books agree with themselves", broken == 0, says).with(examples)]
}
