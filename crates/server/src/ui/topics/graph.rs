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
                                (label(&class.name, place))
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

fn label(name: &str, place: &Place) -> Markup {
    let mut short: String = name.chars().take(LETTERS).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    let (right, down) = (place.x - WIDTH / 2.0, place.y - HEIGHT / 2.0);
    // Beside a class at the sides, above or below it elsewhere.
    let (dx, anchor) = match right {
        _ if place.ring == 0 || right.abs() < down.abs() => (0.0, "middle"),
        right if right < 0.0 => (-14.0, "end"),
        _ => (14.0, "start"),
    };
    let dy = match anchor {
        "middle" if place.ring == 0 => 32.0,
        "middle" if down < 0.0 => -16.0,
        "middle" => 26.0,
        _ => 4.0,
    };
    html! { text x=(rounded(place.x + dx)) y=(rounded(place.y + dy)) text-anchor=(anchor) { (short) } }
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
