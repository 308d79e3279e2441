//! Articles as JSON Lines.

use super::json_lines::take_fields;
use super::node::Node;
use crate::field::Fields;

/// An article of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArticleLine {
    /// Its address: what tells it from others.
    pub url: Option<String>,
    /// What it says. The address is among it: rules can speak about its words.
    pub fields: Fields<'static>,
}

/// Reads one article: an object with `url`, `title`, `body`, and perhaps `anchor`, `source` and `language`. What is null
/// or not there is missing. Other keys are not looked at: files of articles carry more than rules can speak about.
pub fn parse_article(line: &str) -> Result<ArticleLine, String> {
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let fields = take_fields(&mut Node::parse(line)?.object("the line")?)?;
    Ok(ArticleLine { url: fields.url.as_deref().map(str::to_owned), fields })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_article_is_read() {
        let line = r#"{"url":"https://a.example/cup","title":"Cup","body":null,"date":1,"tags":{"a":[]}}"#;
        let article = parse_article(line).unwrap();
        assert_eq!(article.url.as_deref(), Some("https://a.example/cup"));
        assert_eq!(article.fields.url.as_deref(), Some("https://a.example/cup"));
        assert_eq!((article.fields.title.as_deref(), article.fields.body), (Some("Cup"), None));
        assert_eq!(parse_article("{}"), Ok(ArticleLine::default()));
    }

    #[test]
    fn what_is_no_article_says_why() {
        let error = |line: &str| parse_article(line).unwrap_err();
        insta::assert_snapshot!(error(r#"{"title":7}"#), @r#""title" is 7, but should be a text "…""#);
        insta::assert_snapshot!(error("[]"), @"the line is a list, but should be an object {…}");
        insta::assert_snapshot!(error(r#"{"title":"a""#), @"not a JSON object: EOF while parsing an object (column 12)");
        insta::assert_snapshot!(error(r#"{"title":"a","title":"b"}"#), @"not a JSON object: the key “title” is there twice (column 25)");
        assert!(error(&format!(r#"{{"title":["{}"]}}"#, "x".repeat(1 << 20))).len() < 200);
        assert!(error(&"[".repeat(1 << 20)).len() < 200);
    }
}
