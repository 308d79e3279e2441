//! The article, every word of it to be clicked.

use super::Shown;
use crate::teaching::field_words;
use knowledge::{Field, Words};
use maud::{Markup, html};
use page::words::{Piece, pieces};
use std::collections::BTreeSet;

/// More words than these are shown as plain text: nobody clicks that far, and a page must stay quick.
const MOST_WORDS: usize = 20_000;

/// Left side of the page.
pub(super) fn story(shown: &Shown) -> Markup {
    let language = shown.article.language.as_deref();
    let small = [Field::Anchor, Field::Url, Field::Source, Field::Language];
    html! {
        section .story.teach-story aria-label="The article" {
            p .meta {
                span .from { (shown.article.source_title) }
                (super::when(shown.article.published_at.unwrap_or(shown.article.first_seen_at), shown.now))
            }
            h1 lang=[language] { (field(shown, Field::Title, "It has no title.")) }
            div .text lang=[language] { (field(shown, Field::Body, "Its text is missing: rules on the body cannot hold of it.")) }
            dl .small-fields {
                @for small in small {
                    @if shown.fields.get(small).is_some_and(|text| !text.trim().is_empty()) {
                        dt { (field_words(small)) }
                        dd { (field(shown, small, "")) }
                    }
                }
            }
            p .legend {
                @if !shown.marked.is_empty() { span { span .w.matched { "word" } " is why it is filed as it is" } }
                span { span .w.has { "word" } " is picked for the new rule" }
            }
        }
    }
}

fn field(shown: &Shown, field: Field, missing: &str) -> Markup {
    let Some(text) = shown.fields.get(field) else {
        return html! { span .quiet { (missing) } };
    };
    let pieces = pieces(text);
    let matched = shown.marked.iter().filter(|(of, _)| *of == field).map(|(_, places)| places.as_slice());
    let matched: BTreeSet<usize> =
        matched.flat_map(|places| spans(&pieces, shown.words.in_order(field), places)).collect();
    let mut at = 0;
    html! {
        span .words data-field=(field.word()) data-name=(field_words(field)) dir="auto" {
            @for piece in &pieces {
                @if piece.words.is_empty() || at >= MOST_WORDS {
                    (piece.text)
                } @else {
                    span .w.matched[matched.contains(&at)] data-w=(piece.words.join(" "))
                        title=[matched.contains(&at).then_some("why it is filed as it is")] { (piece.text) }
                    ({ at += 1; "" })
                }
            }
        }
        @if at >= MOST_WORDS {
            p .note { "Only the first " (crate::words::number(MOST_WORDS as u64)) " words can be clicked; type others into the rule." }
        }
    }
}

/// Where words of a field are on the page: their places among the pieces that hold words.
pub(super) fn spans(pieces: &[Piece<'_>], words: &[String], places: &[usize]) -> Vec<usize> {
    let shown: Vec<&Piece<'_>> = pieces.iter().filter(|piece| !piece.words.is_empty()).collect();
    let flat =
        || shown.iter().enumerate().flat_map(|(at, piece)| piece.words.iter().map(move |word| (at, word)));
    // Normalisation may join what is apart on the page: then words are found by what they say.
    if flat().map(|(_, word)| word).eq(words) {
        let spans: Vec<usize> = flat().map(|(at, _)| at).collect();
        places.iter().filter_map(|place| spans.get(*place).copied()).collect()
    } else {
        let wanted: BTreeSet<&String> = places.iter().filter_map(|place| words.get(*place)).collect();
        flat().filter(|(_, word)| wanted.contains(word)).map(|(at, _)| at).collect()
    }
}

/// The places of picked words as the script wants them: `[[literal, "field", [place, …]], …]`.
pub(super) fn marks(shown: &Fields<'_>, words: &Words, places: &[(usize, Field, Vec<usize>)]) -> String {
    let marks: Vec<(usize, &str, Vec<usize>)> = places
        .iter()
        .filter_map(|(literal, field, places)| {
            let pieces = pieces(shown.get(*field)?);
            Some((*literal, field.word(), spans(&pieces, words.in_order(*field), places)))
        })
        .collect();
    serde_json::to_string(&marks).unwrap_or_default()
}

use knowledge::Fields;

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, places: &[usize]) -> Vec<usize> {
        let fields = Fields { title: Some(text.into()), ..Fields::default() };
        spans(&pieces(text), Words::of(&fields).in_order(Field::Title), places)
    }

    #[test]
    fn places_are_found_on_the_page() {
        assert_eq!(found("Cup, final: cup!", &[0, 2]), [0, 2]);
        assert_eq!(found("كأس العالم", &[1]), [1]);
        assert_eq!(found("ﬁnal café", &[1]), [1]);
        assert_eq!(found("北京大学 wins", &[0, 3]), [0, 3]);
    }
}
