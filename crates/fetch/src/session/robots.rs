//! Asking robots.txt before anything else is asked of an origin.

use super::ask::Errand;
use super::{Session, own_manners};
use crate::exchange::BodyEnd;
use crate::headers;
use crate::journey::Journey;
use crate::pacer::Turn;
use crate::redirect;
use crate::request::Accept;
use crate::robots::{self, Rules};
use http::header::LOCATION;
use model::{Outcome, RobotsVerdict};
use std::time::Duration;
use url::Url;

const PATH: &str = "/robots.txt";

impl Session {
    /// `Err` if robots.txt does not want us at `url`, or if it could not be asked now.
    pub(super) async fn consult_robots(
        &mut self,
        url: &Url,
        patience: Duration,
        journey: &mut Journey,
    ) -> Result<(), Outcome> {
        if !self.shared.settings.obey_robots || url.path() == PATH {
            return Ok(());
        }
        let origin = model::origin(url);
        let rules = match self.shared.robots.fresh(&origin, self.shared.now()) {
            Some(rules) => rules,
            None => self.read_robots(url, origin, patience, journey).await?,
        };
        if let (Rules::Said(said), Some(host)) = (&rules, url.host_str()) {
            self.shared.pacer.set_crawl_delay(host, said.crawl_delay());
        }
        rules.check(url).map_err(|rule| Outcome::RefusedByRobots { rule })
    }

    async fn read_robots(
        &mut self,
        url: &Url,
        origin: String,
        patience: Duration,
        journey: &mut Journey,
    ) -> Result<Rules, Outcome> {
        let turn = self.shared.turn(url, patience).await.map_err(own_manners)?;
        // Another session may have read it while we waited.
        if let Some(rules) = self.shared.robots.fresh(&origin, self.shared.now()) {
            return Ok(rules);
        }
        let verdict = self.ask_robots(turn, url, patience, journey).await?;
        let record = robots::record(origin, verdict, self.shared.now());
        let rules = self.shared.robots.learn(&record);
        self.new_robots.push(record);
        Ok(rules)
    }

    /// Follows redirects to the file, as RFC 9309 asks, through the gate but past other sites' robots.txt.
    /// `Err` if nothing can be said: then the page itself cannot be reached either.
    async fn ask_robots(
        &mut self,
        mut turn: Turn,
        url: &Url,
        patience: Duration,
        journey: &mut Journey,
    ) -> Result<RobotsVerdict, Outcome> {
        let headers = self.shared.templates.plain(Accept::Robots);
        let before = journey.requests;
        let mut here = url.clone();
        here.set_path(PATH);
        here.set_query(None);
        for hop in 0..=robots::MOST_REDIRECTS {
            let errand = Errand { url: &here, headers: &headers, cap: robots::MOST_BYTES, patience };
            let asked = match self.ask(turn, &errand, journey).await {
                Ok(asked) => asked,
                // Nobody could be asked. The failure itself says more than "robots.txt could not be read", and
                // no rule can be broken.
                Err(outcome) if hop == 0 && journey.requests == before => return Err(outcome),
                Err(outcome @ Outcome::Busy { .. }) => return Err(outcome),
                Err(outcome) => return Ok(RobotsVerdict::DisallowAll(outcome.to_string())),
            };
            let response = asked.answer.response;
            match (response.status, asked.until, asked.answer.body) {
                // RFC 9309 would read this as "no rules". It is not what a server means that wants to see less of us.
                (status @ 429, Some(until), _) => return Err(Outcome::Busy { status, until }),
                (status, _, _) if redirect::is_redirect(status) => {
                    let location = headers::text(&asked.answer.headers, &LOCATION);
                    match redirect::target(&here, location) {
                        Ok(to) => here = to,
                        Err(outcome) => return Ok(RobotsVerdict::DisallowAll(outcome.to_string())),
                    }
                }
                (200..=299, _, BodyEnd::Broken(failure)) => {
                    return Ok(RobotsVerdict::DisallowAll(Outcome::from(failure).to_string()));
                }
                (status, _, _) => {
                    let encoding = response.content_encoding.as_deref();
                    return Ok(robots::verdict(status, encoding, response.body));
                }
            }
            if hop == robots::MOST_REDIRECTS {
                break;
            }
            turn = self.shared.turn(&here, patience).await.map_err(own_manners)?;
        }
        // RFC 9309: beyond five redirects, as if there were none.
        Ok(RobotsVerdict::AllowAll)
    }
}
