//! An article's own page.

use super::{furniture as put, head, local};
use crate::article::KnownArticle;
use crate::markup::{Escaped, Markup, Quoted};
use crate::naming::slug;
use crate::site::{Layout, Site};
use std::sync::Arc;

/// How a page says when it was published.
enum Dating {
    Meta,
    JsonLd,
    TimeElement,
}

/// The page of `article`, with links to `related` ones below.
pub(crate) fn article_page(
    site: &Site,
    base: &str,
    article: &KnownArticle,
    related: &[Arc<KnownArticle>],
) -> String {
    let address = format!("{base}{}", article.path);
    let dating = match site.layout {
        Layout::Broadsheet | Layout::Tabloid | Layout::Business => Dating::Meta,
        Layout::Sports | Layout::Tech => Dating::JsonLd,
        _ => Dating::TimeElement,
    };
    let extra = match dating {
        Dating::Meta => meta(article, &address),
        Dating::JsonLd => json_ld(site, article, &address),
        Dating::TimeElement => String::new(),
    };
    let mut out = Markup::new();
    head(
        &mut out,
        site,
        &format!("{} | {}", article.title, site.name),
        &Escaped(&address).to_string(),
        &extra,
    );
    out.push("<body class=\"article\">\n");
    writeln!(out, "<header><a href=\"/\">{}</a></header>", Escaped(&site.name));
    put::menu(&mut out, site, "primary");
    let section = site.section(article.section).map_or("News", |section| section.name);
    writeln!(
        out,
        "<ol class=\"breadcrumb\"><li><a href=\"/\">Home</a></li><li><a href=\"/{}/\">{}</a></li></ol>",
        article.section,
        Escaped(section)
    );
    write!(
        out,
        "<main><article>\n<h1>{}</h1>\n<p class=\"byline\">By {}",
        Escaped(&article.title),
        put::author_link(&article.author)
    );
    if let Dating::TimeElement = dating {
        write!(
            out,
            " <time datetime=\"{}\">{}</time>",
            article.published_at,
            local(site, article.published_at).strftime("%-d %B %Y, %H:%M")
        );
    }
    out.push("</p>\n<div class=\"share\"><a href=\"https://birdsite.example/share\">Share</a> <a href=\"https://mail.example/send\">Send</a></div>\n<div class=\"body\">\n");
    for paragraph in article.paragraphs() {
        writeln!(out, "<p>{}</p>", Escaped(&paragraph));
    }
    out.push("</div>\n");
    tags(&mut out, article);
    out.push("</article></main>\n");
    put::newsletter(&mut out);
    if !related.is_empty() {
        out.push("<aside class=\"related\"><h2>Related</h2><ul>");
        for other in related {
            write!(out, "<li><a href=\"{}\">{}</a></li>", Escaped(&other.path), Escaped(&other.title));
        }
        out.push("</ul></aside>\n");
    }
    put::social(&mut out, site);
    put::footer(&mut out, site);
    out.push("</body></html>\n");
    out.into_string()
}

fn tags(out: &mut Markup, article: &KnownArticle) {
    out.push("<ul class=\"tags\">");
    for tag in [Some(article.topic.word()), Some(article.country), article.sport].into_iter().flatten() {
        write!(out, "<li><a rel=\"tag\" href=\"/tag/{}\">{tag}</a></li>", slug(tag));
    }
    out.push("</ul>\n");
}

fn meta(article: &KnownArticle, address: &str) -> String {
    format!(
        "<meta property=\"og:type\" content=\"article\">\n<meta property=\"og:title\" content=\"{}\">\n\
         <meta property=\"og:url\" content=\"{}\">\n<meta name=\"description\" content=\"{}\">\n\
         <meta property=\"article:published_time\" content=\"{}\">\n",
        Escaped(&article.title),
        Escaped(address),
        Escaped(&article.summary()),
        article.published_at
    )
}

fn json_ld(site: &Site, article: &KnownArticle, address: &str) -> String {
    format!(
        "<script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",\"@type\":\"NewsArticle\",\
         \"headline\":{},\"datePublished\":\"{}\",\"mainEntityOfPage\":{},\"author\":{{\"@type\":\"Person\",\"name\":{}}},\
         \"publisher\":{{\"@type\":\"Organization\",\"name\":{}}}}}</script>\n",
        Quoted(&article.title),
        article.published_at,
        Quoted(address),
        Quoted(&article.author),
        Quoted(&site.name)
    )
}
