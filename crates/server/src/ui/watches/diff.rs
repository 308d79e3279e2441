//! What changed, word by word.

use maud::{Markup, html};
use page::watches::{Diff, Hunk, Piece};

/// The places of change with what stands around them. Marked by more than colour: `ins` and `del` say it to
/// whoever cannot see.
pub(super) fn diff(diff: &Diff) -> Markup {
    html! {
        div .diff dir="auto" {
            @for (place, hunk) in diff.hunks.iter().enumerate() {
                @if place > 0 { p .gap aria-hidden="true" { "⋯" } }
                (hunk_of(hunk))
            }
            @if diff.cut { p .quiet { "… and more than is shown." } }
        }
    }
}

fn hunk_of(hunk: &Hunk) -> Markup {
    html! {
        p .hunk {
            @for piece in &hunk.0 {
                @match piece {
                    Piece::Same(words) => (words),
                    Piece::Removed(words) => del { (words) },
                    Piece::Added(words) => ins { (words) },
                }
            }
        }
    }
}
