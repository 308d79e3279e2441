//! Histories that are read, and those that are not.

use flate2::Compression;
use flate2::write::GzEncoder;
use laboratory::trace::{self, Published, TraceError, Writer};
use std::io::Write;

fn read(bytes: &[u8]) -> Result<Vec<Published>, TraceError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.csv");
    std::fs::write(&file, bytes).unwrap();
    let mut all = Vec::new();
    trace::read(&file, |article| all.push(article))?;
    Ok(all)
}

const GOOD: &str = "published_at,source,url,title,text\n\
    2021-02-22T00:00:25Z,health,https://a.example/1,\"Said: \"\"no\"\", twice\",\"a\nb\"\n\
    2021-02-22T01:00:00Z,lat/california,https://a.example/2,plain,\n";

#[test]
fn quotes_line_breaks_and_gzip() {
    let plain = read(GOOD.as_bytes()).unwrap();
    assert_eq!(plain.len(), 2);
    assert_eq!(plain[0].title, "Said: \"no\", twice");
    assert_eq!((plain[1].outlet(), plain[0].outlet()), ("lat", "health"));
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(GOOD.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    assert_eq!(read(&gzip).unwrap(), plain);
    assert!(matches!(read(&gzip[..gzip.len() / 2]), Err(TraceError::Io { .. })), "cut off in the middle");
}

#[test]
fn bad_histories_name_the_line() {
    let error = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
    assert!(error("").contains("wanted are published_at,source,url,title"), "{}", error(""));
    assert!(error("time,source\n").contains("time,source"));
    let head = "published_at,source,url,title\n";
    let late = error(&format!("{head}2021-02-22T00:00:25Z,a,b,c\nyesterday,a,b,c\n"));
    assert!(late.contains("line 3") && late.contains("“yesterday” is no time"), "{late}");
    assert!(error(&format!("{head}2021-02-22T00:00:25Z,a,b\n")).contains("3 columns"));
    assert!(error(&format!("{head}2021-02-22T00:00:25Z,,b,c\n")).contains("source is empty"));
    let bytes = [head.as_bytes(), b"2021-02-22T00:00:25Z,a,b,\xff\xfe\n"].concat();
    assert!(matches!(read(&bytes), Err(TraceError::Line { line: 2, .. })));
    let missing = trace::read(std::path::Path::new("/nowhere/trace.csv"), |_| ()).unwrap_err();
    assert!(missing.to_string().contains("/nowhere/trace.csv"));
}

#[test]
fn what_is_written_is_read_again() {
    let folders = "published_at,source,url,title,text,folders\n\
        2021-02-22T00:00:25.5Z,health,https://a.example/1,\"a, b\",\"c\nd\",Sport/Soccer|World\n\
        2021-02-22T01:00:00Z,lat/california,https://a.example/2,plain,,\n";
    let all = read(folders.as_bytes()).unwrap();
    assert_eq!(all[0].folders, ["Sport/Soccer", "World"]);
    assert_eq!((all[0].text.as_deref(), all[1].text.as_deref()), (Some("c\nd"), None));
    assert_eq!((all[0].line, all[1].line), (2, 4));
    for gzip in [false, true] {
        let mut writer = Writer::with_texts(Vec::new(), gzip).unwrap();
        for one in &all {
            writer.write(one).unwrap();
        }
        assert_eq!(read(&writer.finish().unwrap()).unwrap(), all);
        let mut writer = Writer::new(Vec::new(), gzip).unwrap();
        for one in &all {
            writer.write(one).unwrap();
        }
        let again = read(&writer.finish().unwrap()).unwrap();
        assert!(
            again.iter().zip(&all).all(|(again, one)| again.folders == one.folders && again.text.is_none())
        );
    }
}
