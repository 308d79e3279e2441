//! The files of a crawl: WARC while it runs, lists of relevant pages when it rests.

use jiff::Timestamp;
use model::CrawlId;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use store::{CrawlPage, CrawlPageFilter, Store};
use warc::{Kind, Record};

/// A new file is begun beyond this, as the standard recommends.
const FILE_BYTES: u64 = 1 << 30;

/// The WARC file being written.
pub(super) struct WarcFile {
    folder: PathBuf,
    crawl: CrawlId,
    number: u32,
    length: u64,
    file: File,
}

impl WarcFile {
    /// Goes on where stored pages end: what was written after the last of them belongs to none.
    pub(super) fn open(
        folder: &Path,
        crawl: CrawlId,
        (number, length): (u32, u64),
        now: Timestamp,
    ) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(name(crawl, number));
        // Whoever ran the crawl before may wake up and write once more: then at the end, and nothing is torn.
        let file = OpenOptions::new().create(true).append(true).open(&path)?;
        let here = file.metadata()?.len();
        if here < length {
            // A power cut took its end, or somebody removed it. What is there stays as it is.
            tracing::warn!(file = %path.display(), "shorter than what was stored of it; a new file is begun");
            return Self::open(folder, crawl, (number + 1, 0), now);
        }
        if here > length {
            file.set_len(length)?;
        }
        let mut warc = Self { folder: folder.to_owned(), crawl, number, length, file };
        if length == 0 {
            warc.write_info(now)?;
        }
        Ok(warc)
    }

    /// The same in a file of its own, where another process may have written the last one and may not know yet that its time is
    /// over.
    pub(super) fn open_next(
        folder: &Path,
        crawl: CrawlId,
        last: (u32, u64),
        now: Timestamp,
    ) -> io::Result<Self> {
        let ended = Self::open(folder, crawl, last, now)?;
        Self::open(folder, crawl, (ended.number + 1, 0), now)
    }

    /// Appends a packed record; which file it is in, and where. On an error the file is as it was.
    pub(super) fn append(&mut self, packed: &[u8], now: Timestamp) -> io::Result<(u32, u64)> {
        if self.length > FILE_BYTES {
            *self = Self::open(&self.folder, self.crawl, (self.number + 1, 0), now)?;
        }
        let offset = self.length;
        if let Err(error) = self.file.write_all(packed) {
            let _ = self.file.set_len(offset);
            return Err(error);
        }
        self.length += packed.len() as u64;
        Ok((self.number, offset))
    }

    /// The file and its length, as stored with the page written last.
    pub(super) fn place(&self) -> (u32, u64) {
        (self.number, self.length)
    }

    /// The file itself, to be brought to disk without holding up who writes.
    pub(super) fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    fn write_info(&mut self, now: Timestamp) -> io::Result<()> {
        let name = name(self.crawl, self.number);
        let fields = format!(
            "software: Ripplewatch/{}\r\nformat: WARC File Format 1.1\r\nconformsTo: \
             http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\nrobots: obey\r\n",
            env!("CARGO_PKG_VERSION")
        );
        let packed = warc::pack(&Record {
            kind: Kind::Info,
            date: now,
            target: None,
            content_type: "application/warc-fields",
            head: b"",
            payload: fields.as_bytes(),
            fields: &[("WARC-Filename", &name)],
        });
        self.append(&packed, now).map(drop)
    }
}

fn name(crawl: CrawlId, number: u32) -> String {
    format!("crawl-{crawl}-{number:05}.warc.gz")
}

/// Whether a folder holds a file of a crawl with this number: another data folder's, since numbers are given once.
pub(super) fn is_taken(folder: &Path, crawl: CrawlId) -> bool {
    folder.join(name(crawl, 0)).exists()
}

/// Whether files can be written into a folder; makes it if it is not there.
pub(super) fn check_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let probe = folder.join(".ripplewatch-probe");
    File::create(&probe)?;
    std::fs::remove_file(probe)
}

/// Pages are read from the store in pieces.
const PIECE: usize = 500;

/// Writes the relevant pages with their evidence as JSON Lines and CSV, in the order they were found. Each file is
/// replaced whole.
pub(super) async fn write_lists(store: &Store, crawl: CrawlId, folder: &Path) -> Result<(), String> {
    let mut lists = Lists::begin(folder, crawl).map_err(|error| error.to_string())?;
    let mut after = 0;
    loop {
        let filter = CrawlPageFilter { after: Some(after), limit: PIECE, ..CrawlPageFilter::default() };
        let pages = store.crawl_pages(crawl, filter).await.map_err(|error| error.to_string())?;
        after = pages.last().map_or(after, |page| page.id);
        lists.write(&pages).map_err(|error| error.to_string())?;
        if pages.len() < PIECE {
            return lists.finish().map_err(|error| error.to_string());
        }
    }
}

struct Lists {
    /// Where each list is written, and where it belongs.
    places: [(PathBuf, PathBuf); 2],
    lines: BufWriter<File>,
    table: BufWriter<File>,
}

impl Lists {
    fn begin(folder: &Path, crawl: CrawlId) -> io::Result<Self> {
        let place = |kind: &str| {
            let name = format!("crawl-{crawl}-pages.{kind}");
            (folder.join(format!("{name}.part")), folder.join(name))
        };
        let places = [place("jsonl"), place("csv")];
        let mut lists = Self {
            lines: BufWriter::new(File::create(&places[0].0)?),
            table: BufWriter::new(File::create(&places[1].0)?),
            places,
        };
        writeln!(lists.table, "url,title,score,depth,language,fetched_at,found_on,link_text,words")?;
        Ok(lists)
    }

    fn write(&mut self, pages: &[CrawlPage]) -> io::Result<()> {
        for page in pages {
            serde_json::to_writer(&mut self.lines, page)?;
            self.lines.write_all(b"\n")?;
            write_row(&mut self.table, page)?;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.lines.flush()?;
        self.table.flush()?;
        self.places.iter().try_for_each(|(written, place)| std::fs::rename(written, place))
    }
}

fn write_row(out: &mut impl Write, page: &CrawlPage) -> io::Result<()> {
    let words: Vec<String> = page
        .evidence
        .iter()
        .map(|found| format!("{} ({} × {})", found.class, found.count, found.word))
        .collect();
    let cells = [
        page.url.as_str(),
        page.title.as_deref().unwrap_or_default(),
        &format!("{:.4}", page.score),
        &page.depth.to_string(),
        page.language.as_deref().unwrap_or_default(),
        &page.fetched_at.to_string(),
        page.parent_url.as_deref().unwrap_or_default(),
        &page.anchor,
        &words.join("; "),
    ];
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    writeln!(out, "{}", cells.join(","))
}

/// A cell that a spreadsheet would take for a formula is text: the page chose its title, not the user.
fn quoted(cell: &str) -> String {
    let guard = if cell.starts_with(['=', '+', '-', '@', '\t']) { "'" } else { "" };
    format!("\"{guard}{}\"", cell.replace('"', "\"\"").replace(['\r', '\n'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_text() {
        assert_eq!(quoted("a \"b\", c\nd"), "\"a \"\"b\"\", c d\"");
        assert_eq!(quoted("=1+1"), "\"'=1+1\"");
    }

    #[test]
    fn a_file_is_cut_back_to_what_was_stored() {
        let folder = tempfile::tempdir().unwrap();
        let now = Timestamp::UNIX_EPOCH;
        let mut file = WarcFile::open(folder.path(), CrawlId(7), (0, 0), now).unwrap();
        file.append(b"first", now).unwrap();
        let stored = file.place();
        file.append(b"never stored", now).unwrap();
        drop(file);
        let mut file = WarcFile::open(folder.path(), CrawlId(7), stored, now).unwrap();
        assert_eq!(file.append(b"second", now).unwrap(), (0, stored.1));
        let bytes = std::fs::read(folder.path().join("crawl-7-00000.warc.gz")).unwrap();
        assert!(bytes.ends_with(b"firstsecond"));
        // Cut off by a power cut: what is there stays, and a new file is begun.
        let next = WarcFile::open(folder.path(), CrawlId(7), (0, 1 << 20), now).unwrap();
        assert_eq!(next.place().0, 1);
        let bytes = std::fs::read(folder.path().join("crawl-7-00000.warc.gz")).unwrap();
        assert!(bytes.ends_with(b"firstsecond"));
    }
}
