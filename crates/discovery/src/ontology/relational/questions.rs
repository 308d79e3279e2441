//! What is worth asking the data: which columns may refer to which tables although nobody declared it, and which
//! values may serve as words.

use super::names;
use super::schema::{ColumnKind, Inclusion, Schema, Table};

/// References nobody declared that the names suggest. Which of them hold, the data says.
pub fn suspected(schema: &Schema) -> Vec<Inclusion> {
    let mut found = Vec::new();
    for table in &schema.tables {
        for column in &table.columns {
            let declared =
                schema.inclusions.iter().any(|it| it.from == table.name && it.columns.contains(&column.name));
            if declared {
                continue;
            }
            for other in schema.tables.iter().filter(|other| other.name != table.name) {
                let [key] = other.key.as_slice() else { continue };
                let same_kind = other.columns.iter().any(|it| it.name == *key && it.kind == column.kind);
                if same_kind && column.kind != ColumnKind::Other && may_refer(&column.name, &other.name, key)
                {
                    found.push(Inclusion {
                        from: table.name.clone(),
                        columns: vec![column.name.clone()],
                        to: other.name.clone(),
                        to_columns: vec![key.clone()],
                        declared: false,
                        equal: false,
                    });
                }
            }
        }
    }
    found
}

/// Whether a column's name says that it refers to a table with this key.
fn may_refer(column: &str, table: &str, key: &str) -> bool {
    const GENERAL: &[&str] = &["id", "uuid", "key", "code", "no", "nr", "number", "pk"];
    let key_words = names::split(key);
    let general = key_words.len() == 1 && GENERAL.contains(&key_words[0].as_str());
    let column_words = names::split(column);
    if !general {
        return column_words.ends_with(&key_words);
    }
    // `book_id` or `book` for `books.id`, `shop_books.id`.
    let thing = names::of_table(table);
    let said = names::of_column(column);
    said != *"id" && (thing == said || thing.ends_with(&format!(" {said}")))
}

/// Whether a column's values may be read to become words of the ontology: names of things. Never what people are
/// called or where they live: that is nobody's vocabulary.
pub fn may_sample(table: &Table, column: &str) -> bool {
    const PEOPLE: &[&str] = &[
        "user",
        "users",
        "customer",
        "customers",
        "person",
        "people",
        "persons",
        "account",
        "accounts",
        "member",
        "members",
        "employee",
        "employees",
        "staff",
        "address",
        "addresses",
        "contact",
        "contacts",
        "client",
        "clients",
        "author",
        "authors",
        "artist",
        "artists",
        "actor",
        "actors",
        "director",
        "directors",
        "writer",
        "writers",
        "editor",
        "editors",
        "composer",
        "composers",
        "player",
        "players",
        "student",
        "students",
        "teacher",
        "teachers",
        "buyer",
        "buyers",
        "patient",
        "patients",
        "profile",
        "profiles",
        "email",
        "emails",
        "session",
        "sessions",
        "log",
        "logs",
        "message",
        "messages",
        "review",
        "reviews",
        "token",
        "tokens",
    ];
    const NAMING: &[&str] = &[
        "name", "title", "label", "category", "genre", "subject", "brand", "topic", "type", "kind",
        "species", "term", "keyword",
    ];
    let text = table.columns.iter().any(|it| it.name == column && it.kind == ColumnKind::Text);
    let words = names::split(column);
    text && !names::split(&table.name).iter().any(|word| PEOPLE.contains(&word.as_str()))
        && words.last().is_some_and(|last| NAMING.contains(&last.as_str()))
        && !words.iter().any(|word| {
            let of_file = matches!(word.as_str(), "first" | "last" | "middle" | "full" | "file" | "content");
            of_file || PEOPLE.contains(&word.as_str())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::relational::Column;

    #[test]
    fn names_suggest_references() {
        assert!(may_refer("book_id", "books", "id"));
        assert!(may_refer("book", "shop_books", "id"));
        assert!(!may_refer("id", "books", "id"));
        assert!(!may_refer("shelf_id", "books", "id"));
        assert!(may_refer("isbn", "books", "isbn"));
        assert!(may_refer("main_isbn", "books", "isbn"));
        assert!(!may_refer("price", "books", "isbn"));
    }

    #[test]
    fn people_are_no_vocabulary() {
        let table = |name: &str| Table {
            name: name.into(),
            columns: vec![Column { name: "name".into(), kind: ColumnKind::Text, samples: vec![] }],
            ..Table::default()
        };
        assert!(may_sample(&table("genres"), "name"));
        assert!(!may_sample(&table("shop_customers"), "name"));
        assert!(!may_sample(&table("genres"), "price"));
        assert!(!may_sample(&table("book_authors"), "name"));
        let mut books = table("books");
        books.columns.push(Column { name: "author_name".into(), kind: ColumnKind::Text, samples: vec![] });
        assert!(!may_sample(&books, "author_name") && may_sample(&books, "name"));
    }
}
