//! A binary heap whose members know their place, so that a changed key is mended in O(log n).

/// Where the keys and the places of the members are.
pub(crate) trait Order {
    /// Does one come before the other?
    fn before(&self, one: u32, other: u32) -> bool;
    /// A member now stands here.
    fn stands(&mut self, member: u32, place: u32);
}

/// Moves the member at `place` to where it belongs.
pub(crate) fn mend(heap: &mut [u32], order: &mut impl Order, place: usize) {
    if !rise(heap, order, place) {
        sink(heap, order, place);
    }
}

/// Adds a member.
pub(crate) fn push(heap: &mut Vec<u32>, order: &mut impl Order, member: u32) {
    heap.push(member);
    let place = heap.len() - 1;
    order.stands(member, place as u32);
    rise(heap, order, place);
}

/// Takes out the member at `place`.
pub(crate) fn remove(heap: &mut Vec<u32>, order: &mut impl Order, place: usize) -> Option<u32> {
    if place >= heap.len() {
        return None;
    }
    let taken = heap.swap_remove(place);
    if let Some(moved) = heap.get(place) {
        order.stands(*moved, place as u32);
        mend(heap, order, place);
    }
    Some(taken)
}

fn rise(heap: &mut [u32], order: &mut impl Order, mut place: usize) -> bool {
    let mut moved = false;
    while place > 0 {
        let above = (place - 1) / 2;
        if !order.before(heap[place], heap[above]) {
            break;
        }
        swap(heap, order, place, above);
        place = above;
        moved = true;
    }
    moved
}

fn sink(heap: &mut [u32], order: &mut impl Order, mut place: usize) {
    loop {
        let left = 2 * place + 1;
        if left >= heap.len() {
            return;
        }
        let right = left + 1;
        let first = if right < heap.len() && order.before(heap[right], heap[left]) { right } else { left };
        if !order.before(heap[first], heap[place]) {
            return;
        }
        swap(heap, order, place, first);
        place = first;
    }
}

fn swap(heap: &mut [u32], order: &mut impl Order, one: usize, other: usize) {
    heap.swap(one, other);
    order.stands(heap[one], one as u32);
    order.stands(heap[other], other as u32);
}
