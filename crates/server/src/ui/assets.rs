//! Style, script and icon: part of the program, named by their content so that browsers may keep them for ever.

use super::trouble::{Trouble, nothing_here};
use crate::access::hex;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// A file of ours.
pub(crate) struct Asset {
    /// Where it is served.
    pub(crate) path: String,
    content_type: &'static str,
    bytes: &'static [u8],
}

pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("style", "css", "text/css; charset=utf-8", include_bytes!("../../assets/style.css"))
});
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("app", "js", "text/javascript; charset=utf-8", include_bytes!("../../assets/app.js"))
});
pub(crate) static TEACH: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("teach", "js", "text/javascript; charset=utf-8", include_bytes!("../../assets/teach.js"))
});
pub(crate) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon", "svg", "image/svg+xml", include_bytes!("../../assets/icon.svg")));

impl Asset {
    fn new(name: &str, ending: &str, content_type: &'static str, bytes: &'static [u8]) -> Self {
        let hash = hex(&Sha256::digest(bytes)[..8]);
        Self { path: format!("/assets/{name}-{hash}.{ending}"), content_type, bytes }
    }
}

pub(crate) async fn serve(Path(file): Path<String>) -> Result<Response, Trouble> {
    let wanted = format!("/assets/{file}");
    let Some(asset) = [&STYLE, &SCRIPT, &TEACH, &ICON].into_iter().find(|asset| asset.path == wanted) else {
        return Err(nothing_here().await);
    };
    let headers =
        [(CONTENT_TYPE, asset.content_type), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, asset.bytes).into_response())
}
