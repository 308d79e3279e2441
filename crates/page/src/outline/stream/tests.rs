use super::*;
use crate::html;
use crate::outline::{At, outline};
use proptest::collection::vec;
use proptest::prelude::*;

fn tokens(page: &str) -> Outline {
    outline_of_text(page, &Caps::default())
}

fn tree(page: &str) -> Outline {
    outline(&html::parse(page, &Caps::default()).document)
}

/// Everything an outline holds, line by line.
fn told(outline: &Outline) -> Vec<String> {
    let head = &outline.head;
    let mut told = vec![format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        head.title, head.language, head.base, head.canonical, head.metas, head.feeds, head.json_ld
    )];
    for (at, element) in outline.elements.iter().enumerate() {
        let (text, zones) = (&outline.text[element.text.clone()], element.zones.bits());
        let class = outline.class(at);
        told.push(format!(
            "{at} {}.{class} in {} to {} {zones:x} {text:?}",
            &*element.tag, element.parent, element.end
        ));
    }
    told.extend(outline.links.iter().map(|link| {
        format!("link {} {} {:?} {} {}", link.at, link.href, link.label, link.disowned, link.disavowed)
    }));
    told.extend(outline.times.iter().map(|time| format!("time {} {}", time.at, time.value)));
    told.extend(outline.images.iter().map(|image| format!("image {} {}", image.at, image.alt)));
    told
}

/// Where the two ways differ, which must lay a page flat alike to the last detail.
fn difference(page: &str) -> Option<(String, String)> {
    let (tokens, tree) = (told(&tokens(page)), told(&tree(page)));
    if let Some((tokens, tree)) = tokens.iter().zip(&tree).find(|(tokens, tree)| tokens != tree) {
        return Some((tokens.clone(), tree.clone()));
    }
    (tokens.len() != tree.len()).then(|| (tokens.len().to_string(), tree.len().to_string()))
}

/// The tags that are open around each text.
fn places(page: &str) -> Vec<String> {
    let outline = tokens(page);
    let leaf = |at: &At| outline.elements[*at].end == at + 1 && !outline.text_of(*at).is_empty();
    (0..outline.elements.len())
        .filter(leaf)
        .map(|at| {
            let around = std::iter::once(at).chain(outline.ancestors(at));
            let mut tags: Vec<&str> =
                around.map(|at| outline.tag(at)).filter(|tag| !matches!(*tag, "html" | "body")).collect();
            tags.reverse();
            format!("{}: {}", tags.join(" "), outline.text_of(at))
        })
        .collect()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "fixtures are files")]
fn fixtures_are_laid_flat_alike() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
    let mut folders = vec![std::path::PathBuf::from(root)];
    let mut pages = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "html" || kind == "htm") {
                let bytes = std::fs::read(&path).unwrap();
                let difference = difference(&crate::charset::text(&bytes, None));
                assert_eq!(difference, None, "{}", path.display());
                pages += 1;
            }
        }
    }
    assert!(pages > 20);
}

#[test]
fn ends_are_implied() {
    assert_eq!(places("<p>a<p>b<div>c</div>"), ["p: a", "p: b", "div: c"]);
    assert_eq!(places("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>"), ["ul li: a", "ul li ul li: c", "ul li: d"]);
    assert_eq!(places("<dl><dt>a<dd>b<dt>c</dl>"), ["dl dt: a", "dl dd: b", "dl dt: c"]);
    assert_eq!(
        places("<table><thead><tr><th>a<th>b<tbody><tr><td>c<tr><td>d</table><i>e</i>"),
        [
            "table thead tr th: a",
            "table thead tr th: b",
            "table tbody tr td: c",
            "table tbody tr td: d",
            "i: e"
        ]
    );
    assert_eq!(places("<table><td>a</table>"), ["table tbody tr td: a"]);
    assert_eq!(places("<h2>a<h3>b</h3>"), ["h2: a", "h3: b"]);
    assert_eq!(places("<a href=1>a<a href=2>b</a>"), ["a: a", "a: b"]);
}

#[test]
fn stray_ends_are_ignored() {
    assert_eq!(places("<div><b>a</b></i></span></div></div><p>c</p>"), ["div b: a", "p: c"]);
    assert_eq!(places("<div><ul><li>a</div><li>b</ul>"), ["div ul li: a", "li: b"]);
    assert_eq!(places("<table><tr><td><b>a</div></b></table>"), ["table tbody tr td b: a"]);
}

#[test]
fn what_holds_no_markup_is_not_read_as_markup() {
    let page = tokens(
        "<title>A &lt;b> &amp; <i>c</title><script>'<p>x</p>' <!-- <script> </script> --></script>
        <style><p>y</style><textarea></p><p>z</textarea><p>seen</p><script>never ends <p>no",
    );
    assert_eq!(page.head.title.as_deref(), Some("A <b> & <i>c"));
    assert_eq!(page.text.trim(), "seen");
}

#[test]
fn invisible_parts_end_where_they_should() {
    let page = "a<svg><g><title>no</title><path/></g></svg>b<select><option>no<option>no</select>c\
                <template><div>no</template>d<noscript><p>no</p></noscript>e<div hidden><p>no</div>f";
    assert_eq!(tokens(page).text.replace(['\n', ' '], ""), "abcdef");
    assert_eq!(tokens("<svg><path><p>seen</p>").text.trim(), "seen");
}

#[test]
fn hard_pages_are_laid_flat_alike() {
    let pages = [
        "",
        " ",
        "x",
        "<",
        "</",
        "a < b </> c <3 &",
        "<p",
        "<p>a<!-- > -- > --!>b<!-->c<!--->d<!x>e<?y>f</ g>h<!doctype z>i",
        "<a title='1&amp;2&copy=3&copy;&#x41;&#66&nosuch;' href=/x/>y</a>",
        "a&nbsp;b&notit;c&notin;d&#128;e&#0;f&#xd800;g&NotEqualTilde;h&amp",
        "<div class = \"a b\"id=c =d / e>f",
        "<html lang=en><head><title></title></head>x<html lang=de>",
        "<head><noscript><img src=x></noscript><meta name=a content=b></head><body>d",
        "<head><noscript><link rel=canonical href=/x></noscript><title>t</title></head>a",
        "<title>t</title><meta name=a content=b>text<meta name=c content=d>",
        "<form><div><form>a</form>b</div>c",
        "<button>a<p>b<button>c</button>d",
        "<table><form><tr><td>a</form></table>b",
        "<!doctype html><p>a<table><tr><td>b</table>c",
        "<p>a<table><tr><td>b</table>c",
        "<ruby>a<rt>b<rp>c</ruby>d",
        "</p>a</br>b",
        "<p>a</body></html><p>b",
        "<svg><foreignObject><div>a</div></foreignObject><![CDATA[<p>]]></svg>b",
        "<math><mi>x<p>y</p></mi></math>z",
        "<plaintext>a<b>c",
        "<xmp><b>a</xmp>b",
        "\u{feff}<p>a\0b\r\nc",
        "<frameset><frame src=a><noframes><p>b</noframes></frameset>",
        "<template><tr><td>a</template><p>b",
        "<select><option>a<select>b",
        "<object><p>a</object><p>b",
        "<DIV CLASS=A><P>b<BR>c</DIV>",
        "<script type='application/ld+json'>{\"a\":\"<b>\"}</script>a",
        "<ul><li><div><li>a</div></ul>",
        "<a href=/1>x<div>y</div></a>z",
        "<table><caption>a<tr><td>b<table><tr><td>c</table>d<col></table>e",
    ];
    let differences = pages.into_iter().filter_map(|page| Some((page, difference(page)?)));
    assert_eq!(differences.collect::<Vec<_>>(), []);
}

#[test]
fn floods_end_soon() {
    let caps = Caps::default();
    let deep = outline_of_text(&"<div>".repeat(100_000), &caps);
    assert!(deep.elements.len() <= caps.depth + 1);
    let many = outline_of_text(&"<br>".repeat(500_000), &caps);
    assert!(many.elements.len() <= caps.nodes + 1);
    let ends = format!("{}{}x", "<span>".repeat(200), "</x>".repeat(500_000));
    assert!(outline_of_text(&ends, &caps).text.is_empty());
    let attributes: String = (0..100_000).map(|n| format!(" a{n}=1")).collect();
    assert_eq!(tokens(&format!("<div{attributes}>x</div>")).text.trim(), "x");
}

/// Markup that nests as it should, with ends left out where they may be.
fn well_formed() -> impl Strategy<Value = String> {
    let text = "[a-zé ]{0,6}(&amp;|&nbsp;|&eacute;|&#39;|<br>|<!-- x -->|<img alt=y>| < |\n){0,1}[a-z ]{0,4}";
    let leaf = prop_oneof![
        4 => text.prop_map(|text| text),
        1 => "<a href=/[a-z]{1,3}( title='[a-z&;]{0,4}')?>[a-z ]{0,4}</a>".prop_map(|link| link),
        1 => Just("<script>if (a < b) '<p>'</script>".to_owned()),
        1 => Just("<svg><path d=''/><title>t</title></svg>".to_owned()),
        1 => Just("<time datetime=2026-11-15>x</time>".to_owned()),
    ];
    let inline = leaf.prop_recursive(2, 8, 3, |inner| {
        (prop_oneof![Just("b"), Just("span"), Just("em"), Just("small"), Just("sup")], vec(inner, 0..3))
            .prop_map(|(tag, inside)| format!("<{tag}>{}</{tag}>", inside.concat()))
    });
    inline.prop_recursive(5, 40, 4, |inner| {
        let end = |tag: &'static str| prop_oneof![Just(String::new()), Just(format!("</{tag}>"))];
        let items = |list: &'static str, item: &'static str| {
            let item = (vec(inner.clone(), 0..3), end(item))
                .prop_map(move |(inside, end)| format!("<{item}>{}{end}", inside.concat()));
            vec(item, 0..4).prop_map(move |items| format!("<{list}>{}</{list}>", items.concat()))
        };
        let block = prop_oneof![
            Just("div"),
            Just("section"),
            Just("article class=card"),
            Just("nav"),
            Just("h2"),
            Just("main"),
            Just("div hidden"),
            Just("div class='menu x'"),
            Just("noscript"),
            Just("template"),
            Just("blockquote"),
            Just("footer")
        ];
        let cell = (prop_oneof![Just("td"), Just("th")], vec(inner.clone(), 0..2))
            .prop_map(|(tag, inside)| format!("<{tag}>{}", inside.concat()));
        let row =
            (vec(cell, 0..3), end("tr")).prop_map(|(cells, end)| format!("<tr>{}{end}", cells.concat()));
        prop_oneof![
            (block, vec(inner.clone(), 0..4)).prop_map(|(tag, inside)| {
                let name = tag.split(' ').next().unwrap_or(tag);
                format!("<{tag}>{}</{name}>", inside.concat())
            }),
            items("ul", "li"),
            items("ol", "li"),
            items("dl", "dt"),
            items("div", "p"),
            vec(row, 1..3).prop_map(|rows| format!("<table>{}</table>", rows.concat())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn well_formed_pages_are_laid_flat_alike(parts in vec(well_formed(), 0..4)) {
        let page = format!("<!doctype html><html><head><title>T</title></head><body>{}</body></html>", parts.concat());
        prop_assert_eq!(difference(&page), None);
    }

    #[test]
    fn broken_pages_keep_their_words(pieces in vec(prop_oneof![
        Just("<div>"), Just("</div>"), Just("<p>"), Just("</p>"), Just("<b>"), Just("</b>"), Just("<a href=/x>"),
        Just("</a>"), Just("<ul>"), Just("<li>"), Just("</ul>"), Just("<h2>"), Just("</h2>"), Just("<span>"),
        Just("</span>"), Just("<!-- -->"), Just("word "), Just("Wort "), Just("<br>"), Just("</x>"), Just("<form>"),
    ], 0..60)) {
        let words = |outline: &Outline| {
            outline.text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let page = pieces.concat();
        prop_assert_eq!(words(&tokens(&page)).concat(), words(&tree(&page)).concat());
    }

    #[test]
    fn anything_is_read(page in "(<|>|/|!|-|\\[|&|;|#|x|'|\"|=| |p|script|svg|table|td|title|é|\0){0,60}") {
        let outline = tokens(&page);
        for element in &outline.elements {
            prop_assert!(element.text.start <= element.text.end && element.text.end <= outline.text.len());
            prop_assert!(element.end <= outline.elements.len());
        }
    }
}
