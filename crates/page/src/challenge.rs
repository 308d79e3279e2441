//! Captcha and "checking your browser" pages, which must not be taken for content.
//!
//! Conservative: the machinery of a challenge must be in the markup, *and* the page must say next to nothing
//! else. An article about captchas, or a page with a captcha in its comment form, says more.

use crate::outline::Outline;
use crate::text::half_words;

/// A challenge says less than this, in half words.
const FEW_WORDS: usize = 240;

/// A challenge links to its maker and to help, hardly further.
const FEW_LINKS: usize = 12;

/// Machinery only a full-page challenge carries.
const CERTAIN: &[&str] = &[
    "/cdn-cgi/challenge-platform/",
    "cf-challenge-running",
    "cf_chl_opt",
    "_Incapsula_Resource",
    "/_sec/cp_challenge/",
    "px-captcha",
    "captcha-delivery.com",
    "awsWafCookieDomainList",
    "ddos-guard/js-challenge",
    "sgcaptcha",
    "geo.captcha-delivery",
    "/.within.website/x/cmd/anubis",
];

/// Machinery that forms carry too: only with a title that speaks of nothing else.
const POSSIBLE: &[&str] =
    &["g-recaptcha", "h-captcha", "hcaptcha.com", "cf-turnstile", "geetest", "captcha", "challenge"];

/// Beginnings of titles, lower case.
const TITLES: &[&str] = &[
    "just a moment",
    "attention required",
    "access denied",
    "checking your browser",
    "are you a robot",
    "are you human",
    "verify you are human",
    "verifying you are human",
    "human verification",
    "security check",
    "robot check",
    "bot verification",
    "captcha",
    "please verify",
    "ddos-guard",
    "one moment",
    "client challenge",
    "please wait",
    "安全验证",
    "人机验证",
    "访问验证",
];

/// The same for a page already laid flat.
pub(crate) fn is_challenge_page(html: &str, outline: &Outline) -> bool {
    if outline.links.len() >= FEW_LINKS || outline.text.len() > FEW_WORDS * 20 {
        return false;
    }
    let has = |marks: &[&str]| marks.iter().any(|mark| html.contains(mark));
    let title = outline.head.title.as_deref().unwrap_or_default().to_lowercase();
    let titled = TITLES.iter().any(|known| title.starts_with(known));
    let marked = if titled { has(POSSIBLE) || has(CERTAIN) } else { has(CERTAIN) };
    marked && half_words(&outline.text) <= FEW_WORDS
}
