//! The papers' figures on our history.

use super::dc1::{Dc1, Delayed, Shown};
use super::table1::{PAPER, Table1, Table1Row};
use crate::plot::{Bars, Line, Mark, Plot};
use crate::replay::report::Page;

impl Table1 {
    /// The columns of [`Self::cells`].
    pub const HEAD: [&'static str; 11] = [
        "method",
        "tables",
        "weeks",
        "2 h",
        "4 h",
        "8 h",
        "12 h",
        "24 h",
        "mean",
        "visits",
        "even, same visits",
    ];

    /// All rows, the paper's own after each that it has.
    pub fn cells(&self) -> Vec<Vec<String>> {
        let mut cells = Vec::new();
        for row in &self.rows {
            let mut line = vec![row.method.to_owned(), row.tables.to_owned(), row.weeks.clone()];
            line.extend(row.minutes.iter().chain([&row.mean_minutes]).map(|one| format!("{one:.1}")));
            line.push(format!("{:.2}", row.visits_per_source_day));
            line.push(format!("{:.1}", row.even_minutes));
            cells.push(line);
            let paper = PAPER.iter().find(|(method, _)| *method == row.method && row.weeks == "all");
            if let Some((method, minutes)) = paper {
                let mut line = vec![format!("{method}, paper"), String::new(), String::new()];
                line.extend(minutes.iter().map(|one| format!("{one:.1}")));
                line.extend([String::new(), String::new()]);
                cells.push(line);
            }
        }
        cells
    }

    /// What has to be said beside the table, sentence by sentence.
    pub fn remarks(&self) -> Vec<String> {
        let find = |method: &str, tables: &str| {
            self.rows.iter().find(|row| row.method == method && row.tables == tables && row.weeks == "all")
        };
        let mut said = vec![
            "Look-ahead: the paper makes its day-hour tables from the very weeks they are used in, so a visit is compared with \
             an average that knows the future. The causal rows learn them from earlier weeks only."
                .to_owned(),
        ];
        if let (Some(none), Some(top)) = (find("static", "none"), find("top-down", "look-ahead")) {
            said.push(format!(
                "Visits: the paper does not tell them. Event-driven top-down makes {:.2} a page and day where static makes \
                 {:.2}; even polling with {:.2} visits gives {:.1} minutes, event-driven {:.1}.",
                top.visits_per_source_day,
                none.visits_per_source_day,
                top.visits_per_source_day,
                top.even_minutes,
                top.mean_minutes
            ));
        }
        if let (Some(top), Some(up), Some(random)) =
            (find("top-down", "look-ahead"), find("bottom-up", "look-ahead"), find("random", "look-ahead"))
        {
            said.push(format!(
                "Does not reproduce: that the assignment makes no difference (paper 99.5, 106.0, 106.6). Here top-down has \
                 {:.1}, bottom-up {:.1} and random {:.1} minutes, though with {:.2}, {:.2} and {:.2} visits.",
                top.mean_minutes,
                up.mean_minutes,
                random.mean_minutes,
                top.visits_per_source_day,
                up.visits_per_source_day,
                random.visits_per_source_day
            ));
        }
        said
    }

    /// The paper's Fig. 6, and Fig. 7 a, b and c.
    pub fn pictures(&self) -> Vec<String> {
        let whole = self.rows.iter().filter(|row| row.weeks == "all");
        whole.map(|row| self.bars(row)).collect()
    }

    fn bars(&self, row: &Table1Row) -> String {
        let title = match row.method {
            "static" => "Static scheduling (the paper's Fig. 6)".to_owned(),
            method => format!("Event-driven scheduling, {method} (the paper's Fig. 7)"),
        };
        let group = |(place, hours): (usize, &str)| {
            (hours.to_owned(), row.folders.iter().filter_map(|bars| bars.get(place).copied()).collect())
        };
        Bars {
            title,
            x: "interval".into(),
            y: "mean delay, minutes".into(),
            series: self.folders.iter().map(|folder| folder.name.clone()).collect(),
            groups: ["2 h", "4 h", "8 h", "12 h", "24 h"].into_iter().enumerate().map(group).collect(),
            ..Bars::default()
        }
        .svg()
    }

    /// The whole report.
    pub fn page(&self) -> Page {
        let mut page = Page::new("Table 1, as published").text(
            "Static and event-driven web monitoring of five folders and their five top sources each, by the paper's rule \
             (a visit that finds more than 1.2 times the day-hour average lets the others be visited at once). Minutes from \
             publication to the visit, means of each source first.",
        );
        let folder = |one: &super::table1::FolderOfFive| {
            vec![one.name.clone(), one.articles.to_string(), one.sources.join(", ")]
        };
        page = page.table(&Self::HEAD, &self.cells());
        for said in self.remarks() {
            page = page.text(&said);
        }
        for picture in self.pictures() {
            page = page.picture(&picture);
        }
        page.heading("Folders").table(
            &["folder", "articles", "sources, most articles first"],
            &self.folders.iter().map(folder).collect::<Vec<_>>(),
        )
    }
}

impl Dc1 {
    /// The columns of [`Self::cells`].
    pub const HEAD: [&'static str; 9] = [
        "every",
        "windows",
        "alarms",
        "extra visits",
        "articles by them",
        "visits",
        "static min",
        "dc1 min",
        "even min, same visits",
    ];

    /// One row a delay.
    pub fn cells(&self) -> Vec<Vec<String>> {
        let row = |one: &Delayed| {
            vec![
                format!("{} h", one.hours),
                one.windows.to_string(),
                one.alarms.to_string(),
                one.extra_visits.to_string(),
                one.extra_articles.to_string(),
                format!("{:.2}", one.visits_per_source_day),
                format!("{:.1}", one.static_minutes),
                format!("{:.1}", one.minutes),
                format!("{:.1}", one.even_minutes),
            ]
        };
        self.delayed.iter().map(row).collect()
    }

    /// What has to be said beside the table, sentence by sentence.
    pub fn remarks(&self) -> Vec<String> {
        let extra = self.visits.iter().filter(|visit| visit.extra);
        let (visits, found) = extra.fold((0, 0), |sums, visit| (sums.0 + 1, sums.1 + visit.found));
        vec![
            format!(
                "{} articles of {} sources in the folder World Cup, from {}.",
                self.articles, self.sources, self.first_day
            ),
            format!(
                "On {}, visits every ten minutes went on for {visits} rounds and found {found} articles: as in the paper, \
                 rescheduling stops within few visits.",
                self.day
            ),
            "The paper could give no figures: nothing unexpected happened in its weeks. It counts no visits; here even \
             polling with the same number of visits is told beside."
                .to_owned(),
        ]
    }

    /// The paper's Figs. 3-5 to 3-10 and 4-1.
    pub fn pictures(&self) -> Vec<String> {
        let daily = |folders: &[super::dc1::Daily], title: &'static str| {
            let line = |one: &super::dc1::Daily| Line {
                name: one.name.clone().into(),
                points: one.counts.iter().enumerate().map(|(day, count)| (day as f64, *count)).collect(),
            };
            Plot {
                title: title.into(),
                x: format!("day, from {}", self.first_day).into(),
                y: "articles a day".into(),
                lines: folders.iter().map(line).collect(),
            }
            .svg()
        };
        let mut pictures = vec![
            daily(&self.folders, "Articles of each folder (the paper's Fig. 3-5)"),
            daily(self.folders.get(..1).unwrap_or_default(), "Articles of World Cup (Fig. 3-6)"),
            self.of_the_day(
                "in each hour (Fig. 3-7)",
                self.hours.iter().zip(1..).map(|(count, hour)| (format!("{hour}:00"), *count)).collect(),
            ),
        ];
        for (one, figure) in self.delayed.iter().zip(["3-8", "3-9", "4-1"]) {
            if figure == "4-1" {
                pictures.push(self.rescheduled());
            }
            pictures.push(self.windows(one, figure));
        }
        pictures
    }

    fn of_the_day(&self, what: &str, bars: Vec<(String, f64)>) -> String {
        Bars {
            title: format!("World Cup on {}, {what}", self.day),
            x: "time, UTC".into(),
            y: "articles".into(),
            groups: bars.into_iter().map(|(name, count)| (name, vec![count])).collect(),
            ..Bars::default()
        }
        .svg()
    }

    fn windows(&self, one: &Delayed, figure: &str) -> String {
        let is_daily = one.hours == 24;
        let mark = |name: &str, value: fn(&Shown) -> Option<f64>| Mark {
            name: name.to_owned(),
            values: one.shown.iter().map(value).collect(),
        };
        let title = if is_daily {
            format!("World Cup, 24 hours as delay (Fig. {figure})")
        } else {
            format!("World Cup on {}, {} hours as delay (Fig. {figure})", self.day, one.hours)
        };
        let name = |shown: &Shown| {
            if is_daily { format!("{}", shown.hour / 24) } else { format!("{}:00", shown.hour) }
        };
        Bars {
            title,
            x: if is_daily {
                format!("day, from {}", self.first_day)
            } else {
                "time of the visit, UTC".into()
            },
            y: "articles".into(),
            groups: one.shown.iter().map(|shown| (name(shown), vec![shown.count])).collect(),
            marks: vec![
                mark("mean", |shown| shown.mean),
                mark("mean + SD", |shown| Some(shown.mean? + shown.deviation?)),
            ],
            emphasis: (0..one.shown.len())
                .filter(|at| one.shown.get(*at).is_some_and(|shown| shown.alarm))
                .collect(),
            emphasis_name: "alarm".into(),
            ..Bars::default()
        }
        .svg()
    }

    fn rescheduled(&self) -> String {
        let name = |minute: i64| format!("{}:{:02}", minute / 60, minute % 60);
        Bars {
            title: format!("Visits on {}, with those that alarms caused (Fig. 3-10)", self.day),
            x: "time of the visit, UTC".into(),
            y: "articles found".into(),
            groups: self.visits.iter().map(|one| (name(one.minute), vec![one.found as f64])).collect(),
            emphasis: (0..self.visits.len())
                .filter(|at| self.visits.get(*at).is_some_and(|visit| visit.extra))
                .collect(),
            emphasis_name: "by alarm".into(),
            ..Bars::default()
        }
        .svg()
    }

    /// The whole report.
    pub fn page(&self) -> Page {
        let mut page = Page::new("The detector constructor, as published").table(&Self::HEAD, &self.cells());
        for said in self.remarks() {
            page = page.text(&said);
        }
        for picture in self.pictures() {
            page = page.picture(&picture);
        }
        page
    }
}
