//! Other goods.

use super::address::slug;
use super::list::facet_links;
use super::site::frame;
use super::{Category, Shop};
use crate::markup::{Escaped, Markup};

/// Things for sale in each category.
pub(super) const ITEMS: usize = 3;

const MAKES: [&str; 8] = ["Arden", "Belco", "Corvo", "Delta", "Ennis", "Forma", "Glint", "Halden"];
const PRAISE: [&str; 5] = [
    "Sturdy, quiet and easy to clean, with a cable of two metres.",
    "Comes with batteries, a charger and a manual in six languages.",
    "Small enough for a shelf, strong enough for every day.",
    "The new model is lighter than the old one and uses less power.",
    "Tested in our workshop, with a warranty of two years.",
];

impl Shop {
    pub(super) fn category_page(&self, number: usize, facets: &str) -> Option<String> {
        let category = self.categories.get(number)?;
        Some(frame(&category.name, |page| {
            write!(
                page,
                "<p class=\"crumbs\">{}</p><h1>{}</h1>",
                Escaped(&category.path),
                Escaped(&category.name)
            );
            facet_links(page, &format!("/c/{}-{number}", slug(&category.name)), facets);
            page.push("<ul class=\"grid\">");
            for item in 0..ITEMS {
                card(page, number, category, item);
            }
            page.push("</ul><h2>See also</h2><ul class=\"departments\">");
            let below = format!("{} > ", category.path);
            let children = self.categories.iter().enumerate().filter(|(_, other)| {
                other.path.strip_prefix(&below).is_some_and(|rest| !rest.contains(" > "))
            });
            for (other, child) in children {
                category_link(page, other, child);
            }
            for other in [number + 1, number + 2].into_iter().filter(|other| *other < self.categories.len()) {
                category_link(page, other, &self.categories[other]);
            }
            page.push("</ul>");
        }))
    }

    pub(super) fn item_page(&self, category: usize, item: usize) -> Option<String> {
        let of = self.categories.get(category)?;
        let title = name(of, category, item);
        Some(frame(&title, |page| {
            write!(
                page,
                "<p class=\"crumbs\"><a href=\"/c/{}-{category}\">{}</a></p>",
                slug(&of.name),
                Escaped(&of.name)
            );
            write!(page, "<article class=\"product\"><h1>{}</h1>", Escaped(&title));
            for sentence in 0..3 {
                write!(page, "<p>{}</p>", PRAISE[(category + item + sentence) % PRAISE.len()]);
            }
            write!(page, "<p>Weight {} g. Article {category}-{item}.</p>", 100 + category * 31 % 4_000);
            write!(
                page,
                "<p class=\"price\">{}.90</p><button>Add to basket</button></article>",
                10 + category % 400
            );
            page.push("<section class=\"related\"><h2>More like this</h2><ul class=\"grid\">");
            for other in 0..ITEMS {
                if other != item {
                    card(page, category, of, other);
                }
            }
            let next = (category + 1) % self.categories.len();
            card(page, next, &self.categories[next], item);
            page.push("</ul></section>");
        }))
    }
}

fn name(of: &Category, category: usize, item: usize) -> String {
    format!(
        "{} {} {}",
        MAKES[(category + item * 3) % MAKES.len()],
        of.name,
        100 + (category * 7 + item * 13) % 900
    )
}

pub(super) fn card(page: &mut Markup, category: usize, of: &Category, item: usize) {
    let name = name(of, category, item);
    write!(
        page,
        "<li class=\"card\"><a href=\"/item/{}-{category}-{item}\">{}</a></li>",
        slug(&of.name),
        Escaped(&name)
    );
}

pub(super) fn category_link(page: &mut Markup, number: usize, category: &Category) {
    write!(page, "<li><a href=\"/c/{}-{number}\">{}</a></li>", slug(&category.name), Escaped(&category.name));
}
