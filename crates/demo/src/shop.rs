//! A shop on the web: real books and other goods, in a layout that is made up, with the traps of real shops.
//!
//! Pure: from its stock it knows every page anybody may ask for, and what each is about, without end: list pages with
//! pagination and facets, a calendar that goes on for ever. It can be served (see [`Shop::answer`]) or crawled in memory.

mod address;
mod item;
mod list;
mod site;
mod stock;

pub use stock::{Book, Category, StockError, read_books, read_categories};

use address::Address;
use std::collections::BTreeMap;

/// A shop with its stock.
#[derive(Debug)]
pub struct Shop {
    books: Vec<Book>,
    categories: Vec<Category>,
    /// Books by their first author.
    authors: BTreeMap<String, Vec<usize>>,
    /// The same by the author's slug.
    author_names: BTreeMap<String, String>,
    decades: BTreeMap<u32, Vec<usize>>,
}

/// What a page of the shop is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShopKind {
    /// A book.
    Book,
    /// A list of books, by author or decade.
    BookList,
    /// Another thing for sale, or a list of such.
    Goods,
    /// Help, law, the front page.
    House,
    /// The same list in another order, or cut another way.
    Facet,
    /// A month of the calendar.
    Calendar,
}

impl ShopKind {
    /// Is it on the topic "Book"?
    pub fn is_book(self) -> bool {
        matches!(self, Self::Book | Self::BookList)
    }

    /// Is it one of a set without end that brings nothing?
    pub fn is_trap(self) -> bool {
        matches!(self, Self::Facet | Self::Calendar)
    }
}

impl Shop {
    /// A shop that sells these.
    pub fn new(books: Vec<Book>, categories: Vec<Category>) -> Self {
        let mut authors: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut decades: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (place, book) in books.iter().enumerate() {
            authors.entry(book.author().to_owned()).or_default().push(place);
            decades.entry(book.year / 10 * 10).or_default().push(place);
        }
        let author_names = authors.keys().map(|name| (address::slug(name), name.clone())).collect();
        Self { books, categories, authors, author_names, decades }
    }

    /// What stands at an address (path and query); `None` for nothing.
    pub fn kind(&self, path_and_query: &str) -> Option<ShopKind> {
        Address::read(path_and_query).and_then(|address| self.kind_of(&address))
    }

    /// The page at an address.
    pub fn answer(&self, path_and_query: &str) -> Option<String> {
        let address = Address::read(path_and_query)?;
        self.kind_of(&address)?;
        self.page(&address)
    }

    /// Pages of the shop without its traps.
    pub fn pages(&self) -> usize {
        self.books.len() + self.authors.len() + self.decades.len() + self.categories.len() * (item::ITEMS + 1)
    }

    fn kind_of(&self, address: &Address) -> Option<ShopKind> {
        match address {
            Address::Home | Address::Help(_) | Address::Departments => Some(ShopKind::House),
            Address::Book(number) => self.books.get(*number).map(|_| ShopKind::Book),
            Address::Books | Address::Authors(_) => Some(ShopKind::BookList),
            Address::Author(slug) => self.author_names.contains_key(slug).then_some(ShopKind::BookList),
            Address::Decade(decade, page, facets) => {
                let pages = self.decades.get(decade)?.len().div_ceil(list::LENGTH);
                (*page < pages).then_some(if facets.is_empty() {
                    ShopKind::BookList
                } else {
                    ShopKind::Facet
                })
            }
            Address::Category(number, facets) => {
                self.categories.get(*number)?;
                Some(if facets.is_empty() { ShopKind::Goods } else { ShopKind::Facet })
            }
            Address::Item(category, item) => {
                (*category < self.categories.len() && *item < item::ITEMS).then_some(ShopKind::Goods)
            }
            Address::Month(..) => Some(ShopKind::Calendar),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop() -> Shop {
        let book = |number: u32, author: &str| Book {
            title: format!("Tales {number}"),
            authors: author.to_owned(),
            year: 1990 + number % 30,
            language: "eng".to_owned(),
            rating: 4.0,
        };
        let books = (0..200)
            .map(|number| book(number, ["Ada Moor", "Bo Lind, Ada Moor"][number as usize % 2]))
            .collect();
        let categories = ["Cameras", "Lenses", "Tripods"]
            .map(|name| Category { name: name.to_owned(), path: format!("Photo > {name}") });
        Shop::new(books, categories.to_vec())
    }

    #[test]
    fn every_link_of_the_shop_leads_to_a_page() {
        let shop = shop();
        let mut seen = std::collections::BTreeSet::new();
        let mut waiting = vec!["/".to_owned()];
        while let Some(path) = waiting.pop() {
            if !seen.insert(path.clone()) || seen.len() > 600 {
                continue;
            }
            let html = shop.answer(&path).unwrap_or_else(|| panic!("nothing at {path}"));
            let links = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
            let links: Vec<String> = links.map(|link| link.replace("&amp;", "&")).collect();
            // Traps have no end: one step into them is enough.
            if !shop.kind(&path).is_some_and(ShopKind::is_trap) {
                waiting.extend(links);
            }
        }
        let kinds = |kind: ShopKind| seen.iter().filter(|path| shop.kind(path) == Some(kind)).count();
        assert_eq!(kinds(ShopKind::Book), 200);
        assert!(kinds(ShopKind::Facet) > 3 && kinds(ShopKind::Calendar) >= 1 && kinds(ShopKind::Goods) > 10);
    }

    #[test]
    fn what_is_not_there_is_not_there() {
        let shop = shop();
        for path in ["/book/none-9999", "/author/nobody", "/books/1800s", "/c/none-77", "/nothing"] {
            assert_eq!(shop.answer(path), None, "{path}");
        }
    }
}
