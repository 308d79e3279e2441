//! Topics: list, make, export, what they learned, undo, remove.

use super::extract::Body;
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::problem::Problem;
use crate::topics::{self, TopicWish};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{StoredTopic, TopicLesson};
use utoipa::ToSchema;

/// Of what a topic learned, so much is listed.
const LESSONS: usize = 500;

/// A topic.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Topic)]
pub(crate) struct TopicView {
    name: String,
    /// The class that is looked for.
    class: String,
    classes: Vec<ClassView>,
    relations: usize,
    #[schema(value_type = String, format = DateTime)]
    changed_at: Timestamp,
}

/// A class of a topic.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Class)]
pub(crate) struct ClassView {
    name: String,
    /// What its words count.
    weight: f64,
    words: Vec<WordView>,
}

/// A word that stands for a class.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Word)]
pub(crate) struct WordView {
    text: String,
    weight: f64,
    /// Where it comes from, in words.
    from: String,
}

impl From<&StoredTopic> for TopicView {
    fn from(stored: &StoredTopic) -> Self {
        let topic = stored.topic();
        let weights = topic.weights();
        let word = |entry: &discovery::ontology::Entry| WordView {
            text: entry.text.clone(),
            weight: entry.weight,
            from: entry.provenance.to_string(),
        };
        let classes = topic.ontology.classes().iter().zip(weights).map(|(class, weight)| ClassView {
            name: class.name.clone(),
            weight,
            words: class.entries.iter().map(word).collect(),
        });
        Self {
            name: topic.name.clone(),
            class: topic.ontology.class(topic.class).map_or_else(String::new, |class| class.name.clone()),
            classes: classes.collect(),
            relations: topic.ontology.relations().len(),
            changed_at: stored.changed_at,
        }
    }
}

/// A topic to make: from words, from an ontology, or one that comes with the program.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddTopic {
    /// What to call it; with nothing else, the topic of this name that comes with the program.
    name: String,
    /// Words and phrases that its pages use.
    words: Option<Vec<String>>,
    /// An ontology as Turtle, RDF/XML or SKOS.
    ontology: Option<String>,
    /// The class of the ontology to look for; by default the one of the topic's name.
    class: Option<String>,
}

/// Something a crawl taught a topic.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TopicLesson)]
pub(crate) struct LessonView {
    id: i64,
    crawl_id: i64,
    /// What changed: `what` is `word`, `weight` or `spread`.
    #[schema(value_type = Object)]
    change: discovery::ontology::LessonKind,
    /// On what grounds, in words.
    from: String,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    undone_at: Option<Timestamp>,
}

impl From<TopicLesson> for LessonView {
    fn from(lesson: TopicLesson) -> Self {
        Self {
            id: lesson.id,
            crawl_id: lesson.crawl.0,
            from: lesson.lesson.provenance.to_string(),
            change: lesson.lesson.kind,
            at: lesson.at,
            undone_at: lesson.undone_at,
        }
    }
}

/// All topics with their words.
#[utoipa::path(
    get, path = "/topics", tag = "topics", operation_id = "list_topics", responses((status = 200, body = Vec<TopicView>))
)]
pub(crate) async fn list(State(app): State<App>) -> Result<Json<Vec<TopicView>>, Refusal> {
    Ok(Json(topics::all(&app).await?.iter().map(TopicView::from).collect()))
}

/// Makes a topic.
#[utoipa::path(
    post, path = "/topics", tag = "topics", operation_id = "add_topic", request_body = AddTopic,
    responses((status = 201, body = TopicView), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn add(
    State(app): State<App>,
    Body(wanted): Body<AddTopic>,
) -> Result<(StatusCode, Json<TopicView>), Refusal> {
    let AddTopic { name, words, ontology, class } = wanted;
    let wish = match (words, ontology) {
        (Some(_), Some(_)) => return Err(Problem::invalid("give words or an ontology, not both").into()),
        (Some(words), None) => TopicWish::Words { name, words: words.join("\n") },
        (None, Some(text)) => TopicWish::Ontology { name, text, class },
        (None, None) => TopicWish::Shipped(name),
    };
    let name = topics::add(&app, wish).await?;
    Ok((StatusCode::CREATED, Json((&topics::get(&app, &name).await?).into())))
}

/// One topic with its words.
#[utoipa::path(
    get, path = "/topics/{name}", tag = "topics", operation_id = "get_topic", params(("name" = String, Path)),
    responses((status = 200, body = TopicView), (status = 404, body = ErrorBody))
)]
pub(crate) async fn one(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<TopicView>, Refusal> {
    Ok(Json((&topics::get(&app, &name).await?).into()))
}

/// Forgets a topic. Crawls keep their own copy.
#[utoipa::path(
    delete, path = "/topics/{name}", tag = "topics", operation_id = "remove_topic", params(("name" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody))
)]
pub(crate) async fn remove(State(app): State<App>, Path(name): Path<String>) -> Result<StatusCode, Refusal> {
    topics::remove(&app, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A topic with all it has learned, as Turtle.
#[utoipa::path(
    get, path = "/topics/{name}/turtle", tag = "topics", operation_id = "export_topic", params(("name" = String, Path)),
    responses((status = 200, body = String, content_type = "text/turtle"), (status = 404, body = ErrorBody))
)]
pub(crate) async fn turtle(State(app): State<App>, Path(name): Path<String>) -> Result<Response, Refusal> {
    let text = topics::turtle(&app, &name).await?;
    Ok(([(CONTENT_TYPE, "text/turtle; charset=utf-8")], text).into_response())
}

/// What crawls have taught a topic, newest first.
#[utoipa::path(
    get, path = "/topics/{name}/lessons", tag = "topics", operation_id = "topic_lessons", params(("name" = String, Path)),
    responses((status = 200, body = Vec<LessonView>), (status = 404, body = ErrorBody))
)]
pub(crate) async fn lessons(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<Vec<LessonView>>, Refusal> {
    let name = topics::get(&app, &name).await?.given.name;
    let lessons = app.store().topic_lessons(name, LESSONS).await?;
    Ok(Json(lessons.into_iter().map(LessonView::from).collect()))
}

/// Takes back something a crawl taught a topic. It is not learned again.
#[utoipa::path(
    post, path = "/topics/lessons/{id}/undo", tag = "topics", operation_id = "undo_topic_lesson", params(("id" = i64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody))
)]
pub(crate) async fn undo(State(app): State<App>, Path(id): Path<i64>) -> Result<StatusCode, Refusal> {
    topics::undo(&app, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
