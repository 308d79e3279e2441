//! The teaching page: an article, its words to be clicked, and what the rule would do.

mod conflicts;
mod effect;
mod live;
mod now;
mod state;
mod story;

use super::assets::TEACH;
use super::icons::{Icon, icon};
use super::parts::when;
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::{Number, Visitor};
use crate::access::csrf::Fields as Form;
use crate::app::App;
use crate::problem::Problem;
use crate::teaching::{self, Doubt, Proposal, Reason};
use axum::extract::State as Shared;
use axum::response::{IntoResponse, Redirect, Response};
use jiff::Timestamp;
use knowledge::{Base, Field, Fields, Filer, Words};
use live::Live;
use maud::{Markup, html};
use model::{Article, ArticleId};
use state::{BATCH, State};
use std::time::Duration;

/// A page does not wait longer for doubts about an article.
const PATIENCE: Duration = Duration::from_millis(100);

/// What is shown of the article and the knowledge.
struct Shown {
    article: Article,
    fields: Fields<'static>,
    words: Words,
    reasons: Vec<Reason>,
    /// Words that made it be filed as it is: field and places.
    marked: Vec<(Field, Vec<usize>)>,
    /// All folders.
    paths: Vec<String>,
    /// Reasons to look twice at where it is.
    doubts: Vec<Doubt>,
    now: Timestamp,
}

pub(crate) async fn show(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    let shown = Shown::load(&visitor.app, ArticleId(id)).await?;
    let state = State { to: visitor.query.text("to").to_owned(), shown: BATCH, ..State::default() };
    let answer = answer(&visitor.app, ArticleId(id), state, "").await;
    Ok(page(&visitor, &shown, &answer, None))
}

/// The answer to a click: only the part that changes.
pub(crate) async fn preview(
    Shared(app): Shared<App>,
    Number(id): Number,
    form: Form,
) -> Result<Markup, Trouble> {
    let answer = answer(&app, ArticleId(id), State::read(&form)?, form.text("deed")).await;
    let (fields, words) = words_of(&app, ArticleId(id)).await?;
    Ok(answer.render(&fields, &words, None))
}

/// The whole form: a deed, or a preview for those without a script.
pub(crate) async fn act(visitor: Visitor, Number(id): Number, form: Form) -> Result<Response, Trouble> {
    let id = ArticleId(id);
    let state = State::read(&form)?;
    let deed = form.text("deed").to_owned();
    let mut problem = None;
    if matches!(deed.as_str(), "commit" | "commit_next") {
        match commit(&visitor.app, id, &state).await {
            Ok(version) if deed == "commit" => {
                return Ok(Redirect::to(&format!("/articles/{id}?taught={version}")).into_response());
            }
            Ok(version) => {
                let next = teaching::next_unfiled(&visitor.app, id).await?;
                let path = next.map_or("/folders".to_owned(), |next| format!("/articles/{next}/teach"));
                return Ok(Redirect::to(&format!("{path}?taught={version}")).into_response());
            }
            Err(refused) => problem = Some(refused),
        }
    }
    let shown = Shown::load(&visitor.app, id).await?;
    let answer = answer(&visitor.app, id, state, &deed).await;
    Ok(page(&visitor, &shown, &answer, problem.as_ref()))
}

async fn commit(app: &App, id: ArticleId, state: &State) -> Result<i64, Problem> {
    let (wish, read) = state.wish(id);
    if let Some(Err(reason)) = read.into_iter().find(Result::is_err) {
        return Err(Problem::invalid(reason));
    }
    let wish = wish.ok_or_else(|| Problem::invalid("no folder is chosen"))?;
    Ok(teaching::commit(app, wish).await?.version)
}

/// Takes the last lesson back.
pub(crate) async fn undo(Shared(app): Shared<App>, form: Form) -> Result<Redirect, Trouble> {
    teaching::undo(&app, form.text("version").parse().ok()).await?;
    let back = super::links::local(form.text("back"));
    let path = back.split('?').next().unwrap_or("/");
    Ok(Redirect::to(&format!("{path}?undone=1")))
}

/// What was just taught or undone, on whatever page one came to.
pub(crate) fn learned(visitor: &Visitor) -> Markup {
    html! {
        @if let Some(version) = visitor.query.filled("taught").filter(|version| version.parse::<i64>().is_ok()) {
            form .flash.taught method="post" action="/lessons/undo" role="status" {
                (visitor.hidden())
                input type="hidden" name="version" value=(version);
                (icon(Icon::Check))
                span { "Learned. Stored articles are being filed anew." }
                button #undo .button { "Undo" }
            }
        }
        @if visitor.query.text("undone") == "1" {
            p .flash role="status" { (icon(Icon::Check)) span { "The last lesson was taken back." } }
        }
    }
}

/// What a state comes to.
struct Answer {
    state: State,
    preview: Result<Option<teaching::Preview>, Problem>,
    refused: Vec<Option<String>>,
}

async fn answer(app: &App, id: ArticleId, mut state: State, deed: &str) -> Answer {
    let propose = match deed {
        "fix" | "refine" => Proposal::Fix,
        "stops" => Proposal::Stops,
        _ => Proposal::Nothing,
    };
    if deed == "more" {
        state.shown += BATCH;
    }
    let (wish, read) = state.wish(id);
    let mut refused: Vec<Option<String>> = read.into_iter().map(Result::err).collect();
    let Some(wish) = wish else { return Answer { state, preview: Ok(None), refused } };
    let mut preview = teaching::preview(app, wish.clone(), propose, state.shown).await;
    if deed == "accept_all"
        && let Ok(seen) = &preview
    {
        state.accepted.extend(&seen.conflicting);
        let wish = teaching::Wish { accepted: state.accepted.clone(), ..wish };
        preview = teaching::preview(app, wish, propose, state.shown).await;
    }
    if let Ok(preview) = &preview {
        let mut found = preview.condition.iter().map(|(_, refused)| refused.clone());
        for row in refused.iter_mut().filter(|row| row.is_none()) {
            *row = found.next().flatten();
        }
        state.follow(preview);
    }
    Answer { state, preview: preview.map(Some), refused }
}

impl Answer {
    fn render(&self, fields: &Fields<'_>, words: &Words, problem: Option<&Problem>) -> Markup {
        let preview = self.preview.as_ref().ok().and_then(Option::as_ref);
        // Rows that could not be read are no literals of the preview.
        let rows: Vec<usize> =
            (0..self.state.literals.len()).filter(|row| self.state.literals[*row].read().is_ok()).collect();
        let places = preview.map_or(&[][..], |preview| &preview.places);
        let places: Vec<_> = places
            .iter()
            .filter_map(|(literal, field, places)| Some((*rows.get(*literal)?, *field, places.clone())))
            .collect();
        live::live(&Live {
            state: &self.state,
            preview,
            refused: self.refused.clone(),
            problem: problem.or(self.preview.as_ref().err()),
            marks: story::marks(fields, words, &places),
        })
    }
}

fn page(visitor: &Visitor, shown: &Shown, answer: &Answer, problem: Option<&Problem>) -> Response {
    let id = shown.article.id;
    let content = html! {
        (learned(visitor))
        p .crumbs { a href={ "/articles/" (id) } { "← Back to the article" } }
        div .teach {
            (story::story(shown))
            form #teach .teaching method="post" action={ "/articles/" (id) "/teach" } data-preview={ "/articles/" (id) "/teach/preview" } {
                (visitor.hidden())
                // Enter in a text field shows the effect: a lesson is given on purpose only.
                button .visually-hidden tabindex="-1" aria-hidden="true" name="deed" value="preview" { "Show the effect" }
                (now::filed_now(shown))
                (now::what_is_wrong(shown, &answer.state))
                (answer.render(&shown.fields, &shown.words, problem))
            }
        }
        div #phrase .phrase hidden { button .button.primary type="button" {} }
        (keys())
        script src=(TEACH.path) defer {}
    };
    let title = format!("File: {}", super::articles::headline(&shown.article));
    let mut response = visitor.page(Tab::Articles, &title, &content);
    if let Some(problem) = problem {
        *response.status_mut() = problem.status;
    }
    response
}

fn keys() -> Markup {
    const KEYS: [(&str, &str); 9] = [
        ("← → ↑ ↓", "from word to word"),
        ("Enter", "pick the word, or take it back"),
        ("l", "the rule shall lack it"),
        ("Shift + → ←", "choose several words, Enter picks the phrase"),
        ("/", "find a folder"),
        ("w", "to the words"),
        ("c or Ctrl + Enter", "commit"),
        ("u", "undo the lesson just given"),
        ("?", "this help"),
    ];
    html! {
        dialog #teach-keys aria-labelledby="teach-keys-title" {
            h2 #teach-keys-title { "Teaching by keyboard" }
            dl { @for (key, what) in KEYS { div { dt { kbd { (key) } } dd { (what) } } } }
            form method="dialog" { button .button { "Close" } }
        }
    }
}

async fn words_of(app: &App, id: ArticleId) -> Result<(Fields<'static>, Words), Problem> {
    let fields = app.store().article_fields(id).await?;
    let words = Words::of(&fields);
    Ok((fields, words))
}

impl Shown {
    async fn load(app: &App, id: ArticleId) -> Result<Self, Problem> {
        let article = app.store().article(id).await?.article;
        let (fields, words) = words_of(app, id).await?;
        let (asked, of) = (fields.clone(), words.clone());
        let know = move |base: &Base| {
            let filing = Filer::default().file(base.tree(), &asked);
            let literals = filing.live.iter().flat_map(|rule| base.tree().path_literals(*rule));
            let terms = literals.filter(|literal| of.hold(literal)).filter_map(|literal| literal.term());
            let marked =
                terms.map(|term| (term.field(), of.places(term))).filter(|(_, places)| !places.is_empty());
            let paths: Vec<String> = base.folders().list().into_iter().map(|(path, _)| path).collect();
            (teaching::reasons(base, &filing), marked.collect(), paths)
        };
        let (reasons, marked, paths) = app.store().knowledge(know).await?;
        // Also reads the archive into memory, if it is not there: the first click comes soon.
        let doubts = tokio::time::timeout(PATIENCE, teaching::doubts(app, id, fields.clone())).await;
        let doubts = doubts.unwrap_or(Ok(Vec::new()))?;
        Ok(Self { article, fields, words, reasons, marked, paths, doubts, now: app.now() })
    }
}
