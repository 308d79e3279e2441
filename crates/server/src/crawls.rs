//! What people do to crawls, by page or by API.

use crate::access::csrf::Fields;
use crate::app::App;
use crate::problem::Problem;
use crate::topics;
use discovery::crawl::CrawlSettings;
use engine::{CrawlRefusal, CrawlWish, PromotionWish, UrlStory};
use model::{CrawlId, SourceId};
use std::str::FromStr;
use store::CrawlPhase;
use url::Url;

/// A crawl as it is typed.
#[derive(Debug, Clone)]
pub(crate) struct CrawlForm {
    pub(crate) topic: String,
    /// One address a line.
    pub(crate) seeds: String,
    pub(crate) pages: String,
    pub(crate) depth: String,
    pub(crate) strategy: String,
    /// Hosts, separated by commas or spaces.
    pub(crate) allowed: String,
    pub(crate) forbidden: String,
    pub(crate) learning: bool,
}

impl Default for CrawlForm {
    fn default() -> Self {
        let usual = CrawlSettings::default();
        Self {
            topic: String::new(),
            seeds: String::new(),
            pages: usual.pages.to_string(),
            depth: usual.depth.to_string(),
            strategy: usual.strategy.to_string(),
            allowed: String::new(),
            forbidden: String::new(),
            learning: usual.learning,
        }
    }
}

impl CrawlForm {
    fn settings(&self) -> Result<CrawlSettings, Problem> {
        Ok(CrawlSettings {
            strategy: self.strategy.parse().map_err(Problem::invalid)?,
            pages: whole(&self.pages, "the number of pages")?,
            depth: whole(&self.depth, "the number of links in a row")?,
            allowed: hosts(&self.allowed),
            forbidden: hosts(&self.forbidden),
            learning: self.learning,
            ..CrawlSettings::default()
        })
    }
}

fn whole<T: FromStr>(text: &str, what: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| Problem::invalid(format!("{what} is a whole number, not {text:?}")))
}

fn hosts(text: &str) -> Vec<String> {
    let names = text.split([',', ' ', '\n']).map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_ascii_lowercase).collect()
}

/// Starts a crawl as it was typed.
pub(crate) async fn start(app: &App, form: &CrawlForm) -> Result<CrawlId, Problem> {
    let seeds = form.seeds.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned);
    begin(app, &form.topic, seeds.collect(), form.settings()?).await
}

/// Starts a crawl.
pub(crate) async fn begin(
    app: &App,
    topic: &str,
    seeds: Vec<String>,
    settings: CrawlSettings,
) -> Result<CrawlId, Problem> {
    let topic = topics::get(app, topic).await?.topic().clone();
    let wish = CrawlWish { topic, seeds, settings, output: None };
    app.engine.start_crawl(wish).await.map_err(refused)
}

/// Why a crawl does not begin or go on, and what to do.
fn refused(refusal: CrawlRefusal) -> Problem {
    match refusal {
        CrawlRefusal::Store(error) => error.into(),
        CrawlRefusal::Gate { private: true, .. } => Problem::invalid(refusal.to_string())
            .hint("`ripplewatch serve --allow ADDRESS` lets this server ask a private address"),
        refusal => Problem::invalid(refusal.to_string()),
    }
}

pub(crate) async fn stop(app: &App, id: CrawlId) -> Result<(), Problem> {
    app.engine.stop_crawl(id).await?;
    Ok(())
}

/// Lets a crawl go on, with a new number of pages if one was typed.
pub(crate) async fn resume(app: &App, id: CrawlId, pages: Option<&str>) -> Result<(), Problem> {
    let pages = pages.map(|text| whole(text, "the number of pages")).transpose()?;
    go_on(app, id, pages).await
}

/// Lets a crawl go on.
pub(crate) async fn go_on(app: &App, id: CrawlId, pages: Option<u32>) -> Result<(), Problem> {
    app.engine.resume_crawl(id, pages).await.map_err(refused)?;
    Ok(())
}

pub(crate) async fn remove(app: &App, id: CrawlId) -> Result<(), Problem> {
    let phase = app.store().crawl(id).await?.phase;
    if matches!(phase, CrawlPhase::Running | CrawlPhase::Paused) {
        app.engine.stop_crawl(id).await?;
    }
    app.store().remove_crawl(id).await?;
    Ok(())
}

/// All that is known about a URL of a crawl.
pub(crate) async fn explain(app: &App, id: CrawlId, url: &str) -> Result<UrlStory, Problem> {
    let url = Url::parse(url).map_err(|_| Problem::invalid(format!("{url:?} is no address")))?;
    let story = app.engine.crawl_explain(id, &url).await?;
    story.ok_or_else(|| Problem::not_found(format!("crawl {id} has never met {url}")))
}

/// Makes something a crawl found a source, as it was typed.
pub(crate) async fn promote(app: &App, sent: &Fields) -> Result<SourceId, Problem> {
    let candidate = whole(sent.text("candidate"), "the candidate")?;
    let interest = match sent.filled("interest") {
        None => None,
        Some(text) => {
            Some(text.parse().map_err(|_| Problem::invalid("an interest is a number; 1 is the usual"))?)
        }
    };
    let wish = PromotionWish {
        candidate,
        title: sent.filled("title").map(str::to_owned),
        folder: sent.filled("folder").map(str::to_owned),
        interest,
    };
    Ok(app.engine.promote(wish).await?)
}
