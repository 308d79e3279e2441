//! What a learner learns, from whom, and what it lets itself be told.

use super::*;
use crate::ontology::{Example, PageText};

const MUSIC: [(&str, &str); 6] = [
    (
        "Guitar",
        "The guitar is a musical instrument with six strings. Guitarists play melody and harmony in an orchestra or band.",
    ),
    (
        "Violin",
        "The violin is a musical instrument with four strings. Violinists play melody in the orchestra with a conductor.",
    ),
    (
        "Cello",
        "The cello is a musical instrument of the orchestra. Its strings are played with a bow; a conductor leads the melody.",
    ),
    (
        "Flute",
        "The flute is a musical instrument. In the orchestra it carries the melody; the conductor gives the flute its cue.",
    ),
    (
        "Harp",
        "The harp is an instrument with many strings, heard in the orchestra, where the conductor likes its melody.",
    ),
    (
        "Oboe",
        "The oboe is an instrument of the orchestra. The conductor asks the oboe for the tuning note before the melody begins.",
    ),
];
const OTHER: [(&str, &str); 4] = [
    (
        "Trains",
        "Trains run on rails between stations. The railway company sells tickets to passengers every morning.",
    ),
    ("Cheese", "Cheese is made from milk. Farmers keep cows and sell cheese at the market in the village."),
    (
        "Geology",
        "Rocks are formed under pressure. Geologists study layers of stone and the age of mountains.",
    ),
    (
        "Football",
        "Football is played by two teams. The goalkeeper may touch the ball with his hands in the penalty area.",
    ),
];

fn topic() -> Topic {
    let examples: Vec<Example<'_>> = MUSIC[..2].iter().map(|(title, text)| Example { title, text }).collect();
    Topic::from_examples("Music", &examples).unwrap()
}

fn see(learner: &mut Learner, number: u64, host: &str, (title, text): (&str, &str), on_topic: bool) -> bool {
    let reading = learner.reader().read_with_terms(&PageText { title, text, language: None });
    learner.observe(&PageRef { number, url: "http://x/", host }, &reading, on_topic)
}

/// A crawl over several hosts, seen as a person would judge it.
fn taught() -> Learner {
    let mut learner = Learner::new(topic());
    for round in 0..4_u64 {
        for (at, page) in MUSIC.iter().enumerate() {
            see(&mut learner, round * 10 + at as u64, &format!("h{at}.example"), *page, true);
        }
        for (at, page) in OTHER.iter().enumerate() {
            see(&mut learner, round * 10 + 6 + at as u64, &format!("o{at}.example"), *page, false);
        }
    }
    learner.revise();
    learner
}

fn learned_words(learner: &Learner) -> Vec<String> {
    let topic = learner.topic();
    let Some(class) = topic.ontology.class_named(LEARNED) else { return Vec::new() };
    topic.ontology.class(class).unwrap().entries.iter().map(|entry| entry.text.clone()).collect()
}

#[test]
fn words_of_the_best_pages_are_learned_with_their_grounds() {
    let learner = taught();
    let words = learned_words(&learner);
    assert!(words.contains(&"orchestra".to_owned()) && words.contains(&"conductor".to_owned()), "{words:?}");
    assert!(!words.iter().any(|word| ["cheese", "rails", "ball"].contains(&word.as_str())), "{words:?}");
    let lesson = learner
        .lessons()
        .iter()
        .find(|it| matches!(&it.kind, LessonKind::Word { word, .. } if word == "orchestra"));
    let Provenance::Crawl { on_topic, hosts, examples, .. } = &lesson.unwrap().provenance else {
        panic!("{lesson:?}")
    };
    assert!(*on_topic >= 3 && *hosts >= 2 && !examples.is_empty());
}

#[test]
fn learning_parts_the_topic_from_the_rest() {
    let page = PageText {
        title: "Bassoon",
        text: "The bassoon sits in the orchestra before the conductor.",
        language: None,
    };
    let other = PageText {
        title: "Bread",
        text: "The baker sells bread in the village every morning.",
        language: None,
    };
    let gap = |reader: &Reader| reader.read(&page).score - reader.read(&other).score;
    let (before, after) = (Reader::new(&topic()), taught().reader());
    assert!(gap(&after) > gap(&before), "{} {}", gap(&after), gap(&before));
    assert!(after.read(&page).normalised > after.read(&other).normalised);
}

#[test]
fn a_lesson_can_be_undone_and_is_not_learned_again() {
    let mut learner = taught();
    let is_word = |it: &&Lesson| matches!(&it.kind, LessonKind::Word { word, .. } if word == "orchestra");
    let number = learner.lessons().iter().find(is_word).unwrap().number;
    assert!(learner.undo(number));
    assert!(!learner.undo(number));
    assert!(!learned_words(&learner).contains(&"orchestra".to_owned()));
    learner.revise();
    assert!(!learned_words(&learner).contains(&"orchestra".to_owned()));
    let weight = |it: &&Lesson| matches!(it.kind, LessonKind::Weight { .. } | LessonKind::Spread { .. });
    if let Some(lesson) = learner.lessons().iter().find(weight).cloned() {
        let (LessonKind::Weight { class, before, .. } | LessonKind::Spread { class, before, .. }) =
            lesson.kind
        else {
            unreachable!()
        };
        assert!(learner.undo(lesson.number));
        learner.revise();
        assert!((learner.topic().factors[&class] - before).abs() < 1e-12);
    }
}

#[test]
fn weights_undone_in_any_order_leave_nothing() {
    let step = |number, before, after| Lesson {
        number,
        kind: LessonKind::Weight { class: ClassId(0), before, after },
        provenance: Provenance::Given,
    };
    let mut learner = Learner::new(topic());
    learner.lessons = vec![step(1, 1.0, 1.41), step(2, 1.41, 1.56), step(3, 1.56, 1.82)];
    learner.topic.factors.insert(ClassId(0), 1.82);
    assert!(learner.undo(1));
    assert!((learner.topic().factors[&ClassId(0)] - 1.82 / 1.41).abs() < 1e-9, "the later steps stand");
    assert!(learner.undo(3) && learner.undo(2));
    assert!((learner.topic().factors[&ClassId(0)] - 1.0).abs() < 1e-12);
}

#[test]
fn a_host_that_stuffs_keywords_teaches_nothing() {
    let mut learner = taught();
    let honest = (learned_words(&learner), learner.topic().factors.clone());
    let stuffed =
        "music guitar violin strings melody orchestra conductor instrument casino poker jackpot betting "
            .repeat(20);
    let counted = (0..500_u64)
        .filter(|number| {
            let host = format!("s{}.evil.example", number % 50);
            see(&mut learner, 1_000 + number, &host, ("Music music music", stuffed.as_str()), true)
        })
        .count();
    assert!(counted <= 25, "{counted} votes of one site were counted");
    learner.revise();
    let words = learned_words(&learner);
    for spam in ["casino", "poker", "jackpot", "betting"] {
        assert!(!words.contains(&spam.to_owned()), "{words:?}");
    }
    let kept = honest.0.iter().filter(|word| words.contains(word)).count();
    assert!(kept * 10 >= honest.0.len() * 8, "{kept} of {:?} are left: {words:?}", honest.0);
}

#[test]
fn a_learner_goes_on_where_it_was_stored() {
    let mut learner = taught();
    let text = serde_json::to_string(&learner).unwrap();
    let mut again: Learner = serde_json::from_str(&text).unwrap();
    for one in [&mut learner, &mut again] {
        see(one, 99, "h9.example", MUSIC[3], true);
    }
    assert_eq!(learned_words(&learner), learned_words(&again));
    assert_eq!(learner.topic().factors, again.topic().factors);
}

#[test]
fn what_an_earlier_crawl_taught_is_kept_until_this_one_knows_better() {
    let first = taught();
    let mut second = Learner::new(first.topic().clone());
    for (at, page) in OTHER.iter().enumerate() {
        see(&mut second, at as u64, "o.example", *page, false);
    }
    second.revise();
    assert_eq!(learned_words(&second), learned_words(&first));
    assert_eq!(second.topic().factors, first.topic().factors);
    assert!(second.next_lesson > 1, "lessons are numbered on");
}

/// A shop that has hardly anything but books: they are usual there, and on the topic all the same.
#[test]
fn on_a_site_of_the_topic_its_pages_stay_on_it_and_what_they_share_is_not_learned() {
    const FILLER: [&str; 12] = [
        "river", "stone", "night", "letter", "window", "garden", "street", "winter", "silver", "bridge",
        "candle", "forest",
    ];
    let filler = |seed: usize| {
        (0..60).map(|at| FILLER[(seed * 7 + at * (1 + seed % 5)) % 12]).collect::<Vec<_>>().join(" ")
    };
    let book = |seed: usize| {
        format!(
            "This paperback novel by a known author is a book in hardcover, with its isbn and edition. {}",
            filler(seed)
        )
    };
    let topic =
        Topic::from_words("Book", &["novel", "paperback", "hardcover", "isbn", "edition", "author"]).unwrap();
    let mut learner = Learner::new(topic);
    learner.trust("shop.example");
    for number in 0..80 {
        let text = book(number);
        let reading =
            learner.reader().read_with_terms(&PageText { title: "A page", text: &text, language: None });
        assert!(reading.relevant, "page {number} is a book: {reading:?}");
        let page = PageRef { number: number as u64, url: "http://shop.example/", host: "shop.example" };
        learner.observe(&page, &reading, reading.relevant);
        if number % 20 == 19 {
            learner.revise();
        }
    }
    let text = filler(3);
    let other = learner.reader().read(&PageText { title: "A page", text: &text, language: None });
    assert!(!other.relevant, "{other:?}");
    assert_eq!(learned_words(&learner), Vec::<String>::new());
}

/// Pages about books, each with a word that its host alone wants to be learned.
fn shop_page(seed: usize, lure: &str) -> String {
    const FILLER: [&str; 10] =
        ["river", "stone", "night", "letter", "window", "garden", "street", "winter", "silver", "bridge"];
    let filler: Vec<&str> = (0..40).map(|at| FILLER[(seed * 3 + at * (1 + seed % 4)) % 10]).collect();
    format!(
        "A novel in paperback by its author, printed with publisher and cover. {lure} {}",
        filler.join(" ")
    )
}

/// What is learned of books where `hosts` were all chosen by the user, each with a lure of its own.
fn taught_by_seeds(hosts: &[(&str, &str)]) -> Learner {
    let mut learner = Learner::new(Topic::from_words("Book", &["novel", "paperback", "author"]).unwrap());
    for (host, _) in hosts {
        learner.trust(host);
    }
    for round in 0..12_u64 {
        for (at, (host, lure)) in hosts.iter().enumerate() {
            let text = shop_page(round as usize, lure);
            see(&mut learner, round * 20 + at as u64, host, ("A book", &text), true);
        }
        for (at, page) in OTHER.iter().enumerate() {
            see(&mut learner, round * 20 + 10 + at as u64, &format!("o{at}.example"), *page, false);
        }
    }
    learner.revise();
    learner
}

#[test]
fn one_seed_of_several_cannot_teach_a_word_of_its_own() {
    let learner =
        taught_by_seeds(&[("a.example", ""), ("b.example", ""), ("evil.example", "casino jackpot")]);
    let words = learned_words(&learner);
    assert!(words.contains(&"publisher".to_owned()), "{words:?}");
    assert!(!words.iter().any(|word| ["casino", "jackpot"].contains(&word.as_str())), "{words:?}");
}

#[test]
fn a_stuffed_page_of_the_only_seed_has_no_vote() {
    let mut learner = Learner::new(Topic::from_words("Book", &["novel", "author"]).unwrap());
    learner.trust("evil.example");
    let stuffed = "book novel author zyxxpill ".repeat(60);
    assert!(!see(&mut learner, 1, "evil.example", ("Book", &stuffed), true));
    let hidden = format!("{} {}", shop_page(1, ""), "zyxxpill ".repeat(60));
    assert!(!see(&mut learner, 2, "evil.example", ("Book", &hidden), true));
    assert!(see(&mut learner, 3, "evil.example", ("Book", &shop_page(1, "")), true));
}

#[test]
fn nothing_learned_weighs_more_than_what_people_gave() {
    let topic = |words: &[&str]| Topic::from_words("Book", words).unwrap();
    let many =
        ["novel", "paperback", "author", "chapter", "library", "reader", "poem", "story", "prose", "essay"];
    let mut learner = Learner::new(topic(&many));
    learner.trust("a.example");
    let at = |seed: usize| format!("A novel in paperback by its author. Publisher. {}", shop_page(seed, ""));
    for number in 0..40_u64 {
        see(&mut learner, number, "a.example", ("A book", &at(number as usize)), true);
        see(&mut learner, 100 + number, "a.example", OTHER[number as usize % 4], false);
    }
    learner.revise();
    let topic = learner.topic();
    let class = topic.ontology.class_named(LEARNED).expect("something is learned");
    let weights: Vec<f64> =
        topic.ontology.class(class).unwrap().entries.iter().map(|entry| entry.weight).collect();
    assert!(!weights.is_empty() && weights.iter().all(|weight| *weight <= 1.0), "{weights:?}");
    let words = learned_words(&learner);
    assert!(!words.iter().any(|word| many.contains(&word.as_str())), "known already: {words:?}");
    let by_class = topic.weights();
    assert!(by_class.iter().all(|weight| *weight <= by_class[topic.class.0 as usize] + 1e-9), "{by_class:?}");
}

#[test]
fn all_undone_leaves_the_topic_as_it_was() {
    let mut learner = taught();
    let numbers: Vec<u64> = learner.lessons().iter().map(|lesson| lesson.number).collect();
    let word =
        learner.lessons().iter().find(|it| matches!(it.kind, LessonKind::Word { .. })).unwrap().clone();
    assert_eq!(word.class_name(&topic()), LEARNED, "named before the topic has the class");
    assert!(word.example().is_some());
    assert!(numbers.into_iter().all(|number| learner.undo(number)));
    assert_eq!(learner.topic().ontology, topic().ontology);
    assert!(learner.topic().factors.values().all(|factor| (factor - 1.0).abs() < 1e-9));
}
