//! `replay --as-published`: the papers' experiments on a history.

use super::{said, write_text};
use crate::cli::{AsPublished, Replay};
use crate::console;
use jiff::Timestamp;
use laboratory::replay::as_published::{Dc1, Table1, dc1, table1};
use laboratory::replay::report::{Page, one_picture};
use serde::Serialize;

/// What is told of an experiment, whichever it is.
struct Told<'a, T> {
    result: &'a T,
    head: &'a [&'a str],
    cells: Vec<Vec<String>>,
    remarks: Vec<String>,
    pictures: Vec<String>,
    page: Page,
}

pub(super) fn run(which: AsPublished, options: &Replay, json: bool) -> anyhow::Result<()> {
    let now = Timestamp::now();
    match which {
        AsPublished::Table1 => {
            let result = table1(&options.trace, now, options.train_weeks).map_err(said)?;
            Told {
                head: &Table1::HEAD,
                cells: result.cells(),
                remarks: result.remarks(),
                pictures: result.pictures(),
                page: result.page(),
                result: &result,
            }
            .tell(options, json)
        }
        AsPublished::Dc1 => {
            let result = dc1(&options.trace, now).map_err(said)?;
            Told {
                head: &Dc1::HEAD,
                cells: result.cells(),
                remarks: result.remarks(),
                pictures: result.pictures(),
                page: result.page(),
                result: &result,
            }
            .tell(options, json)
        }
    }
}

impl<T: Serialize> Told<'_, T> {
    fn tell(self, options: &Replay, json: bool) -> anyhow::Result<()> {
        if let Some(file) = &options.svg {
            write_text(file, &one_picture(&self.pictures))?;
        }
        if let Some(file) = &options.html {
            write_text(file, &self.page.html())?;
        }
        if json {
            return console::json(self.result);
        }
        console::table(self.head, &self.cells);
        for remark in &self.remarks {
            console::note(remark);
        }
        Ok(())
    }
}
