//! Folders: list, make, change, merge, remove.

use super::extract::{Body, Change, Id};
use super::{ErrorBody, Refusal};
use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::LOCATION;
use model::FolderId;
use serde::{Deserialize, Serialize};
use store::{FolderCount, StoreError};
use utoipa::ToSchema;

/// A folder of articles.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Folder {
    id: i64,
    /// Its name with those of the folders it is in: `Sports/Soccer`.
    path: String,
    name: String,
    /// The folder it is in; null at the top.
    parent_id: Option<i64>,
    /// Articles in the folder itself.
    articles: u64,
    unread: u64,
    /// Articles in it or in a folder inside it, each once.
    articles_within: u64,
    unread_within: u64,
}

/// All folders.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AllFolders {
    /// By path.
    folders: Vec<Folder>,
    unfiled: Unfiled,
}

/// Articles in no folder.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Unfiled {
    articles: u64,
    unread: u64,
}

/// All folders with their counts.
#[utoipa::path(
    get, path = "/folders", tag = "folders", operation_id = "list_folders",
    responses((status = 200, body = AllFolders))
)]
pub(crate) async fn list(State(app): State<App>) -> Result<Json<AllFolders>, Refusal> {
    Ok(Json(all(&app).await?))
}

async fn all(app: &App) -> Result<AllFolders, StoreError> {
    let (counts, unfiled) = app.store().folder_counts().await?;
    let folders = app.store().knowledge(|base| base.folders().clone()).await?;
    let folder = |(path, folder): (String, &knowledge::Folder)| {
        let count: FolderCount = counts.get(&folder.id).copied().unwrap_or_default();
        Folder {
            id: folder.id.0,
            path,
            name: folder.name.clone(),
            parent_id: folder.parent.map(|parent| parent.0),
            articles: count.articles,
            unread: count.unread,
            articles_within: count.articles_within,
            unread_within: count.unread_within,
        }
    };
    Ok(AllFolders {
        folders: folders.list().into_iter().map(folder).collect(),
        unfiled: Unfiled { articles: unfiled.articles, unread: unfiled.unread },
    })
}

async fn find(app: &App, id: FolderId) -> Result<Folder, Problem> {
    let found = all(app).await?.folders.into_iter().find(|folder| folder.id == id.0);
    found.ok_or_else(|| Problem::not_found(format!("there is no folder {id}")))
}

/// A folder to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MakeFolder {
    /// Its path: `Sports/Soccer`. Folders above it are made as well.
    path: String,
}

/// Makes a folder; one that is there already is answered.
#[utoipa::path(
    post, path = "/folders", tag = "folders", operation_id = "make_folder", request_body = MakeFolder,
    responses((status = 201, body = Folder, headers(("Location" = String))), (status = 422, body = ErrorBody))
)]
pub(crate) async fn make(State(app): State<App>, Body(new): Body<MakeFolder>) -> Result<Response, Refusal> {
    let id = app.store().create_folder(new.path).await?;
    app.engine.knowledge_changed();
    let folder = find(&app, id).await?;
    Ok((StatusCode::CREATED, [(LOCATION, format!("/api/v1/folders/{id}"))], Json(folder)).into_response())
}

/// One folder.
#[utoipa::path(
    get, path = "/folders/{id}", tag = "folders", operation_id = "get_folder", params(("id" = i64, Path)),
    responses((status = 200, body = Folder), (status = 404, body = ErrorBody))
)]
pub(crate) async fn one(State(app): State<App>, Id(id): Id) -> Result<Json<Folder>, Refusal> {
    Ok(Json(find(&app, FolderId(id)).await?))
}

/// What to change; a field left out stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditFolder {
    /// The new name, without slashes.
    name: Option<String>,
    /// The folder it goes into, with all in it; null moves it to the top.
    #[serde(default)]
    #[schema(value_type = Option<i64>)]
    parent_id: Change<i64>,
}

/// Renames or moves a folder. Rules and articles follow.
#[utoipa::path(
    patch, path = "/folders/{id}", tag = "folders", operation_id = "edit_folder", params(("id" = i64, Path)),
    request_body = EditFolder,
    responses((status = 200, body = Folder), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "The place is taken"), (status = 422, body = ErrorBody))
)]
pub(crate) async fn edit(
    State(app): State<App>,
    Id(id): Id,
    Body(edit): Body<EditFolder>,
) -> Result<Json<Folder>, Refusal> {
    let id = FolderId(id);
    find(&app, id).await?;
    let parent = match edit.parent_id {
        Change::Keep => None,
        Change::Empty => Some(None),
        Change::Set(parent) => Some(Some(FolderId(parent))),
    };
    app.store().edit_folder(id, edit.name, parent).await?;
    app.engine.knowledge_changed();
    Ok(Json(find(&app, id).await?))
}

/// Where a folder goes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MergeFolder {
    /// The folder that stays.
    into: i64,
}

/// Makes one folder out of two: articles, rules and inner folders go to the other one.
#[utoipa::path(
    post, path = "/folders/{id}/merge", tag = "folders", operation_id = "merge_folder", params(("id" = i64, Path)),
    request_body = MergeFolder,
    responses((status = 200, body = Folder), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody))
)]
pub(crate) async fn merge(
    State(app): State<App>,
    Id(id): Id,
    Body(merge): Body<MergeFolder>,
) -> Result<Json<Folder>, Refusal> {
    let (from, into) = (FolderId(id), FolderId(merge.into));
    if from == into {
        return Err(Problem::invalid("a folder cannot be merged into itself").into());
    }
    find(&app, from).await?;
    app.store().merge_folders(from, into).await?;
    app.engine.knowledge_changed();
    Ok(Json(find(&app, into).await?))
}

/// Removes a folder that holds nothing and that no rule speaks of.
#[utoipa::path(
    delete, path = "/folders/{id}", tag = "folders", operation_id = "remove_folder", params(("id" = i64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody, description = "It is in use: merge it instead"))
)]
pub(crate) async fn remove(State(app): State<App>, Id(id): Id) -> Result<StatusCode, Refusal> {
    app.store().remove_folder(FolderId(id)).await?;
    app.engine.knowledge_changed();
    Ok(StatusCode::NO_CONTENT)
}
