//! What was just done, told on the next page. The address carries a key, never a text.

use crate::access::csrf::Fields;
use crate::words::plural;

/// The sentence for a key, if there is one.
pub(crate) fn told(query: &Fields) -> Option<String> {
    let n = || query.text("n").parse::<u32>().map_or(0, u64::from);
    let sources = |what: &str| format!("{} {what}.", plural(n(), "source"));
    Some(match query.text("done") {
        "added" => "Watching. The first visit runs now; its articles appear here.".into(),
        "added_many" => sources("added. Their first visits run now"),
        "edited" => "Saved.".into(),
        "planned" => "In force: all visits are planned anew.".into(),
        "paused" => sources("paused"),
        "resumed" => sources("resumed. The next visit runs now"),
        "removed" => sources("removed. Articles stay"),
        "visiting" => sources("will be visited as soon as manners allow"),
        "nothing" => "Nothing was chosen: tick some sources first.".into(),
        "starred" => "Starred.".into(),
        "unstarred" => "Star removed.".into(),
        "read" => "Marked as read.".into(),
        "unread" => "Marked as unread.".into(),
        "all_read" => format!("{} marked as read.", plural(n(), "article")),
        "folder_created" => "Folder created.".into(),
        "folder_renamed" => "Renamed.".into(),
        "folder_moved" => "Moved.".into(),
        "folder_merged" => "Merged. Articles are filed anew in the background.".into(),
        "folder_removed" => "Folder deleted.".into(),
        "confirmed" => "Noted: it is filed right.".into(),
        "retired" => "Retired. Articles are filed anew in the background.".into(),
        "undone" => "The last lesson is undone. Articles are filed anew in the background.".into(),
        "refiling_stopped" => "Stopped. Articles not looked at yet stay as they are filed.".into(),
        "refiling_resumed" => "Filing goes on.".into(),
        "channel_added" => "Added. Send a test to see whether it works.".into(),
        "channel_paused" => "Paused. What happens now is not told here.".into(),
        "channel_resumed" => "Resumed.".into(),
        "channel_removed" => "Channel removed.".into(),
        "test_delivered" => "The test was delivered.".into(),
        "test_failed" => "The test was not delivered; the channel says why.".into(),
        "retried" => "It is tried again now.".into(),
        "feed_key" => "A new feed key is made. Older addresses of feeds no longer work.".into(),
        "feed_key_revoked" => "The feed key is taken back.".into(),
        "event_confirmed" => "Confirmed. Thank you: that trains what counts.".into(),
        "event_dismissed" => "Dismissed. It has ended, and that trains what counts.".into(),
        "expected_added" => "Added. It counts from its beginning on.".into(),
        "expected_imported" => format!(
            "Imported: {} on the calendar.",
            if n() == 1 { "1 entry".into() } else { format!("{} entries", n()) }
        ),
        "expected_removed" => "Removed. What was learned from it is forgotten.".into(),
        "watch_added" => {
            "Watching. Its page is visited now; the first look is what later ones are compared with.".into()
        }
        "watch_paused" => "Paused. It looks no more until you resume it.".into(),
        "watch_resumed" => "Resumed. It looks at its page now.".into(),
        "watch_removed" => "Watch removed.".into(),
        "topic_added" => "Added. Start a crawl for it, or look at its words below.".into(),
        "topic_removed" => "Topic removed.".into(),
        "lesson_undone" => "Undone. It is not learned again.".into(),
        "crawl_started" => "Started. Pages appear here as they are read.".into(),
        "crawl_stopped" => "Stopped. Nothing is lost: it can go on at any time.".into(),
        "crawl_resumed" => "It goes on.".into(),
        "crawl_removed" => "The crawl is forgotten.".into(),
        "promoted" => "Watching. The first visit runs now.".into(),
        "password" => "The password is set. Log in with it.".into(),
        "logged_out" => "You are logged out.".into(),
        _ => return None,
    })
}
