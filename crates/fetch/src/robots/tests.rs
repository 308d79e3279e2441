use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

fn rules(text: &str) -> Rules {
    Rules::read(&RobotsVerdict::Rules(text.to_owned()))
}

fn check(rules: &Rules, path: &str) -> Result<(), String> {
    rules.check(&Url::parse("http://a.example").unwrap().join(path).unwrap())
}

#[test]
fn the_longest_match_decides_and_is_named() {
    let rules = rules("User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /*.pdf$");
    assert_eq!(check(&rules, "/public"), Ok(()));
    assert_eq!(check(&rules, "/private/x"), Err("Disallow: /private".to_owned()));
    assert_eq!(check(&rules, "/private/open/x"), Ok(()));
    assert_eq!(check(&rules, "/a.pdf"), Err("Disallow: /*.pdf$".to_owned()));
    assert_eq!(check(&rules, "/a.pdf?x"), Ok(()));
}

#[test]
fn our_own_group_comes_before_the_one_for_all() {
    let rules =
        rules("User-agent: *\nDisallow: /\n\nUser-agent: ripplewatch\nDisallow: /not-us\nCrawl-delay: 7");
    assert_eq!(check(&rules, "/"), Ok(()));
    assert_eq!(check(&rules, "/not-us"), Err("Disallow: /not-us".to_owned()));
    let Rules::Said(said) = rules else { panic!("unreadable") };
    assert_eq!(said.crawl_delay(), Some(std::time::Duration::from_secs(7)));
}

#[test]
fn statuses_mean_what_rfc_9309_says() {
    let of = |status| verdict(status, None, b"User-agent: *\nDisallow: /".to_vec());
    assert!(matches!(of(200), RobotsVerdict::Rules(_)));
    assert!(matches!(of(304), RobotsVerdict::AllowAll));
    assert!(matches!(of(404), RobotsVerdict::AllowAll));
    assert!(matches!(of(403), RobotsVerdict::AllowAll));
    assert!(matches!(of(500), RobotsVerdict::DisallowAll(_)));
    assert!(matches!(verdict(200, Some("gzip"), vec![0x1f, 0x8b]), RobotsVerdict::DisallowAll(_)));
}

#[test]
fn a_failure_closes_the_site_for_an_hour_and_says_why() {
    let record = record("http://a.example".to_owned(), verdict(503, None, Vec::new()), at(0));
    assert_eq!(record.expires_at, at(3_600));
    let rules = Rules::read(&record.verdict);
    assert_eq!(check(&rules, "/"), Err("robots.txt could not be read: HTTP 503".to_owned()));
}

#[test]
fn an_older_record_teaches_nothing() {
    let robots = Robots::default();
    let of = |text: &str, when| {
        record("http://a.example".to_owned(), RobotsVerdict::Rules(text.to_owned()), at(when))
    };
    robots.learn(&of("User-agent: *\nDisallow: /new", 10));
    robots.learn(&of("User-agent: *\nDisallow: /old", 5));
    let known = robots.fresh("http://a.example", at(20)).unwrap();
    assert!(check(&known, "/new").is_err() && check(&known, "/old").is_ok());
    assert!(robots.fresh("http://a.example", at(10 + 86_400)).is_none());
}

#[test]
fn memory_is_bounded_and_the_newest_stay() {
    let robots = Robots::default();
    let text = "#".repeat(MOST_BYTES);
    for number in 0..200 {
        let verdict = RobotsVerdict::Rules(text.clone());
        robots.learn(&record(format!("http://{number}.example"), verdict, at(number)));
        assert!(robots.files().bytes <= MOST_KEPT);
    }
    assert!(robots.fresh("http://199.example", at(200)).is_some());
    assert!(robots.fresh("http://0.example", at(200)).is_none());
}
