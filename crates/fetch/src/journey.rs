//! One `get` on its way from URL to URL: what it has done so far.

use crate::answer::{Reply, Response};
use crate::failure::Failure;
use crate::redirect;
use jiff::Timestamp;
use model::{FailureKind, Outcome};
use url::Url;

/// What one `get` has done so far.
pub(crate) struct Journey {
    /// The URL it has come to.
    pub(crate) here: Url,
    /// Requests made.
    pub(crate) requests: u32,
    start: Url,
    redirects: Vec<Url>,
    permanent: bool,
    began_at: Timestamp,
    hosts: Vec<String>,
}

impl Journey {
    pub(crate) fn new(url: &Url, now: Timestamp) -> Self {
        let mut here = url.clone();
        here.set_fragment(None);
        Self {
            start: here.clone(),
            here,
            requests: 0,
            redirects: Vec::new(),
            permanent: true,
            began_at: now,
            hosts: Vec::new(),
        }
    }

    /// Notes that a URL's host is about to be asked.
    pub(crate) fn visits(&mut self, url: &Url, now: Timestamp) {
        if self.hosts.is_empty() {
            self.began_at = now;
        }
        if let Some(host) = model::host_name(url)
            && !self.hosts.contains(&host)
        {
            self.hosts.push(host);
        }
    }

    /// Goes on to where a redirect leads, unless that is a circle or one too many.
    pub(crate) fn follow(&mut self, to: Url, status: u16, most: usize) -> Result<(), Outcome> {
        let refused = |detail| Err(Failure::new(FailureKind::Redirects, detail).into());
        if to == self.start || self.redirects.contains(&to) {
            return refused(format!("in a circle, back to {to}"));
        }
        if self.redirects.len() >= most {
            return refused(format!("more than {most}"));
        }
        self.permanent &= redirect::is_permanent(status);
        self.redirects.push(to.clone());
        self.here = to;
        Ok(())
    }

    pub(crate) fn end(self, outcome: Outcome, response: Option<Response>, now: Timestamp) -> Reply {
        Reply {
            outcome,
            response,
            final_url: self.here,
            permanent: self.permanent && !self.redirects.is_empty(),
            redirects: self.redirects,
            requests: self.requests,
            began_at: self.began_at,
            ended_at: now,
            hosts: self.hosts,
        }
    }
}
