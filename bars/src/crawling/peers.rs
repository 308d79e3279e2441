//! The same web through Scrapy and wget2.

use super::corpus::host;
use super::nginx::Nginx;
use super::process::{Cost, Process};
use anyhow::Context;
use std::path::Path;
use std::process::Command;

/// Follows every link, and reads title and text of each page: the least that any scoring would need.
const SPIDER: &str = r#"
import scrapy
from scrapy.linkextractors import LinkExtractor

class Corpus(scrapy.Spider):
    name = "corpus"
    links = LinkExtractor()

    def parse(self, response):
        response.css("title::text").get()
        " ".join(response.css("body ::text").getall())
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url, callback=self.parse)
"#;

pub(super) fn scrapy(folder: &Path, nginx: &Nginx) -> anyhow::Result<Cost> {
    let room = folder.join("scrapy");
    let python = room.join("bin/python");
    if !python.exists() {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&room).status().context("python3")?;
        anyhow::ensure!(made.success(), "python3 -m venv failed");
        let pip = Command::new(room.join("bin/pip")).args(["install", "--quiet", "scrapy"]).status()?;
        anyhow::ensure!(pip.success(), "pip install scrapy failed");
    }
    let file = folder.join("corpus_spider.py");
    std::fs::write(
        &file,
        format!("{SPIDER}    start_urls = [{:?}]\n    allowed_domains = {:?}\n", nginx.seed, hosts(nginx)),
    )?;
    nginx.forget()?;
    let settings = [
        "CONCURRENT_REQUESTS=16",
        "CONCURRENT_REQUESTS_PER_DOMAIN=1",
        "DOWNLOAD_DELAY=0",
        "ROBOTSTXT_OBEY=True",
        "LOG_ENABLED=False",
        "TELNETCONSOLE_ENABLED=False",
        "DEPTH_LIMIT=0",
    ];
    let mut command = Command::new(room.join("bin/scrapy"));
    command.arg("runspider").arg(&file).current_dir(folder);
    for setting in settings {
        command.args(["-s", setting]);
    }
    Process::start(&mut command)?.finish()
}

/// Saves every page: it keeps no list of what it found, and has no tree of a page.
pub(super) fn wget2(folder: &Path, nginx: &Nginx) -> anyhow::Result<Cost> {
    let out = folder.join("wget2");
    std::fs::create_dir_all(&out)?;
    nginx.forget()?;
    let mut command = Command::new("wget2");
    command.args(["--recursive", "--level=0", "--span-hosts", "--max-threads=16", "--quiet", "--no-config"]);
    command.arg(format!("--domains={}", hosts(nginx).join(","))).arg("-P").arg(&out).arg(&nginx.seed);
    let cost = Process::start(&mut command).context("install the Debian package `wget2`")?.finish();
    std::fs::remove_dir_all(&out)?;
    cost
}

fn hosts(nginx: &Nginx) -> Vec<String> {
    (0..nginx.hosts).map(host).collect()
}
