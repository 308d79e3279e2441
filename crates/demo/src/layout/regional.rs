//! The regional paper on an older system: nested tables, teasers, weather, small ads.

use super::{ListPage, furniture as put};
use crate::markup::{Escaped, Markup};
use crate::naming::slug;
use crate::vocabulary::countries::country;

pub(super) fn body(out: &mut Markup, page: &ListPage<'_>) {
    let site = page.site;
    writeln!(
        out,
        "<body bgcolor=\"#ffffff\"><table width=\"100%\" border=\"0\"><tr><td colspan=\"3\"><a href=\"/\">\
         <font size=\"6\">{}</font></a>",
        Escaped(&site.name)
    );
    put::weather(out, page);
    out.push("</td></tr>\n<tr valign=\"top\"><td width=\"150\" class=\"left\">\n");
    put::menu(out, site, "leftmenu");
    out.push("<b>Our towns</b><br>\n");
    for town in country(site.home).map_or(&[][..], |home| home.towns) {
        writeln!(out, "<a href=\"/tag/{}\">{town}</a><br>", slug(town));
    }
    out.push(
        "<b>Service</b><br>\n<a href=\"/classifieds/\">Small ads</a><br>\n<a href=\"/classifieds/flats\">Flats to let</a><br>\n\
         <a href=\"/obituaries/\">Obituaries</a><br>\n<a href=\"/help/pharmacies\">Pharmacies on duty</a><br>\n\
         <a href=\"/help/bus\">Bus timetable</a><br>\n",
    );
    out.push("</td>\n<td class=\"middle\">\n");
    if let Some(section) = page.section {
        writeln!(out, "<h1>{}</h1>", Escaped(section.name));
    }
    for article in page.articles {
        let href = page.href(article, "teaser");
        writeln!(
            out,
            "<div class=\"teaser\"><b><a href=\"{href}\">{}</a></b><br><font size=\"2\" color=\"gray\">{}</font>\
             <p>{} <a href=\"{href}\">more</a></p></div>",
            Escaped(&article.title),
            super::local(site, article.published_at).strftime("%d.%m.%Y, %H:%M"),
            Escaped(&article.summary())
        );
    }
    put::pagination(out, page);
    out.push("</td>\n<td width=\"180\" class=\"right\">\n");
    put::advert(out, page, 1);
    put::most_read(out, page, "Often read", 5);
    put::advert(out, page, 2);
    out.push("</td></tr></table>\n");
    put::footer(out, site);
    out.push("</body>\n");
}
