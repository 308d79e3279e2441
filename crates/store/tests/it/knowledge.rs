//! What was taught is kept, and articles are filed by it.

use crate::shop::{Shop, at, found, visit_record};
use knowledge::{Correction, Draft, Field, Lesson, Literal, Mode, Origin, Prompt, TeachError, Term, Texts};
use model::{ArticleId, ArticlePage, FolderId, Manners, Outcome, RuleId};
use std::collections::BTreeSet;
use store::{After, ArticleFilter, BodyRecord, FolderFilter, Learned, Store, StoreError, VisitRecord};

pub(crate) fn has(field: Field, word: &str) -> Literal {
    Literal::has(Term::new(field, Mode::Exact, word).unwrap())
}

/// Teaches from a stored article, as the teaching page does.
pub(crate) async fn teach(
    store: &Store,
    article: ArticleId,
    correction: Correction,
    condition: Vec<Literal>,
) -> Result<Learned, StoreError> {
    let fields = store.article_fields(article).await.unwrap();
    let lesson = move |base: &knowledge::Base| -> Result<Lesson, TeachError> {
        let mut draft = Draft::new(base, Prompt { article: Some(article), fields }, correction)?;
        draft.set_condition(condition)?;
        draft.lesson(base, &BTreeSet::new(), &Origin::default())
    };
    store.learn(Some("anna".into()), at(500), lesson).await
}

async fn folders(store: &Store, article: ArticleId) -> Vec<String> {
    let folders = store.folders_of(vec![article]).await.unwrap().remove(&article).unwrap();
    store.knowledge(move |base| folders.iter().map(|id| base.folders().path(*id)).collect()).await.unwrap()
}

async fn refile(store: &Store) -> store::Refiling {
    while !store.refile_some().await.unwrap().is_finished() {}
    store.refiling().await.unwrap()
}

async fn read_body(store: &Store, work: &store::HostWork, article: ArticleId, text: &str) {
    let read = ArticlePage { text: text.into(), language: Some("en".into()), ..ArticlePage::default() };
    let record = BodyRecord {
        lease: work.lease.clone(),
        article_id: article,
        outcome: Outcome::NewContent,
        read: Some(read),
        page: None,
        retry_at: None,
        robots: Vec::new(),
        after: After::Keep(None),
    };
    store.record_body(record).await.unwrap();
}

/// A store with two articles, `cup` before `tea`, and a folder.
async fn school() -> (Shop, Vec<ArticleId>, FolderId) {
    let shop = Shop::new();
    let source = shop.add("https://news.example/").await;
    let recorded = shop.visit(source, 1, &["https://news.example/tea", "https://news.example/cup"]).await;
    let sports = shop.store.create_folder("Sports".into()).await.unwrap();
    (shop, recorded.new, sports)
}

#[tokio::test]
async fn a_new_article_is_filed_by_its_visit_and_again_with_its_text() {
    let (shop, articles, sports) = school().await;
    teach(&shop.store, articles[0], Correction::Add(sports), vec![has(Field::Title, "cup")]).await.unwrap();
    let news = shop.store.create_folder("News".into()).await.unwrap();
    let learned =
        teach(&shop.store, articles[1], Correction::Add(news), vec![has(Field::Title, "tea")]).await.unwrap();

    let source = shop.add("https://other.example/").await;
    let work = shop.lease_of(source, 600).await;
    let mut new = found(&["https://other.example/cup"]);
    new[0].title = "Another cup".into();
    let record = VisitRecord { articles: new, ..visit_record(&work, source, 600) };
    let recorded = shop.store.record_visit(record, |_| crate::shop::planned(700)).await.unwrap();
    let article = recorded.new[0];
    assert_eq!(folders(&shop.store, article).await, ["Sports"]);
    let filing = shop.store.filing(article).await.unwrap();
    assert_eq!((filing.by[0].rule, filing.by[0].version), (RuleId(1), learned.version));

    // Its text makes it something else.
    let fields = shop.store.article_fields(article).await.unwrap();
    assert_eq!((fields.body, fields.anchor.as_deref()), (None, Some("Another cup")));
    let body = Correction::Replace { from: sports, to: news };
    read_body(&shop.store, &work, article, "A cup of porcelain").await;
    teach(&shop.store, article, body, vec![has(Field::Body, "porcelain")]).await.unwrap();
    refile(&shop.store).await;
    assert_eq!(folders(&shop.store, article).await, ["News"]);
    shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
}

#[tokio::test]
async fn what_was_taught_and_undone_outlives_the_process() {
    let (shop, articles, sports) = school().await;
    teach(&shop.store, articles[0], Correction::Add(sports), vec![has(Field::Title, "cup")]).await.unwrap();
    teach(&shop.store, articles[1], Correction::Add(sports), vec![has(Field::Title, "tea")]).await.unwrap();
    let describe = |base: &knowledge::Base| {
        format!("{:?} {:?}", base.tree().rules(), base.cornerstones().iter().collect::<Vec<_>>())
    };
    let before = shop.store.knowledge(describe).await.unwrap();
    let shop = shop.reopened();
    assert_eq!(shop.store.knowledge(describe).await.unwrap(), before);

    let undone = shop.store.undo_lesson(at(600), None).await.unwrap().unwrap();
    assert_eq!(undone.rules.len(), 1);
    let shop = shop.reopened();
    assert_eq!(
        shop.store.knowledge(|base| (base.tree().rules().len(), base.cornerstones().len())).await.unwrap(),
        (1, 1)
    );
    // A number once given is not given again.
    assert_eq!(shop.store.knowledge(knowledge::Base::next_rule).await.unwrap(), RuleId(3));
    let lessons = shop.store.lessons(10).await.unwrap();
    assert_eq!(lessons.iter().map(|lesson| lesson.undone_at.is_some()).collect::<Vec<_>>(), [true, false]);
    assert!(shop.store.undo_lesson(at(601), None).await.unwrap().is_some());
    assert!(shop.store.undo_lesson(at(602), None).await.unwrap().is_none());
}

#[tokio::test]
async fn a_lesson_that_is_refused_leaves_nothing() {
    let (shop, articles, sports) = school().await;
    let version = shop.store.knowledge_version().await.unwrap();
    let error =
        teach(&shop.store, articles[0], Correction::Add(sports), vec![has(Field::Title, "tea")]).await;
    assert!(matches!(error, Err(StoreError::Teach(TeachError::DoesNotHold(_)))));
    assert_eq!(shop.store.knowledge_version().await.unwrap(), version);
    assert!(shop.store.lessons(10).await.unwrap().is_empty());
}

#[tokio::test]
async fn the_archive_is_filed_anew_stopped_and_resumed() {
    let shop = Shop::new();
    let source = shop.add("https://news.example/").await;
    let urls: Vec<String> = (0..450).map(|n| format!("https://news.example/cup-{n}")).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let articles = shop.visit(source, 1, &urls).await.new;
    let sports = shop.store.create_folder("Sports".into()).await.unwrap();
    teach(&shop.store, articles[0], Correction::Add(sports), vec![has(Field::Title, "cup")]).await.unwrap();

    let some = shop.store.refile_some().await.unwrap();
    assert_eq!((some.done, some.left, some.changed), (200, 250, 200));
    shop.store.stop_refiling(true).await.unwrap();
    assert_eq!(shop.store.refile_some().await.unwrap().done, 200);
    let shop = shop.reopened();
    assert!(shop.store.refiling().await.unwrap().stopped);
    shop.store.stop_refiling(false).await.unwrap();
    let all = refile(&shop.store).await;
    assert_eq!((all.done, all.left, all.changed), (450, 0, 450));
    let (counts, unfiled) = shop.store.folder_counts().await.unwrap();
    assert_eq!((counts[&sports].articles, counts[&sports].unread, unfiled.articles), (450, 450, 0));

    shop.store.undo_lesson(at(600), None).await.unwrap();
    refile(&shop.store).await;
    let unfiled =
        ArticleFilter { folders: Some(FolderFilter::Unfiled), limit: 500, ..ArticleFilter::default() };
    assert_eq!(shop.store.articles_page(unfiled).await.unwrap().articles.len(), 450);
}

#[tokio::test]
async fn another_process_is_heard() {
    let (shop, articles, sports) = school().await;
    let other = shop.data.open().unwrap();
    teach(&other, articles[0], Correction::Add(sports), vec![has(Field::Title, "cup")]).await.unwrap();
    // The first process files its next visit by the other's rule, though nobody told it.
    let source = shop.add("https://third.example/").await;
    let new = shop.visit(source, 700, &["https://third.example/cup"]).await.new;
    assert_eq!(folders(&shop.store, new[0]).await, ["Sports"]);
    assert_eq!(shop.store.knowledge(|base| base.tree().rules().len()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_study_sees_stored_articles_as_they_are() {
    let (shop, articles, sports) = school().await;
    let count = |word: &'static str| {
        let store = shop.store.clone();
        async move {
            store
                .study(move |base, archive| archive.holding(base.tree(), &has(Field::Title, word)).len())
                .await
                .unwrap()
        }
    };
    assert_eq!((count("cup").await, count("title").await), (1, 2));
    let source = shop.add("https://more.example/").await;
    shop.visit(source, 700, &["https://more.example/cup"]).await;
    assert_eq!(count("cup").await, 2);
    teach(&shop.store, articles[0], Correction::Add(sports), vec![has(Field::Title, "title")]).await.unwrap();
    let given = |base: &knowledge::Base, archive: &knowledge::Archive| {
        archive.in_folder(base.tree(), FolderId(1)).len()
    };
    assert_eq!(shop.store.study(given).await.unwrap(), 3);
    shop.store.undo_lesson(at(800), None).await.unwrap();
    assert_eq!(shop.store.study(given).await.unwrap(), 0);
}

#[tokio::test]
async fn a_kept_archive_says_what_a_fresh_one_says() {
    let (shop, articles, sports) = school().await;
    let store = &shop.store;
    teach(store, articles[0], Correction::Add(sports), vec![has(Field::Title, "title")]).await.unwrap();
    assert_eq!(store.study(|_, archive| archive.articles().len()).await.unwrap(), 2);
    // While it is kept: a text arrives, an article goes, another comes, a lesson is given.
    let source = shop.add("https://more.example/").await;
    let more = shop.visit(source, 700, &["https://more.example/tea", "https://more.example/pot"]).await.new;
    let work = shop.lease_of(source, 701).await;
    read_body(store, &work, more[0], "A cup of porcelain").await;
    shop.store.release_host(work.lease, Manners::default(), false).await.unwrap();
    let keep = store::Retention {
        articles: Some(std::time::Duration::from_mins(1)),
        visits: None,
        page_bytes: None,
        messages: None,
    };
    assert_eq!(store.enforce_retention(keep, at(730)).await.unwrap().articles, 2);
    teach(store, more[1], Correction::Remove(sports), vec![has(Field::Title, "tea")]).await.unwrap();
    let same = store.study(|base, archive| {
        let mut fresh = knowledge::Archive::new(Texts::kept());
        for number in archive.articles() {
            fresh.add(base.tree(), number, &archive.text(number).unwrap());
        }
        let words = ["title", "cup", "porcelain", "tea", "pot"];
        let literals = words.into_iter().flat_map(|word| [has(Field::Title, word), has(Field::Body, word)]);
        let by_words = literals
            .map(|literal| (archive.holding(base.tree(), &literal), fresh.holding(base.tree(), &literal)));
        let by_rules = base.tree().rules().iter().map(|rule| {
            let live = |archive: &knowledge::Archive| archive.live(rule.id).cloned().unwrap_or_default();
            (live(archive), live(&fresh))
        });
        by_words.chain(by_rules).collect::<Vec<_>>()
    });
    let same = same.await.unwrap();
    assert!(same.iter().all(|(kept, fresh)| kept == fresh), "{same:?}");
    assert_eq!(same.iter().filter(|(kept, _)| !kept.is_empty()).count(), 7);
}

#[tokio::test]
async fn folders_are_kept_moved_merged_and_removed() {
    let (shop, articles, sports) = school().await;
    let store = &shop.store;
    let soccer = store.create_folder("Sports/Soccer".into()).await.unwrap();
    teach(store, articles[0], Correction::Add(soccer), vec![has(Field::Title, "title")]).await.unwrap();
    refile(store).await;
    assert!(matches!(store.remove_folder(soccer).await, Err(StoreError::FolderInUse { .. })));
    assert!(matches!(store.remove_folder(sports).await, Err(StoreError::Folders(_))));
    store.rename_folder(soccer, "Football".into()).await.unwrap();
    let games = store.create_folder("Games".into()).await.unwrap();
    store.move_folder(sports, Some(games)).await.unwrap();
    let shop = shop.reopened();
    assert_eq!(folders(&shop.store, articles[0]).await, ["Games/Sports/Football"]);

    shop.store.merge_folders(soccer, games).await.unwrap();
    let shop = shop.reopened();
    assert_eq!(folders(&shop.store, articles[0]).await, ["Games"]);
    assert_eq!(shop.store.knowledge(|base| base.cornerstones().misfiled(base.tree())).await.unwrap(), []);
    shop.store.remove_folder(sports).await.unwrap();
    assert_eq!(shop.store.knowledge(|base| base.folders().list().len()).await.unwrap(), 1);
    assert!(shop.store.merge_folders(games, games).await.is_err());
}

#[tokio::test]
async fn rules_are_confirmed_and_overturned() {
    let (shop, articles, sports) = school().await;
    let store = &shop.store;
    teach(store, articles[0], Correction::Add(sports), vec![has(Field::Title, "title")]).await.unwrap();
    refile(store).await;
    store.confirm_filing(articles[0], at(600)).await.unwrap();
    store.confirm_filing(articles[0], at(601)).await.unwrap();
    teach(store, articles[1], Correction::Remove(sports), vec![has(Field::Title, "tea")]).await.unwrap();
    refile(store).await;
    let usage = store.rule_usage().await.unwrap();
    let first = usage[&RuleId(1)];
    assert_eq!((first.fired, first.concluded, first.confirmed, first.overturned), (2, 1, 1, 1));
    assert_eq!(usage[&RuleId(2)].concluded, 1);
}

#[tokio::test]
async fn a_folder_goes_after_its_lesson_was_undone() {
    let (shop, articles, sports) = school().await;
    teach(&shop.store, articles[0], Correction::Add(sports), vec![has(Field::Title, "cup")]).await.unwrap();
    shop.store.undo_lesson(at(600), None).await.unwrap();
    refile(&shop.store).await;
    shop.store.remove_folder(sports).await.unwrap();
    assert!(shop.reopened().store.knowledge(|base| base.folders().is_empty()).await.unwrap());
}

#[tokio::test]
async fn what_undoing_brings_back_follows_a_merge() {
    let (shop, articles, sports) = school().await;
    let news = shop.store.create_folder("News".into()).await.unwrap();
    let all = shop.store.create_folder("All".into()).await.unwrap();
    teach(&shop.store, articles[0], Correction::Add(sports), vec![has(Field::Title, "cup")]).await.unwrap();
    teach(&shop.store, articles[0], Correction::Add(news), vec![has(Field::Title, "cup")]).await.unwrap();
    shop.store.merge_folders(sports, all).await.unwrap();
    let shop = shop.reopened();
    shop.store.undo_lesson(at(600), None).await.unwrap();
    assert_eq!(shop.store.knowledge(|base| base.cornerstones().misfiled(base.tree())).await.unwrap(), []);
    let shop = shop.reopened();
    assert_eq!(shop.store.knowledge(|base| base.cornerstones().misfiled(base.tree())).await.unwrap(), []);
}

#[tokio::test]
async fn only_the_lesson_that_is_meant_is_undone() {
    let (shop, articles, sports) = school().await;
    let first = teach(&shop.store, articles[0], Correction::Add(sports), vec![has(Field::Title, "cup")])
        .await
        .unwrap();
    let second = teach(&shop.store, articles[1], Correction::Add(sports), vec![has(Field::Title, "tea")])
        .await
        .unwrap();
    let refused = shop.store.undo_lesson(at(600), Some(first.version)).await;
    assert!(matches!(refused, Err(StoreError::NotTheLastLesson)));
    assert!(shop.store.undo_lesson(at(600), Some(second.version)).await.unwrap().is_some());
    assert_eq!(shop.store.knowledge(|base| base.tree().rules().len()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_confirmed_filing_that_changes_is_no_longer_confirmed() {
    let (shop, articles, sports) = school().await;
    let news = shop.store.create_folder("News".into()).await.unwrap();
    teach(&shop.store, articles[0], Correction::Add(sports), vec![has(Field::Title, "title")]).await.unwrap();
    refile(&shop.store).await;
    shop.store.confirm_filing(articles[1], at(600)).await.unwrap();
    assert!(shop.store.filing(articles[1]).await.unwrap().confirmed);
    let tea = Correction::Replace { from: sports, to: news };
    teach(&shop.store, articles[1], tea, vec![has(Field::Title, "tea")]).await.unwrap();
    refile(&shop.store).await;
    assert!(!shop.store.filing(articles[1]).await.unwrap().confirmed);
}

#[tokio::test]
async fn words_cut_in_another_way_are_proven_or_refused() {
    let (shop, articles, sports) = school().await;
    teach(&shop.store, articles[0], Correction::Add(sports), vec![has(Field::Title, "cup")]).await.unwrap();
    refile(&shop.store).await;
    let Shop { store, data } = shop;
    drop(store);
    data.tamper("UPDATE knowledge SET words_version = 0");
    let store = data.open().unwrap();
    assert!(!store.refiling().await.unwrap().is_finished());
    drop(store);
    data.tamper("UPDATE knowledge SET words_version = 0; UPDATE cornerstone SET expected = '[]'");
    let refused = data.open().map(|_| ()).unwrap_err();
    assert!(matches!(refused, StoreError::WordsChanged { cornerstones: 1 }), "{refused}");
}
