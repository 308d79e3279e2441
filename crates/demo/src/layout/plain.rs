//! Pages that are no articles and list none.

use super::{furniture as put, head};
use crate::markup::{Escaped, Markup};
use crate::site::Site;

/// What is behind menus, tags and footers.
pub(crate) fn plain_page(site: &Site, base: &str, path: &str) -> String {
    let name = path.trim_matches('/').rsplit('/').next().unwrap_or_default().replace('-', " ");
    simple(site, &format!("{base}{path}"), &crate::prose::capitalised(name), "There is nothing new here.")
}

/// For paths nobody knows, or not yet.
pub(crate) fn not_found_page(site: &Site, base: &str) -> String {
    simple(site, &format!("{base}/"), "Page not found", "It may have moved, or it is not published yet.")
}

fn simple(site: &Site, address: &str, title: &str, text: &str) -> String {
    let mut out = Markup::new();
    head(&mut out, site, title, address, "");
    out.push("<body>\n");
    put::menu(&mut out, site, "primary");
    writeln!(out, "<main><h1>{}</h1><p>{text}</p></main>", Escaped(title));
    put::footer(&mut out, site);
    out.push("</body></html>\n");
    out.into_string()
}
