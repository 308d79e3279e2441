//! The authority: a dated register of notices, with filters and reference numbers.

use super::{ListPage, furniture as put};
use crate::markup::{Escaped, Markup};

pub(super) fn body(out: &mut Markup, page: &ListPage<'_>) {
    let site = page.site;
    writeln!(
        out,
        "<body><a class=\"skip\" href=\"#content\">Skip to main content</a><div class=\"crest\"><a href=\"/\">{}</a></div>",
        Escaped(&site.name)
    );
    out.push("<div class=\"languages\"><a href=\"/help/easy\">Easy language</a> <a href=\"/help/signs\">Sign language</a></div>\n");
    put::menu(out, site, "service-nav");
    let here = page.section.map_or("All notices", |section| section.name);
    write!(
        out,
        "<ol class=\"breadcrumbs\"><li><a href=\"/\">Start</a></li><li><a href=\"/about\">The office</a></li>\
         <li aria-current=\"page\">{0}</li></ol>\n<div id=\"content\"><h1>{0}</h1>\n<form class=\"filter\">\
         <label>Year <select><option>2026</option><option>2025</option></select></label></form>\n\
         <p><a href=\"/help/register\">How this register is kept</a></p>\n<ul class=\"notice-list\">\n",
        Escaped(here)
    );
    for article in page.articles {
        writeln!(
            out,
            "<li class=\"notice\"><span class=\"date\">{}</span> <span class=\"type\">{}</span> {} \
             <span class=\"ref\">Ref. {}/{:05}</span></li>",
            super::local(site, article.published_at).strftime("%-d %B %Y"),
            Escaped(site.section(article.section).map_or("Notice", |section| section.name)),
            page.headline(article, "register"),
            site.home.get(..2).unwrap_or_default().to_uppercase(),
            10_000 + article.serial
        );
    }
    out.push("</ul>\n");
    put::pagination(out, page);
    out.push(
        "</div>\n<div class=\"services\"><h2>Online services</h2><dl>\
         <dt><a href=\"/help/passports\">Apply for or renew a passport</a></dt><dd>Takes about ten minutes</dd>\
         <dt><a href=\"/help/business\">Register a business</a></dt><dd>For founders</dd>\
         <dt><a href=\"/help/complaints\">Make a complaint about a public body</a></dt><dd>Answer within a month</dd>\
         <dt><a href=\"/help/open-data\">Open data</a></dt><dd>For everybody</dd></dl></div>\n",
    );
    put::footer(out, site);
    out.push("</body>\n");
}
