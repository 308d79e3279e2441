//! Labelled texts as files.

use flate2::Compression;
use flate2::write::GzEncoder;
use laboratory::labelled::{self, Labelled, LabelledError};
use std::io::Write;

const TEXTS: &str = concat!(
    r#"{"title": "Wheat up", "body": "Much wheat.", "topics": ["wheat", "grain"], "places": ["usa"]}"#,
    "\n\n",
    r#"{"title": "No topic", "body": "Nothing.", "topics": []}"#,
    "\n",
    r#"{"title": " ", "body": null, "topics": ["gold"]}"#,
    "\n",
    r#"{"title": "Gold down", "topics": ["gold"]}"#,
    "\n",
);

fn read(bytes: &[u8]) -> Result<Vec<Labelled>, LabelledError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    labelled::read(file.path())
}

#[test]
fn texts_without_topic_or_without_words_are_left_out() {
    let texts = read(TEXTS.as_bytes()).unwrap();
    assert_eq!(texts.len(), 2);
    assert_eq!(texts[0].topics, ["wheat", "grain"]);
    assert_eq!(texts[0].fields.body.as_deref(), Some("Much wheat."));
    assert_eq!(texts[1].fields.title.as_deref(), Some("Gold down"));
    assert_eq!(texts[1].fields.body, None, "what is not there is missing, not empty");
}

#[test]
fn gzip_is_told_by_its_bytes() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(TEXTS.as_bytes()).unwrap();
    assert_eq!(read(&gzip.finish().unwrap()).unwrap().len(), 2);
}

#[test]
fn a_bad_line_is_named() {
    let error = read(format!("{TEXTS}{{\"title\": 7}}\n").as_bytes()).unwrap_err().to_string();
    assert!(error.contains(" line 6: invalid type: integer `7`"), "{error}");
    let error = labelled::read("nowhere.jsonl".as_ref()).unwrap_err().to_string();
    assert!(error.starts_with("cannot read nowhere.jsonl: "), "{error}");
}
