//! How sites name their articles.

use crate::site::Naming;
use jiff::Timestamp;
use jiff::tz::TimeZone;

impl Naming {
    /// The path (and query) of an article.
    pub(crate) fn path(self, serial: u64, section: &str, title: &str, at: Timestamp) -> String {
        // Real numbers do not begin at one.
        let number = 104_200 + serial;
        match self {
            Self::Dated => format!("/{}/{}", at.to_zoned(TimeZone::UTC).strftime("%Y/%m/%d"), slug(title)),
            Self::SectionSlug => format!("/{section}/{}-{number}", slug(title)),
            Self::Html => format!("/article/{}.html", slug(title)),
            Self::Story => format!("/story/{number}/{}", slug(title)),
            Self::Item => format!("/item?id={number}"),
            Self::Notice => {
                format!("/notices/{}/{:05}", at.to_zoned(TimeZone::UTC).strftime("%Y"), 10_000 + serial)
            }
        }
    }
}

/// A title as a part of an address: lower-case ASCII words joined by hyphens.
pub(crate) fn slug(title: &str) -> String {
    let mut slug = String::with_capacity(title.len());
    for letter in title.chars().flat_map(char::to_lowercase) {
        let plain = match letter {
            'à'..='å' => "a",
            'æ' => "ae",
            'ç' => "c",
            'è'..='ë' => "e",
            'ì'..='ï' => "i",
            'ñ' => "n",
            'ò'..='ö' | 'ø' => "o",
            'ù'..='ü' => "u",
            'ß' => "ss",
            '’' | '“' | '”' => "",
            'a'..='z' | '0'..='9' => {
                slug.push(letter);
                continue;
            }
            _ => {
                if !slug.is_empty() && !slug.ends_with('-') {
                    slug.push('-');
                }
                continue;
            }
        };
        slug.push_str(plain);
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain() {
        assert_eq!(slug("Brasília: “Étienne’s” Grønnvik – 4 jobs?"), "brasilia-etiennes-gronnvik-4-jobs");
    }
}
