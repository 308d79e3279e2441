//! A shop that has each branch of the rules.

use super::*;
use crate::ontology::relational::{Column, ColumnKind};

fn table(name: &str, key: &[&str], columns: &[&str]) -> Table {
    let column =
        |name: &&str| Column { name: (*name).to_owned(), kind: ColumnKind::Text, samples: Vec::new() };
    Table {
        name: name.to_owned(),
        columns: columns.iter().map(column).collect(),
        key: key.iter().map(|it| (*it).to_owned()).collect(),
        key_declared: true,
        rows: None,
    }
}

fn inclusion(from: &str, columns: &[&str], to: &str, to_columns: &[&str], equal: bool) -> Inclusion {
    let owned = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect();
    Inclusion {
        from: from.to_owned(),
        columns: owned(columns),
        to: to.to_owned(),
        to_columns: owned(to_columns),
        declared: true,
        equal,
    }
}

fn shop() -> Schema {
    let mut genres = table("genres", &["genre_id"], &["genre_id", "label"]);
    genres.columns[1].samples = vec!["Science Fiction".into(), "Poetry".into(), "12-99".into()];
    Schema {
        name: "shop".into(),
        tables: vec![
            table("products", &["product_id"], &["product_id", "price", "genre_id"]),
            table("product_texts", &["product_id"], &["product_id", "blurb"]),
            table("books", &["product_id"], &["product_id", "isbn"]),
            genres,
            table("orders", &["order_id"], &["order_id", "buyer_id"]),
            table("buyers", &["buyer_id"], &["buyer_id"]),
            table("order_lines", &["order_id", "line"], &["order_id", "line", "product_id"]),
            table("wishes", &["buyer_id", "product_id"], &["buyer_id", "product_id"]),
            table("gifts", &["buyer_id", "product_id"], &["buyer_id", "product_id"]),
            table("log", &[], &["message"]),
        ],
        inclusions: vec![
            inclusion("product_texts", &["product_id"], "products", &["product_id"], true),
            inclusion("books", &["product_id"], "products", &["product_id"], false),
            inclusion("products", &["genre_id"], "genres", &["genre_id"], false),
            inclusion("orders", &["buyer_id"], "buyers", &["buyer_id"], false),
            inclusion("order_lines", &["order_id"], "orders", &["order_id"], false),
            inclusion("order_lines", &["product_id"], "products", &["product_id"], false),
            inclusion("wishes", &["buyer_id"], "buyers", &["buyer_id"], false),
            inclusion("wishes", &["product_id"], "products", &["product_id"], false),
            inclusion("gifts", &["buyer_id"], "buyers", &["buyer_id"], false),
            inclusion("gifts", &["product_id"], "products", &["product_id"], false),
            inclusion("gifts", &["buyer_id", "product_id"], "wishes", &["buyer_id", "product_id"], false),
        ],
        notes: Vec::new(),
    }
}

#[test]
fn every_branch_gives_its_account() {
    let account: Vec<String> =
        derive(&shop()).account.iter().map(|it| format!("{} {}", it.rule, it.what)).collect();
    assert_eq!(
        account,
        [
            "1 class “product”",
            "1 (i) class “book”",
            "1 (i) class “genre”",
            "1 (i) class “order”",
            "1 (i) class “buyer”",
            "1 (ii) class “order line”",
            "– relation “wish”",
            "– relation “gift”",
            "– nothing from log",
            "2 (i, ii) “order line” is part of “order”, “order” has part “order line”",
            "2 relation “genre” from “product” to “genre”",
            "2 relation “buyer” from “order” to “buyer”",
            "2 relation “product” from “order line” to “product”",
            "3 “book” is a subclass of “product”",
            "3 “gift” is a subrelation of “wish”",
        ]
    );
}

#[test]
fn the_ontology_says_the_same() {
    let Derived { ontology, account } = derive(&shop());
    ontology.check().unwrap();
    let class = |name: &str| ontology.class_named(name).unwrap();
    let parents = &ontology.class(class("book")).unwrap().parents;
    assert_eq!(parents, &[class("product")]);
    let part = ontology.relation_named("order line is part of order").unwrap();
    let whole = ontology.relation_named("order has part order line").unwrap();
    assert_eq!(ontology.relation(part).unwrap().inverse, Some(whole));
    assert_eq!(ontology.relation(whole).unwrap().inverse, Some(part));
    assert_eq!(ontology.relation(whole).unwrap().domain, Some(class("order")));
    let wish = ontology.relation(ontology.relation_named("wish").unwrap()).unwrap();
    assert_eq!((wish.domain, wish.range), (Some(class("buyer")), Some(class("product"))));
    let words: Vec<&str> =
        ontology.class(class("genre")).unwrap().entries.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(words, ["genre", "label", "Science Fiction", "Poetry"]);
    let merged: Vec<&str> =
        ontology.class(class("product")).unwrap().entries.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(merged, ["product", "price", "product text", "blurb"]);
    assert!(account[0].to_string().contains("the keys of products and product_texts have the same values"));
}

#[test]
fn tables_in_a_circle_stay_a_hierarchy() {
    // Found on samples of the data, three inclusions can contradict each other.
    let names = ["a", "b", "c"];
    let schema = Schema {
        tables: names.iter().map(|name| table(name, &["k"], &["k"])).collect(),
        inclusions: (0..3)
            .map(|at| inclusion(names[at], &["k"], names[(at + 1) % 3], &["k"], false))
            .collect(),
        ..Schema::default()
    };
    let derived = derive(&schema);
    derived.ontology.check().unwrap();
    assert!(derived.account.last().unwrap().because.contains("circle"));
}
