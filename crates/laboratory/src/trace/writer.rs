//! Writes a history in the form it is read in.

use super::{HEAD, Published};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// Writes a history line by line.
///
/// [`Self::finish`] must be called: only then is everything written.
#[derive(Debug)]
pub struct Writer<W: Write> {
    lines: csv::Writer<Form<W>>,
    texts: bool,
}

#[derive(Debug)]
enum Form<W: Write> {
    Plain(W),
    Gzip(Box<GzEncoder<W>>),
}

impl<W: Write> Writer<W> {
    /// Begins a history with folders and without texts: writes the head.
    pub fn new(to: W, gzip: bool) -> io::Result<Self> {
        Self::begin(to, gzip, false)
    }

    /// Begins a history with texts and folders.
    pub fn with_texts(to: W, gzip: bool) -> io::Result<Self> {
        Self::begin(to, gzip, true)
    }

    fn begin(to: W, gzip: bool, texts: bool) -> io::Result<Self> {
        let form = if gzip {
            Form::Gzip(Box::new(GzEncoder::new(to, Compression::default())))
        } else {
            Form::Plain(to)
        };
        let mut lines = csv::Writer::from_writer(form);
        let more: &[&str] = if texts { &["text", "folders"] } else { &["folders"] };
        lines.write_record(HEAD.iter().chain(more)).map_err(plain)?;
        Ok(Self { lines, texts })
    }

    /// Writes one article. `|` parts folders, so in a folder's own name it becomes a space.
    pub fn write(&mut self, article: &Published) -> io::Result<()> {
        let folders: Vec<String> = article.folders.iter().map(|name| name.replace('|', " ")).collect();
        let mut cells =
            vec![article.at.to_string(), article.source.clone(), article.url.clone(), article.title.clone()];
        if self.texts {
            cells.push(article.text.clone().unwrap_or_default());
        }
        cells.push(folders.join("|"));
        self.lines.write_record(&cells).map_err(plain)
    }

    /// Writes what is still held back, and gives back what was written to.
    pub fn finish(self) -> io::Result<W> {
        match self.lines.into_inner().map_err(csv::IntoInnerError::into_error)? {
            Form::Plain(mut to) => to.flush().map(|()| to),
            Form::Gzip(gzip) => gzip.finish(),
        }
    }
}

impl<W: Write> Write for Form<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(to) => to.write(bytes),
            Self::Gzip(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(to) => to.flush(),
            Self::Gzip(to) => to.flush(),
        }
    }
}

fn plain(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
