//! What surrounds articles on every page and is none itself: menus, tags, adverts, tickers, footers.

use super::ListPage;
use crate::markup::{Escaped, Markup};
use crate::naming::slug;
use crate::site::Site;
use crate::subject::{countries, sports};

/// Just enough to look like a page to a person who opens one.
pub(super) const STYLE: &str = "body{font:16px/1.5 Georgia,serif;max-width:70rem;margin:0 auto;padding:0 1rem;\
color:#222}a{color:#124}nav a,footer a{margin-right:.8rem}.grid{display:grid;grid-template-columns:repeat(auto-fill,\
minmax(15rem,1fr));gap:1rem}aside{background:#f4f2ee;padding:.5rem 1rem}.ad{background:#ffd;padding:.3rem}\
img{background:#cdd;width:100%;height:6rem}time,.meta{color:#666;font-size:.8rem}";

/// First parts of the paths at which sites keep pages that are no articles.
pub(crate) const PLACES: [&str; 22] = [
    "about",
    "archive",
    "author",
    "careers",
    "classifieds",
    "contact",
    "cookies",
    "fixtures",
    "help",
    "imprint",
    "login",
    "markets",
    "newsletter",
    "obituaries",
    "privacy",
    "search",
    "submit",
    "subscribe",
    "tag",
    "team",
    "user",
    "video",
];

/// The main menu.
pub(super) fn menu(out: &mut Markup, site: &Site, class: &str) {
    write!(out, "<nav class=\"{class}\" aria-label=\"Main\"><ul><li><a href=\"/\">Home</a></li>");
    for section in site.sections {
        write!(out, "<li><a href=\"/{}/\">{}</a></li>", section.slug, Escaped(section.name));
    }
    out.push(
        "<li><a href=\"/video/\">Video</a></li><li><a href=\"/subscribe\">Subscribe</a></li></ul></nav>\n",
    );
}

/// A menu that unfolds into tags of countries and sports.
pub(super) fn mega_menu(out: &mut Markup) {
    out.push("<div class=\"mega-menu\" hidden><div><h3>Countries</h3><ul>");
    for name in countries() {
        write!(out, "<li><a href=\"/tag/{}\">{name}</a></li>", slug(name));
    }
    out.push("</ul></div><div><h3>Sports</h3><ul>");
    for name in sports() {
        write!(out, "<li><a href=\"/tag/{}\">{name}</a></li>", slug(name));
    }
    out.push("</ul></div></div>\n");
}

/// What visitors must agree to.
pub(super) fn cookies(out: &mut Markup) {
    out.push(
        "<div class=\"cookie-banner\" role=\"dialog\"><p>We use cookies to remember what you have read. \
         <a href=\"/cookies\">How we use cookies and how to refuse them</a></p><button>Accept all</button></div>\n",
    );
}

/// Where else the site can be followed.
pub(super) fn social(out: &mut Markup, site: &Site) {
    let handle = slug(&site.name);
    writeln!(
        out,
        "<ul class=\"social\"><li><a href=\"https://birdsite.example/{handle}\" rel=\"me\">Follow us</a></li>\
         <li><a href=\"https://photos.example/{handle}\">Photos</a></li>\
         <li><a href=\"https://video.example/{handle}\">Channel</a></li></ul>"
    );
}

/// A paid link, always to somewhere else.
pub(super) fn advert(out: &mut Markup, page: &ListPage<'_>, place: u64) {
    const OFFERS: [&str; 8] = [
        "Save 20 per cent on garden furniture this weekend only",
        "Compare 40 insurance plans in two minutes",
        "The ergonomic chair that doctors do not want to leave",
        "Cruise the northern fjords from 499 crowns",
        "Learn a language while you sleep, say our customers",
        "Electric bicycles: test ride one near you today",
        "Your roof could earn money: ask for a free quote",
        "Fresh coffee in your letter box every Monday",
    ];
    let mut dice = page.whim(100 + place);
    let number = dice.between(1000, 9999);
    let offer = dice.pick(&OFFERS);
    writeln!(
        out,
        "<div class=\"ad\"><small>Advertisement</small> <a rel=\"sponsored nofollow\" \
         href=\"https://ads.example/click/{number}\">{offer}</a></div>"
    );
}

/// Articles of this page again, because many read them.
pub(super) fn most_read(out: &mut Markup, page: &ListPage<'_>, heading: &str, count: usize) {
    write!(out, "<aside class=\"most-read\"><h2>{heading}</h2><ol>");
    for article in page.most_read(count) {
        write!(out, "<li>{}</li>", page.headline(article, "most-read"));
    }
    out.push("</ol></aside>\n");
}

/// Older and newer pages of the same list.
pub(super) fn pagination(out: &mut Markup, page: &ListPage<'_>) {
    let (path, number) = (page.path(), page.number);
    out.push("<div class=\"pagination\">");
    if number > 1 {
        write!(out, "<a rel=\"prev\" href=\"{path}?page={}\">Newer</a> ", number - 1);
    }
    for other in 1..=5 {
        if other == number {
            write!(out, "<span>{other}</span> ");
        } else {
            write!(out, "<a href=\"{path}?page={other}\">{other}</a> ");
        }
    }
    writeln!(out, "<a rel=\"next\" href=\"{path}?page={}\">Older</a></div>", number + 1);
}

/// The weather at home.
pub(super) fn weather(out: &mut Markup, page: &ListPage<'_>) {
    let mut dice = page.whim(200);
    let sky = dice.pick(&["Sunny", "Cloudy", "Light rain", "Fog", "Clear"]);
    writeln!(
        out,
        "<div class=\"weather\"><a href=\"/help/forecast\">{}: {sky}, {} °C</a></div>",
        page.site.home,
        dice.between(4, 29)
    );
}

/// Markets, as every business page has them.
pub(super) fn ticker(out: &mut Markup, page: &ListPage<'_>) {
    let mut dice = page.whim(300);
    out.push("<ul class=\"ticker\">");
    for name in ["MERX 40", "Northern 100", "Copper", "Coffee", "Crown/Euro", "Ten-year bond"] {
        let (level, change) = (dice.between(90, 9000), dice.between(0, 40) as f64 / 10.0 - 2.0);
        write!(out, "<li><a href=\"/markets/{}\">{name} {level} {change:+.1}%</a></li>", slug(name));
    }
    out.push("</ul>\n");
}

/// A box that asks for an address.
pub(super) fn newsletter(out: &mut Markup) {
    out.push(
        "<form class=\"newsletter\" action=\"/newsletter\"><p>The morning in five minutes: \
         <a href=\"/newsletter\">sign up for our free daily briefing</a></p><input type=\"email\"></form>\n",
    );
}

/// Form to search by words, closed to robots.
pub(super) fn search(out: &mut Markup) {
    out.push("<form action=\"/search\"><input name=\"q\"><button>Search</button></form> <a href=\"/search\">Advanced search</a>\n");
}

/// The end of every page.
pub(super) fn footer(out: &mut Markup, site: &Site) {
    out.push("<footer><ul>");
    for (path, text) in [
        ("/about", "About us"),
        ("/contact", "Contact the newsroom"),
        ("/careers", "Careers"),
        ("/privacy", "Privacy policy"),
        ("/help/terms", "Terms and conditions of use"),
        ("/help/accessibility", "Accessibility"),
        ("/imprint", "Imprint"),
        ("/login", "Log in"),
    ] {
        write!(out, "<li><a href=\"{path}\">{text}</a></li>");
    }
    writeln!(out, "</ul><p>© {} · Invented for a demonstration</p></footer>", Escaped(&site.name));
}

/// A link to the author's page.
pub(super) fn author_link(author: &str) -> String {
    format!("<a rel=\"author\" href=\"/author/{}\">{}</a>", slug(author), Escaped(author))
}
