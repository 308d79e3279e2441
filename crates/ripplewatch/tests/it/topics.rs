//! Topics from the command line.

use crate::program::{fails, json, ok, run};

const RAIL: &str = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://t.example/> .
    :trains a skos:Concept ; skos:prefLabel "Trains"@en ; skos:altLabel "railways"@en ; skos:narrower :steam .
    :steam a skos:Concept ; skos:prefLabel "Steam engines"@en ."#;

#[test]
fn topics_are_built_shown_and_removed() {
    let data = tempfile::tempdir().unwrap();
    let listed = ok(data.path(), &["topics", "list"]);
    assert!(listed.contains("comes with the program"), "{listed}");
    let page = data.path().join("page.html");
    let html = "<html><head><title>Regatta</title></head><body><p>Boats sail in the regatta. Every boat has a crew.</p></body></html>";
    std::fs::write(&page, html).unwrap();
    let words = ["topics", "build", "Sailing", "--word", "sailing ship", "--page", page.to_str().unwrap()];
    let built = json(data.path(), &words);
    assert_eq!((built["name"].as_str(), built["classes"].as_u64()), (Some("Sailing"), Some(3)));
    let again = fails(data.path(), &words, 2);
    assert!(again.contains("already") && again.contains("--replace"), "{again}");
    json(data.path(), &[&words[..], &["--replace"]].concat());
    let shown = ok(data.path(), &["topics", "show", "sailing"]);
    assert!(shown.contains("sailing ship") && shown.contains("1 example page"), "{shown}");
    assert!(fails(data.path(), &["topics", "show", "Sialing"], 3).contains("did you mean “Sailing”"));
    assert!(fails(data.path(), &["topics", "build", "Nothing"], 2).contains("--page"));
    let picture = data.path().join("picture.html");
    std::fs::write(&picture, b"\x89PNG\r\n<html>").unwrap();
    let refused = fails(data.path(), &["topics", "build", "X", "--page", picture.to_str().unwrap()], 2);
    assert!(refused.contains("no page"), "{refused}");
    let hidden = fails(data.path(), &["topics", "build", "book", "--word", "novel"], 2);
    assert!(hidden.contains("comes with the program") && hidden.contains("--replace"), "{hidden}");
    assert!(fails(data.path(), &["topics", "undo", "Sailing", "rope"], 3).contains("lesson “rope”"));
    ok(data.path(), &["topics", "undo", "Sailing"]);
    assert_eq!(json(data.path(), &["topics", "undo", "Sailing", "--all"])["undone"], 0);
    fails(data.path(), &["topics", "undo", "Sailing", "--crawl", "7"], 3);
    ok(data.path(), &["topics", "remove", "Sailing"]);
    fails(data.path(), &["topics", "remove", "Sailing"], 3);
    assert!(fails(data.path(), &["topics", "import", "-"], 2).contains("--name"));
    assert!(fails(data.path(), &["topics", "build", "Two\nlines", "--word", "rope"], 2).contains("one line"));
}

#[test]
fn an_ontology_comes_in_and_goes_out() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("rail.ttl");
    std::fs::write(&file, RAIL).unwrap();
    let file = file.to_str().unwrap();
    ok(data.path(), &["topics", "import", file, "--name", "Trains"]);
    let text = ok(data.path(), &["topics", "export", "Trains", "--format", "rdf-xml"]);
    assert!(text.contains("rdf:RDF") && text.contains("railways"), "{text}");
    let missing =
        fails(data.path(), &["topics", "import", file, "--name", "X", "--class", "Steam engine"], 2);
    assert!(
        missing.contains("did you mean “Steam engines”") && missing.contains("Nothing was imported"),
        "{missing}"
    );
    std::fs::write(file, "@prefix : <http://x/> .\n:a a :B .\n:c :d \"open").unwrap();
    let broken = fails(data.path(), &["topics", "import", file, "--name", "Y"], 2);
    assert!(broken.contains("line 3"), "{broken}");
    assert!(fails(data.path(), &["topics", "import", "/no/such.ttl"], 1).contains("cannot read"));
}

#[test]
fn a_database_teaches_a_topic() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("shop.db");
    let shop = "CREATE TABLE products (id INTEGER PRIMARY KEY, price NUMERIC);
        CREATE TABLE books (product_id INTEGER PRIMARY KEY REFERENCES products (id), isbn TEXT, genre_id INTEGER REFERENCES genres (id));
        CREATE TABLE genres (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO products VALUES (1, 2), (2, 3), (3, 4);
        INSERT INTO genres VALUES (1, 'Poetry'), (2, 'Travel');
        INSERT INTO books VALUES (1, '978-1', 1), (2, '978-2', 2);";
    rusqlite::Connection::open(&file).unwrap().execute_batch(shop).unwrap();
    let file = file.to_str().unwrap();
    let account =
        ok(data.path(), &["topics", "learn-from-database", file, "--class", "book", "--name", "Books"]);
    assert!(account.contains("rule 3") && account.contains("“book” is a subclass of “product”"), "{account}");
    let shown = ok(data.path(), &["topics", "show", "Books"]);
    assert!(shown.contains("Poetry") && shown.contains("isbn"), "{shown}");
    let unsaid = fails(data.path(), &["topics", "learn-from-database", file], 2);
    assert!(unsaid.contains("--class") && unsaid.contains("Some classes: "), "{unsaid}");
    let wrong = fails(data.path(), &["topics", "learn-from-database", file, "--class", "bok"], 2);
    assert!(wrong.contains("Nothing was saved"), "{wrong}");
    let gone = fails(
        data.path(),
        &["topics", "learn-from-database", "postgres://a:b@127.0.0.1:1/x", "--class", "tome"],
        2,
    );
    assert!(gone.contains("cannot reach") && gone.contains("Check that it runs"), "{gone}");
    ok(data.path(), &["topics", "learn-from-database", file, "--into", "Books"]);
    let secret = "mysql://root:hunter2@db.example/shop";
    let other = fails(data.path(), &["topics", "learn-from-database", secret, "--class", "tome"], 2);
    assert!(other.contains("mysql") && !other.contains("hunter2"), "{other}");
    let export = run(data.path(), &["topics", "export", "Books", "--format", "skos"]);
    let warned = String::from_utf8(export.stderr).unwrap();
    assert!(warned.contains("relations") && warned.contains("left out"), "{warned}");
    json(data.path(), &["topics", "build", "Sailing", "--word", "boat"]);
    let into = run(data.path(), &["topics", "learn-from-database", file, "--into", "Sailing"]);
    let warned = String::from_utf8(into.stderr).unwrap();
    assert!(warned.contains("weigh nothing") && warned.contains("genre"), "{warned}");
}
