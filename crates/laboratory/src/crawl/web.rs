//! A saved web: HTML pages in folders, and what each is about.

use super::CrawlLabError;
use super::cpu::thread_time;
use discovery::crawl::PageSigns;
use page::WebPage;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// A saved web, read once.
#[derive(Debug)]
pub struct SavedWeb {
    /// The pages, by their paths.
    pub pages: Vec<SavedPage>,
    places: HashMap<Url, usize>,
}

/// A page of it.
#[derive(Debug)]
pub struct SavedPage {
    /// Where it would be.
    pub url: Url,
    /// What it is about.
    pub labels: Vec<String>,
    /// What it says, with links to saved pages only.
    pub page: Arc<WebPage>,
    /// What it shows to any crawl.
    pub signs: Arc<PageSigns>,
    /// What reading it took.
    pub cost: Duration,
}

/// Where a saved web pretends to be.
const HOME: &str = "http://saved.example/";

impl SavedWeb {
    /// Reads a folder, or a tar archive that is unpacked into `cache` first. Pages under `without` are left out.
    pub fn read(
        path: &Path,
        cache: &Path,
        without: &[String],
        step: &mut (dyn FnMut(u64, u64) + Send),
    ) -> Result<Self, CrawlLabError> {
        let root = if path.is_dir() { path.to_owned() } else { unpack(path, cache)? };
        let root =
            labelled_folder(&root).ok_or_else(|| CrawlLabError::NoLabels(path.display().to_string()))?;
        let labels = labels(&root)?;
        let mut files = Vec::new();
        collect(&root, &mut files)?;
        files.sort();
        let names: Vec<String> = files
            .iter()
            .filter_map(|file| Some(file.strip_prefix(&root).ok()?.to_str()?.to_owned()))
            .filter(|name| Path::new(name).extension().is_some_and(|end| end == "htm" || end == "html"))
            .filter(|name| !without.iter().any(|left_out| name.starts_with(left_out.as_str())))
            .collect();
        let places: HashMap<Url, usize> =
            names.iter().enumerate().filter_map(|(place, name)| Some((address(name)?, place))).collect();
        let pages = read_all(&root, &names, &labels, &places, step)?;
        Ok(Self { pages, places })
    }

    /// A web made in memory.
    pub fn of(pages: Vec<SavedPage>) -> Self {
        let places = pages.iter().enumerate().map(|(place, page)| (page.url.clone(), place)).collect();
        Self { pages, places }
    }

    /// A page by its address.
    pub fn place(&self, url: &Url) -> Option<usize> {
        self.places.get(url).copied()
    }

    /// The places a page links to, each once.
    pub fn links(&self, place: usize) -> impl Iterator<Item = usize> {
        let mut seen = std::collections::HashSet::new();
        let links = self.pages.get(place).into_iter().flat_map(|page| &page.page.links);
        links.filter_map(|link| self.place(&link.url)).filter(move |to| *to != place && seen.insert(*to))
    }
}

impl SavedPage {
    /// Is it about this? A label is a path; its beginning is enough.
    pub fn is_about(&self, topic: &str) -> bool {
        self.labels.iter().any(|label| label.starts_with(topic))
    }
}

fn read_all(
    root: &Path,
    names: &[String],
    labels: &HashMap<String, Vec<String>>,
    places: &HashMap<Url, usize>,
    step: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Vec<SavedPage>, CrawlLabError> {
    let workers = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let size = names.len().div_ceil(workers).max(1);
    let step = std::sync::Mutex::new((0_u64, step));
    let read = |names: &[String]| {
        names
            .iter()
            .map(|name| {
                let page = read_one(root, name, labels, places)?;
                if let Ok(mut step) = step.lock() {
                    step.0 += 1;
                    let done = step.0;
                    (step.1)(done, places.len() as u64);
                }
                Ok(page)
            })
            .collect::<Result<Vec<_>, CrawlLabError>>()
    };
    let parts: Vec<Result<Vec<SavedPage>, CrawlLabError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = names.chunks(size).map(|names| scope.spawn(|| read(names))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let mut pages = Vec::with_capacity(names.len());
    for part in parts {
        pages.extend(part?);
    }
    Ok(pages)
}

fn read_one(
    root: &Path,
    name: &str,
    labels: &HashMap<String, Vec<String>>,
    places: &HashMap<Url, usize>,
) -> Result<SavedPage, CrawlLabError> {
    let file = root.join(name);
    let bytes = std::fs::read(&file).map_err(|source| failed(&file, source))?;
    let began = thread_time();
    let url = address(name).ok_or_else(|| failed(&file, std::io::ErrorKind::InvalidInput.into()))?;
    let input = page::Input { url: &url, content_type: Some("text/html"), bytes: &bytes };
    let mut page = page::read_web_page(&input, &page::Caps::default());
    page.links.retain(|link| places.contains_key(&link.url));
    // Nobody is asked for a saved page: what its server wished of robots would only bend the comparison with the oracle.
    page.nofollow = false;
    let signs = Arc::new(PageSigns::of(&page));
    let cost = thread_time().saturating_sub(began);
    let labels = labels.get(name).cloned().unwrap_or_default();
    Ok(SavedPage { url, labels, page: Arc::new(page), signs, cost })
}

fn address(name: &str) -> Option<Url> {
    let mut url = Url::parse(HOME).ok()?;
    url.set_path(&name.replace('%', "%25"));
    Some(page::urls::normalise(&url))
}

fn labels(root: &Path) -> Result<HashMap<String, Vec<String>>, CrawlLabError> {
    let file = root.join("labels.tsv");
    let text = std::fs::read_to_string(&file).map_err(|source| failed(&file, source))?;
    let mut lines = text.lines();
    if lines.next() != Some("page\tcategories") {
        return Err(CrawlLabError::NoLabels(file.display().to_string()));
    }
    let line = |line: &str| {
        let (page, labels) = line.split_once('\t')?;
        let labels = labels.split('|').filter(|label| !label.is_empty()).map(str::to_owned).collect();
        Some((page.to_owned(), labels))
    };
    Ok(lines.filter_map(line).collect())
}

/// The folder itself or the one inside it that has the labels.
fn labelled_folder(root: &Path) -> Option<PathBuf> {
    if root.join("labels.tsv").is_file() {
        return Some(root.to_owned());
    }
    let inside = std::fs::read_dir(root).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    inside.filter(|path| path.join("labels.tsv").is_file()).min()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), CrawlLabError> {
    for entry in std::fs::read_dir(folder).map_err(|source| failed(folder, source))? {
        let path = entry.map_err(|source| failed(folder, source))?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Unpacks with the system's tar, once: it knows every compression, and we need no library for it.
fn unpack(archive: &Path, cache: &Path) -> Result<PathBuf, CrawlLabError> {
    let size = std::fs::metadata(archive).map_err(|source| failed(archive, source))?.len();
    let name = archive.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = cache.join(format!("{name}-{size}"));
    if folder.join("complete").is_file() {
        return Ok(folder);
    }
    std::fs::create_dir_all(&folder).map_err(|source| failed(&folder, source))?;
    let unpack = |why: String| CrawlLabError::Unpack { file: archive.display().to_string(), why };
    let output = std::process::Command::new("tar")
        .arg("-xf")
        .arg(archive)
        .arg("-C")
        .arg(&folder)
        .output()
        .map_err(|error| unpack(error.to_string()))?;
    if !output.status.success() {
        return Err(unpack(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    std::fs::write(folder.join("complete"), "").map_err(|source| failed(&folder, source))?;
    Ok(folder)
}

fn failed(file: &Path, source: std::io::Error) -> CrawlLabError {
    CrawlLabError::Read { file: file.display().to_string(), source }
}
