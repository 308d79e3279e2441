//! The business magazine: a ticker, numbered features, a rail of columnists.

use super::{ListPage, furniture as put};
use crate::markup::{Escaped, Markup};
use crate::naming::slug;

pub(super) fn body(out: &mut Markup, page: &ListPage<'_>) {
    let site = page.site;
    out.push("<body>\n");
    put::ticker(out, page);
    writeln!(
        out,
        "<div class=\"nameplate\"><a href=\"/\">{}</a> <em>{}</em></div>",
        Escaped(&site.name),
        page.as_of().strftime("Issue of %-d %B %Y")
    );
    put::menu(out, site, "contents");
    if let Some(section) = page.section {
        writeln!(
            out,
            "<div class=\"crumbs\"><a href=\"/\">Home</a> › <span>{}</span></div>",
            Escaped(section.name)
        );
    }
    out.push("<div class=\"two-columns\"><div class=\"main-column\"><ol class=\"features\">\n");
    for (place, article) in (1..).zip(page.articles) {
        writeln!(
            out,
            "<li class=\"feature\"><span class=\"no\">{place:02}</span><div><a class=\"rubric\" href=\"/{}/\">{}</a>\
             <h3>{}</h3><p class=\"dek\">{}</p><span class=\"byline\">{}, {}</span></div></li>",
            article.section,
            Escaped(site.section(article.section).map_or("Features", |section| section.name)),
            page.headline(article, "feature"),
            Escaped(&article.summary()),
            put::author_link(&article.author),
            super::local(site, article.published_at).strftime("%-d.%-m.%Y")
        );
    }
    out.push("</ol>\n");
    put::pagination(out, page);
    out.push("</div>\n<div class=\"rail\"><h2>Columnists</h2><ul class=\"columnists\">");
    let mut names: Vec<&str> = page.articles.iter().map(|article| article.author.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        write!(out, "<li><img src=\"/static/{}.jpg\" alt=\"\"> {}</li>", slug(name), put::author_link(name));
    }
    out.push("</ul>\n");
    put::advert(out, page, 2);
    put::newsletter(out);
    out.push("</div></div>\n");
    put::most_read(out, page, "Popular with subscribers", 6);
    put::footer(out, site);
    out.push("</body>\n");
}
