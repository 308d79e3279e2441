//! What a request says, with refusals in our own words.

use super::Refusal;
use crate::problem::Problem;
use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use http::StatusCode;
use http::request::Parts;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

/// The query.
pub(crate) struct Params<T>(pub(crate) T);

/// A number in the path.
pub(crate) struct Id(pub(crate) i64);

/// The body, as JSON.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(params)) => Ok(Self(params)),
            Err(error) => Err(Problem::bad_request(error.body_text()).into()),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Path::<i64>::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(_) => Err(Problem::bad_request("the id in the path is not a number").into()),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(error) => {
                let status = match error.status() {
                    StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
                    status => status,
                };
                Err(Problem::new(status, error.body_text()).into())
            }
        }
    }
}

/// A limit between 1 and 1000.
pub(crate) fn limit(asked: Option<i64>, usual: usize) -> Result<usize, Problem> {
    match asked.map(usize::try_from) {
        None => Ok(usual),
        Some(Ok(limit @ 1..=1000)) => Ok(limit),
        Some(_) => Err(Problem::bad_request("limit must be between 1 and 1000")),
    }
}

/// `true`, `1` or nothing after the name means yes.
pub(crate) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "" | "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err(D::Error::custom("say true or false")),
    }
}

/// A field of a change: left out, emptied with `null`, or set.
#[derive(Debug, Default)]
pub(crate) enum Change<T> {
    /// It stays as it is.
    #[default]
    Keep,
    /// It is emptied.
    Empty,
    /// It gets this value.
    Set(T),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Change<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Empty, Self::Set))
    }
}

impl Change<String> {
    /// The new text, where an empty one stands for none.
    pub(crate) fn into_text(self) -> Option<String> {
        match self {
            Self::Keep => None,
            Self::Empty => Some(String::new()),
            Self::Set(text) => Some(text),
        }
    }
}
