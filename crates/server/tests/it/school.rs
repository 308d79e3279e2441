//! A world that was taught something.

use crate::world::World;
use knowledge::{Base, Correction, Draft, Field, Literal, Origin, Prompt, Term};
use model::{ArticleId, FolderId, RuleId};
use std::collections::BTreeSet;

pub(crate) fn has(field: Field, words: &str) -> Literal {
    Literal::has(Term::natural(field, words).unwrap())
}

/// A world with three articles, the one about the ferry in `Travel/Sea` by rule 1.
pub(crate) async fn taught() -> (World, ArticleId, FolderId) {
    let world = World::open().await;
    world.watch("/feed.xml").await;
    world.all_read().await;
    let ferry = find(&world, "ferry timetable").await;
    let folder = world.store.create_folder("Travel/Sea".into()).await.unwrap();
    teach(&world, ferry, Correction::Add(folder), vec![has(Field::Title, "ferry")]).await;
    (world, ferry, folder)
}

/// The article with these words.
pub(crate) async fn find(world: &World, words: &str) -> ArticleId {
    let found = world.get(&format!("/api/v1/articles?search={}", words.replace(' ', "+"))).await.json();
    ArticleId(found[0]["id"].as_i64().unwrap())
}

/// Teaches as the teaching page does, and waits until all articles are filed by it.
pub(crate) async fn teach(
    world: &World,
    article: ArticleId,
    correction: Correction,
    condition: Vec<Literal>,
) -> RuleId {
    let fields = world.store.article_fields(article).await.unwrap();
    let now = jiff::Timestamp::now();
    let lesson = move |base: &Base| {
        let mut draft = Draft::new(base, Prompt { article: Some(article), fields }, correction)?;
        draft.set_condition(condition)?;
        let all: BTreeSet<_> = base.cornerstones().iter().map(|cornerstone| cornerstone.id).collect();
        let origin = Origin { author: Some("anna".into()), at: Some(now), ..Origin::default() };
        draft.lesson(base, &all, &origin)
    };
    let learned = world.store.learn(Some("anna".into()), now, lesson).await.unwrap();
    refiled(world).await;
    learned.rules[0]
}

pub(crate) async fn refiled(world: &World) {
    world.until(|| async { world.store.refile_some().await.unwrap().is_finished() }).await;
}

/// A rule on several words of the title that no article prompted.
pub(crate) async fn rule_on(world: &World, folder: FolderId, words: &[&str]) {
    let condition = words.iter().map(|word| has(Field::Title, word)).collect();
    let lesson = move |base: &knowledge::Base| {
        let rule = knowledge::Rule {
            id: base.next_rule(),
            parent: knowledge::ROOT,
            condition,
            conclusion: knowledge::Conclusion::Folder(folder),
            origin: knowledge::Origin::default(),
        };
        base.lesson_of(vec![rule], &std::collections::BTreeSet::new())
    };
    world.store.learn(None, jiff::Timestamp::now(), lesson).await.unwrap();
    refiled(world).await;
}
