//! The API's description is a snapshot: a change of the API is a change of this file, on purpose.

use std::path::Path;

#[test]
fn the_document_is_as_agreed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/openapi.json");
    let now = server::openapi() + "\n";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let agreed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(agreed == now, "the OpenAPI document changed: look at it, then run with UPDATE=1");
}

#[test]
fn the_document_is_openapi_3_1() {
    let document: serde_json::Value = serde_json::from_str(&server::openapi()).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert!(document["paths"]["/api/v1/articles"]["get"].is_object());
    assert_eq!(document["components"]["securitySchemes"]["token"]["scheme"], "bearer");
}
