//! Backup and restore. A backup is one file: a line of JSON that says what it is, then the database, gzipped.
//! Restoring treats it as hostile: it is unpacked beside the data with a cap, checked whole, and only then
//! moved into place; a file that is damaged, foreign, newer, or carries objects of its own is refused.

use crate::rows::ms;
use crate::schema::{APPLICATION_ID, blueprint, objects, open_untrusted};
use crate::{SCHEMA_VERSION, Store, StoreError};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

const FORMAT: &str = "ripplewatch-backup-1";
/// The first line is ours and short; a longer one is not a backup.
const MANIFEST_BYTES: u64 = 4096;

/// gzip packs nothing tighter than this; a database of articles about four to one.
const MOST_RATIO: u64 = 1032;

/// What a backup says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackupManifest {
    format: String,
    /// The schema of the data.
    pub schema: i64,
    /// When it was made, UTC milliseconds.
    pub created_ms: i64,
    /// Size of the data unpacked.
    pub bytes: u64,
    sha256: String,
    /// Sources in it.
    pub sources: u64,
    /// Articles in it.
    pub articles: u64,
}

impl Store {
    /// Writes a backup of this moment's data to `target`, while everything goes on.
    pub async fn backup(&self, target: PathBuf, now: Timestamp) -> Result<BackupManifest, StoreError> {
        self.read(move |connection| write_backup(connection.file("a backup")?, &target, now)).await
    }
}

fn write_backup(
    connection: &Connection,
    target: &Path,
    now: Timestamp,
) -> Result<BackupManifest, StoreError> {
    let io = |what: &str, path: &Path| {
        let what = format!("{what} {}", path.display());
        move |source| StoreError::Io { what, source }
    };
    if target.exists() {
        return Err(io("writing", target)(std::io::Error::other(
            "the file exists already; choose another name",
        )));
    }
    let snapshot = Scratch(beside(target, "snapshot"));
    let partial = Scratch(beside(target, "partial"));
    // One transaction sees one moment: consistent however busy the writer is.
    connection.pragma_update(None, "query_only", false)?;
    let copied = connection.execute("VACUUM INTO ?1", [snapshot.0.to_string_lossy()]);
    connection.pragma_update(None, "query_only", true)?;
    copied.map_err(|error| io("writing", target)(std::io::Error::other(error.to_string())))?;
    let manifest = describe(&snapshot.0, now)?;
    let mut out = BufWriter::new(File::create(&partial.0).map_err(io("writing", target))?);
    crate::private::restrict(&partial.0);
    let pack = |out: &mut BufWriter<File>| -> std::io::Result<()> {
        serde_json::to_writer(&mut *out, &manifest)?;
        out.write_all(b"\n")?;
        let mut packer = GzEncoder::new(&mut *out, Compression::default());
        std::io::copy(&mut File::open(&snapshot.0)?, &mut packer)?;
        packer.finish()?;
        out.flush()?;
        out.get_ref().sync_all()
    };
    pack(&mut out).map_err(io("writing", target))?;
    std::fs::rename(&partial.0, target).map_err(io("writing", target))?;
    Ok(manifest)
}

fn describe(snapshot: &Path, now: Timestamp) -> Result<BackupManifest, StoreError> {
    let io = |source| StoreError::Io { what: format!("reading {}", snapshot.display()), source };
    let mut digest = Sha256::new();
    let bytes = std::io::copy(&mut File::open(snapshot).map_err(io)?, &mut digest).map_err(io)?;
    let connection = open_untrusted(snapshot)?;
    Ok(BackupManifest {
        format: FORMAT.into(),
        schema: SCHEMA_VERSION,
        created_ms: ms(now),
        bytes,
        sha256: hex(&digest.finalize()),
        sources: count(&connection, "source")?,
        articles: count(&connection, "article")?,
    })
}

fn count(connection: &Connection, table: &str) -> Result<u64, StoreError> {
    let n: i64 = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
    Ok(n.unsigned_abs())
}

/// Restores a backup into `folder`. Data that is there is refused, or put aside if `replace`.
/// The caller makes sure that no other process uses the folder.
pub fn restore(archive: &Path, folder: &Path, replace: bool) -> Result<BackupManifest, StoreError> {
    let data = folder.join(Store::FILE);
    if data.exists() && !replace {
        return Err(StoreError::Occupied(data));
    }
    std::fs::create_dir_all(folder).map_err(|source| StoreError::Folder { folder: folder.into(), source })?;
    let unpacked = Scratch(beside(&data, "restoring"));
    let manifest = unpack(archive, &unpacked.0)?;
    verify(&unpacked.0, &manifest)?;
    put_in_place(&unpacked.0, &data).map_err(|source| StoreError::Io {
        what: format!("moving the data to {}", data.display()),
        source,
    })?;
    Ok(manifest)
}

fn unpack(archive: &Path, to: &Path) -> Result<BackupManifest, StoreError> {
    let io = |source| StoreError::Io { what: format!("reading {}", archive.display()), source };
    let bad = |why: &str| StoreError::BadBackup(why.into());
    let mut input = BufReader::new(File::open(archive).map_err(io)?);
    let mut line = Vec::new();
    input.by_ref().take(MANIFEST_BYTES).read_until(b'\n', &mut line).map_err(io)?;
    let manifest: BackupManifest =
        serde_json::from_slice(&line).map_err(|_| bad("it does not begin like a Ripplewatch backup"))?;
    if manifest.format != FORMAT {
        return Err(bad("it is of another format"));
    }
    if manifest.schema > SCHEMA_VERSION || manifest.schema < 1 {
        return Err(StoreError::BadBackup(format!(
            "it holds schema {}, this program knows {SCHEMA_VERSION}; use the release that wrote it",
            manifest.schema
        )));
    }
    let packed = std::fs::metadata(archive).map_err(io)?.len();
    if manifest.bytes > packed.saturating_mul(MOST_RATIO) {
        return Err(bad("it promises to unpack to more than data of ours ever does"));
    }
    let mut out = File::create(to).map_err(io)?;
    let mut digest = Sha256::new();
    // One byte more than promised is already a lie: a bomb cannot fill the disk.
    let mut data = GzDecoder::new(input).take(manifest.bytes.saturating_add(1));
    let mut buffer = vec![0; 1 << 16];
    let mut written = 0_u64;
    loop {
        let n = data.read(&mut buffer).map_err(|error| bad(&format!("it is damaged ({error})")))?;
        if n == 0 {
            break;
        }
        digest.update(&buffer[..n]);
        out.write_all(&buffer[..n]).map_err(io)?;
        written += n as u64;
    }
    let trailing = data.into_inner().into_inner().read(&mut buffer).map_err(io)?;
    if trailing > 0 {
        return Err(bad("something follows after its end"));
    }
    if written != manifest.bytes || hex(&digest.finalize()) != manifest.sha256 {
        return Err(bad("it is damaged: size or checksum differ from what it promises"));
    }
    out.sync_all().map_err(io)?;
    Ok(manifest)
}

/// The checksum only proves that the file is what its writer made. This proves that it is a sound database
/// of ours with nothing else in it: no trigger, view or table that our schema does not have.
fn verify(file: &Path, manifest: &BackupManifest) -> Result<(), StoreError> {
    let bad = |why: String| StoreError::BadBackup(why);
    let broken = |error: rusqlite::Error| bad(format!("its database is damaged ({error})"));
    let connection =
        open_untrusted(file).map_err(|error| bad(format!("its database is damaged ({error})")))?;
    let pragma = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, i64>(0));
    if pragma("application_id").map_err(broken)? != APPLICATION_ID {
        return Err(bad("its database is not one of Ripplewatch".into()));
    }
    if pragma("user_version").map_err(broken)? != manifest.schema {
        return Err(bad("its database has another schema than it says".into()));
    }
    let found = objects(&connection).map_err(|error| bad(format!("its database is damaged ({error})")))?;
    if found != blueprint(manifest.schema)? {
        return Err(bad("its database has tables, views or triggers that are not Ripplewatch's".into()));
    }
    let sound: String =
        connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(broken)?;
    if sound != "ok" {
        return Err(bad(format!("its database is damaged ({sound})")));
    }
    let orphans: i64 = connection
        .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
        .map_err(broken)?;
    if orphans > 0 {
        return Err(bad("its database is damaged (rows refer to rows that are not there)".into()));
    }
    Ok(())
}

fn put_in_place(restored: &Path, data: &Path) -> std::io::Result<()> {
    if data.exists()
        && let Ok(old) = Connection::open(data)
    {
        // What is still in the log goes into the file before it is moved.
        let _ = old.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    let aside = free_name(data);
    // A log goes along even without its file: it must not meet the new one.
    for tail in ["-wal", "-shm", ""] {
        match std::fs::rename(with_tail(data, tail), with_tail(&aside, tail)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    std::fs::rename(restored, data)?;
    File::open(data.parent().unwrap_or(data))?.sync_all()
}

/// A name to put old data aside under; an earlier one is never overwritten.
fn free_name(data: &Path) -> PathBuf {
    let first = beside(data, "before-restore");
    let numbered = (2..).map(|n| beside(data, &format!("before-restore-{n}")));
    std::iter::once(first.clone()).chain(numbered).find(|name| !name.exists()).unwrap_or(first)
}

fn with_tail(path: &Path, tail: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(tail);
    name.into()
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    with_tail(path, &format!(".{ending}"))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A file that is gone when we are, unless it was renamed to stay.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
