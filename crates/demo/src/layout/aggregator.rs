//! The community: rows of a table, ranked, with points and comments.

use super::{ListPage, furniture as put};
use crate::markup::{Escaped, Markup};
use crate::naming::slug;
use crate::random::Dice;

pub(super) fn body(out: &mut Markup, page: &ListPage<'_>) {
    let site = page.site;
    write!(
        out,
        "<body><center><table id=\"main\" width=\"85%\"><tr><td><table class=\"bar\"><tr><td><b><a href=\"/\">{}</a></b> \
         <a href=\"/?page=1\">new</a> | <a href=\"/archive/past\">past</a> | <a href=\"/tag/comments\">comments</a> | \
         <a href=\"/tag/ask\">ask</a> | <a href=\"/tag/show\">show</a> | <a href=\"/careers\">jobs</a> | \
         <a href=\"/submit\">submit</a></td><td align=\"right\"><a href=\"/login\">login</a></td></tr></table></td></tr>\n\
         <tr><td><table class=\"items\">\n",
        Escaped(&site.name)
    );
    let first = (page.number - 1) * site.page_size + 1;
    for (rank, article) in (first..).zip(page.articles) {
        let href = page.href(article, "item");
        // Points hold still, as on a page that is cached; the crowd is not part of the news.
        let mut crowd = Dice::of(&[article.plot.wording, 9]);
        let comments = crowd.between(2, 180);
        write!(
            out,
            "<tr class=\"row\" id=\"{0}\"><td class=\"rank\">{rank}.</td><td><a class=\"vote\" href=\"/login?up={0}\" \
             title=\"upvote\"></a></td><td class=\"title\"><a href=\"{href}\">{1}</a> \
             <span class=\"domain\">(<a href=\"/tag/{2}\">{2}</a>)</span></td></tr>\n\
             <tr><td colspan=\"2\"></td><td class=\"subtext\">{3} points by <a href=\"/user/{4}\">{4}</a> \
             <span title=\"{5}\">{6}</span> | <a href=\"/login?hide={0}\">hide</a> | \
             <a href=\"{7}#comments\">{comments} comments</a></td></tr>\n<tr class=\"spacer\"></tr>\n",
            article.serial,
            Escaped(&article.title),
            article.topic,
            crowd.between(3, 400),
            slug(&article.author).replace('-', ""),
            article.published_at,
            super::local(site, article.published_at).strftime("%b %-d, %H:%M"),
            Escaped(&article.path),
        );
    }
    write!(
        out,
        "<tr><td colspan=\"2\"></td><td><a class=\"more\" href=\"/?page={}\" rel=\"next\">More</a></td></tr>\n\
         </table></td></tr><tr><td><hr>\n",
        page.number + 1
    );
    out.push(
        "<span><a href=\"/help/guidelines\">Guidelines</a> | <a href=\"/help/faq\">Questions and answers</a> | \
         <a href=\"/help/api\">API</a> | <a href=\"/help/security\">Security</a> | <a href=\"/about\">Legal</a> | \
         <a href=\"/contact\">Contact</a></span>\n",
    );
    put::search(out);
    out.push("</td></tr></table></center></body>\n");
}
