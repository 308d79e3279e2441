//! nginx on several loopback addresses, and its log.

use super::corpus::{Corpus, PORT, host};
use anyhow::Context;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(super) struct Nginx {
    child: Child,
    log: PathBuf,
    pub(super) seed: String,
    pub(super) hosts: usize,
}

impl Nginx {
    pub(super) fn start(folder: &Path, corpus: &Corpus) -> anyhow::Result<Self> {
        let log = folder.join("access.log");
        let mut servers = String::new();
        for (number, root) in corpus.folders.iter().enumerate() {
            writeln!(
                servers,
                "server {{ listen {}:{PORT}; root {}; default_type text/html; location / {{ }} }}",
                host(number),
                root.display()
            )?;
        }
        let settings = format!(
            "daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
             events {{ worker_connections 1024; }}
             http {{ log_format bar '$status $host $uri'; access_log {log} bar; sendfile on; keepalive_requests 1000000;
                     types {{ text/html htm html; }} charset utf-8;
                     client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
                     uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
                     {servers} }}",
            folder = folder.display(),
            log = log.display()
        );
        let file = folder.join("nginx.conf");
        std::fs::write(&file, settings)?;
        // Its workers run as another user, who must be able to read the pages.
        let _ = Command::new("chmod").args(["-R", "a+rX"]).arg(folder).status();
        let child =
            Command::new("nginx").arg("-c").arg(&file).stdout(Stdio::null()).stderr(Stdio::inherit()).spawn();
        let child = child.context("starting nginx; install the Debian package `nginx`")?;
        let nginx = Self { child, log, seed: corpus.seed.clone(), hosts: corpus.folders.len() };
        for _ in 0..100 {
            if std::net::TcpStream::connect((host(0), PORT)).is_ok() {
                return Ok(nginx);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        anyhow::bail!("nginx does not answer")
    }

    /// A clean log for the next who asks.
    pub(super) fn forget(&self) -> anyhow::Result<()> {
        Ok(std::fs::OpenOptions::new().write(true).open(&self.log)?.set_len(0)?)
    }

    /// How many of the reachable pages were fetched, and how many more than once.
    pub(super) fn judge(&self, corpus: &Corpus) -> anyhow::Result<(usize, usize)> {
        std::thread::sleep(Duration::from_millis(200));
        let mut fetched: BTreeMap<String, usize> = BTreeMap::new();
        let log = std::fs::read(&self.log)?;
        for line in String::from_utf8_lossy(&log).lines() {
            let mut words = line.trim_start_matches('\0').splitn(3, ' ');
            if words.next() == Some("200")
                && let (Some(_), Some(path)) = (words.next(), words.next())
            {
                *fetched.entry(path.to_owned()).or_default() += 1;
            }
        }
        // nginx logs paths with their escapes undone.
        let known = corpus.reachable.iter().map(|path| super::corpus::percent_free(path));
        let counts: Vec<usize> = known.map(|path| fetched.get(&path).copied().unwrap_or(0)).collect();
        Ok((
            counts.iter().filter(|count| **count > 0).count(),
            counts.iter().filter(|count| **count > 1).count(),
        ))
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Its own way of stopping takes its workers with it.
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        let _ = self.child.wait();
    }
}
