//! The tech magazine: one long stream, kicker above, byline below, picture at the side.

use super::{ListPage, furniture as put};
use crate::markup::{Escaped, Markup};
use crate::random::Dice;

pub(super) fn body(out: &mut Markup, page: &ListPage<'_>) {
    let site = page.site;
    writeln!(
        out,
        "<body data-theme=\"light\"><div class=\"site-header\"><a class=\"site-logo\" href=\"/\">{}</a>\
         <button>Menu</button><a href=\"/login\">Sign in</a></div>",
        Escaped(&site.name)
    );
    put::menu(out, site, "site-nav");
    put::advert(out, page, 0);
    out.push("<div class=\"stream\" role=\"feed\">\n");
    for (place, article) in page.articles.iter().enumerate() {
        if place == 7 {
            out.push("<div class=\"stream-insert\">");
            put::newsletter(out);
            out.push("</div>\n");
        }
        let href = page.href(article, "stream");
        writeln!(
            out,
            "<div class=\"stream-item\"><div class=\"stream-text\"><div class=\"kicker\"><a href=\"/{}/\">{}</a></div>\
             <h2 class=\"stream-title\"><a href=\"{href}\">{}</a></h2>\
             <div class=\"byline\">{} <time datetime=\"{}\">{}</time> \
             <a class=\"comments\" href=\"{}#comments\"><span>{}</span></a></div></div>\
             <a class=\"thumb\" href=\"{href}\" tabindex=\"-1\" aria-hidden=\"true\"><img src=\"/static/{}.webp\" alt=\"\"></a></div>",
            article.section,
            Escaped(site.section(article.section).map_or("News", |section| section.name)),
            Escaped(&article.title),
            put::author_link(&article.author),
            article.published_at,
            super::local(site, article.published_at).strftime("%b %-d, %-I:%M %p"),
            Escaped(&article.path),
            Dice::of(&[article.plot.wording, 9]).below(90),
            article.serial % 40
        );
    }
    out.push("</div>\n");
    put::pagination(out, page);
    out.push(
        "<div class=\"guides\"><h4>Buying guides</h4><ul><li><a href=\"/help/guides/laptops\">Laptops</a></li>\
         <li><a href=\"/help/guides/phones\">Phones</a></li><li><a href=\"/help/guides/headphones\">Headphones</a></li>\
         <li><a href=\"/help/guides/test\">How we test</a></li></ul></div>\n",
    );
    put::most_read(out, page, "Popular", 4);
    put::social(out, site);
    put::cookies(out);
    put::footer(out, site);
    out.push("</body>\n");
}
