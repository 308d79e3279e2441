//! One page with tables and pictures in it: no script, nothing from elsewhere, readable on a phone.

use crate::plot::escaped;
use std::fmt::Write;

/// A page that is made part by part.
#[derive(Debug, Clone)]
pub struct Page {
    title: String,
    body: String,
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;padding:16px;max-width:1240px;color:#1b1f24;background:#fff}\
h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.15rem;margin-top:2rem}figure{margin:1rem 0}svg{max-width:100%;height:auto}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.3rem .6rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}\
th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:inherit}thead,tbody{background:#fff}\
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16191d}thead,tbody{background:#16191d}\
th,td{border-color:#444}svg{border-radius:4px}}";

impl Page {
    /// A page with a title.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), body: String::new() }
    }

    /// Adds a heading.
    #[must_use]
    pub fn heading(mut self, text: &str) -> Self {
        self.push(format_args!("<h2>{}</h2>\n", escaped(text)));
        self
    }

    /// Adds a paragraph.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.push(format_args!("<p>{}</p>\n", escaped(text)));
        self
    }

    /// Adds a table.
    #[must_use]
    pub fn table(mut self, head: &[&str], rows: &[Vec<String>]) -> Self {
        let cells = |name: &str, cells: &mut dyn Iterator<Item = &str>| {
            cells.map(|cell| format!("<{name}>{}</{name}>", escaped(cell))).collect::<String>()
        };
        let head =
            cells("th scope=\"col\"", &mut head.iter().copied()).replace("</th scope=\"col\">", "</th>");
        let rows: String = rows
            .iter()
            .map(|row| format!("<tr>{}</tr>\n", cells("td", &mut row.iter().map(String::as_str))))
            .collect();
        self.push(format_args!(
            "<div class=\"wide\" tabindex=\"0\"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
        ));
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn picture(mut self, svg: &str) -> Self {
        self.push(format_args!("<figure>{svg}</figure>\n"));
        self
    }

    /// The whole page.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n{}</body></html>\n",
            self.body
        )
    }

    fn push(&mut self, part: std::fmt::Arguments<'_>) {
        // Writing into a string does not fail.
        let _ = self.body.write_fmt(part);
    }
}
