//! Types that are stored and sent as the text a person types.

/// Serialises by `Display`, deserialises by `FromStr`.
macro_rules! typed {
    ($name:ty) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(super) use typed;

/// The first word, lower case, and what follows it.
pub(super) fn first_word(text: &str) -> (String, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    // `appears: sold out` means the same.
    (word.trim_end_matches(':').to_lowercase(), rest.trim())
}

/// A number as people type it: with a point, or with one comma.
pub(super) fn typed_number(text: &str) -> Option<f64> {
    let text = text.trim().replace('−', "-");
    let text = if text.contains('.') { text } else { text.replacen(',', ".", 1) };
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_typed() {
        assert_eq!(typed_number("2.5"), Some(2.5));
        assert_eq!(typed_number(" 2,5 "), Some(2.5));
        assert_eq!(typed_number("−3"), Some(-3.0));
        assert_eq!(typed_number("inf"), None);
        assert_eq!(typed_number("1,2,3"), None);
    }

    #[test]
    fn a_colon_after_the_first_word_is_no_matter() {
        assert_eq!(first_word(" Appears:  sold out "), ("appears".into(), "sold out"));
        assert_eq!(first_word("always"), ("always".into(), ""));
    }
}
