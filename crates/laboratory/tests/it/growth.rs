//! The curve and its picture.

use laboratory::growth::{Block, Growth};
use quick_xml::Reader;
use quick_xml::events::Event;

fn growth() -> Growth {
    let block =
        Block { articles: 10, right: 6, wrong: 1, missed: 3, rules: 5, stops: 1, literals: 8, lessons: 4 };
    let later =
        Block { articles: 20, right: 9, wrong: 1, missed: 1, rules: 8, stops: 2, literals: 12, lessons: 7 };
    Growth { block: 10, blocks: vec![block, later, Block { articles: 23, ..later }] }
}

#[test]
fn figures_of_a_block() {
    let growth = growth();
    assert!((growth.blocks[0].f1() - 0.75).abs() < 1e-9);
    assert!((growth.blocks[0].literals_per_rule() - 1.6).abs() < 1e-9);
    assert!(Block::default().f1() < 1e-9, "nothing to judge is no division by nothing");
    assert_eq!(growth.last_full().map(|block| block.articles), Some(20));
}

#[test]
fn the_picture_is_well_formed() {
    for growth in [growth(), Growth::default()] {
        let svg = growth.svg();
        let mut reader = Reader::from_str(&svg);
        let mut lines = 0;
        loop {
            match reader.read_event().unwrap() {
                Event::Eof => break,
                Event::Empty(tag) if tag.name().as_ref() == "polyline" => lines += 1,
                _ => {}
            }
        }
        assert_eq!(lines, 3);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
