//! The blog: posts with an excerpt, tags below, archive and friends at the side.

use super::{ListPage, furniture as put};
use crate::markup::{Escaped, Markup};
use crate::naming::slug;

pub(super) fn body(out: &mut Markup, page: &ListPage<'_>) {
    let site = page.site;
    writeln!(
        out,
        "<body class=\"blog\"><div id=\"page\"><header id=\"branding\"><p class=\"site-title\"><a href=\"/\" rel=\"home\">{}</a>\
         </p><p class=\"site-description\">Written when the day is done</p></header>",
        Escaped(&site.name)
    );
    out.push(
        "<nav id=\"access\"><a href=\"/\">Home</a> <a href=\"/about\">About the author</a> \
         <a href=\"/archive/\">Archive</a> <a href=\"/contact\">Write to me</a></nav>\n<div id=\"content\">\n",
    );
    for article in page.articles {
        let href = page.href(article, "post");
        let tag = article.sport.unwrap_or(article.country);
        write!(
            out,
            "<article class=\"post\" id=\"post-{0}\"><header class=\"entry-header\"><h2 class=\"entry-title\">\
             <a href=\"{href}\" rel=\"bookmark\">{1}</a></h2><p class=\"entry-meta\">Posted on \
             <time datetime=\"{2}\">{3}</time> by {4}</p></header>\n<div class=\"entry-summary\"><p>{5} \
             <a class=\"more-link\" href=\"{href}\">Continue reading</a></p></div>\n\
             <footer class=\"entry-meta\">Filed under <a rel=\"category tag\" href=\"/tag/{6}\">{6}</a>, \
             <a rel=\"tag\" href=\"/tag/{7}\">{8}</a> | <a href=\"{9}#respond\">Leave a reply</a></footer></article>\n",
            article.serial,
            Escaped(&article.title),
            article.published_at,
            super::local(site, article.published_at).strftime("%B %-d, %Y"),
            put::author_link(&article.author),
            Escaped(&article.summary()),
            article.topic,
            slug(tag),
            tag,
            Escaped(&article.path),
        );
    }
    put::pagination(out, page);
    out.push("</div>\n<div id=\"secondary\">");
    put::search(out);
    out.push("<aside class=\"widget\"><h3>Recent posts</h3><ul>");
    for article in page.articles.iter().take(5) {
        write!(out, "<li>{}</li>", page.headline(article, "recent"));
    }
    out.push("</ul></aside>\n<aside class=\"widget\"><h3>Archives</h3><ul>");
    let newest = page.as_of();
    for back in 0..6_i8 {
        let month = newest.date().first_of_month().saturating_sub(jiff::Span::new().months(back));
        write!(
            out,
            "<li><a href=\"/archive/{}\">{}</a></li>",
            month.strftime("%Y/%m"),
            month.strftime("%B %Y")
        );
    }
    out.push(
        "</ul></aside>\n<aside class=\"widget\"><h3>Friends</h3><ul>\
         <li><a href=\"https://gardenshed.example/\">The garden shed</a></li>\
         <li><a href=\"https://slowtrains.example/\">Slow trains and good books</a></li>\
         <li><a href=\"https://teapot.example/\">A teapot in every room</a></li></ul></aside></div>\n",
    );
    put::footer(out, site);
    out.push("</div></body>\n");
}
