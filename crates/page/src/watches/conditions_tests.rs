use super::*;

fn moved(text: &str, old: f64, new: f64) -> bool {
    text.parse::<Move>().unwrap().is_met(old, new).is_ok()
}

#[test]
fn what_is_typed_comes_back() {
    for text in ["up 5", "down 10 %", "by 2.5", "up 0.5 %"] {
        assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
    }
    for text in [
        "after 2026-12-31",
        "after 2026-12-31 18:30",
        "told 3 times",
        "contains sold out",
        "lacks in stock",
        "above 100",
        "below -5.5",
    ] {
        assert_eq!(text.parse::<Stop>().unwrap().to_string(), text);
    }
    for text in ["always", "appears sold out", "disappears in stock", "above 100", "below 5", "words 10"] {
        assert_eq!(text.parse::<Notify>().unwrap().to_string(), text);
    }
}

#[test]
fn mistakes_are_named() {
    assert!("sideways 3".parse::<Move>().unwrap_err().to_string().contains("up 5, down 10 %"));
    assert!("up 0".parse::<Move>().unwrap_err().to_string().contains("more than nothing"));
    assert!("down -3 %".parse::<Move>().is_err() && "up NaN".parse::<Move>().is_err());
    assert!("after yesterday".parse::<Stop>().unwrap_err().to_string().contains("after 2026-12-31"));
    assert!("told 0 times".parse::<Stop>().is_err() && "contains !".parse::<Stop>().is_err());
    assert!("sometimes".parse::<Notify>().unwrap_err().to_string().contains("always, appears"));
    assert!("words 0".parse::<Notify>().is_err());
}

#[test]
fn a_move_is_measured_from_what_was_told() {
    assert!(moved("up 5", 100.0, 105.0) && !moved("up 5", 100.0, 104.9) && !moved("up 5", 100.0, 90.0));
    assert!(moved("down 10 %", 50.0, 45.0) && !moved("down 10 %", 50.0, 46.0));
    assert!(moved("by 3", 10.0, 7.0) && moved("by 3", 10.0, 13.0) && !moved("by 3", 10.0, 12.0));
    assert!(moved("up 0.1", 1.0, 1.1), "rounding is no reason to be silent");
    assert!(!moved("up 0.1", 1.0, 1.0));
}

#[test]
fn zero_has_no_per_cent_so_any_move_counts() {
    assert!(moved("up 50 %", 0.0, 0.01) && moved("down 50 %", 0.0, -0.01));
    assert!(!moved("up 50 %", 0.0, 0.0) && !moved("up 50 %", 0.0, -1.0));
    // Below zero, per cent are of the size.
    assert!(moved("up 10 %", -10.0, -9.0) && !moved("up 10 %", -10.0, -9.5));
}

#[test]
fn a_stop_says_why() {
    let part = Part::new(["Sold out", "12 left"]);
    let now: Timestamp = "2026-12-31T12:00:00Z".parse().unwrap();
    let holds = |text: &str, told: u32, at: Timestamp| {
        text.parse::<Stop>().unwrap().holds(Some(&part), told, at, &TimeZone::UTC)
    };
    assert_eq!(holds("contains sold out", 0, now).unwrap(), "the part contains “sold out”");
    assert_eq!(holds("lacks in stock", 0, now).unwrap(), "the part lacks “in stock”");
    assert_eq!(holds("above 10", 0, now).unwrap(), "12 is above 10");
    assert_eq!(holds("below 10", 0, now), None);
    assert_eq!(holds("told 2 times", 2, now).unwrap(), "it was told 2 times");
    assert_eq!(holds("told 2 times", 1, now), None);
    assert_eq!(holds("after 2026-12-31", 0, now), None, "the day is not over");
    assert!(holds("after 2026-12-31", 0, "2027-01-01T00:00:00Z".parse().unwrap()).is_some());
    assert!(holds("after 2026-12-31 12:00", 0, now).is_some());
    // What is not there neither contains nor lacks.
    let gone = "lacks x".parse::<Stop>().unwrap().holds(None, 0, now, &TimeZone::UTC);
    assert_eq!(gone, None);
}

#[test]
fn notification_conditions_look_at_the_change() {
    let (before, now) = (Part::new(["In stock", "7"]), Part::new(["Sold out", "3"]));
    let met = |text: &str| text.parse::<Notify>().unwrap().is_met(&before, &now, &before);
    assert!(met("always").is_ok() && met("appears sold out").is_ok() && met("disappears in stock").is_ok());
    assert!(met("below 5").is_ok() && met("words 3").is_ok());
    assert_eq!(met("appears in stock").unwrap_err(), "“in stock” did not appear");
    assert_eq!(met("above 5").unwrap_err(), "3 is not above 5");
    assert_eq!(met("words 4").unwrap_err(), "3 changed words are fewer than 4");
}
