//! Histories of real sites: CSV of `published_at,source,url,title[,text]`, gzip or plain, read line by line.

use csv::StringRecord;
use flate2::read::MultiGzDecoder;
use jiff::Timestamp;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

const HEAD: [&str; 4] = ["published_at", "source", "url", "title"];

/// One article of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// When it was first seen.
    pub at: Timestamp,
    /// Which page showed it; `outlet/section` in some histories.
    pub source: String,
    /// Its address.
    pub url: String,
    /// Its headline.
    pub title: String,
}

/// Why a history cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be opened or read.
    #[error("cannot read {}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The first line is not what it has to be.
    #[error("{} has the columns {found}; wanted are published_at,source,url,title and whatever follows", file.display())]
    Head {
        /// The file.
        file: PathBuf,
        /// What it has.
        found: String,
    },
    /// A line that is not an article.
    #[error("{} line {line}: {reason}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

impl Published {
    /// The outlet: what stands before the first slash of the source.
    pub fn outlet(&self) -> &str {
        self.source.split('/').next().unwrap_or_default()
    }
}

/// Gives each article to `take`, in the order of the file.
pub fn read(file: &Path, mut take: impl FnMut(Published)) -> Result<(), TraceError> {
    let io = |source| TraceError::Io { file: file.into(), source };
    let mut bytes = BufReader::new(File::open(file).map_err(io)?);
    let is_gzip = bytes.fill_buf().map_err(io)?.starts_with(&[0x1f, 0x8b]);
    let plain: Box<dyn Read> = if is_gzip { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
    let mut lines = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(plain);
    let mut line = StringRecord::new();
    let mut is_first = true;
    loop {
        let number = lines.position().line();
        match lines.read_record(&mut line) {
            Ok(false) if is_first => return Err(head(file, &line)),
            Ok(false) => return Ok(()),
            Ok(true) if is_first && !line.iter().take(4).eq(HEAD) => return Err(head(file, &line)),
            Ok(true) if is_first => {}
            Ok(true) => take(published(&line).map_err(|reason| TraceError::Line {
                file: file.into(),
                line: number,
                reason,
            })?),
            Err(error) => return Err(bad_line(file, number, error)),
        }
        is_first = false;
    }
}

fn head(file: &Path, line: &StringRecord) -> TraceError {
    let found: Vec<&str> = line.iter().collect();
    TraceError::Head { file: file.into(), found: format!("“{}”", found.join(",")) }
}

fn bad_line(file: &Path, line: u64, error: csv::Error) -> TraceError {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(source) => TraceError::Io { file: file.into(), source },
        _ => TraceError::Line { file: file.into(), line, reason: text },
    }
}

fn published(line: &StringRecord) -> Result<Published, String> {
    let field = |at: usize| {
        line.get(at)
            .ok_or_else(|| format!("{} columns, at least 4 are needed", line.len()))
            .map(str::to_owned)
    };
    let (time, source, url, title) = (field(0)?, field(1)?, field(2)?, field(3)?);
    let at =
        time.parse().map_err(|error| format!("“{time}” is no time such as 2026-11-16T08:00:00Z: {error}"))?;
    if source.is_empty() {
        return Err("the source is empty".to_owned());
    }
    Ok(Published { at, source, url, title })
}
