//! Long lists that grow by an eighth: doubling would leave up to half of the memory unused.

/// Adds to a list that may become very long.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 8).max(64));
    }
    list.push(item);
}
