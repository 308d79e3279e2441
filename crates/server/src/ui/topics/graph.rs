//! An ontology as a picture: the topic in the middle, classes on rings by their distance from it.

use discovery::ontology::{ClassId, Topic};
use maud::{Markup, html};
use std::collections::{BTreeMap, VecDeque};
use std::f64::consts::TAU;

/// More classes than these would not be told apart.
const MOST: usize = 60;
/// The farthest ring that is drawn.
const RINGS: usize = 4;
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
/// How far inner rings are pushed outwards; 1 is not at all.
const INNER: f64 = 0.62;
/// Longer names are cut.
const LETTERS: usize = 18;

/// Where a class is drawn.
#[derive(Debug, Clone, Copy)]
struct Place {
    ring: usize,
    x: f64,
    y: f64,
}

/// The classes near the topic, and how they hang together.
pub(super) fn graph(topic: &Topic) -> Markup {
    let tree = Tree::around(topic);
    let places = tree.places();
    let labels = labels(topic, &places);
    let weights = topic.weights();
    let classes = topic.ontology.classes();
    let at = |id: ClassId| places.get(&id);
    let below = classes
        .iter()
        .enumerate()
        .flat_map(|(child, class)| class.parents.iter().map(move |parent| (*parent, ClassId(child as u32))));
    let related = topic
        .ontology
        .relations()
        .iter()
        .filter_map(|relation| Some((relation.domain?, relation.range?, relation.name.as_str())));
    let hidden = classes.len() - places.len();
    html! {
        figure .chart.ontology {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label="The classes of the topic; the list below has all of them" {
                @for (one, other, name) in related {
                    @if let (Some(from), Some(to)) = (at(one), at(other)) {
                        line .relation x1=(from.x) y1=(from.y) x2=(to.x) y2=(to.y) { title { (name) } }
                    }
                }
                @for (parent, child) in below {
                    @if let (Some(from), Some(to)) = (at(parent), at(child)) {
                        line .below x1=(from.x) y1=(from.y) x2=(to.x) y2=(to.y) {}
                    }
                }
                @for (id, place) in &places {
                    @if let Some(class) = topic.ontology.class(*id) {
                        @let weight = weights.get(id.0 as usize).copied().unwrap_or(0.0);
                        a href={ "#class-" (id.0) } {
                            g .node.topic[*id == topic.class] {
                                circle cx=(place.x) cy=(place.y) r=(rounded(5.0 + 9.0 * weight.clamp(0.0, 1.5))) {
                                    title { (class.name) ": weight " (format!("{weight:.2}")) ", " (crate::words::plural(class.entries.len() as u64, "word")) }
                                }
                                @if let Some(label) = labels.get(id) {
                                    text x=(label.x) y=(label.y) text-anchor=(label.anchor) { (shortened(&class.name)) }
                                }
                            }
                        }
                    }
                }
            }
            figcaption .keys {
                span .key { span .sample.line-sample.below {} "is a kind of" }
                span .key { span .sample.line-sample.relation {} "is related to" }
                span { "The larger a class is drawn, the more its words count." }
                @if hidden > 0 { span { (crate::words::plural(hidden as u64, "more class")) " not drawn." } }
            }
        }
    }
}

/// Where a name is written.
#[derive(Debug, Clone, Copy)]
struct Label {
    x: f64,
    y: f64,
    anchor: &'static str,
}

/// What a letter takes of the width, and a line of the height.
const LETTER: f64 = 7.2;
const LINE: f64 = 14.0;

/// Names that find room without covering another; who finds none is named by its circle and in the list.
fn labels(topic: &Topic, places: &BTreeMap<ClassId, Place>) -> BTreeMap<ClassId, Label> {
    let mut order: Vec<(&ClassId, &Place)> = places.iter().collect();
    order.sort_by_key(|(id, place)| (place.ring, id.0));
    let circle = |place: &Place| [place.x - 9.0, place.y - 9.0, place.x + 9.0, place.y + 9.0];
    let mut taken: Vec<[f64; 4]> = order.iter().map(|(_, place)| circle(place)).collect();
    let mut labels = BTreeMap::new();
    for (id, place) in order {
        let letters = topic.ontology.class(*id).map_or(0, |class| shortened(&class.name).chars().count());
        let room = around(place).into_iter().find_map(|label| {
            let own = extent(&label, letters as f64 * LETTER);
            let fits = own[0] >= 0.0 && own[2] <= WIDTH && own[1] >= 0.0 && own[3] <= HEIGHT;
            let apart = |other: &[f64; 4]| {
                own[2] <= other[0] || own[0] >= other[2] || own[3] <= other[1] || own[1] >= other[3]
            };
            (fits && taken.iter().all(apart)).then_some((label, own))
        });
        if let Some((label, own)) = room {
            taken.push(own);
            labels.insert(*id, label);
        }
    }
    labels
}

/// Left, top, right and bottom of a label.
fn extent(label: &Label, width: f64) -> [f64; 4] {
    let left = match label.anchor {
        "end" => label.x - width,
        "middle" => label.x - width / 2.0,
        _ => label.x,
    };
    [left, label.y - LINE + 3.0, left + width, label.y + 3.0]
}

/// Places for a name around a class, the best first: beside it at the sides, above or below it elsewhere.
fn around(place: &Place) -> [Label; 4] {
    let (right, down) = (place.x - WIDTH / 2.0, place.y - HEIGHT / 2.0);
    let at = |dx: f64, dy: f64, anchor| Label { x: rounded(place.x + dx), y: rounded(place.y + dy), anchor };
    let (east, west) = (at(14.0, 4.0, "start"), at(-14.0, 4.0, "end"));
    let (north, south) = (at(0.0, -16.0, "middle"), at(0.0, 26.0, "middle"));
    match right {
        _ if place.ring == 0 => [at(0.0, 32.0, "middle"), at(0.0, -20.0, "middle"), east, west],
        _ if right.abs() < down.abs() && down < 0.0 => [north, east, west, south],
        _ if right.abs() < down.abs() => [south, east, west, north],
        right if right < 0.0 => [west, north, south, east],
        _ => [east, north, south, west],
    }
}

fn shortened(name: &str) -> String {
    let mut short: String = name.chars().take(LETTERS).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    short
}

/// Each class hangs from the one through which it is nearest to the topic.
struct Tree {
    root: ClassId,
    below: BTreeMap<ClassId, Vec<ClassId>>,
}

impl Tree {
    fn around(topic: &Topic) -> Self {
        let neighbours = topic.ontology.neighbours();
        let mut below: BTreeMap<ClassId, Vec<ClassId>> = BTreeMap::from([(topic.class, Vec::new())]);
        let mut queue = VecDeque::from([(topic.class, 0)]);
        while let Some((class, ring)) = queue.pop_front() {
            for next in neighbours.get(class.0 as usize).into_iter().flatten() {
                if ring < RINGS && below.len() < MOST && !below.contains_key(next) {
                    below.insert(*next, Vec::new());
                    below.entry(class).or_default().push(*next);
                    queue.push_back((*next, ring + 1));
                }
            }
        }
        Self { root: topic.class, below }
    }

    fn leaves(&self, class: ClassId) -> usize {
        let below = self.below.get(&class).map_or(&[][..], Vec::as_slice);
        below.iter().map(|child| self.leaves(*child)).sum::<usize>().max(1)
    }

    fn places(&self) -> BTreeMap<ClassId, Place> {
        let mut places = BTreeMap::new();
        let rings = self.rings(self.root).max(1) as f64;
        self.lay_out(self.root, 0, (0.0, TAU), rings, &mut places);
        places
    }

    fn rings(&self, class: ClassId) -> usize {
        let below = self.below.get(&class).map_or(&[][..], Vec::as_slice);
        below.iter().map(|child| 1 + self.rings(*child)).max().unwrap_or(0)
    }

    /// A class in the middle of its sector, those below it in parts of the sector by their leaves.
    fn lay_out(
        &self,
        class: ClassId,
        ring: usize,
        (from, to): (f64, f64),
        rings: f64,
        places: &mut BTreeMap<ClassId, Place>,
    ) {
        // The inner rings are the crowded ones: they get more of the room.
        let out = (ring as f64 / rings).powf(INNER);
        let (sin, cos) = f64::midpoint(from, to).sin_cos();
        // Wider than high, as the page is: labels need the room at the sides.
        let x = WIDTH / 2.0 + out * (WIDTH / 2.0 - 130.0) * cos;
        let y = HEIGHT / 2.0 + out * (HEIGHT / 2.0 - 34.0) * sin;
        places.insert(class, Place { ring, x: rounded(x), y: rounded(y) });
        let below = self.below.get(&class).map_or(&[][..], Vec::as_slice);
        let all = below.iter().map(|child| self.leaves(*child)).sum::<usize>().max(1) as f64;
        let mut begin = from;
        for child in below {
            let end = begin + (to - from) * self.leaves(*child) as f64 / all;
            self.lay_out(*child, ring + 1, (begin, end), rings, places);
            begin = end;
        }
    }
}

fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_covers_another() {
        for topic in discovery::ontology::shipped() {
            let places = Tree::around(&topic).places();
            let labels = labels(&topic, &places);
            assert!(
                labels.contains_key(&topic.class) && labels.len() * 3 >= places.len() * 2,
                "{}",
                topic.name
            );
            let boxes: Vec<[f64; 4]> = labels
                .iter()
                .map(|(id, label)| {
                    let name = shortened(&topic.ontology.class(*id).unwrap().name);
                    extent(label, name.chars().count() as f64 * LETTER)
                })
                .collect();
            for (at, one) in boxes.iter().enumerate() {
                for other in &boxes[at + 1..] {
                    let apart =
                        one[2] <= other[0] || one[0] >= other[2] || one[3] <= other[1] || one[1] >= other[3];
                    assert!(apart, "{}: {one:?} {other:?}", topic.name);
                }
            }
        }
    }
}
