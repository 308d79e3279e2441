//! The shop's addresses, both ways.

/// What an address asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    Home,
    Departments,
    Books,
    /// Authors by initial.
    Authors(char),
    Author(String),
    /// A decade, its page, its facets as they stand in the query.
    Decade(u32, usize, String),
    Book(usize),
    Category(usize, String),
    /// A category and the item in it.
    Item(usize, usize),
    Help(usize),
    Month(u32, u32),
}

impl Address {
    pub(super) fn read(path_and_query: &str) -> Option<Self> {
        let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
        let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty()).collect();
        let (pages, facets): (Vec<&str>, Vec<&str>) =
            query.split('&').filter(|pair| !pair.is_empty()).partition(|pair| pair.starts_with("page="));
        let page = pages.first().and_then(|pair| pair.get(5..)?.parse::<usize>().ok()).unwrap_or(1);
        let facets = facets.join("&");
        match steps.as_slice() {
            [] => Some(Self::Home),
            ["departments"] => Some(Self::Departments),
            ["books"] => Some(Self::Books),
            ["books", "authors", initial] => initial.chars().next().map(Self::Authors),
            ["books", decade] => {
                let decade = decade.strip_suffix('s')?.parse().ok()?;
                Some(Self::Decade(decade, page.checked_sub(1)?, facets))
            }
            ["author", slug] => Some(Self::Author((*slug).to_owned())),
            ["book", slug] => number(slug).map(Self::Book),
            ["c", slug] => Some(Self::Category(number(slug)?, facets)),
            ["item", slug] => {
                let (rest, item) = slug.rsplit_once('-')?;
                Some(Self::Item(number(rest)?, item.parse().ok()?))
            }
            ["help", slug] => number(slug).map(Self::Help).filter(|help| matches!(help, Self::Help(0..=23))),
            ["events", year, month] => {
                let (year, month) = (year.parse().ok()?, month.parse().ok()?);
                ((1..=12).contains(&month) && year < 9_999).then_some(Self::Month(year, month))
            }
            _ => None,
        }
    }
}

/// The number at the end of a slug.
fn number(slug: &str) -> Option<usize> {
    slug.rsplit('-').next()?.parse().ok()
}

/// A text as a step of an address.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
        if slug.len() > 60 {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "x".to_owned() } else { slug.to_owned() }
}
