//! What the shop sells, from files.

use std::io::Read;

/// A book.
#[derive(Debug, Clone, PartialEq)]
pub struct Book {
    /// Its title.
    pub title: String,
    /// Who wrote it, the first author first.
    pub authors: String,
    /// When it came out first.
    pub year: u32,
    /// Its language, e.g. `eng`.
    pub language: String,
    /// What readers gave it, 1 to 5.
    pub rating: f32,
}

impl Book {
    pub(super) fn author(&self) -> &str {
        self.authors.split(',').next().unwrap_or_default().trim()
    }
}

/// A category of other goods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// Its name.
    pub name: String,
    /// Its place in the tree, e.g. `Photo > Lenses`.
    pub path: String,
}

/// Why the stock cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StockError {
    /// The file cannot be read or is not such a table.
    #[error("{file}: {source}")]
    Table {
        /// The file.
        file: String,
        /// Why.
        source: csv::Error,
    },
    /// The file cannot be opened.
    #[error("{file}: {source}")]
    Open {
        /// The file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
}

/// Reads `books.csv`, plain or gzip.
pub fn read_books(file: &std::path::Path) -> Result<Vec<Book>, StockError> {
    let rows = rows(file)?;
    let book = |row: &csv::StringRecord| Book {
        authors: row.get(2).unwrap_or_default().to_owned(),
        year: row
            .get(3)
            .and_then(|year| year.parse::<f64>().ok())
            .map_or(2000, |year| year.max(1000.0) as u32),
        title: row.get(4).unwrap_or_default().to_owned(),
        language: row.get(5).unwrap_or_default().to_owned(),
        rating: row.get(6).and_then(|rating| rating.parse().ok()).unwrap_or(3.0),
    };
    Ok(rows.iter().map(book).filter(|book| !book.author().is_empty()).collect())
}

/// Reads `retail-categories.csv`, plain or gzip. Categories that sell books are left out: the shop has its own.
pub fn read_categories(file: &std::path::Path) -> Result<Vec<Category>, StockError> {
    let rows = rows(file)?;
    let category = |row: &csv::StringRecord| {
        Some(Category { name: row.get(1)?.to_owned(), path: row.get(2)?.to_owned() })
    };
    Ok(rows
        .iter()
        .filter_map(category)
        .filter(|category| !category.path.to_lowercase().contains("book"))
        .collect())
}

fn rows(file: &std::path::Path) -> Result<Vec<csv::StringRecord>, StockError> {
    let name = file.display().to_string();
    let open = |source| StockError::Open { file: name.clone(), source };
    let bytes = std::fs::read(file).map_err(open)?;
    let mut text = Vec::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut text).map_err(open)?;
    } else {
        text = bytes;
    }
    let mut reader = csv::Reader::from_reader(text.as_slice());
    reader
        .records()
        .collect::<Result<_, _>>()
        .map_err(|source| StockError::Table { file: name.clone(), source })
}
