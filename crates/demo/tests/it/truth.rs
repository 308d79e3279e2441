//! What the web says of itself is consistent.

use crate::web;
use model::SourceKind;
use std::collections::HashSet;

#[tokio::test]
async fn sources_are_many_and_of_every_kind() {
    let (web, _, _) = web().await;
    let sources = web.sources();
    let count = |kind: SourceKind| sources.iter().filter(|source| source.kind == kind).count();
    assert!(sources.len() >= 60, "{} sources", sources.len());
    assert!(
        count(SourceKind::ArticleList) >= 40
            && count(SourceKind::Feed) >= 10
            && count(SourceKind::Sitemap) >= 6
    );
    let urls: HashSet<_> = sources.iter().map(|source| &source.url).collect();
    assert_eq!(urls.len(), sources.len());
    assert!((0..30).all(|site| sources.iter().any(|source| source.site == site)));
    web.stop().await;
}

#[tokio::test]
async fn sections_partition_what_is_published() {
    let (web, _, now) = web().await;
    let sources = web.sources();
    let published = web.published(now);
    assert!(published.is_sorted_by_key(|article| article.published_at));
    for article in &published {
        assert!(article.published_at <= now && !article.listed_on.is_empty());
        let sections =
            sources.iter().filter(|source| source.section.is_some() && source.site == article.site);
        let sections: Vec<_> = sections.filter(|source| article.listed_on.contains(&source.url)).collect();
        let offered = sources.iter().any(|source| source.section.is_some() && source.site == article.site);
        assert_eq!(sections.len(), usize::from(offered), "{}", article.url);
    }
    web.stop().await;
}

#[tokio::test]
async fn what_a_source_lists_is_published_and_says_so() {
    let (web, _, now) = web().await;
    let published: HashSet<_> = web.published(now).into_iter().map(|article| article.url).collect();
    for source in web.sources() {
        for article in web.listed(&source, now) {
            assert!(published.contains(&article.url) && article.listed_on.contains(&source.url));
        }
    }
    web.stop().await;
}
