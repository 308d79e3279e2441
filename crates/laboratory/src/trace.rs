//! Histories of real sites: CSV of `published_at,source,url,title[,text][,folders]`, gzip or plain, read and written line by
//! line. Folders are separated by `|`.

mod writer;

pub use writer::Writer;

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
    /// Its text, where the history has one.
    pub text: Option<String>,
    /// The folders it was filed in, where the history says.
    pub folders: Vec<String>,
    /// Where it stands in the file, from 1.
    pub line: u64,
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

/// Gives each article to `take`, in the order of the file; the first error ends it.
pub fn read_each(
    file: &Path,
    mut take: impl FnMut(Published) -> Result<(), TraceError>,
) -> Result<(), TraceError> {
    let mut lines = open(file)?;
    let columns = columns(file, &mut lines)?;
    let mut record = StringRecord::new();
    loop {
        let line = lines.position().line();
        if !lines.read_record(&mut record).map_err(|error| bad_line(file, line, error))? {
            return Ok(());
        }
        let wrong = |reason| TraceError::Line { file: file.into(), line, reason };
        take(published(&record, &columns, line).map_err(wrong)?)?;
    }
}

/// Whether a history says which folders its articles are in.
pub fn has_folders(file: &Path) -> Result<bool, TraceError> {
    Ok(columns(file, &mut open(file)?)?.folders.is_some())
}

type Lines = csv::Reader<Box<dyn Read>>;

fn open(file: &Path) -> Result<Lines, TraceError> {
    let io = |source| TraceError::Io { file: file.into(), source };
    let mut bytes = BufReader::new(File::open(file).map_err(io)?);
    let is_gzip = bytes.fill_buf().map_err(io)?.starts_with(&[0x1f, 0x8b]);
    let plain: Box<dyn Read> = if is_gzip { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
    Ok(csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(plain))
}

fn columns(file: &Path, lines: &mut Lines) -> Result<Columns, TraceError> {
    let mut head = StringRecord::new();
    lines.read_record(&mut head).map_err(|error| bad_line(file, 1, error))?;
    Columns::of(&head).ok_or_else(|| bad_head(file, &head))
}

/// Gives each article to `take`, in the order of the file.
pub fn read(file: &Path, mut take: impl FnMut(Published)) -> Result<(), TraceError> {
    read_each(file, |article| {
        take(article);
        Ok(())
    })
}

/// Where the columns stand that need not be there.
struct Columns {
    text: Option<usize>,
    folders: Option<usize>,
}

impl Columns {
    /// Nothing if those that must be there are not.
    fn of(head: &StringRecord) -> Option<Self> {
        let find = |name: &str| head.iter().position(|column| column == name);
        let is_good = head.iter().take(HEAD.len()).eq(HEAD);
        is_good.then(|| Self { text: find("text"), folders: find("folders") })
    }
}

fn bad_head(file: &Path, line: &StringRecord) -> TraceError {
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

fn published(record: &StringRecord, columns: &Columns, line: u64) -> Result<Published, String> {
    let field = |at: usize| {
        record
            .get(at)
            .ok_or_else(|| format!("{} columns, at least 4 are needed", record.len()))
            .map(str::to_owned)
    };
    let (time, source, url, title) = (field(0)?, field(1)?, field(2)?, field(3)?);
    let at =
        time.parse().map_err(|error| format!("“{time}” is no time such as 2026-11-16T08:00:00Z: {error}"))?;
    if source.is_empty() {
        return Err("the source is empty".to_owned());
    }
    let more = |column: Option<usize>| column.and_then(|at| record.get(at)).filter(|text| !text.is_empty());
    let folders = more(columns.folders).unwrap_or_default().split('|').map(str::trim);
    Ok(Published {
        at,
        source,
        url,
        title,
        text: more(columns.text).map(str::to_owned),
        folders: folders.filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        line,
    })
}
