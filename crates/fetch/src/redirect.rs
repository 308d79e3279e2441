//! Where a redirect leads, or why it is not followed.

use crate::failure::Failure;
use crate::gate::Refusal;
use model::{FailureKind, Outcome};
use url::Url;

/// The statuses that redirect a GET.
pub(crate) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Whether the new place is meant to be remembered.
pub(crate) fn is_permanent(status: u16) -> bool {
    matches!(status, 301 | 308)
}

/// The next URL. The gate and robots.txt have yet to look at it.
pub(crate) fn target(from: &Url, location: Option<&str>) -> Result<Url, Outcome> {
    let refused = |detail: String| Outcome::from(Failure::new(FailureKind::Redirects, detail));
    let location = location.ok_or_else(|| refused("a redirect that does not say where to".to_owned()))?;
    if location.contains('\\') {
        return Err(Refusal::Backslash.into());
    }
    let mut to = from.join(location).map_err(|why| refused(format!("a redirect to {location:?}: {why}")))?;
    to.set_fragment(None);
    if from.scheme() == "https" && to.scheme() == "http" {
        return Err(refused(format!("from https down to {to}: what was protected would no longer be")));
    }
    Ok(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(from: &str, location: &str) -> Result<String, Outcome> {
        target(&Url::parse(from).unwrap(), Some(location)).map(String::from)
    }

    #[test]
    fn locations_are_relative_to_where_they_were_said() {
        assert_eq!(follow("http://a.example/x/y?z", "../w#part").unwrap(), "http://a.example/w");
        assert_eq!(follow("http://a.example/x", "//b.example/y").unwrap(), "http://b.example/y");
        assert_eq!(follow("http://a.example/x", "https://a.example/x").unwrap(), "https://a.example/x");
    }

    #[test]
    fn a_downgrade_is_refused_and_says_so() {
        let Err(Outcome::Failed { kind: FailureKind::Redirects, detail }) =
            follow("https://a.example/", "http://a.example/")
        else {
            panic!("followed")
        };
        assert!(detail.starts_with("from https down to http://a.example/"), "{detail}");
    }

    #[test]
    fn a_backslash_is_refused() {
        assert!(matches!(follow("http://a.example/", r"\\b.example/"), Err(Outcome::RefusedByGate { .. })));
    }
}
