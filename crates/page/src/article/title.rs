//! An article's headline.

use crate::feed::TITLE_BYTES;
use crate::jsonld::Named;
use crate::outline::{Outline, Zones};
use crate::text::{cut, half_words, one_line, strip_markup};

/// The headline: by the page's own word, else its first heading, else the window title.
pub(super) fn of(outline: &Outline, named: Option<&Named>) -> Option<String> {
    let heading = heading(outline);
    let social =
        outline.head.meta("og:title").or_else(|| outline.head.meta("twitter:title")).map(strip_markup);
    let window = outline.head.title.clone();
    let site = outline.head.meta("og:site_name");
    let title = named
        .and_then(|named| named.headline.clone())
        .or_else(|| social.map(|title| without_site(&title, site, heading.as_deref())))
        .or_else(|| heading.clone())
        .or_else(|| window.map(|title| without_site(&title, site, heading.as_deref())))?;
    Some(cut(title.trim(), TITLE_BYTES).to_owned()).filter(|title| !title.is_empty())
}

/// The first top heading in the main matter that says something.
fn heading(outline: &Outline) -> Option<String> {
    let headings = outline.elements.iter().enumerate().filter(|(_, element)| &*element.tag == "h1");
    let (at, _) = headings
        .filter(|(at, _)| half_words(outline.text_of(*at)) >= 3)
        .min_by_key(|(_, element)| element.zones.has(Zones::FURNITURE))?;
    Some(one_line(outline.text_of(at)))
}

/// Cuts ` | Site` off, if it is the site's name, or if the page's own heading ends before it. A headline may
/// itself contain a dash.
fn without_site(title: &str, site: Option<&str>, heading: Option<&str>) -> String {
    if let Some(heading) = heading
        && title.starts_with(heading)
        && half_words(heading) >= 4
    {
        return heading.to_owned();
    }
    for separator in [" | ", " - ", " – ", " — ", " :: ", " » ", "_", "｜", " · "] {
        let Some((start, end)) = title.rsplit_once(separator) else {
            continue;
        };
        let is_site = site.is_some_and(|site| site.eq_ignore_ascii_case(end.trim()));
        let is_bar = separator.contains(['|', '｜', '»']) || separator == "_";
        if is_site || (is_bar && half_words(end) <= 8 && half_words(start) > half_words(end)) {
            return start.trim().to_owned();
        }
    }
    title.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_comes_off_and_the_headline_stays() {
        assert_eq!(
            without_site("Bank holds rate as prices cool | The Harbour Times", None, None),
            "Bank holds rate as prices cool"
        );
        assert_eq!(without_site("Bank holds rate - Harbour", Some("Harbour"), None), "Bank holds rate");
        assert_eq!(
            without_site("Floods - what we know so far", Some("Harbour"), None),
            "Floods - what we know so far"
        );
        assert_eq!(without_site("央行维持利率不变_财经频道_新闻网", None, None), "央行维持利率不变_财经频道");
    }
}
