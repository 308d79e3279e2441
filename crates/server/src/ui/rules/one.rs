//! One rule: its path, exceptions, cornerstone, and the articles it decides.

use super::sentence::{field_word, folder_links, origin, sentence, usage};
use super::tree::Tree;
use crate::telling::{Told, ToldFolder};
use crate::ui::articles::item;
use crate::ui::filed::{self, Filed};
use crate::ui::shell::Tab;
use crate::ui::trouble::Trouble;
use crate::ui::visitor::{Number, Visitor};
use crate::words::number;
use axum::response::Response;
use knowledge::{Base, Cornerstone, Fields};
use maud::{Markup, html};
use model::{ArticleId, CornerstoneId, RuleId};
use store::{ArticleFilter, ArticlesPage, FolderFilter, StoreError};

const ARTICLES: usize = 10;
/// A cornerstone's text is there to be recognised, not to be read.
const EXCERPT: usize = 1_200;

/// All that is shown of a rule.
struct Shown {
    told: Told,
    /// The rules above it.
    path: Vec<Told>,
    exceptions: Tree,
    cornerstone: Option<Stone>,
}

/// A cornerstone with names.
struct Stone {
    id: CornerstoneId,
    article: Option<ArticleId>,
    fields: Fields<'static>,
    expected: Vec<ToldFolder>,
}

impl Shown {
    fn of(base: &Base, id: RuleId) -> Option<Self> {
        let rule = base.tree().get(id)?;
        let stone = rule.origin.cornerstone.and_then(|id| base.cornerstones().get(id));
        Some(Self {
            told: Told::of(base, rule),
            path: Told::path(base, rule.parent),
            exceptions: Tree::of(base, base.tree().children(id), true),
            cornerstone: stone.map(|stone| Stone::of(base, stone)),
        })
    }
}

impl Stone {
    fn of(base: &Base, stone: &Cornerstone) -> Self {
        Self {
            id: stone.id,
            article: stone.article,
            fields: stone.fields.clone(),
            expected: stone.expected.iter().map(|folder| ToldFolder::of(base, *folder)).collect(),
        }
    }
}

pub(crate) async fn show(visitor: Visitor, Number(id): Number) -> Result<Response, Trouble> {
    let id = RuleId(id);
    let store = visitor.app.store();
    let shown = store.knowledge(move |base| Shown::of(base, id)).await?;
    let shown = shown.ok_or(StoreError::NotFound { what: format!("rule {id}") })?;
    let used = store.rule_usage().await?;
    let decided = FolderFilter::DecidedBy(id);
    let filter = ArticleFilter { folders: Some(decided), limit: ARTICLES, ..ArticleFilter::default() };
    let articles = store.articles_page(filter).await?;
    let folders = filed::folders(&visitor.app).await?;
    let filed = Filed::load(&visitor.app, folders, &articles.articles).await?;
    let content = html! {
        div .head {
            p .quiet { a href="/rules" { "Rules" } }
            h1 { "Rule " (id) }
            (lineage(&shown))
            p .quiet { (origin(&shown.told, visitor.now)) }
            p { (usage(used.get(&id), visitor.now)) }
            @if !shown.told.retired && !shown.told.is_retirement() {
                p .actions { a .button.danger href={ "/rules/" (id) "/retire" } { "Retire…" } }
            }
        }
        section #exceptions {
            div .section-head { h2 { "Exceptions under it" } }
            @if shown.exceptions.is_empty() { p .note { "None: what it says stands." } }
            @else { div .card.flush { (shown.exceptions.show(&used, visitor.now)) } }
        }
        @if let Some(stone) = &shown.cornerstone { (cornerstone(stone)) }
        (decides(&visitor, id, &articles, &filed))
    };
    Ok(visitor.page(Tab::Rules, &format!("Rule {id}"), &content))
}

/// The rule with all above it, as one reads it.
fn lineage(shown: &Shown) -> Markup {
    html! {
        ol .path.lineage {
            @for rule in &shown.path {
                li { a .rule-number href={ "/rules/" (rule.id) } { (rule.id) } " " (sentence(rule)) }
            }
            li .here {
                @if shown.path.is_empty() { "if " } @else { "but if " }
                (sentence(&shown.told))
            }
        }
    }
}

fn cornerstone(stone: &Stone) -> Markup {
    html! {
        section .card #cornerstone {
            h2 { "Its cornerstone" }
            p {
                "The article that prompted it, as it was then. It must stay in " (folder_links(&stone.expected)) "."
                @if let Some(article) = stone.article { " " a href={ "/articles/" (article) } { "Open the article" } }
            }
            dl .fields-list {
                @for (field, text) in stone.fields.present() {
                    dt { (field_word(field)) }
                    dd dir="auto" {
                        (text.chars().take(EXCERPT).collect::<String>())
                        @if text.chars().nth(EXCERPT).is_some() { "…" }
                    }
                }
            }
            p .quiet { "Cornerstone " (stone.id) }
        }
    }
}

fn decides(visitor: &Visitor, id: RuleId, articles: &ArticlesPage, filed: &Filed) -> Markup {
    html! {
        section {
            div .section-head {
                h2 { "Articles it decides" }
                @if articles.next.is_some() { a href={ "/?rule=" (id) } { "All of them" } }
                @else { span .quiet { (number(articles.articles.len() as u64)) } }
            }
            @if articles.articles.is_empty() {
                p .note { "None of the stored articles." }
            } @else {
                div .list { @for article in &articles.articles { (item(visitor, article, true, filed)) } }
            }
        }
    }
}
