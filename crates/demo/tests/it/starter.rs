//! The starter base against the truth: what it files, it files rightly.

use demo::{KnownArticle, World, WorldSettings, countries, sports};
use jiff::SignedDuration;
use knowledge::{Base, Fields, Filer, ImportOptions, Interchange};
use std::collections::BTreeSet;

fn base() -> Base {
    let file = Interchange::parse(demo::STARTER_RULES).unwrap();
    let import = file.import(&Base::default(), ImportOptions::default()).unwrap();
    let mut base = Base::default();
    *base.folders_mut() = import.folders;
    base.apply(import.lesson).unwrap();
    base
}

fn truth(article: &KnownArticle) -> BTreeSet<String> {
    let sport = article.sport.map(|sport| format!("Sports/{}", capitalised(sport)));
    [format!("Countries/{}", article.country)].into_iter().chain(sport).collect()
}

fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[test]
fn it_has_the_category_tree_of_the_paper() {
    let base = base();
    for country in countries() {
        assert!(base.folders().find(&format!("Countries/{country}")).is_some(), "{country}");
    }
    for sport in sports() {
        assert!(base.folders().find(&format!("Sports/{}", capitalised(sport))).is_some(), "{sport}");
    }
}

#[test]
fn it_files_most_articles_rightly() {
    let settings = WorldSettings::default();
    let (from, to) = (settings.start, settings.start + SignedDuration::from_hours(24 * 7));
    let (base, mut filer) = (base(), Filer::default());
    let (mut right, mut wrong, mut missed) = (0, 0, 0);
    for article in World::new(settings).articles_between(from, to) {
        let fields = Fields {
            title: Some(article.title.clone().into()),
            body: Some(article.text().into()),
            ..Fields::default()
        };
        let given = filer.file(base.tree(), &fields).folders;
        let given: BTreeSet<String> = given.into_iter().map(|id| base.folders().path(id)).collect();
        let truth = truth(&article);
        right += given.intersection(&truth).count();
        wrong += given.difference(&truth).count();
        missed += truth.difference(&given).count();
    }
    let (precision, recall) = (right as f64 / (right + wrong) as f64, right as f64 / (right + missed) as f64);
    println!("{right} right, {wrong} wrong, {missed} missed: precision {precision:.3}, recall {recall:.3}");
    // A starter base, not a finished one: the demo leaves something to teach.
    assert!(precision > 0.95 && recall > 0.85, "precision {precision:.3}, recall {recall:.3}");
    assert!(missed + wrong > 0);
}
