//! Names of tables and columns as people would say them.

use std::collections::BTreeMap;

/// What each table is called: without a beginning that several tables share, e.g. the name of a program's part, where
/// that leaves no two alike. Of `catalogue_product`, `catalogue_category`, `order_line` and `basket_line` that is
/// `product`, `category`, `order line` and `basket line`.
pub(super) fn of_tables<'a>(tables: &[&'a str]) -> BTreeMap<&'a str, String> {
    let first = |name: &str| name.split('_').next().unwrap_or_default().to_owned();
    let mut shared: BTreeMap<String, usize> = BTreeMap::new();
    for table in tables {
        *shared.entry(first(table)).or_default() += 1;
    }
    let short = |table: &str| {
        let rest = table.split_once('_').map(|(_, rest)| rest).filter(|rest| !rest.is_empty());
        of_table(rest.filter(|_| shared[&first(table)] >= SHARED).unwrap_or(table))
    };
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for table in tables {
        *taken.entry(short(table)).or_default() += 1;
    }
    let name = |table: &&'a str| {
        let short = short(table);
        (*table, if taken[&short] > 1 { of_table(table) } else { short })
    };
    tables.iter().map(name).collect()
}

/// Tables that begin alike by plan rather than by chance.
const SHARED: usize = 3;

/// What a table is called by itself: `order_lines` is `order line`.
pub(super) fn of_table(name: &str) -> String {
    let mut words = split(name);
    if let Some(last) = words.last_mut() {
        *last = singular(last);
    }
    words.join(" ")
}

/// What a column refers to: `buyer_id` is `buyer`.
pub(super) fn of_column(name: &str) -> String {
    let mut words = split(name);
    if words.len() > 1
        && words
            .last()
            .is_some_and(|last| matches!(last.as_str(), "id" | "fk" | "key" | "ref" | "no" | "code"))
    {
        words.pop();
    }
    words.join(" ")
}

/// Words of a name with underscores, dots, spaces or humps.
pub(super) fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small_before = false;
    for c in name.chars() {
        let hump = c.is_uppercase() && small_before;
        if !c.is_alphanumeric() || hump {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        small_before = c.is_lowercase() || c.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The singular of an English noun, as far as its ending tells.
fn singular(word: &str) -> String {
    let cut = |end: usize| word[..word.len() - end].to_owned();
    if word.len() <= 3
        || !word.is_ascii()
        || ["ss", "us", "is", "news", "series"].iter().any(|end| word.ends_with(end))
    {
        word.to_owned()
    } else if word.ends_with("ies") {
        cut(3) + "y"
    } else if ["sses", "shes", "ches", "xes", "zes"].iter().any(|end| word.ends_with(end)) {
        cut(2)
    } else if word.ends_with('s') {
        cut(1)
    } else {
        word.to_owned()
    }
}

/// Whether a column says something about its table's things rather than about the table.
pub(super) fn is_telling(name: &str) -> bool {
    const BOOKKEEPING: &[&str] = &[
        "id",
        "uuid",
        "guid",
        "pk",
        "slug",
        "name",
        "title",
        "code",
        "type",
        "kind",
        "status",
        "state",
        "value",
        "position",
        "order",
        "sort",
        "rank",
        "depth",
        "path",
        "level",
        "lft",
        "rght",
        "created",
        "updated",
        "modified",
        "deleted",
        "date",
        "time",
        "timestamp",
        "at",
        "by",
        "on",
        "is",
        "has",
        "active",
        "enabled",
        "public",
        "visible",
        "default",
        "flag",
        "data",
        "json",
        "meta",
        "metadata",
        "hash",
        "token",
        "key",
        "password",
        "version",
        "locale",
        "lang",
        "num",
        "count",
        "number",
        "extra",
        "options",
        "settings",
        "text",
        "content",
        "description",
        "note",
        "notes",
        "comment",
    ];
    let words = split(name);
    !words.is_empty() && words.iter().all(|word| word.len() > 2 && !BOOKKEEPING.contains(&word.as_str()))
}

/// Whether a value can stand as a word for its class.
pub(super) fn is_word(value: &str) -> bool {
    let value = value.trim();
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    (2..=40).contains(&value.chars().count())
        && value.split_whitespace().count() <= 4
        && letters * 10 >= value.chars().count() * 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_said_as_people_say_them() {
        assert_eq!(of_table("order_items"), "order item");
        assert_eq!(of_table("OrderAddresses"), "order address");
        assert_eq!(of_table("status"), "status");
        assert_eq!(of_column("buyer_id"), "buyer");
        assert_eq!(of_column("shippingAddressId"), "shipping address");
        assert_eq!(of_column("id"), "id");
        let names = of_tables(&[
            "shop_books",
            "shop_lines",
            "shop_shelves",
            "cart_lines",
            "cart_carts",
            "cart_x",
            "log",
        ]);
        let said: Vec<&str> = names.values().map(String::as_str).collect();
        assert_eq!(said, ["cart", "cart line", "x", "log", "book", "shop line", "shelve"]);
    }

    #[test]
    fn bookkeeping_is_no_word() {
        assert!(is_telling("isbn") && !is_telling("page_count") && !is_telling("created_at"));
        assert!(is_word("Science Fiction") && !is_word("SKU-0012-33") && !is_word("x"));
    }
}
