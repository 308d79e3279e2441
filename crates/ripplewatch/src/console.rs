//! Talking to people: stdout is data, stderr is talk. The only place that prints.

use serde::Serialize;
use std::io::{IsTerminal, Write};

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
