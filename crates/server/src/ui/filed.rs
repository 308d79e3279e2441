//! The folders of articles in a list.

use crate::app::App;
use knowledge::Folders;
use maud::{Markup, html};
use model::{Article, ArticleId, FolderId};
use std::collections::BTreeMap;
use store::StoreError;

/// The folders of articles in a list.
#[derive(Debug, Default)]
pub(crate) struct Filed {
    folders: Folders,
    of: BTreeMap<ArticleId, Vec<FolderId>>,
}

impl Filed {
    pub(crate) async fn load(app: &App, folders: Folders, articles: &[Article]) -> Result<Self, StoreError> {
        let ids = articles.iter().map(|article| article.id).collect();
        let of = if folders.is_empty() { BTreeMap::new() } else { app.store().folders_of(ids).await? };
        Ok(Self { folders, of })
    }

    /// An article's folders, each a link to what else is there.
    pub(crate) fn chips(&self, article: ArticleId) -> Markup {
        html! {
            @for folder in self.of.get(&article).into_iter().flatten() {
                a .chip.filed href={ "/?folder=" (folder) } dir="auto" { (self.folders.path(*folder)) }
            }
        }
    }
}

/// All folders there are.
pub(crate) async fn folders(app: &App) -> Result<Folders, StoreError> {
    app.store().knowledge(|base| base.folders().clone()).await
}
