//! Names of tables and columns as people would say them.

/// What a table is called: `catalogue_product_images` is `catalogue product image`.
pub(super) fn of_table(name: &str, prefix: &str) -> String {
    let rest = name.strip_prefix(prefix).filter(|rest| !rest.is_empty()).unwrap_or(name);
    let mut words = split(rest);
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

/// The beginning that all names share up to an underscore, e.g. the name of the program.
pub(super) fn common_prefix<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let Some(first) = names.next() else { return String::new() };
    let mut shared = first.find('_').map_or("", |at| &first[..=at]);
    let mut others = 0;
    for name in names {
        others += 1;
        if !name.starts_with(shared) {
            shared = "";
        }
    }
    if others > 0 { shared.to_owned() } else { String::new() }
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
        if c.is_alphanumeric() {
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
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
        assert_eq!(of_table("order_items", ""), "order item");
        assert_eq!(of_table("shop_Categories", "shop_"), "category");
        assert_eq!(of_table("OrderAddresses", ""), "order address");
        assert_eq!(of_table("status", ""), "status");
        assert_eq!(of_column("buyer_id"), "buyer");
        assert_eq!(of_column("shippingAddressId"), "shipping address");
        assert_eq!(of_column("id"), "id");
        assert_eq!(common_prefix(["shop_a", "shop_b"]), "shop_");
        assert_eq!(common_prefix(["shop_a", "b"]), "");
    }

    #[test]
    fn bookkeeping_is_no_word() {
        assert!(is_telling("isbn") && is_telling("page_count") == false && !is_telling("created_at"));
        assert!(is_word("Science Fiction") && !is_word("SKU-0012-33") && !is_word("x"));
    }
}
