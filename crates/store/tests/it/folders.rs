//! Articles by folder: pages of them, and how many there are.

use crate::shop::{Shop, at, found, planned, visit_record};
use knowledge::{Conclusion, Field, Lesson, Literal, Origin, ROOT, Rule, Term};
use model::{ArticleId, FolderId, Manners, RuleId};
use store::{ArticleFilter, FolderFilter, Marks, VisitRecord};

fn rule(id: i64, word: &str, folder: FolderId) -> Rule {
    Rule {
        id: RuleId(id),
        parent: ROOT,
        condition: vec![Literal::has(Term::natural(Field::Title, word).unwrap())],
        conclusion: Conclusion::Folder(folder),
        origin: Origin::default(),
    }
}

/// Thirty articles; every second is in `A/B`, every third in `A/C`, every fifth in `A/B` by another rule.
async fn library() -> (Shop, Vec<ArticleId>, [FolderId; 3]) {
    let shop = Shop::new();
    let b = shop.store.create_folder("A/B".into()).await.unwrap();
    let c = shop.store.create_folder("A/C".into()).await.unwrap();
    let a = shop.store.knowledge(|base| base.folders().find("A")).await.unwrap().unwrap();
    let rules = vec![rule(1, "two", b), rule(2, "three", c), rule(3, "five", b)];
    let lesson = Lesson { rules, verdicts: Vec::new() };
    shop.store.learn(None, at(1), move |_| Ok(lesson)).await.unwrap();
    let source = shop.add("https://news.example/").await;
    let urls: Vec<String> = (1..=30).map(|n| format!("https://news.example/{n}")).collect();
    let mut articles = found(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    for (index, article) in articles.iter_mut().enumerate() {
        let n = index + 1;
        let words = [(2, "two"), (3, "three"), (5, "five")];
        let words = words.into_iter().filter(|(by, _)| n.is_multiple_of(*by)).map(|(_, word)| word);
        article.title = format!("Number {}", words.collect::<Vec<_>>().join(" "));
    }
    let work = shop.lease_of(source, 2).await;
    let record = VisitRecord { articles, ..visit_record(&work, source, 2) };
    let new = shop.store.record_visit(record, |_| planned(60)).await.unwrap().new;
    shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
    (shop, new, [a, b, c])
}

async fn all(shop: &Shop, filter: ArticleFilter) -> Vec<ArticleId> {
    let mut ids: Vec<ArticleId> = Vec::new();
    let mut before = None;
    loop {
        let page =
            shop.store.articles_page(ArticleFilter { before, limit: 4, ..filter.clone() }).await.unwrap();
        ids.extend(page.articles.iter().map(|article| article.id));
        before = page.next;
        if before.is_none() {
            assert!(ids.is_sorted_by(|a, b| a > b), "newest first, each once: {ids:?}");
            return ids;
        }
    }
}

#[tokio::test]
async fn pages_of_folders_are_whole_and_newest_first() {
    let (shop, new, [_, b, c]) = library().await;
    let inside = |folders: Vec<FolderId>| ArticleFilter {
        folders: Some(FolderFilter::In(folders)),
        ..ArticleFilter::default()
    };
    // Of 30: 15 even ones, 3 more multiples of five; 10 multiples of three; 22 of any.
    assert_eq!(all(&shop, inside(vec![b])).await.len(), 18);
    assert_eq!(all(&shop, inside(vec![c])).await.len(), 10);
    assert_eq!(all(&shop, inside(vec![b, c])).await.len(), 22);
    assert_eq!(all(&shop, inside(vec![])).await.len(), 0);
    let unfiled = ArticleFilter { folders: Some(FolderFilter::Unfiled), ..ArticleFilter::default() };
    assert_eq!(all(&shop, unfiled).await.len(), 8);
    let by_rule = FolderFilter::DecidedBy(RuleId(3));
    let by_rule = ArticleFilter { folders: Some(by_rule), ..ArticleFilter::default() };
    assert_eq!(all(&shop, by_rule).await.len(), 6);

    let read: Vec<ArticleId> = new.iter().take(10).copied().collect();
    let marks = Marks { read: Some(true), starred: Some(true) };
    shop.store.mark_articles(read, marks).await.unwrap();
    let unread = all(&shop, ArticleFilter { unread: true, ..inside(vec![b, c]) }).await;
    let starred = all(&shop, ArticleFilter { starred: true, ..inside(vec![b, c]) }).await;
    assert_eq!(unread.len() + starred.len(), 22);
    let searched = ArticleFilter { search: Some("three".into()), ..inside(vec![b]) };
    assert_eq!(all(&shop, searched).await.len(), 6);
    let of_source = ArticleFilter { source: Some(model::SourceId(99)), ..inside(vec![b]) };
    assert_eq!(all(&shop, of_source).await.len(), 0);
}

#[tokio::test]
async fn counts_roll_up_and_count_each_article_once() {
    let (shop, new, [a, b, c]) = library().await;
    shop.store.mark_articles(vec![new[0]], Marks { read: Some(true), starred: None }).await.unwrap();
    let (counts, unfiled) = shop.store.folder_counts().await.unwrap();
    assert_eq!((counts[&a].articles, counts[&a].articles_within), (0, 22));
    assert_eq!((counts[&b].articles, counts[&c].articles_within), (18, 10));
    assert_eq!(unfiled.articles, 8);
    assert_eq!(counts[&a].unread_within + unfiled.unread, 29);
}

#[tokio::test]
async fn what_was_confirmed_is_not_asked_about_again() {
    let (shop, _, _) = library().await;
    let before = shop.store.unconfirmed(100).await.unwrap();
    assert_eq!(before.len(), 22);
    assert!(before[0].0 > before[1].0 && !before[0].1.is_empty());
    shop.store.confirm_filing(before[0].0, at(9)).await.unwrap();
    let after = shop.store.unconfirmed(5).await.unwrap();
    assert_eq!((after.len(), after[0].0), (5, before[1].0));
}
