//! Which links are articles? Judged on the demo's web, whose truth is known, over all its templates.

use demo::{Web, World, WorldSettings};
use fetch::{Accept, Fetcher, Request};
use jiff::{SignedDuration, Timestamp};
use model::{Clock, Outcome};
use page::{Caps, Input};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A clock that stands until it is set.
struct Standing(Mutex<Timestamp>);

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
    fn wait_until(&self, _: Timestamp) -> Duration {
        Duration::ZERO
    }
}

#[tokio::test]
async fn every_article_of_the_demo_web_is_found_and_nothing_else() {
    let settings = WorldSettings::default();
    let start = settings.start;
    let clock = Arc::new(Standing(Mutex::new(start)));
    let web = Web::start(Arc::new(World::new(settings)), clock.clone()).await.unwrap();
    let fetching = fetch::Settings {
        allow: vec!["127.0.0.0/8".parse().unwrap()],
        default_delay: Duration::ZERO,
        ..fetch::Settings::default()
    };
    let fetcher = Fetcher::new(fetching, Arc::new(engine::SystemClock)).unwrap();
    let mut wrong = Vec::new();
    let mut articles = 0;
    for hours in [0, 9, 40] {
        let now = start + SignedDuration::from_hours(hours);
        *clock.0.lock().unwrap() = now;
        for source in web.sources() {
            let truth: BTreeSet<String> =
                web.listed(&source, now).iter().map(|article| article.url.to_string()).collect();
            let found = read(&fetcher, &source.url).await;
            articles += truth.len();
            let missed: Vec<_> = truth.difference(&found).take(3).cloned().collect();
            let false_ones: Vec<_> = found.difference(&truth).take(3).cloned().collect();
            if !missed.is_empty() || !false_ones.is_empty() {
                wrong.push(format!(
                    "{} ({:?}): missed {missed:?}, false {false_ones:?}",
                    source.url, source.title
                ));
            }
        }
    }
    println!("demo web: {articles} articles listed, {} pages wrong", wrong.len());
    assert!(articles > 1000, "the demo lists {articles} articles");
    assert!(wrong.is_empty(), "{} of the pages are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The articles a page, feed or sitemap lists, those of a sitemap index included.
async fn read(fetcher: &Fetcher, url: &url::Url) -> BTreeSet<String> {
    let mut todo = vec![url.clone()];
    let mut found = BTreeSet::new();
    while let Some(url) = todo.pop() {
        let request = Request {
            url: &url,
            validators: None,
            accept: Accept::Any,
            headers: &[],
            patience: Duration::from_secs(5),
        };
        let reply = fetcher.session().get(&request).await;
        assert_eq!(reply.outcome, Outcome::NewContent, "{url}");
        let response = reply.response.unwrap();
        let caps = Caps::default();
        let bytes = page::decode(&response.body, response.content_encoding.as_deref(), &caps).bytes;
        let input = Input { url: &url, content_type: response.content_type.as_deref(), bytes: &bytes };
        let listing = page::read_listing(&input, None, &caps);
        found.extend(listing.articles.iter().map(|article| article.url.to_string()));
        todo.extend(listing.sitemaps.into_iter().map(|child| child.url));
    }
    found
}
