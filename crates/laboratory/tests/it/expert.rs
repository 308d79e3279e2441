//! An expert in a world of two topics.

use knowledge::{Fields, Filer, Interchange};
use laboratory::expert::{Expert, Settings};
use laboratory::labelled::Labelled;

fn text(title: &'static str, body: &'static str, topics: &[&str]) -> Labelled {
    let fields = Fields { title: Some(title.into()), body: Some(body.into()), ..Fields::default() };
    Labelled { fields, topics: topics.iter().map(|topic| (*topic).to_owned()).collect() }
}

/// Wheat is grain too; gold is not; a golden harvest is no gold.
fn world() -> Vec<Labelled> {
    vec![
        text("Wheat exports rise", "Farmers sold more wheat this year.", &["wheat", "grain"]),
        text("Gold falls in London", "Gold was fixed lower by dealers.", &["gold"]),
        text("Soviet wheat purchase", "A cargo of wheat was sold.", &["wheat", "grain"]),
        text("Mine finds gold", "The company found gold in Nevada.", &["gold"]),
        text("A gold harvest of wheat", "Farmers call the wheat their gold.", &["wheat", "grain"]),
        text("Dealers buy gold", "Gold rose with the dollar.", &["gold"]),
        text("Maize and wheat", "Maize is a grain, and so is wheat.", &["wheat", "grain"]),
        text("Maize sown late", "Rain kept farmers from their maize.", &["grain"]),
        text("Maize up", "Prices of maize rose.", &["grain"]),
        text("Gold steady", "Dealers saw little gold change hands.", &["gold"]),
    ]
}

fn novice(block: usize) -> Expert {
    let mut settings = Settings::default();
    // Little is to come in a small world.
    settings.rule.to_come = 10.0;
    Expert::new(settings, block)
}

fn folders(expert: &Expert, text: &Labelled) -> Vec<String> {
    let filing = Filer::default().file(expert.base().tree(), &text.fields);
    filing.folders.iter().map(|folder| expert.base().folders().path(*folder)).collect()
}

#[test]
fn two_topics_are_learnt_and_no_cornerstone_breaks() {
    let mut expert = novice(5);
    for text in &world() {
        expert.meet(text).unwrap();
        assert_eq!(expert.misfiled(), []);
    }
    assert!(expert.contradictions().is_empty());
    for text in &world() {
        let mut wanted = text.topics.clone();
        let mut given = folders(&expert, text);
        wanted.sort();
        given.sort();
        assert_eq!(given, wanted, "{:?}", text.fields);
    }
    let unseen = text("Gold glitters", "Gold was in demand.", &[]);
    assert_eq!(folders(&expert, &unseen), ["gold"]);
}

#[test]
fn what_is_counted_is_what_the_base_holds() {
    let mut expert = novice(5);
    let closed: Vec<_> = world().iter().filter_map(|text| expert.meet(text).unwrap()).collect();
    assert_eq!(closed, expert.growth().blocks);
    let last = closed[1];
    let rules = expert.base().tree().rules();
    assert_eq!(last.articles, 10);
    assert_eq!(last.rules, rules.len());
    assert_eq!(last.literals, rules.iter().map(|rule| rule.condition.len()).sum::<usize>());
    assert_eq!(last.stops, rules.iter().filter(|rule| rule.conclusion.folder().is_none()).count());
    assert_eq!(last.lessons, expert.base().lessons());
    let topics: usize = world()[..5].iter().map(|text| text.topics.len()).sum();
    assert_eq!(closed[0].right + closed[0].missed, topics as u64, "each folder wanted is given or missed");
    assert!(closed[1].f1() > closed[0].f1());
}

#[test]
fn the_same_text_with_another_verdict_is_a_contradiction() {
    let mut expert = novice(1);
    expert.meet(&text("Grain report", "Weekly figures.", &["grain"])).unwrap();
    expert.meet(&text("Grain report", "Weekly figures.", &["wheat"])).unwrap();
    let found = expert.contradictions();
    assert!(!found.is_empty());
    assert!(found.iter().all(|one| one.article == 1 && one.same_as == Some(0)), "{found:?}");
    assert_eq!(expert.misfiled(), []);
}

#[test]
fn the_base_can_be_written_and_read() {
    let mut expert = novice(5);
    for text in &world() {
        expert.meet(text).unwrap();
    }
    let file = Interchange::of(expert.base());
    assert_eq!(Interchange::parse(&file.to_text()).unwrap().to_text(), file.to_text());
}
