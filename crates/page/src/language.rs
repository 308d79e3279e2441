//! The language of a text: what the page declares, else a guess on text long enough to guess from.

use crate::jsonld::Named;
use crate::outline::Head;

/// Guessing on less is guessing.
const ENOUGH_CHARS: usize = 200;

/// What the page says, lower case.
pub(crate) fn declared(head: &Head, named: Option<&Named>) -> Option<String> {
    let said = [
        head.language.as_deref(),
        named.and_then(|named| named.language.as_deref()),
        head.meta("content-language"),
        head.meta("og:locale"),
    ];
    said.into_iter().flatten().find_map(tag)
}

/// What the text looks like.
pub(crate) fn guess(text: &str) -> Option<String> {
    if text.chars().take(ENOUGH_CHARS).count() < ENOUGH_CHARS {
        return None;
    }
    let info = whatlang::detect(crate::text::cut(text, 8_000)).filter(whatlang::Info::is_reliable)?;
    Some(short_code(info.lang().code()).to_owned())
}

/// A BCP 47 tag in lower case, if it looks like one: `en_GB` becomes `en-gb`.
fn tag(text: &str) -> Option<String> {
    let tag = text.trim().replace('_', "-").to_ascii_lowercase();
    let mut parts = tag.split('-');
    let language = parts.next().is_some_and(|part| {
        matches!(part.len(), 2 | 3) && part.bytes().all(|byte| byte.is_ascii_lowercase())
    });
    let rest = parts
        .all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    (language && rest && tag.len() <= 35).then_some(tag)
}

/// BCP 47 wants two letters where they exist.
fn short_code(code: &'static str) -> &'static str {
    SHORT.iter().find(|(long, _)| *long == code).map_or(code, |(_, short)| short)
}

#[rustfmt::skip]
const SHORT: &[(&str, &str)] = &[
    ("eng", "en"), ("rus", "ru"), ("cmn", "zh"), ("spa", "es"), ("por", "pt"), ("ita", "it"), ("ben", "bn"), ("fra", "fr"),
    ("deu", "de"), ("ukr", "uk"), ("kat", "ka"), ("ara", "ar"), ("hin", "hi"), ("jpn", "ja"), ("heb", "he"), ("yid", "yi"),
    ("pol", "pl"), ("amh", "am"), ("jav", "jv"), ("kor", "ko"), ("nob", "nb"), ("dan", "da"), ("swe", "sv"), ("fin", "fi"),
    ("tur", "tr"), ("nld", "nl"), ("hun", "hu"), ("ces", "cs"), ("ell", "el"), ("bul", "bg"), ("bel", "be"), ("mar", "mr"),
    ("kan", "kn"), ("ron", "ro"), ("slv", "sl"), ("hrv", "hr"), ("srp", "sr"), ("mkd", "mk"), ("lit", "lt"), ("lav", "lv"),
    ("est", "et"), ("tam", "ta"), ("vie", "vi"), ("urd", "ur"), ("tha", "th"), ("guj", "gu"), ("uzb", "uz"), ("pan", "pa"),
    ("aze", "az"), ("ind", "id"), ("tel", "te"), ("pes", "fa"), ("mal", "ml"), ("ori", "or"), ("mya", "my"), ("nep", "ne"),
    ("sin", "si"), ("khm", "km"), ("tuk", "tk"), ("aka", "ak"), ("zul", "zu"), ("sna", "sn"), ("afr", "af"), ("lat", "la"),
    ("slk", "sk"), ("cat", "ca"), ("tgl", "tl"), ("hye", "hy"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_tidied_and_nonsense_refused() {
        assert_eq!(tag("en_GB"), Some("en-gb".to_owned()));
        assert_eq!(tag("zh-Hans-CN"), Some("zh-hans-cn".to_owned()));
        assert_eq!(tag("english"), None);
        assert_eq!(tag("{{lang}}"), None);
    }
}
