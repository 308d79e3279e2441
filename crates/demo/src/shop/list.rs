//! Books, and lists of them.

use super::address::slug;
use super::site::frame;
use super::{Book, Shop};
use crate::markup::{Escaped, Markup};

/// Books on one list page.
pub(super) const LENGTH: usize = 24;

/// What a reader might say, whatever the book.
const PRAISE: [&str; 6] = [
    "A novel that stays with you long after the last chapter.",
    "The author tells the story with a light hand, and the reader turns page after page.",
    "This edition comes with a new foreword and notes by the publisher.",
    "Readers have loved these characters for years; now the paperback is back in print.",
    "From the first sentence to the epilogue a pleasure to read, and hard to put down.",
    "Critics praised the prose, and the writer won a literary prize for it.",
];

const BINDINGS: [&str; 4] = ["Paperback", "Hardcover", "Pocket edition", "Audiobook"];

impl Shop {
    pub(super) fn book_page(&self, number: usize) -> Option<String> {
        let book = self.books.get(number)?;
        let title = format!("{} by {}", book.title, book.author());
        Some(frame(&title, |page| {
            crumbs(page, book);
            write!(page, "<article class=\"product\"><h1>{}</h1>", Escaped(&book.title));
            write!(
                page,
                "<p class=\"by\">by <a href=\"/author/{}\">{}</a></p><p>{}, {} pages, first published in {}. Language: {}. \
                 ISBN {}. Rated {:.2} of 5 by readers.</p>",
                slug(book.author()),
                Escaped(&book.authors),
                BINDINGS[number % BINDINGS.len()],
                120 + number * 37 % 600,
                book.year,
                Escaped(&book.language),
                9_780_000_000_000_u64 + number as u64 * 7_919,
                book.rating
            );
            for sentence in 0..3 {
                write!(page, "<p>{}</p>", PRAISE[(number + sentence * 2) % PRAISE.len()]);
            }
            write!(
                page,
                "<p class=\"price\">{}.95</p><button>Add to basket</button></article>",
                5 + number % 30
            );
            self.related(page, number, book);
        }))
    }

    /// Others by the same author and from the same years; and, as shops do, something else altogether.
    fn related(&self, page: &mut Markup, number: usize, book: &Book) {
        page.push("<section class=\"related\"><h2>More like this</h2><ul class=\"grid\">");
        let same_author =
            self.authors.get(book.author()).into_iter().flatten().copied().filter(|other| *other != number);
        let decade = self.decades.get(&(book.year / 10 * 10)).map(Vec::as_slice).unwrap_or_default();
        let at = decade.iter().position(|other| *other == number).unwrap_or(0);
        let nearby = decade.iter().cycle().skip(at + 1).take(4.min(decade.len().saturating_sub(1))).copied();
        for other in same_author.take(4).chain(nearby) {
            book_card(page, other, &self.books[other]);
        }
        page.push("</ul></section>");
        if !self.categories.is_empty() {
            page.push("<aside class=\"also\"><h2>Customers also looked at</h2><ul>");
            for step in 0..3 {
                let category = (number * 13 + step * 101) % self.categories.len();
                super::item::card(page, category, &self.categories[category], step);
            }
            page.push("</ul></aside>");
        }
    }

    pub(super) fn book_department(&self) -> String {
        frame("Books", |page| {
            page.push("<h1>Books</h1><p>Novels, stories and non-fiction, new and old.</p><h2>By decade</h2><ul class=\"decades\">");
            for (decade, books) in self.decades.iter().rev() {
                write!(
                    page,
                    "<li><a href=\"/books/{decade}s\">Books of the {decade}s</a> ({})</li>",
                    books.len()
                );
            }
            page.push("</ul><h2>By author</h2><p class=\"initials\">");
            for initial in 'a'..='z' {
                write!(page, "<a href=\"/books/authors/{initial}\">{}</a> ", initial.to_ascii_uppercase());
            }
            page.push("</p>");
        })
    }

    pub(super) fn authors_of(&self, initial: char) -> String {
        let initial = initial.to_ascii_lowercase();
        frame(&format!("Authors: {}", initial.to_ascii_uppercase()), |page| {
            write!(
                page,
                "<h1>Authors: {}</h1><p>Writers in our book department.</p><ul class=\"authors\">",
                initial.to_ascii_uppercase()
            );
            for (slug, name) in self
                .author_names
                .range(initial.to_string()..)
                .take_while(|(slug, _)| slug.starts_with(initial))
            {
                write!(page, "<li><a href=\"/author/{slug}\">{}</a></li>", Escaped(name));
            }
            page.push("</ul>");
        })
    }

    pub(super) fn author_page(&self, slug: &str) -> Option<String> {
        let name = self.author_names.get(slug)?;
        let books = self.authors.get(name)?;
        Some(frame(&format!("Books by {name}"), |page| {
            write!(
                page,
                "<h1>Books by {}</h1><p>All titles of this author in our shop.</p><ul class=\"grid\">",
                Escaped(name)
            );
            for number in books {
                book_card(page, *number, &self.books[*number]);
            }
            page.push("</ul>");
        }))
    }

    pub(super) fn decade_page(&self, decade: u32, at: usize, facets: &str) -> Option<String> {
        let books = self.decades.get(&decade)?;
        let pages = books.len().div_ceil(LENGTH);
        let shown = books.chunks(LENGTH).nth(at)?;
        Some(frame(&format!("Books of the {decade}s"), |page| {
            write!(page, "<h1>Books of the {decade}s</h1><p>Page {} of {pages}.</p>", at + 1);
            facet_links(page, &format!("/books/{decade}s"), facets);
            page.push("<ul class=\"grid\">");
            for number in shown {
                book_card(page, *number, &self.books[*number]);
            }
            page.push("</ul><p class=\"pages\">");
            let near = [at.wrapping_sub(1), at + 1, at + 2, pages - 1];
            for other in near.into_iter().filter(|other| *other < pages && *other != at) {
                let more = if facets.is_empty() {
                    String::new()
                } else {
                    format!("&amp;{}", facets.replace('&', "&amp;"))
                };
                write!(page, "<a href=\"/books/{decade}s?page={}{more}\">{}</a> ", other + 1, other + 1);
            }
            page.push("</p>");
        }))
    }
}

/// Every order and every cut of a list, and from each of them to every other: 6 × 4 × 5 of them.
pub(super) fn facet_links(page: &mut Markup, base: &str, facets: &str) {
    page.push("<form class=\"facets\">");
    for (name, values) in FACETS {
        for value in values {
            let mut pairs: Vec<&str> = facets.split('&').filter(|pair| !pair.is_empty()).collect();
            pairs.retain(|pair| !pair.starts_with(name));
            let own = format!("{name}={value}");
            pairs.push(&own);
            write!(page, "<a href=\"{base}?{}\">{value}</a> ", pairs.join("&amp;"));
        }
    }
    page.push("</form>");
}

const FACETS: [(&str, &[&str]); 3] = [
    ("sort", &["price", "name", "rating", "newest", "bestselling", "stock"]),
    ("price", &["0-10", "10-20", "20-50", "50-200"]),
    ("condition", &["new", "used", "sealed", "signed", "returned"]),
];

pub(super) fn book_card(page: &mut Markup, number: usize, book: &Book) {
    write!(
        page,
        "<li class=\"card\"><a href=\"/book/{}-{number}\">{}</a> by {}, {}</li>",
        slug(&book.title),
        Escaped(&book.title),
        Escaped(book.author()),
        book.year
    );
}

fn crumbs(page: &mut Markup, book: &Book) {
    let decade = book.year / 10 * 10;
    write!(
        page,
        "<p class=\"crumbs\"><a href=\"/books\">Books</a> › <a href=\"/books/{decade}s\">{decade}s</a></p>"
    );
}
