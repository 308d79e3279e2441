//! Feeds: RSS 2.0, Atom, RDF and JSON Feed of a site's newest articles.

use crate::article::KnownArticle;
use crate::markup::{Escaped, Markup, Quoted};
use crate::site::Site;
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use std::sync::Arc;

/// How many articles feeds hold.
pub(crate) const FEED_SIZE: usize = 30;

/// RSS 2.0.
pub(crate) fn rss(site: &Site, base: &str, articles: &[Arc<KnownArticle>]) -> String {
    let mut out = declared(site);
    write!(
        out,
        "<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel>\n<title>{0}</title>\n\
         <link>{base}/</link>\n<description>News from {0}</description>\n<language>en</language>\n",
        Escaped(&site.name)
    );
    for article in articles {
        let address = address(base, article);
        writeln!(
            out,
            "<item><title>{}</title><link>{address}</link><guid isPermaLink=\"true\">{address}</guid>\
             <pubDate>{}</pubDate><dc:creator>{}</dc:creator><category>{}</category>\
             <description>{}</description></item>",
            Escaped(&article.title),
            mail_date(article.published_at),
            Escaped(&article.author),
            article.topic,
            Escaped(&article.summary())
        );
    }
    out.push("</channel></rss>\n");
    out.into_string()
}

/// Atom.
pub(crate) fn atom(site: &Site, base: &str, articles: &[Arc<KnownArticle>]) -> String {
    let mut out = declared(site);
    let updated = articles.first().map_or(Timestamp::UNIX_EPOCH, |article| article.published_at);
    writeln!(
        out,
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>{}</title><id>{base}/</id><link href=\"{base}/\"/>\
         <link rel=\"self\" href=\"{base}/atom.xml\"/><updated>{updated}</updated>",
        Escaped(&site.name)
    );
    for article in articles {
        let address = address(base, article);
        writeln!(
            out,
            "<entry><title>{}</title><id>{address}</id><link rel=\"alternate\" href=\"{address}\"/>\
             <published>{1}</published><updated>{1}</updated><author><name>{2}</name></author>\
             <summary>{3}</summary></entry>",
            Escaped(&article.title),
            article.published_at,
            Escaped(&article.author),
            Escaped(&article.summary())
        );
    }
    out.push("</feed>\n");
    out.into_string()
}

/// RSS 1.0, which is RDF.
pub(crate) fn rdf(site: &Site, base: &str, articles: &[Arc<KnownArticle>]) -> String {
    let mut out = declared(site);
    write!(
        out,
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<channel rdf:about=\"{base}/index.rdf\"><title>{0}</title>\
         <link>{base}/</link><description>News from {0}</description><items><rdf:Seq>\n",
        Escaped(&site.name)
    );
    for article in articles {
        writeln!(out, "<rdf:li rdf:resource=\"{}\"/>", address(base, article));
    }
    out.push("</rdf:Seq></items></channel>\n");
    for article in articles {
        let address = address(base, article);
        writeln!(
            out,
            "<item rdf:about=\"{address}\"><title>{}</title><link>{address}</link><description>{}</description>\
             <dc:date>{}</dc:date></item>",
            Escaped(&article.title),
            Escaped(&article.summary()),
            article.published_at
        );
    }
    out.push("</rdf:RDF>\n");
    out.into_string()
}

/// JSON Feed 1.1.
pub(crate) fn json(site: &Site, base: &str, articles: &[Arc<KnownArticle>]) -> String {
    let mut out = Markup::new();
    write!(
        out,
        "{{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":{},\"home_page_url\":\"{base}/\",\
         \"feed_url\":\"{base}/feed.json\",\"items\":[",
        Quoted(&site.name)
    );
    for (place, article) in articles.iter().enumerate() {
        let address = format!("{base}{}", article.path);
        write!(
            out,
            "{}{{\"id\":{1},\"url\":{1},\"title\":{2},\"summary\":{3},\"date_published\":\"{4}\"}}",
            if place == 0 { "" } else { ",\n" },
            Quoted(&address),
            Quoted(&article.title),
            Quoted(&article.summary()),
            article.published_at
        );
    }
    out.push("]}\n");
    out.into_string()
}

fn declared(site: &Site) -> Markup {
    let mut out = Markup::new();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"{}\"?>", site.delivery.charset.name());
    out
}

fn address(base: &str, article: &KnownArticle) -> String {
    format!("{base}{}", Escaped(&article.path))
}

/// The date as mail writes it.
fn mail_date(at: Timestamp) -> String {
    rfc2822::DateTimePrinter::new().timestamp_to_string(&at).unwrap_or_default()
}
