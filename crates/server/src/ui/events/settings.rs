//! How folders are watched: what decides, what follows, in whose hours.

use super::parts::{Section, sections};
use crate::access::csrf::Fields;
use crate::app::App;
use crate::events::set_watching;
use crate::problem::Problem;
use crate::ui::links::after;
use crate::ui::parts::refusal;
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::Visitor;
use crate::words::plural;
use axum::response::{IntoResponse, Redirect, Response};
use detection::DetectorName;
use http::StatusCode;
use jiff::tz::TimeZone;
use maud::{Markup, html};
use scheduling::Reaction;
use store::{StoreError, WatchSettings};

const WINDOWS: [u32; 7] = [30, 60, 120, 180, 240, 360, 1440];

/// The settings in force, and the zone they name.
pub(crate) async fn watch(app: &App) -> Result<(WatchSettings, TimeZone), StoreError> {
    let settings = app.store().watch_settings().await?.unwrap_or_default();
    let zone = TimeZone::get(&settings.zone).unwrap_or(TimeZone::UTC);
    Ok((settings, zone))
}

pub(crate) async fn show(visitor: Visitor) -> Result<Response, Trouble> {
    let (settings, _) = watch(&visitor.app).await?;
    Ok(page(&visitor, &settings, None))
}

pub(crate) async fn change(visitor: Visitor, fields: Fields) -> Result<Response, Trouble> {
    let (before, _) = watch(&visitor.app).await?;
    let (wanted, problem) = match read(&fields) {
        Ok(wanted) => {
            let done = set_watching(&visitor.app, wanted.clone()).await;
            (wanted, done.err())
        }
        Err(problem) => (before, Some(problem)),
    };
    match problem {
        None => Ok(Redirect::to(&after("/events/settings", "edited", None)).into_response()),
        Some(problem) if problem.status.is_client_error() => Ok(page(&visitor, &wanted, Some(&problem))),
        Some(problem) => Err(problem.into()),
    }
}

fn read(fields: &Fields) -> Result<WatchSettings, Problem> {
    let whole = |name: &str, what: &str| {
        fields
            .text(name)
            .parse::<u32>()
            .map_err(|_| Problem::invalid(format!("{what} must be a whole number")))
    };
    Ok(WatchSettings {
        detector: fields.text("detector").parse().map_err(Problem::invalid)?,
        reaction: fields.text("reaction").parse().map_err(Problem::invalid)?,
        zone: fields.text("zone").to_owned(),
        window_minutes: whole("window_minutes", "the window")?,
        visits_per_host_and_hour: whole("visits_per_host_and_hour", "the number of visits")?,
    })
}

fn page(visitor: &Visitor, settings: &WatchSettings, problem: Option<&Problem>) -> Response {
    let content = html! {
        (sections(Section::Watching))
        div .head {
            h1 { "Watching" }
            p .quiet { "When is a folder unusually busy, and what follows? A change is in force at once; another detector learns from \
                the stored history." }
        }
        form .watching method="post" action="/events/settings" {
            (visitor.hidden())
            @if let Some(problem) = problem { (refusal(problem)) }
            (detectors(settings))
            (reactions(settings))
            (times(settings))
            p .actions { button .button.primary { "Save" } }
        }
    };
    let mut response = visitor.page(Tab::Events, "Watching", &content);
    *response.status_mut() = problem.map_or(StatusCode::OK, |problem| problem.status);
    response
}

fn detectors(settings: &WatchSettings) -> Markup {
    html! {
        fieldset .card {
            legend { "What decides" }
            @for name in DetectorName::ALL {
                @let (words, what, by) = detector(name);
                (choice("detector", name.word(), settings.detector == name, words, what, by))
            }
        }
    }
}

fn reactions(settings: &WatchSettings) -> Markup {
    html! {
        fieldset .card {
            legend { "What an event causes" }
            @for reaction in Reaction::ALL {
                @let (words, what, by) = reaction_words(reaction);
                (choice("reaction", reaction.word(), settings.reaction == reaction, words, what, by))
            }
            label .field.short {
                span { "At most so many such visits to one host in an hour" }
                input type="number" name="visits_per_host_and_hour" min="0" max="3600" required
                    value=(settings.visits_per_host_and_hour);
            }
        }
    }
}

fn times(settings: &WatchSettings) -> Markup {
    let mut windows = WINDOWS.to_vec();
    windows.push(settings.window_minutes);
    windows.sort_unstable();
    windows.dedup();
    html! {
        fieldset .card {
            legend { "Time" }
            div .fields {
                label {
                    span { "Window" }
                    select name="window_minutes" {
                        @for minutes in windows {
                            option value=(minutes) selected[minutes == settings.window_minutes] { (window_words(minutes)) }
                        }
                    }
                    small { "Stories are counted in windows. Shorter ones notice sooner, longer ones see slow bursts." }
                }
                label {
                    span { "Time zone" }
                    input type="text" name="zone" value=(settings.zone) required maxlength="100" list="zones"
                        autocomplete="off" spellcheck="false" placeholder="Europe/Berlin";
                    small { "The rhythm of the week is learned in its hours; weekends and daylight saving follow it." }
                }
            }
            datalist #zones { @for zone in jiff::tz::db().available() { option value=(zone.as_str()) {} } }
        }
    }
}

fn choice(name: &str, word: &str, chosen: bool, words: &str, what: &str, by: Option<&str>) -> Markup {
    html! {
        label .radio {
            input type="radio" name=(name) value=(word) checked[chosen];
            span {
                strong { (words) } " " span .quiet { (what) }
                @if let Some(by) = by { small { (by) } }
            }
        }
    }
}

pub(super) fn window_words(minutes: u32) -> String {
    match minutes {
        60.. if minutes.is_multiple_of(60) => plural(u64::from(minutes / 60), "hour"),
        _ => plural(u64::from(minutes), "minute"),
    }
}

/// A detector's name, what it does, and whose it is.
fn detector(name: DetectorName) -> (&'static str, &'static str, Option<&'static str>) {
    match name {
        DetectorName::Default => {
            ("Recommended.", "What found bursts soonest at the same number of false alarms.", None)
        }
        DetectorName::DayHour => (
            "Day and hour.",
            "Alarms when a source brings a fifth more than its mean at this hour of the week.",
            Some(
                "Kim, Kang, Kang, Compton: Using Knowledge Base for Event-Driven Scheduling of Web Monitoring Systems, EC-Web 2009",
            ),
        ),
        DetectorName::Dc1 => (
            "Detector constructor.",
            "Builds a rule for each folder, source and time of day from normal days, and weighs what they say. Your verdicts train the weights.",
            Some(
                "Dynamic scheduling for web monitoring with MCRDR and DC-1, 2010, after Fawcett and Provost",
            ),
        ),
        DetectorName::Grubbs => (
            "Grubbs’ test.",
            "Is this count an outlier among the last ones at the same time?",
            Some("Grubbs: Procedures for Detecting Outlying Observations in Samples, 1969"),
        ),
        DetectorName::NegativeBinomial => (
            "Negative-binomial tail.",
            "How rarely would so many stories come by chance, given the season and how much it wavers?",
            Some("Farrington et al. 1996, Noufaily et al. 2013"),
        ),
        DetectorName::Ears => (
            "EARS.",
            "Compares with the last days only: for folders with little history.",
            Some("Early Aberration Reporting System, reweighted as in ECDC’s epitweetr"),
        ),
        DetectorName::Cusum => (
            "CUSUM.",
            "Adds up small excesses, and so sees bursts that build slowly.",
            Some("Likelihood-ratio CUSUM, Höhle and Paul 2008"),
        ),
    }
}

fn reaction_words(reaction: Reaction) -> (&'static str, &'static str, Option<&'static str>) {
    match reaction {
        Reaction::None => ("Nothing.", "Events are told; visits follow the plan.", None),
        Reaction::DayHour => (
            "Visit similar sources at once.",
            "Those that are about as active in the folder, each once; their own plan stays as it is.",
            Some("Kim, Kang, Kang, Compton, EC-Web 2009"),
        ),
        Reaction::Dc1 => (
            "Visit the whole folder again and again.",
            "All its sources every ten minutes, each until it brings nothing new.",
            Some("Dynamic scheduling for web monitoring with MCRDR and DC-1, 2010"),
        ),
    }
}
