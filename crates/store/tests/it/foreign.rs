//! A shop with each branch of the rules, on both databases, learned from what they are.

use discovery::ontology::relational::{Schema, derive};
use std::time::Duration;
use store::{ForeignError, ForeignLimits, read_foreign};
use testkit::postgres::Postgres;

/// Words both databases understand. `genres` and `products.genre_id` declare nothing: the data tells.
const SHOP: &str = "
    CREATE TABLE products (product_id INTEGER PRIMARY KEY, price NUMERIC, genre_id INTEGER);
    CREATE TABLE product_texts (product_id INTEGER PRIMARY KEY REFERENCES products (product_id), blurb TEXT);
    CREATE TABLE books (product_id INTEGER PRIMARY KEY REFERENCES products (product_id), isbn TEXT);
    CREATE TABLE genres (genre_id INTEGER, label TEXT);
    CREATE TABLE buyers (buyer_id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE orders (order_id INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers (buyer_id));
    CREATE TABLE order_lines (order_id INTEGER REFERENCES orders (order_id), line INTEGER,
        product_id INTEGER REFERENCES products (product_id), PRIMARY KEY (order_id, line));
    CREATE TABLE wishes (buyer_id INTEGER REFERENCES buyers (buyer_id), product_id INTEGER REFERENCES products (product_id),
        PRIMARY KEY (buyer_id, product_id));
    CREATE TABLE gifts (buyer_id INTEGER REFERENCES buyers (buyer_id), product_id INTEGER REFERENCES products (product_id),
        PRIMARY KEY (buyer_id, product_id), FOREIGN KEY (buyer_id, product_id) REFERENCES wishes (buyer_id, product_id));
    CREATE TABLE log (message TEXT);
    INSERT INTO genres VALUES (1, 'Poetry'), (2, 'Science Fiction'), (3, 'Travel');
    INSERT INTO products VALUES (10, 5, 1), (11, 6, 2), (12, 7, 3), (13, 7, 2);
    INSERT INTO product_texts VALUES (10, 'a'), (11, 'b'), (12, 'c'), (13, 'd');
    INSERT INTO books VALUES (10, '978-1'), (11, '978-2');
    INSERT INTO buyers VALUES (1, 'Ann Example'), (2, 'Bob Example');
    INSERT INTO orders VALUES (1, 1), (2, 2);
    INSERT INTO order_lines VALUES (1, 1, 10), (1, 2, 11), (2, 1, 12);
    INSERT INTO wishes VALUES (1, 10), (1, 11), (2, 12);
    INSERT INTO gifts VALUES (1, 10), (2, 12);
    INSERT INTO log VALUES ('same'), ('same'), ('same');
";

#[tokio::test]
async fn every_branch_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shop.db");
    rusqlite::Connection::open(&file).unwrap().execute_batch(SHOP).unwrap();
    let schema = read_foreign(file.to_str().unwrap(), &ForeignLimits::default()).await.unwrap();
    assert_eq!(schema.name, "shop");
    check(&schema);
}

#[tokio::test]
async fn every_branch_on_postgres() {
    let server = Postgres::start();
    server.run(SHOP);
    let schema = read_foreign(&server.url(), &ForeignLimits::default()).await.unwrap();
    check(&schema);
}

fn check(schema: &Schema) {
    assert_eq!(schema.notes, [""; 0]);
    let derived = derive(schema);
    let mut account: Vec<String> =
        derived.account.iter().map(|it| format!("{} {}", it.rule, it.what)).collect();
    account.sort();
    assert_eq!(
        account,
        [
            "1 (i) class “book”",
            "1 (i) class “buyer”",
            "1 (i) class “genre”",
            "1 (i) class “order”",
            "1 (ii) class “order line”",
            "1 class “product”",
            "2 (i, ii) “order line” is part of “order”, “order” has part “order line”",
            "2 relation “buyer” from “order” to “buyer”",
            "2 relation “genre” from “product” to “genre”",
            "2 relation “product” from “order line” to “product”",
            "3 “book” is a subclass of “product”",
            "3 “gift” is a subrelation of “wish”",
            "– nothing from log",
            "– relation “gift”",
            "– relation “wish”",
        ]
    );
    let found: Vec<String> = derived
        .account
        .iter()
        .filter(|it| it.because.contains("found on the data"))
        .map(|it| it.what.clone())
        .collect();
    assert_eq!(found, ["class “genre”", "relation “genre” from “product” to “genre”"]);
    let words = |class: &str| {
        let id = derived.ontology.class_named(class).unwrap();
        derived.ontology.class(id).unwrap().entries.iter().map(|it| it.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(words("genre"), ["genre", "label", "Poetry", "Science Fiction", "Travel"]);
    // What people are called is no vocabulary.
    assert_eq!(words("buyer"), ["buyer"]);
}

#[tokio::test]
async fn what_cannot_be_read_says_what_to_do() {
    let limits = ForeignLimits { time: Duration::from_secs(3), ..ForeignLimits::default() };
    let error = |address: String| async move { read_foreign(&address, &limits).await.unwrap_err() };
    let missing = error("/no/such/file.db".into()).await;
    assert!(missing.to_string().contains("there is no file /no/such/file.db"), "{missing}");
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "These are notes, not a database. ".repeat(100)).unwrap();
    assert!(matches!(error(text.display().to_string()).await, ForeignError::NoDatabase { .. }));
    let of_folder = error(folder.path().display().to_string()).await;
    assert!(matches!(of_folder, ForeignError::Folder(_)), "{of_folder}");
    let busy = folder.path().join("busy.db");
    let writer = rusqlite::Connection::open(&busy).unwrap();
    writer.execute_batch("CREATE TABLE book (id INTEGER PRIMARY KEY); BEGIN EXCLUSIVE;").unwrap();
    let locked = error(busy.display().to_string()).await;
    assert!(matches!(locked, ForeignError::Locked(_)), "{locked}");
    let empty = folder.path().join("empty.db");
    std::fs::write(&empty, "").unwrap();
    assert!(matches!(error(empty.display().to_string()).await, ForeignError::Empty));
    // A port that was free a moment ago: nobody listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let refused = error(format!("postgres://ann:secret@127.0.0.1:{port}/shop")).await.to_string();
    assert!(refused.contains("cannot reach") && refused.contains("Check that it runs"), "{refused}");
    assert!(!refused.contains("secret"), "{refused}");
    assert!(matches!(error("postgres://host:notaport/".into()).await, ForeignError::BadUrl(_)));
}

#[tokio::test]
async fn time_is_bounded_and_what_was_left_out_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.db");
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE a (x INTEGER, y INTEGER);
             CREATE VIEW v AS SELECT 1;
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
             INSERT INTO a SELECT i % 100, i % 100 FROM n;",
        )
        .unwrap();
    // Too little to look at that many rows, however quick the machine is.
    let limits = ForeignLimits { time: Duration::from_millis(1), ..ForeignLimits::default() };
    let started = std::time::Instant::now();
    match read_foreign(file.to_str().unwrap(), &limits).await {
        Ok(schema) => {
            assert!(schema.notes.iter().any(|note| note.contains("not everything")), "{:?}", schema.notes);
        }
        Err(error) => assert!(matches!(error, ForeignError::TooSlow(_)), "{error}"),
    }
    assert!(started.elapsed() < Duration::from_secs(5));
}
