//! The sports site: a hero, a grid of tiles that are links as a whole, results and fixtures.

use super::{ListPage, furniture as put};
use crate::markup::{Escaped, Markup};
use crate::naming::slug;
use crate::subject::sports;
use crate::vocabulary::countries::COUNTRIES;

pub(super) fn body(out: &mut Markup, page: &ListPage<'_>) {
    let site = page.site;
    writeln!(
        out,
        "<body class=\"sports\"><header><a href=\"/\"><b>{}</b></a> <a href=\"/fixtures/live\">Live scores</a> \
         <a href=\"/fixtures/\">Fixtures</a> <a href=\"/video/highlights\">Highlights</a></header>",
        Escaped(&site.name)
    );
    put::menu(out, site, "sections");
    out.push("<div class=\"az\">");
    for name in sports() {
        write!(out, "<a href=\"/tag/{}\">{name}</a> ", slug(name));
    }
    out.push("</div>\n<main>\n");
    let (hero, tiles) = page.articles.split_at(page.articles.len().min(1));
    for article in hero {
        writeln!(
            out,
            "<div class=\"hero\"><a href=\"{}\"><img src=\"/static/hero.jpg\" alt=\"\"><h1>{}</h1></a><p>{}</p></div>",
            page.href(article, "hero"),
            Escaped(&article.title),
            Escaped(&article.summary())
        );
    }
    put::advert(out, page, 0);
    out.push("<div class=\"grid tiles\">\n");
    for article in tiles {
        writeln!(
            out,
            "<a class=\"tile\" href=\"{}\"><figure><img src=\"/static/{}.jpg\" alt=\"\"></figure>\
             <span class=\"label\">{}</span><h3>{}</h3></a>",
            page.href(article, "tile"),
            article.serial % 40,
            article.sport.unwrap_or("sport"),
            Escaped(&article.title)
        );
    }
    out.push("</div>\n");
    put::pagination(out, page);
    out.push("</main>\n<aside>\n");
    results(out, page);
    out.push("</aside>\n");
    put::most_read(out, page, "Most watched stories", 5);
    put::social(out, site);
    put::cookies(out);
    put::footer(out, site);
    out.push("</body>\n");
}

/// Who beat whom, and who stands where: tables full of links to teams.
fn results(out: &mut Markup, page: &ListPage<'_>) {
    let mut dice = page.whim(400);
    let team = |town: &str| format!("<a href=\"/team/{}\">{town}</a>", slug(town));
    out.push("<table class=\"results\"><caption>Results</caption><thead><tr><th>Home</th><th></th><th>Away</th></tr></thead><tbody>");
    for _ in 0..6 {
        let country = dice.pick(&COUNTRIES);
        let home = dice.below(country.towns.len());
        let away = (home + 1) % country.towns.len();
        write!(
            out,
            "<tr><td>{}</td><td>{}:{}</td><td>{}</td></tr>",
            team(country.towns[home]),
            dice.below(5),
            dice.below(5),
            team(country.towns[away])
        );
    }
    out.push("</tbody></table>\n<table class=\"standings\"><caption>Medals</caption><tbody>");
    for (rank, country) in COUNTRIES.iter().enumerate() {
        write!(
            out,
            "<tr><td>{}</td><td><a href=\"/team/{}\">{}</a></td><td>{}</td></tr>",
            rank + 1,
            slug(country.name),
            country.name,
            30 - 2 * rank
        );
    }
    out.push(
        "</tbody></table>\n<p><a href=\"/fixtures/tables\">All tables and results of the season</a></p>\n",
    );
}
