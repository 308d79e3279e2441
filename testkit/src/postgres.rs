//! A throw-away PostgreSQL: its own folder, a port of its own on loopback, gone when dropped.
#![expect(clippy::expect_used, reason = "a database that does not start is a failed test")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// It starts in a tenth of a second; a busy machine needs more.
const START_WITHIN: Duration = Duration::from_mins(1);
/// The user that Debian's package makes; PostgreSQL refuses to run as root.
const SYSTEM_USER: &str = "postgres";

/// A running server. Dropping it stops it and removes its data.
pub struct Postgres {
    port: u16,
    server: Child,
    programs: PathBuf,
    folder: TempDir,
    databases: AtomicU32,
    durable: bool,
}

/// Whether whatever does not say otherwise is tested on PostgreSQL: `RIPPLEWATCH_TEST_DATABASE=postgres`.
pub fn wanted() -> bool {
    std::env::var("RIPPLEWATCH_TEST_DATABASE").is_ok_and(|wanted| wanted == "postgres")
}

/// The server that all tests of this process share. It goes with the process, however that ends.
pub fn shared() -> &'static Postgres {
    static SHARED: OnceLock<Postgres> = OnceLock::new();
    static JANITOR: OnceLock<Child> = OnceLock::new();
    SHARED.get_or_init(|| {
        let postgres = Postgres::start();
        // Nobody drops what is static. A shell outlives us by a moment: it waits for our end of a pipe to close.
        let folder = postgres.folder.path().display();
        let clean_up = format!("cat; kill -QUIT {}; sleep 0.3; rm -rf '{folder}'", postgres.server.id());
        let shell = Command::new("sh")
            .args(["-c", &clean_up])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell starts");
        let _ = JANITOR.set(shell);
        postgres
    })
}

impl Postgres {
    /// Starts a server with one empty database.
    pub fn start() -> Self {
        Self::start_with(free_port(), false)
    }

    /// Starts one that waits for the disk at each commit, as real ones do: for measurements.
    pub fn start_durable() -> Self {
        Self::start_with(free_port(), true)
    }

    /// Starts one at this port that waits for the disk at each commit.
    pub fn start_at(port: u16) -> Self {
        Self::start_with(port, true)
    }

    fn start_with(port: u16, durable: bool) -> Self {
        let programs = programs();
        let folder = tempfile::tempdir().unwrap();
        let root = is_root();
        if root {
            let owner = format!("{SYSTEM_USER}:");
            run(Command::new("chown").arg(owner).arg(folder.path()));
        }
        let data = folder.path().join("data");
        // Nothing here is meant to survive, so nothing waits for the disk.
        let mut initdb = as_user(&programs.join("initdb"), root);
        run(initdb.arg("-D").arg(&data).args([
            "-U",
            "test",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        ]));
        // One database asks for a password.
        let access = data.join("pg_hba.conf");
        let trusting = std::fs::read_to_string(&access).unwrap();
        std::fs::write(&access, format!("host locked all 127.0.0.1/32 scram-sha-256\n{trusting}")).unwrap();
        let server = launch(&programs, &data, port, durable);
        let postgres = Self { port, server, programs, folder, databases: AtomicU32::new(0), durable };
        postgres.wait();
        postgres
    }

    /// Stops it at once, as a crash would: what was committed is there when it starts again.
    pub fn stop(&mut self) {
        self.stop_by("immediate");
    }

    /// Stops it in order: it takes leave of everybody and writes down all it has.
    pub fn stop_in_order(&mut self) {
        self.stop_by("fast");
    }

    fn stop_by(&mut self, mode: &str) {
        let mut stop = as_user(&self.programs.join("pg_ctl"), is_root());
        run(stop.arg("-D").arg(self.data()).args(["-m", mode, "-s", "stop"]));
        let _ = self.server.wait();
    }

    /// Starts it again after it was stopped.
    pub fn start_again(&mut self) {
        self.server = launch(&self.programs, &self.data(), self.port, self.durable);
        self.wait();
    }

    /// The number of its first process; all others are its children.
    pub fn process(&self) -> u32 {
        self.server.id()
    }

    /// Lets it offer TLS, with a certificate and its key as PEM.
    pub fn encrypt(&self, certificate: &str, key: &str) {
        for (name, pem) in [("server.crt", certificate), ("server.key", key)] {
            let file = self.data().join(name);
            std::fs::write(&file, pem).unwrap();
            run(Command::new("chmod").arg("600").arg(&file));
            if is_root() {
                run(Command::new("chown").arg(format!("{SYSTEM_USER}:")).arg(&file));
            }
        }
        self.run("ALTER SYSTEM SET ssl = on");
        self.run("SELECT pg_reload_conf()");
        // The setting is taken up a moment later.
        std::thread::sleep(Duration::from_millis(300));
    }

    fn wait(&self) {
        let started = Instant::now();
        while !self.answers() {
            assert!(started.elapsed() < START_WITHIN, "PostgreSQL did not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Its URL.
    pub fn url(&self) -> String {
        self.url_of("postgres")
    }

    /// The URL of one of its databases.
    pub fn url_of(&self, database: &str) -> String {
        format!("postgres://test@127.0.0.1:{}/{database}", self.port)
    }

    /// Makes a database of its own for a test, empty or a copy of another one that nobody uses; its name.
    pub fn new_database(&self, copy_of: Option<&str>) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.run(&format!("CREATE DATABASE {name} TEMPLATE {}", copy_of.unwrap_or("template0")));
        name
    }

    /// Runs statements.
    pub fn run(&self, sql: &str) {
        self.run_in("postgres", sql);
    }

    /// Runs statements in one of its databases.
    pub fn run_in(&self, database: &str, sql: &str) {
        run(Command::new(self.programs.join("psql")).arg(self.url_of(database)).args([
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-c",
            sql,
        ]));
    }

    /// Somebody who holds what a statement locks, until killed: a minute at the longest. It is held when this returns.
    pub fn hold(&self, database: &str, lock: &str) -> Child {
        let mut holder = Command::new(self.programs.join("psql"))
            .arg(self.url_of(database))
            .args(["-q", "-v", "ON_ERROR_STOP=1", "-c", "BEGIN", "-c", lock, "-c", "\\echo held"])
            .args(["-c", "SELECT pg_sleep(60)"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("psql starts");
        let mut said = BufReader::new(holder.stdout.take().expect("its output")).lines();
        assert!(said.any(|line| line.is_ok_and(|line| line == "held")), "{lock} could not be held");
        holder
    }

    /// The rows of a question to one of its databases, as texts; NULL is an empty one.
    pub fn rows_of(&self, database: &str, sql: &str) -> Vec<Vec<String>> {
        let output = Command::new(self.programs.join("psql"))
            .arg(self.url_of(database))
            .args(["-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", sql])
            .output()
            .expect("psql starts");
        assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
    }

    fn answers(&self) -> bool {
        let ready = self.programs.join("pg_isready");
        let port = self.port.to_string();
        let mut command = Command::new(ready);
        command.args(["-q", "-h", "127.0.0.1", "-p", &port]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let data = self.data();
        let mut stop = as_user(&self.programs.join("pg_ctl"), is_root());
        let stopped = stop.arg("-D").arg(data).args(["-m", "immediate", "-s", "stop"]).status();
        if !stopped.is_ok_and(|status| status.success()) {
            let _ = self.server.kill();
        }
        let _ = self.server.wait();
    }
}

fn launch(programs: &Path, data: &Path, port: u16, durable: bool) -> Child {
    as_user(&programs.join("postgres"), is_root())
        .arg("-D")
        .arg(data)
        .args(["-p", &port.to_string(), "-h", "127.0.0.1", "-c", "unix_socket_directories="])
        .args(if durable { &["-c", "shared_buffers=256MB"][..] } else { &["-F"] })
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("postgres starts")
}

/// Where the newest release's programs are: on the path, or where Debian puts them.
fn programs() -> PathBuf {
    let releases = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = releases.map(|release| release.path().join("bin")).collect();
    folders.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path));
    folders
        .into_iter()
        .find(|folder| folder.join("initdb").is_file())
        .expect("PostgreSQL is installed: `cargo xtask test` installs it, or apt-get install postgresql")
}

/// A command that does not run as root.
fn as_user(program: &Path, root: bool) -> Command {
    if !root {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", SYSTEM_USER, "--regid", SYSTEM_USER, "--clear-groups", "--"]).arg(program);
    // The folder that cargo runs tests in may be closed to others.
    command.current_dir("/");
    command
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

fn run(command: &mut Command) {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap().port()
}
