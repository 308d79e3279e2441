//! The popular paper: a grid of cards, pictures first, adverts between.

use super::{ListPage, furniture as put};
use crate::markup::{Escaped, Markup};
use crate::naming::slug;

/// A card in this many is an advert.
const ADVERT_EVERY: usize = 9;

pub(super) fn body(out: &mut Markup, page: &ListPage<'_>) {
    let site = page.site;
    writeln!(
        out,
        "<body><div id=\"wrap\"><div id=\"top\"><a href=\"/\"><img src=\"/static/logo.png\" alt=\"{}\"></a>",
        Escaped(&site.name)
    );
    put::weather(out, page);
    out.push("</div>\n");
    put::menu(out, site, "tabs");
    out.push("<div class=\"trending\"><b>Trending:</b> ");
    for article in page.articles.iter().take(6) {
        let tag = article.sport.unwrap_or(article.country);
        write!(out, "<a href=\"/tag/{}\">#{}</a> ", slug(tag), tag.replace(' ', ""));
    }
    out.push("</div>\n<div class=\"grid\">\n");
    for (place, article) in page.articles.iter().enumerate() {
        if place % ADVERT_EVERY == ADVERT_EVERY - 1 {
            out.push("<div class=\"card promo\">");
            put::advert(out, page, place as u64);
            out.push("</div>\n");
        }
        let href = page.href(article, "card");
        writeln!(
            out,
            "<div class=\"card\"><a class=\"pic\" href=\"{href}\"><img src=\"/static/{}.jpg\" alt=\"\"></a>\
             <span class=\"kicker\"><a href=\"/{}/\">{}</a></span>\
             <a class=\"headline\" href=\"{href}\"><span>{}</span></a>\
             <span class=\"share\"><a href=\"https://birdsite.example/share?n={}\">Share</a></span></div>",
            article.serial % 40,
            article.section,
            Escaped(site.section(article.section).map_or("News", |section| section.name)),
            Escaped(&article.title),
            article.serial
        );
    }
    out.push("</div>\n");
    put::pagination(out, page);
    put::most_read(out, page, "Everybody is reading", 8);
    put::social(out, site);
    put::cookies(out);
    put::footer(out, site);
    out.push("</div></body>\n");
}
