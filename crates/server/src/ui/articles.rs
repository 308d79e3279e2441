//! The list of articles, newest first.

use super::filed::{self, Filed};
use super::icons::{Icon, icon};
use super::links::link;
use super::parts::{empty, outward, when};
use super::shell::Tab;
use super::trouble::Trouble;
use super::visitor::Visitor;
use crate::access::csrf::Fields;
use crate::watching::name_of;
use crate::words::exact;
use axum::response::Response;
use knowledge::Folders;
use maud::{Markup, html};
use model::{Article, ArticleId, BodyState, FolderId, RuleId, Source, SourceId};
use std::fmt;
use store::{ArticleFilter, ArticlesPage, FolderFilter, SourceFilter, StoreError};

const PER_PAGE: usize = 50;
/// A choice of more sources than this is no choice; the list of sources has a search.
const MOST_CHOICES: usize = 100;

/// Which articles are shown, as the address says.
#[derive(Debug, Clone, Default)]
struct Shown {
    search: Option<String>,
    source: Option<SourceId>,
    folder: Option<Place>,
    rule: Option<RuleId>,
    unread: bool,
    starred: bool,
    before: Option<ArticleId>,
}

/// Where the articles shown are filed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In this folder or one inside it.
    Folder(FolderId),
    Unfiled,
}

impl Place {
    fn read(word: &str) -> Option<Self> {
        if word == "unfiled" { Some(Self::Unfiled) } else { word.parse().ok().map(Self::Folder) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(id) => id.fmt(f),
            Self::Unfiled => f.write_str("unfiled"),
        }
    }
}

impl Shown {
    fn read(query: &Fields) -> Self {
        Self {
            search: query.filled("search").map(|search| search.chars().take(200).collect()),
            source: query.text("source").parse().ok(),
            folder: Place::read(query.text("folder")),
            rule: query.text("rule").parse().ok(),
            unread: query.text("unread") == "1",
            starred: query.text("starred") == "1",
            before: query.text("before").parse().ok(),
        }
    }

    fn link(&self) -> String {
        let one = |yes: bool| yes.then(|| "1".to_owned());
        let query = [
            ("search", self.search.clone()),
            ("source", self.source.map(|id| id.to_string())),
            ("folder", self.folder.map(|place| place.to_string())),
            ("rule", self.rule.map(|rule| rule.to_string())),
            ("unread", one(self.unread)),
            ("starred", one(self.starred)),
            ("before", self.before.map(|id| id.to_string())),
        ];
        link("/", &query)
    }

    fn filter(&self, folders: &Folders) -> ArticleFilter {
        let place = self.folder.map(|place| match place {
            Place::Folder(id) => FolderFilter::In(folders.within(id)),
            Place::Unfiled => FolderFilter::Unfiled,
        });
        ArticleFilter {
            search: self.search.clone(),
            source: self.source,
            folders: self.rule.map(FolderFilter::DecidedBy).or(place),
            unread: self.unread,
            starred: self.starred,
            before: self.before,
            limit: PER_PAGE,
        }
    }

    fn is_narrow(&self) -> bool {
        let chosen = self.source.is_some() || self.folder.is_some() || self.rule.is_some();
        self.search.is_some() || chosen || self.unread || self.starred
    }
}

pub(crate) async fn list(visitor: Visitor) -> Result<Response, Trouble> {
    let shown = Shown::read(&visitor.query);
    let store = visitor.app.store();
    let folders = filed::folders(&visitor.app).await?;
    let page = match store.articles_page(shown.filter(&folders)).await {
        // Punctuation alone finds nothing; that is no error on a page.
        Err(StoreError::EmptySearch(_)) => ArticlesPage { articles: Vec::new(), next: None },
        page => page?,
    };
    let choices = store.sources_page(SourceFilter { limit: MOST_CHOICES, ..SourceFilter::default() }).await?;
    let source = match shown.source {
        Some(id) => store.source(id).await.ok(),
        None => None,
    };
    let few = choices.total as usize <= MOST_CHOICES;
    let choices = if few { choices.sources } else { Vec::new() };
    let bar = toolbar(&visitor, &shown, source.as_ref(), &choices, &folders);
    let filed = Filed::load(&visitor.app, folders, &page.articles).await?;
    let content = html! {
        h1 .visually-hidden { "Articles" }
        (bar)
        p .news #news hidden { a .button href=(visitor.here) { "Show new articles" } }
        // Older pages do not change under the reader's eyes.
        section #list .list data-live[shown.before.is_none()] aria-label="Articles" {
            @if page.articles.is_empty() { (nothing(&visitor, &shown)) }
            @for article in &page.articles { (item(&visitor, article, shown.source.is_none(), &filed)) }
        }
        (pager(&visitor, &shown, &page))
    };
    Ok(visitor.page(Tab::Articles, "Articles", &content))
}

fn toolbar(
    visitor: &Visitor,
    shown: &Shown,
    source: Option<&Source>,
    choices: &[Source],
    folders: &Folders,
) -> Markup {
    let tab = |name: &str, unread: bool, starred: bool| {
        let there = Shown { unread, starred, before: None, ..shown.clone() };
        let current = shown.unread == unread && shown.starred == starred;
        html! { a href=(there.link()) aria-current=[current.then_some("true")] { (name) } }
    };
    let unfiltered = Shown { source: None, before: None, ..shown.clone() };
    html! {
        div .toolbar {
            nav .tabs aria-label="Which articles" {
                (tab("All", false, false)) (tab("Unread", true, false)) (tab("Starred", false, true))
            }
            form .search role="search" method="get" action="/" {
                @if shown.unread { input type="hidden" name="unread" value="1"; }
                @if shown.starred { input type="hidden" name="starred" value="1"; }
                @if !choices.is_empty() {
                    select name="source" aria-label="Source" data-submit {
                        option value="" { "All sources" }
                        @for choice in choices {
                            option value=(choice.id) selected[shown.source == Some(choice.id)] { (name_of(choice)) }
                        }
                    }
                } @else if let Some(id) = shown.source {
                    input type="hidden" name="source" value=(id);
                }
                (folder_choice(shown, folders))
                input type="search" name="search" value=[shown.search.as_deref()] placeholder="Search articles"
                    aria-label="Search articles" maxlength="200" autocomplete="off";
                button .button aria-label="Search" { (icon(Icon::Search)) }
            }
        }
        @if let Some(source) = source {
            p .chips {
                "From " a href={ "/sources/" (source.id) } { (name_of(source)) } " "
                a .chip href=(unfiltered.link()) aria-label="Show all sources" { (icon(Icon::Cross)) "all sources" }
            }
        } @else if let Some(id) = shown.source {
            p .chips { "Source " (id) " is no longer watched. " a href=(unfiltered.link()) { "Show all sources" } }
        }
        (where_filed(shown, folders))
        @if visitor.query.filled("before").is_some() {
            p .chips { a .chip href=(Shown { before: None, ..shown.clone() }.link()) { "← back to the newest" } }
        }
    }
}

/// A choice among folders, if they are few enough for one.
fn folder_choice(shown: &Shown, folders: &Folders) -> Markup {
    let list = folders.list();
    html! {
        @if let Some(rule) = shown.rule { input type="hidden" name="rule" value=(rule); }
        @if list.is_empty() || list.len() > MOST_CHOICES {
            @if let Some(place) = shown.folder { input type="hidden" name="folder" value=(place); }
        } @else {
            select name="folder" aria-label="Folder" data-submit {
                option value="" { "All folders" }
                option value="unfiled" selected[shown.folder == Some(Place::Unfiled)] { "Unfiled" }
                @for (path, folder) in list {
                    option value=(folder.id) selected[shown.folder == Some(Place::Folder(folder.id))] { (path) }
                }
            }
        }
    }
}

/// Which folder or rule the list is narrowed to, and the way out.
fn where_filed(shown: &Shown, folders: &Folders) -> Markup {
    let anywhere = Shown { folder: None, before: None, ..shown.clone() };
    let by_any = Shown { rule: None, before: None, ..shown.clone() };
    html! {
        @if let Some(place) = shown.folder {
            p .chips {
                @match place {
                    Place::Unfiled => "Filed nowhere yet ",
                    Place::Folder(id) if folders.get(id).is_some() => {
                        "In " a href={ "/folders/" (id) } dir="auto" { (folders.path(id)) }
                        @if folders.children(Some(id)).next().is_some() { " and the folders inside " }
                    },
                    Place::Folder(id) => { "There is no folder " (id) ". " },
                }
                a .chip href=(anywhere.link()) aria-label="Show all folders" { (icon(Icon::Cross)) "all folders" }
            }
        }
        @if let Some(rule) = shown.rule {
            p .chips {
                "Decided by " a href={ "/rules/" (rule) } { "rule " (rule) } " "
                a .chip href=(by_any.link()) aria-label="Show articles of all rules" { (icon(Icon::Cross)) "all rules" }
            }
        }
    }
}

/// One article in a list. The list is in the order of first sight, so that is the time it shows.
pub(crate) fn item(visitor: &Visitor, article: &Article, with_source: bool, filed: &Filed) -> Markup {
    let published = article.published_at.map(|at| format!("published {}", exact(at)));
    html! {
        article .item.unread[!article.read] id={ "a" (article.id) } data-id=(article.id) data-read[article.read]
            data-starred[article.starred] {
            div .says {
                h2 { a .title href={ "/articles/" (article.id) } dir="auto" { (headline(article)) } }
                @if let Some(summary) = article.summary.as_deref().filter(|summary| !summary.is_empty()) {
                    p .summary dir="auto" { (summary) }
                }
                p .meta {
                    @if with_source {
                        @match article.source_id {
                            Some(id) => a .from href=(link("/", &[("source", Some(id.to_string()))])) { (article.source_title) },
                            None => span .from { (article.source_title) },
                        }
                    }
                    span title=[published] { (when(article.first_seen_at, visitor.now)) }
                    @if let Some(language) = &article.language { span .language { (language) } }
                    @if article.body == BodyState::Waiting { span { "page not read yet" } }
                    @if article.body == BodyState::Missing { span { "page missing" } }
                    span .original { (outward(&article.url, &html! { (icon(Icon::Leave)) span .word { "original" } })) }
                    (filed.chips(article.id))
                }
            }
            (marks(visitor, article))
        }
    }
}

/// A headline, or what stands in for one.
pub(crate) fn headline(article: &Article) -> &str {
    if article.title.trim().is_empty() { article.url.as_str() } else { &article.title }
}

/// Buttons to star and to mark as read.
pub(crate) fn marks(visitor: &Visitor, article: &Article) -> Markup {
    let star = if article.starred { "Remove the star" } else { "Star" };
    let read = if article.read { "Mark as unread" } else { "Mark as read" };
    html! {
        form .marks method="post" action={ "/articles/" (article.id) "/marks" } {
            (visitor.hidden())
            button .mark.star name="starred" value=(u8::from(!article.starred)) aria-pressed=(article.starred)
                title=(star) aria-label=(star) { (icon(Icon::Star)) }
            button .mark.tick name="read" value=(u8::from(!article.read)) aria-pressed=(article.read)
                title=(read) aria-label=(read) { (icon(Icon::Check)) }
        }
    }
}

fn pager(visitor: &Visitor, shown: &Shown, page: &ArticlesPage) -> Markup {
    html! {
        nav .pager aria-label="Pages" {
            @if let Some(first) = page.articles.first() && shown.before.is_none() && !shown.is_narrow() {
                form method="post" action="/articles/read" {
                    (visitor.hidden())
                    input type="hidden" name="up_to" value=(first.id);
                    button .button { "Mark all as read" }
                }
            }
            @if let Some(next) = page.next {
                a .button rel="next" href=(Shown { before: Some(next), ..shown.clone() }.link()) { "Older articles →" }
            }
        }
    }
}

fn nothing(visitor: &Visitor, shown: &Shown) -> Markup {
    let add = html! { a .button.primary href="/sources/add" { "Add a source" } };
    let all = html! { a .button href="/" { "Show all articles" } };
    let sources = visitor.counts.map_or(0, |counts| counts.sources);
    match shown {
        _ if sources == 0 && !shown.is_narrow() => empty(
            "Nothing is watched yet",
            "Paste the address of a news page, a feed or a sitemap. You see what was understood before anything is kept.",
            &add,
        ),
        shown if shown.search.is_some() => {
            empty("No article has all these words", "Try fewer words, or only the beginning of one.", &all)
        }
        shown if shown.folder == Some(Place::Unfiled) => empty(
            "Nothing is unfiled",
            "Every article is in a folder. New ones that no rule knows appear here.",
            &all,
        ),
        shown if shown.folder.is_some() || shown.rule.is_some() => {
            empty("No articles here", "Articles appear as soon as a rule files them here.", &all)
        }
        shown if shown.starred => {
            empty("No stars yet", "Star an article with its star button, or press s.", &all)
        }
        shown if shown.unread => empty("All read", "New articles appear here by themselves.", &all),
        _ => empty(
            "No articles yet",
            "The first visits are under way; articles appear here by themselves.",
            &add,
        ),
    }
}
