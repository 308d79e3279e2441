//! The wire: time stamps and headlines, day by day, nothing else worth looking at.

use super::{ListPage, furniture as put};
use crate::markup::{Escaped, Markup};
use crate::naming::slug;
use crate::subject::countries;

pub(super) fn body(out: &mut Markup, page: &ListPage<'_>) {
    let site = page.site;
    writeln!(
        out,
        "<body><div class=\"top-bar\"><a class=\"brand\" href=\"/\">{}</a> <a href=\"/login\">Client login</a> \
         <a href=\"/contact\">Sales</a></div>",
        Escaped(&site.name)
    );
    put::menu(out, site, "desks");
    if site.index.is_multiple_of(2) {
        put::ticker(out, page);
    }
    out.push("<div class=\"columns\"><div class=\"col-main\">\n");
    for day in page.by_day() {
        let Some(first) = day.first() else { continue };
        write!(
            out,
            "<h2 class=\"day\">{}</h2>\n<ul class=\"headlines\">\n",
            super::local(site, first.published_at).strftime("%A %-d %B")
        );
        for article in day {
            writeln!(
                out,
                "<li><time datetime=\"{}\">{}</time> <span class=\"place\">{}</span> {}</li>",
                article.published_at,
                super::local(site, article.published_at).strftime("%H:%M"),
                article.plot.subject.country.capital.to_uppercase(),
                page.headline(article, "wire")
            );
        }
        out.push("</ul>\n");
    }
    put::pagination(out, page);
    out.push("</div>\n<div class=\"col-side\"><h3>By country</h3><ul class=\"tags\">");
    for name in countries() {
        write!(out, "<li><a href=\"/tag/{}\">{name}</a></li>", slug(name));
    }
    out.push("</ul>\n");
    put::newsletter(out);
    out.push(
        "<h3>For clients</h3><ul><li><a href=\"/help/api\">Programming interface and delivery formats</a></li>\
         <li><a href=\"/help/style\">Style book</a></li><li><a href=\"/help/corrections\">Corrections</a></li></ul>\
         </div></div>\n",
    );
    put::footer(out, site);
    out.push("</body>\n");
}
