//! An index of sitemaps lists no articles itself: its newest children do.

use crate::reading;
use crate::turn::Turn;
use fetch::{Accept, Request};
use jiff::{SignedDuration, Timestamp};
use model::{Outcome, Source, SourceKind};
use page::{Caps, ChildSitemap, Listing};

/// A child that changed shortly before our last visit may have been written while we looked.
const OVERLAP: SignedDuration = SignedDuration::from_hours(1);

/// Adds the articles of the newest child sitemaps to the listing of their index. What could not be read is said:
/// the visit has then not seen everything.
pub(crate) async fn follow(turn: &mut Turn<'_>, source: &Source, listing: &mut Listing) -> Option<String> {
    if listing.kind != SourceKind::Sitemap {
        return None;
    }
    let mut missed = None;
    let children = worth_reading(&listing.sitemaps, source.state.last_success_at);
    let left_out = children.len().saturating_sub(turn.worker.settings.child_sitemaps);
    if left_out > 0 {
        listing.notes.push(format!("{left_out} older sitemaps of the index were not read"));
    }
    for child in children.into_iter().take(turn.worker.settings.child_sitemaps) {
        if let Err(why) = read_child(turn, listing, &child).await {
            missed = Some(format!("the sitemap {} could not be read: {why}", child.url));
        }
    }
    // Sitemaps are in any order; lists are newest first.
    listing.articles.sort_by_key(|article| std::cmp::Reverse(article.published_at));
    if listing.articles.len() > Caps::SITEMAP_ITEMS {
        listing.articles.truncate(Caps::SITEMAP_ITEMS);
        listing.notes.push(format!("only the newest {} articles are read", Caps::SITEMAP_ITEMS));
    }
    missed
}

/// The newest first; those that say they have not changed since the last visit are left out.
fn worth_reading(children: &[ChildSitemap], last: Option<Timestamp>) -> Vec<ChildSitemap> {
    let since = last.and_then(|last| last.checked_sub(OVERLAP).ok());
    let changed = |child: &&ChildSitemap| match (child.modified, since) {
        (Some(modified), Some(since)) => modified >= since,
        _ => true,
    };
    let mut worth: Vec<_> = children.iter().filter(changed).cloned().collect();
    worth.sort_by_key(|child| std::cmp::Reverse(child.modified));
    worth
}

async fn read_child(turn: &mut Turn<'_>, listing: &mut Listing, child: &ChildSitemap) -> Result<(), String> {
    let request = Request {
        url: &child.url,
        validators: None,
        accept: Accept::Any,
        headers: &[],
        patience: turn.patience(),
    };
    let reply = turn.get(&request).await.ok_or("its host wants us to wait")?;
    let (Outcome::NewContent, Some(response)) = (&reply.outcome, reply.response) else {
        return Err(reply.outcome.to_string());
    };
    let (url, caps) = (reply.final_url, turn.worker.settings.caps);
    let read = turn.worker.on_cpu(move || reading::read_listing(&response, &url, None, &caps)).await;
    let read = read.ok_or("it could not be parsed")?.map_err(|outcome| outcome.to_string())?;
    listing.articles.extend(read.articles);
    listing.notes.extend(read.notes);
    Ok(())
}
