//! The nearest of some names to what was typed.

/// The nearest name, if it is near enough to have been meant.
pub(crate) fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let near = names.map(|name| (distance(&typed, &name.to_lowercase()), name)).min_by_key(|(far, _)| *far);
    near.filter(|(far, name)| *far <= (name.chars().count() / 2).max(2)).map(|(_, name)| name)
}

/// Letters to be put in, taken out or changed.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (above, letter) in one.chars().enumerate() {
        let mut diagonal = above;
        let mut left = above + 1;
        for (cell, own) in row.iter_mut().skip(1).zip(&other) {
            let changed = diagonal + usize::from(letter != *own);
            diagonal = *cell;
            left = changed.min(left + 1).min(*cell + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = above + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_letters() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(nearest("planer", ["even", "planner"].into_iter()), Some("planner"));
        assert_eq!(nearest("xyzxyz", ["even", "planner"].into_iter()), None);
    }
}
