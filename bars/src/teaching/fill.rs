//! A store to teach in.

use jiff::{SignedDuration, Timestamp};
use knowledge::{Cornerstone, Fields, Filer, Folders, Lesson, Rule, RuleTree, Verdict};
use model::{ArticlePage, CornerstoneId, Found, Manners, Outcome, PlannedVisit, SourceKind};
use std::collections::BTreeSet;
use std::time::Duration;
use store::{After, BodyRecord, LeaseRequest, NewSource, Store, VisitRecord};
use tokio::task::JoinSet;
use url::Url;

const PER_SOURCE: usize = 500;
/// The sample's rules file into so many folders.
const FOLDERS: usize = 200;

/// An article of its own, made of three of the sample: a headline and two halves of texts.
pub(crate) fn article(sample: &[Fields<'static>], number: usize) -> Fields<'static> {
    let from = |step: usize, offset: usize| &sample[(number * step + offset) % sample.len()];
    let half = |fields: &Fields<'static>, second: bool| {
        let body = fields.body.as_deref().unwrap_or_default();
        let words: Vec<&str> = body.split_whitespace().collect();
        let (start, end) = words.split_at(words.len() / 2);
        (if second { end } else { start }).join(" ")
    };
    let body = format!("{} {}", half(from(7, number / sample.len()), false), half(from(13, 5), true));
    Fields { title: from(1, 0).title.clone(), body: Some(body.into()), ..Fields::default() }
}

pub(crate) async fn articles(store: &Store, sample: &[Fields<'static>], count: usize) -> anyhow::Result<()> {
    let now = Timestamp::now();
    let later = PlannedVisit { at: now + SignedDuration::from_hours(100), reason: "every 100 h".into() };
    for site in 0..count / PER_SOURCE {
        let source = NewSource {
            url: Url::parse(&format!("http://site{site}.example/"))?,
            title: Some(format!("Site {site}")),
            selector: None,
            interval: None,
            first_visit: later.clone(),
        };
        let ids = store.add_sources(vec![source], now).await?;
        let request = LeaseRequest {
            owner: "bars".into(),
            share: store::Share::all(),
            now,
            lease_until: now + SignedDuration::from_mins(5),
            hosts: 1,
            slow_hosts: 0,
            work_per_host: 1,
            default_delay: Duration::ZERO,
        };
        let work = store.lease_host(format!("site{site}.example"), request).await?;
        let (Some(work), [id]) = (work, ids.as_slice()) else {
            anyhow::bail!("site {site} is not to be had")
        };
        let first = site * PER_SOURCE;
        let found = (first..first + PER_SOURCE).map(|n| -> anyhow::Result<Found> {
            Ok(Found {
                url: Url::parse(&format!("http://site{site}.example/{n}"))?,
                title: article(sample, n).title.unwrap_or_default().into_owned(),
                published_at: Some(now),
                summary: None,
            })
        });
        let record = VisitRecord {
            lease: work.lease.clone(),
            source_id: *id,
            at: now,
            took: Duration::from_millis(9),
            reason: "first visit".into(),
            outcome: Outcome::NewContent,
            bytes: 4000,
            kind: Some(SourceKind::ArticleList),
            title: None,
            articles: found.collect::<Result<_, _>>()?,
            bodies: 0,
            selector: None,
            validators: None,
            text_hash: None,
            notes: vec![],
            robots: vec![],
            after: After::Keep(None),
            earliest: None,
            rules: store::PlanRules { keeps_timers: true, ..store::PlanRules::default() },
            sights: None,
        };
        let planned = later.clone();
        let recorded = store.record_visit(record, move |_| planned).await?;
        anyhow::ensure!(recorded.new.len() == PER_SOURCE, "articles of site {site} are missing");
        let mut bodies = JoinSet::new();
        for id in recorded.new {
            let text = article(sample, id.0 as usize - 1).body.unwrap_or_default().into_owned();
            let record = BodyRecord {
                lease: work.lease.clone(),
                article_id: id,
                outcome: Outcome::NewContent,
                read: Some(ArticlePage { text, language: Some("en".into()), ..ArticlePage::default() }),
                page: None,
                retry_at: None,
                robots: vec![],
                after: After::Keep(None),
            };
            let store = store.clone();
            bodies.spawn(async move { store.record_body(record).await });
        }
        while let Some(done) = bodies.join_next().await {
            done??;
        }
        store.release_host(work.lease, Manners::default(), false).await?;
    }
    Ok(())
}

/// Teaches so many rules of the paper's shape, each article that prompted one a cornerstone, and files all articles.
pub(crate) async fn rules(
    store: &Store,
    sample: &[Fields<'static>],
    count: usize,
) -> anyhow::Result<Vec<Rule>> {
    let rules = sample::rules(sample, count)?;
    let tree = RuleTree::new(rules.iter().cloned())?;
    let mut filer = Filer::default();
    let prompts: BTreeSet<CornerstoneId> = rules.iter().filter_map(|rule| rule.origin.cornerstone).collect();
    let verdict = |id: CornerstoneId| {
        let fields = sample[id.0 as usize - 1].clone();
        let expected = filer.file(&tree, &fields).folders.into_iter().collect();
        Verdict { before: None, after: Cornerstone { id, article: None, fields, expected } }
    };
    let lesson = Lesson { rules: rules.clone(), verdicts: prompts.into_iter().map(verdict).collect() };
    let make = move |_: &knowledge::Base| {
        let mut folders = Folders::default();
        for n in 1..=FOLDERS {
            folders.create(&format!("Folder {n}"))?;
        }
        Ok((folders, lesson))
    };
    store.learn_with_folders(None, Timestamp::now(), make).await?;
    while !store.refile_some().await?.is_finished() {}
    Ok(rules)
}
