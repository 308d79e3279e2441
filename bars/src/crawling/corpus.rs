//! The Schools Wikipedia, spread over several hosts: each page lives on the host its path's hash names, and every link
//! leads there; links that lead out of the archive lead nowhere. The text is as it was.

use anyhow::Context;
use regex::{Captures, Regex};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use url::Url;

/// The prepared web.
pub(super) struct Corpus {
    /// One folder a host.
    pub(super) folders: Vec<PathBuf>,
    /// Pages that can be reached from the first.
    pub(super) pages: usize,
    pub(super) bytes: u64,
    /// The paths that can be reached.
    pub(super) reachable: BTreeSet<String>,
    pub(super) seed: String,
}

/// The port all hosts share.
pub(super) const PORT: u16 = 18_080;

impl Corpus {
    pub(super) fn unpack(archive: &Path, folder: &Path, hosts: usize) -> anyhow::Result<Self> {
        let raw = folder.join("raw");
        std::fs::create_dir_all(&raw)?;
        let done = Command::new("tar").arg("xf").arg(archive).arg("-C").arg(&raw).status()?;
        anyhow::ensure!(done.success(), "unpacking {}", archive.display());
        let root = raw.join("schools-wikipedia");
        let mut files = Vec::new();
        list(&root, &mut files)?;
        let paths: BTreeMap<String, PathBuf> = files
            .into_iter()
            .filter(|file| file.extension().is_some_and(|ending| ending == "htm"))
            .filter_map(|file| {
                let path = file.strip_prefix(&root).ok()?.to_str()?.to_owned();
                Some((url_path(&path), file))
            })
            .collect();
        let folders: Vec<PathBuf> = (0..hosts).map(|host| folder.join(format!("host-{host}"))).collect();
        let href = Regex::new(r#"href="([^"]*)""#)?;
        let mut links: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut bytes = 0;
        for (path, file) in &paths {
            let base = Url::parse("http://corpus.invalid/")?.join(path)?;
            // One page in twelve asks robots not to follow its links, which we obey and Scrapy does not: without these
            // wishes all crawl the same web.
            let html = String::from_utf8_lossy(&std::fs::read(file)?)
                .replace("name=\"robots\"", "name=\"robots-once\"");
            let mut out = Vec::new();
            let spread = href.replace_all(&html, |found: &Captures<'_>| {
                let Ok(to) = base.join(&found[1]) else { return found[0].to_owned() };
                let known = to.host_str() == Some("corpus.invalid") && paths.contains_key(to.path());
                // The archive is a part of a larger web: links out of it would ask for five dead pages for each live one.
                if !known {
                    return format!("data-{}", &found[0]);
                }
                out.push(to.path().to_owned());
                format!("href=\"{}\"", address(to.path(), hosts))
            });
            bytes += spread.len() as u64;
            let plain = percent_free(path);
            let place = folders[host_of(path, hosts)].join(plain.trim_start_matches('/'));
            std::fs::create_dir_all(place.parent().context("a folder")?)?;
            std::fs::write(place, spread.as_bytes())?;
            links.insert(path, out);
        }
        let first =
            paths.keys().find(|path| path.contains("/Music")).or(paths.keys().next()).context("pages")?;
        let reachable = reach(first, &links);
        let seed = address(first, hosts);
        std::fs::remove_dir_all(&raw)?;
        Ok(Self { folders, pages: reachable.len(), bytes, reachable, seed })
    }
}

/// The IPv4 address of a host.
pub(super) fn host(number: usize) -> String {
    format!("127.77.0.{}", number + 1)
}

fn address(path: &str, hosts: usize) -> String {
    format!("http://{}:{PORT}{path}", host(host_of(path, hosts)))
}

fn host_of(path: &str, hosts: usize) -> usize {
    page::content_hash(path.as_bytes()).unsigned_abs() as usize % hosts
}

fn reach(first: &str, links: &BTreeMap<&str, Vec<String>>) -> BTreeSet<String> {
    let mut reached = BTreeSet::from([first.to_owned()]);
    let mut open = vec![first.to_owned()];
    while let Some(path) = open.pop() {
        for to in links.get(path.as_str()).into_iter().flatten() {
            if reached.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    reached
}

/// A file's path as links write it: the names in the archive are percent-encoded once themselves.
fn url_path(path: &str) -> String {
    let encoded = path.replace('%', "%25");
    Url::parse("http://corpus.invalid/")
        .and_then(|base| base.join(&encoded))
        .map_or(encoded, |url| url.path().to_owned())
}

pub(super) fn percent_free(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = if *first == b'%' { after.get(..2) } else { None };
        let code = code
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { list(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
