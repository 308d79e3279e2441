//! Gathers same and changed stretches into places of change with what stands around them.

use super::tokens::Token;
use super::{Diff, Hunk, Piece};

/// Words shown before and after a change.
const CONTEXT: usize = 8;
/// A single word between two changes is shown as part of them: word by word nobody can read it.
const ISLAND: usize = 1;
const MOST_HUNKS: usize = 50;
const MOST_BYTES: usize = 16 << 10;
/// One stretch that went or came is shown up to here.
const LONGEST_PIECE: usize = 4_000;

/// Stretches that follow each other.
enum Stretch {
    Same(Vec<Owned>),
    Changed { old: Vec<Owned>, new: Vec<Owned> },
}

impl Stretch {
    /// Words for words, not only words that came or went.
    fn is_replacement(&self) -> bool {
        matches!(self, Self::Changed { old, new } if !old.is_empty() && !new.is_empty())
    }
}

type Owned = (&'static str, String);

#[derive(Default)]
pub(super) struct Gatherer {
    stretches: Vec<Stretch>,
    /// What went and came as a whole line: a place of its own.
    wholes: Vec<(Vec<Owned>, Vec<Owned>)>,
    removed: u32,
    added: u32,
    changed: u32,
}

impl Gatherer {
    /// Words that stand in both.
    pub(super) fn same(&mut self, tokens: &[Token<'_>]) {
        match self.stretches.last_mut() {
            _ if tokens.is_empty() => {}
            Some(Stretch::Same(words)) => words.extend(owned(tokens)),
            _ => self.stretches.push(Stretch::Same(owned(tokens).collect())),
        }
    }

    /// Words that went and words that came in their place.
    pub(super) fn change(&mut self, old: &[Token<'_>], new: &[Token<'_>]) {
        if old.is_empty() && new.is_empty() {
            return;
        }
        self.count(old.len(), new.len());
        if let Some(Stretch::Changed { old: gone, new: come }) = self.stretches.last_mut() {
            gone.extend(owned(old));
            come.extend(owned(new));
            return;
        }
        let (old, new) = (owned(old).collect(), owned(new).collect());
        self.stretches.push(Stretch::Changed { old, new });
    }

    /// A whole line that went or came.
    pub(super) fn whole(&mut self, old: &[Token<'_>], new: &[Token<'_>]) {
        self.count(old.len(), new.len());
        self.wholes.push((owned(old).collect(), owned(new).collect()));
    }

    fn count(&mut self, old: usize, new: usize) {
        let add = |sum: u32, words: usize| sum.saturating_add(u32::try_from(words).unwrap_or(u32::MAX));
        self.removed = add(self.removed, old);
        self.added = add(self.added, new);
        self.changed = add(self.changed, old.max(new));
    }

    pub(super) fn finish(self) -> Diff {
        let mut diff =
            Diff { removed: self.removed, added: self.added, changed: self.changed, ..Diff::default() };
        let mut hunks = hunks(&without_islands(self.stretches));
        hunks.extend(self.wholes.into_iter().map(|(old, new)| Hunk(pieces_of_change(&old, &new))));
        let mut bytes = 0;
        for mut hunk in hunks {
            for piece in &mut hunk.0 {
                let (Piece::Same(text) | Piece::Removed(text) | Piece::Added(text)) = piece;
                if text.len() > LONGEST_PIECE {
                    text.truncate(text.floor_char_boundary(LONGEST_PIECE));
                    text.push('…');
                    diff.cut = true;
                }
                bytes += text.len();
            }
            if diff.hunks.len() == MOST_HUNKS || (bytes > MOST_BYTES && !diff.hunks.is_empty()) {
                diff.cut = true;
                break;
            }
            trim_start(&mut hunk);
            diff.hunks.push(hunk);
        }
        diff
    }
}

fn owned(tokens: &[Token<'_>]) -> impl Iterator<Item = Owned> {
    tokens.iter().map(|token| (token.before, token.text.to_owned()))
}

/// Lonely words between two changes join them.
fn without_islands(stretches: Vec<Stretch>) -> Vec<Stretch> {
    let mut joined: Vec<Stretch> = Vec::new();
    let mut rest = stretches.into_iter().peekable();
    while let Some(stretch) = rest.next() {
        match (joined.last_mut(), stretch) {
            (Some(Stretch::Changed { old, new }), Stretch::Same(words))
                if words.len() <= ISLAND
                    && !old.is_empty()
                    && !new.is_empty()
                    && rest.peek().is_some_and(Stretch::is_replacement) =>
            {
                old.extend(words.iter().cloned());
                new.extend(words);
            }
            (Some(Stretch::Changed { old, new }), Stretch::Changed { old: gone, new: come }) => {
                old.extend(gone);
                new.extend(come);
            }
            (_, stretch) => joined.push(stretch),
        }
    }
    joined
}

fn hunks(stretches: &[Stretch]) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut pieces: Vec<Piece> = Vec::new();
    let last = stretches.len().saturating_sub(1);
    for (place, stretch) in stretches.iter().enumerate() {
        match stretch {
            Stretch::Changed { old, new } => pieces.extend(pieces_of_change(old, new)),
            Stretch::Same(words) if place == 0 => {
                pieces.push(Piece::Same(text(&words[words.len().saturating_sub(CONTEXT)..])));
            }
            Stretch::Same(words) if place == last => {
                pieces.push(Piece::Same(text(&words[..CONTEXT.min(words.len())])));
            }
            Stretch::Same(words) if words.len() <= 2 * CONTEXT => pieces.push(Piece::Same(text(words))),
            Stretch::Same(words) => {
                pieces.push(Piece::Same(text(&words[..CONTEXT])));
                hunks.push(Hunk(std::mem::take(&mut pieces)));
                pieces.push(Piece::Same(text(&words[words.len() - CONTEXT..])));
            }
        }
    }
    if pieces.iter().any(|piece| !matches!(piece, Piece::Same(_))) {
        hunks.push(Hunk(pieces));
    }
    hunks
}

/// One word for another stays on its line; longer ones stand below each other.
const ON_ONE_LINE: usize = 12;

fn pieces_of_change(old: &[Owned], new: &[Owned]) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(2);
    if !old.is_empty() {
        pieces.push(Piece::Removed(text(old)));
    }
    if !new.is_empty() {
        let mut added = text(new);
        if !old.is_empty() && old.len() + new.len() <= ON_ONE_LINE && added.starts_with('\n') {
            added.replace_range(..1, " ");
        }
        pieces.push(Piece::Added(added));
    }
    pieces
}

fn text(words: &[Owned]) -> String {
    words.iter().flat_map(|(before, word)| [before, word.as_str()]).collect()
}

/// A place begins with a word, not with the space before it.
fn trim_start(hunk: &mut Hunk) {
    if let Some(Piece::Same(text) | Piece::Removed(text) | Piece::Added(text)) = hunk.0.first_mut() {
        text.drain(..text.len() - text.trim_start().len());
    }
}
