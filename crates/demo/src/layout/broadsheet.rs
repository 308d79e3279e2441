//! The quality daily: one lead, a few big ones, then a block for each section.

use super::{ListPage, furniture as put};
use crate::article::KnownArticle;
use crate::markup::{Escaped, Markup};

pub(super) fn body(out: &mut Markup, page: &ListPage<'_>) {
    let site = page.site;
    out.push("<body class=\"front\">\n");
    put::cookies(out);
    writeln!(
        out,
        "<header class=\"masthead\"><a class=\"logo\" href=\"/\">{}</a><span class=\"date\">{}</span>\
         <a href=\"/login\">Log in</a> <a href=\"/subscribe\">Subscribe for 1 crown a week</a></header>",
        Escaped(&site.name),
        page.as_of().strftime("%A, %-d %B %Y")
    );
    put::menu(out, site, "primary");
    put::mega_menu(out);
    out.push("<main>\n");
    match page.section {
        None => front(out, page),
        Some(section) => {
            writeln!(
                out,
                "<ol class=\"breadcrumb\"><li><a href=\"/\">Home</a></li><li>{0}</li></ol><h1>{0}</h1>",
                Escaped(section.name)
            );
            out.push("<div class=\"section-list\">");
            for article in page.articles {
                story(out, page, article, "h2");
            }
            out.push("</div>\n");
        }
    }
    put::pagination(out, page);
    out.push("</main>\n");
    put::most_read(out, page, "Most read", 5);
    put::advert(out, page, 1);
    put::newsletter(out);
    put::social(out, site);
    put::footer(out, site);
    out.push("</body>\n");
}

/// The lead and the next three, then every section's share of the rest.
fn front(out: &mut Markup, page: &ListPage<'_>) {
    const TOP: usize = 4;
    for (place, article) in page.articles.iter().take(TOP).enumerate() {
        match place {
            0 => {
                out.push("<section class=\"lead\">");
                story(out, page, article, "h1");
                out.push("</section>\n<section class=\"secondary\">\n");
            }
            _ => story(out, page, article, "h2"),
        }
    }
    if !page.articles.is_empty() {
        out.push("</section>\n");
    }
    put::advert(out, page, 0);
    let top: Vec<&str> = page.articles.iter().take(TOP).map(|article| article.path.as_str()).collect();
    for (section, articles) in page.by_section() {
        let rest: Vec<_> =
            articles.into_iter().filter(|article| !top.contains(&article.path.as_str())).collect();
        if rest.is_empty() {
            continue;
        }
        write!(
            out,
            "<section class=\"block\" id=\"{0}\"><h2><a href=\"/{0}/\">{1}</a></h2><ul>",
            section.slug,
            Escaped(section.name)
        );
        for article in rest {
            write!(
                out,
                "<li><h3>{}</h3><time datetime=\"{}\">{}</time></li>",
                page.headline(article, section.slug),
                article.published_at,
                super::local(page.site, article.published_at).strftime("%H:%M")
            );
        }
        writeln!(
            out,
            "</ul><a class=\"more\" href=\"/{}/\">More from {}</a></section>",
            section.slug,
            Escaped(section.name)
        );
    }
}

fn story(out: &mut Markup, page: &ListPage<'_>, article: &KnownArticle, heading: &str) {
    writeln!(
        out,
        "<article><{heading}>{}</{heading}><p>{}</p><p class=\"meta\">By {} · \
         <time datetime=\"{}\">{}</time></p></article>",
        page.headline(article, "top"),
        Escaped(&article.summary()),
        put::author_link(&article.author),
        article.published_at,
        super::local(page.site, article.published_at).strftime("%-d %B, %H:%M")
    );
}
