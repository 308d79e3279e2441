//! Texts whose folders are known: JSON Lines of `title`, `body` and `topics`, gzip or plain.

use flate2::read::MultiGzDecoder;
use knowledge::Fields;
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A text and the folders it belongs into.
#[derive(Debug, Clone)]
pub struct Labelled {
    /// What it says.
    pub fields: Fields<'static>,
    /// Where it belongs.
    pub topics: Vec<String>,
}

/// Why texts cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LabelledError {
    /// The file cannot be opened or read.
    #[error("cannot read {}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line that is not a text.
    #[error("{} line {line}: {reason}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

#[derive(Deserialize)]
struct Line {
    title: Option<String>,
    body: Option<String>,
    #[serde(default)]
    topics: Vec<String>,
}

/// Reads all texts that carry a topic and say anything, in the order of the file.
pub fn read(file: &Path) -> Result<Vec<Labelled>, LabelledError> {
    let io = |source| LabelledError::Io { file: file.into(), source };
    let mut bytes = BufReader::new(File::open(file).map_err(io)?);
    let is_gzip = bytes.fill_buf().map_err(io)?.starts_with(&[0x1f, 0x8b]);
    let plain: Box<dyn Read> = if is_gzip { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
    let mut texts = Vec::new();
    for (number, line) in BufReader::new(plain).lines().enumerate() {
        let line = line.map_err(io)?;
        if line.trim().is_empty() {
            continue;
        }
        let line: Line = serde_json::from_str(&line).map_err(|error| LabelledError::Line {
            file: file.into(),
            line: number + 1,
            reason: error.to_string(),
        })?;
        texts.extend(Labelled::of(line));
    }
    Ok(texts)
}

impl Labelled {
    /// `None` without a topic or without text.
    fn of(line: Line) -> Option<Self> {
        let said = |text: Option<String>| text.filter(|text| !text.trim().is_empty()).map(Into::into);
        let fields = Fields { title: said(line.title), body: said(line.body), ..Fields::default() };
        if line.topics.is_empty() || fields.present().next().is_none() {
            return None;
        }
        Some(Self { fields, topics: line.topics })
    }
}
