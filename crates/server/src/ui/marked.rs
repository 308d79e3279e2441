//! A text with the words marked that rules found in it.

use knowledge::{Field, Fields, Term, Words};
use maud::{Markup, html};
use std::collections::HashSet;

/// The words of an article that rules found.
pub(crate) struct Marked {
    words: Words,
    terms: Vec<Term>,
}

/// A stretch of text, and whether it is marked.
type Stretch<'t> = (&'t str, bool);

impl Marked {
    pub(crate) fn new(fields: &Fields<'_>, terms: Vec<Term>) -> Self {
        Self { words: Words::of(fields), terms }
    }

    /// A field's text in one line.
    pub(crate) fn line(&self, field: Field, text: &str) -> Markup {
        stretches(&self.stretches(field, text))
    }

    /// A field's text, paragraph by paragraph.
    pub(crate) fn paragraphs(&self, field: Field, text: &str) -> Vec<Markup> {
        let mut paragraphs: Vec<Vec<Stretch<'_>>> = vec![Vec::new()];
        for (stretch, marked) in self.stretches(field, text) {
            // Blank lines lie between words, never in one.
            for (index, part) in stretch.split("\n\n").enumerate() {
                if index > 0 {
                    paragraphs.push(Vec::new());
                }
                if let Some(paragraph) = paragraphs.last_mut().filter(|_| !part.is_empty()) {
                    paragraph.push((part, marked));
                }
            }
        }
        let filled =
            |paragraph: &&Vec<Stretch<'_>>| paragraph.iter().any(|(part, _)| !part.trim().is_empty());
        paragraphs.iter().filter(filled).map(|paragraph| stretches(paragraph)).collect()
    }

    /// The whole text, cut where marks begin and end.
    fn stretches<'t>(&self, field: Field, text: &'t str) -> Vec<Stretch<'t>> {
        let terms = self.terms.iter().filter(|term| term.field() == field);
        let places: HashSet<usize> = terms.flat_map(|term| self.words.places(term)).collect();
        if places.is_empty() {
            return vec![(text, false)];
        }
        let in_order = self.words.in_order(field);
        let found: HashSet<&str> = places.iter().map(|place| in_order[*place].as_str()).collect();
        let pieces = page::words::pieces(text);
        // Rarely folding joins words across pieces; then places do not count, the words themselves do.
        let aligned = pieces.iter().map(|piece| piece.words.len()).sum::<usize>() == in_order.len();
        let mut cut: Vec<Stretch<'t>> = Vec::new();
        let (mut at, mut place, mut carried) = (0, 0, false);
        for piece in &pieces {
            let next = place + piece.words.len();
            let own = if aligned {
                (place..next).any(|place| places.contains(&place))
            } else {
                piece.words.iter().any(|word| found.contains(word.as_str()))
            };
            place = next;
            let end = at + piece.text.len();
            let marked = own || carried;
            match cut.last_mut() {
                Some((last, same)) if *same == marked => *last = &text[at - last.len()..end],
                _ => cut.push((&text[at..end], marked)),
            }
            at = end;
            // A pair of Chinese characters begins at this one and ends with the next.
            carried = own && piece.words.iter().any(|word| word.chars().count() > piece.text.chars().count());
        }
        cut
    }
}

fn stretches(stretches: &[Stretch<'_>]) -> Markup {
    html! {
        @for (text, marked) in stretches {
            @if *marked { mark { (text) } } @else { (text) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use knowledge::Mode;

    fn marked(title: &str, terms: &[(Mode, &str)]) -> String {
        let fields = Fields { title: Some(title.to_owned().into()), ..Fields::default() };
        let terms = terms.iter().map(|(mode, text)| Term::new(Field::Title, *mode, text).unwrap());
        Marked::new(&fields, terms.collect()).line(Field::Title, title).into_string()
    }

    #[test]
    fn what_a_rule_found_is_marked() {
        assert_eq!(marked("The Cup & tea", &[(Mode::Exact, "cup")]), "The <mark>Cup</mark> &amp; tea");
        assert_eq!(
            marked("gold price rises", &[(Mode::Phrase, "gold price")]),
            "<mark>gold</mark> <mark>price</mark> rises"
        );
        assert_eq!(marked("أخبار كأس العالم", &[(Mode::Exact, "كأس")]), "أخبار <mark>كأس</mark> العالم");
        assert_eq!(marked("中国银行业", &[(Mode::Exact, "银行")]), "中国<mark>银行</mark>业");
        assert_eq!(marked("nothing here", &[(Mode::Exact, "cup")]), "nothing here");
    }

    #[test]
    fn paragraphs_stay_paragraphs() {
        let text = "One cup.\n\n\n\nTwo cups\nhere.";
        let fields = Fields { body: Some(text.into()), ..Fields::default() };
        let terms = vec![Term::new(Field::Body, Mode::Prefix, "cup").unwrap()];
        let told = Marked::new(&fields, terms).paragraphs(Field::Body, text);
        let told: Vec<String> = told.into_iter().map(Markup::into_string).collect();
        assert_eq!(told, ["One <mark>cup</mark>.", "Two <mark>cups</mark>\nhere."]);
    }
}
