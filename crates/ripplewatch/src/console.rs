//! Talking to people: stdout is data, stderr is talk. The only place that prints.

use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const BAR_AFTER: Duration = Duration::from_millis(400);
const BAR_EVERY: Duration = Duration::from_millis(100);
const BAR_WIDTH: u64 = 30;

/// A line of data.
pub(crate) fn line(text: &str) {
    // A closed pipe (`| head`) is the reader's choice, not an error.
    let _ = writeln!(std::io::stdout(), "{}", printable(text));
}

/// Data for machines.
pub(crate) fn json<T: Serialize>(value: &T) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    let _ = writeln!(std::io::stdout(), "{text}");
    Ok(())
}

/// Something worth knowing, not data.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(text));
}

/// What to do next.
pub(crate) fn hint(text: &str) {
    note(&format!("hint: {text}"));
}

/// What went wrong.
pub(crate) fn error(text: &str) {
    let _ = writeln!(std::io::stderr(), "error: {}", printable(text));
}

/// A table: columns as wide as their widest cell, the last one cut to the terminal.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) {
    let cells = |row: usize, column: usize| rows[row].get(column).map_or("", String::as_str);
    let width = |column: usize| {
        let widest = (0..rows.len()).map(|row| cells(row, column).chars().count()).max().unwrap_or(0);
        widest.max(head[column].chars().count())
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    line(&row_text(&widths, |column| head[column]));
    for row in 0..rows.len() {
        line(&row_text(&widths, |column| cells(row, column)));
    }
}

fn row_text<'a>(widths: &[usize], cell: impl Fn(usize) -> &'a str) -> String {
    let mut text = String::new();
    for (column, width) in widths.iter().enumerate() {
        let cell = cell(column);
        text.push_str(cell);
        if column + 1 < widths.len() {
            text.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
        }
    }
    if std::io::stdout().is_terminal() { cut(&text, terminal_width()) } else { text }
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(120)
}

/// Foreign text must not steer the terminal: control characters are shown, not obeyed.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{FFFD}' } else { c }).collect()
}

/// How far long work has come: on one line of a terminal, and not at all elsewhere.
#[derive(Debug)]
pub(crate) struct Progress {
    what: &'static str,
    shown: Option<Instant>,
    began: Instant,
}

impl Progress {
    /// Work that begins now.
    pub(crate) fn new(what: &'static str) -> Self {
        Self { what, shown: None, began: Instant::now() }
    }

    /// Shows how much is done, now and then.
    pub(crate) fn show(&mut self, done: u64, all: u64) {
        // Short work needs no bar, and a terminal is slow.
        let due = self.shown.map_or(self.began.elapsed() > BAR_AFTER, |shown| shown.elapsed() > BAR_EVERY);
        if !due || !std::io::stderr().is_terminal() {
            return;
        }
        self.shown = Some(Instant::now());
        let parts = (done * BAR_WIDTH).checked_div(all).unwrap_or(0).min(BAR_WIDTH) as usize;
        let bar = format!("{}{}", "#".repeat(parts), ".".repeat(BAR_WIDTH as usize - parts));
        let _ = write!(std::io::stderr(), "\r{} [{bar}] {done} of {all}", self.what);
    }

    /// Takes the bar away.
    pub(crate) fn end(self) {
        if self.shown.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// One line about work that goes on: overwritten on a terminal; elsewhere a line now and then.
#[derive(Debug, Default)]
pub(crate) struct StatusLine {
    shown: Option<Instant>,
}

/// Whoever reads a log wants no line for every second.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl StatusLine {
    /// Shows how it goes.
    pub(crate) fn show(&mut self, text: &str) {
        if std::io::stderr().is_terminal() {
            let _ = write!(std::io::stderr(), "\r\x1b[K{}", cut(&printable(text), terminal_width()));
            self.shown = Some(Instant::now());
        } else if self.shown.is_none_or(|shown| shown.elapsed() > LINE_EVERY) {
            note(text);
            self.shown = Some(Instant::now());
        }
    }

    /// Takes the line away.
    pub(crate) fn end(&self) {
        if self.shown.is_some() && std::io::stderr().is_terminal() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
