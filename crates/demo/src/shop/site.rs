//! The frame of every page, and the pages of the house: front page, departments, help, calendar.

use super::address::{Address, slug};
use super::{Shop, item, list};
use crate::markup::{Escaped, Markup};

/// What the shop tells about itself.
pub(super) const HELP: [(&str, &str); 24] = [
    (
        "Delivery",
        "We deliver on working days. Parcels leave our warehouse within two days, and you can follow them.",
    ),
    (
        "Returns",
        "Send back what you do not like within thirty days, unused and in its box, and we pay you back.",
    ),
    ("Payment", "Pay by card, by transfer or on account. Your card is charged when the parcel leaves."),
    ("Privacy", "We keep what we need to send you your order, and nothing else. You may ask what that is."),
    (
        "Terms of sale",
        "These terms hold for every order in this shop. The contract is made when we confirm the order.",
    ),
    ("Gift cards", "A gift card is valid for three years and can be spent on anything in the shop."),
    ("Your account", "In your account you see your orders, your addresses and your messages."),
    ("Contact", "Write to us or call us on weekdays between nine and five. We answer within a day."),
    (
        "Careers",
        "We look for people who like to work with people, in the warehouse, in the office and on the phone.",
    ),
    ("Press", "Journalists find pictures and figures about the company here."),
    ("Stores", "Find the store near you, with opening hours and a map."),
    ("Cookies", "This site uses a cookie for the basket and none for advertising."),
    ("Accessibility", "The site can be used with the keyboard and with a screen reader."),
    ("Recycling", "We take back old devices and batteries, free of charge."),
    ("Warranty", "Everything we sell has a warranty of two years. Keep the receipt."),
    ("Track an order", "Enter the number of your order to see where the parcel is."),
    ("Price promise", "If you find it cheaper elsewhere within a week, we pay the difference."),
    ("Newsletter", "Once a week, and you can leave whenever you like."),
    ("Business customers", "Companies and schools buy on account and get an invoice."),
    ("Installation", "Our technicians bring large appliances into your home and connect them."),
    ("Repairs", "Devices can be repaired in our workshop. We tell you the price before we begin."),
    ("Imprint", "Who runs this shop, where it is registered, and how to reach its managers."),
    ("Affiliates", "Link to us from your site and earn a share of each sale."),
    ("Site map", "The departments of the shop at a glance."),
];

impl Shop {
    pub(super) fn page(&self, address: &Address) -> Option<String> {
        match address {
            Address::Home => Some(self.home()),
            Address::Departments => Some(self.departments()),
            Address::Books => Some(self.book_department()),
            Address::Authors(initial) => Some(self.authors_of(*initial)),
            Address::Author(slug) => self.author_page(slug),
            Address::Decade(decade, page, facets) => self.decade_page(*decade, *page, facets),
            Address::Book(number) => self.book_page(*number),
            Address::Category(number, facets) => self.category_page(*number, facets),
            Address::Item(category, item) => self.item_page(*category, *item),
            Address::Help(number) => help(*number),
            Address::Month(year, month) => Some(month_page(*year, *month)),
        }
    }

    fn home(&self) -> String {
        frame("Everything for home and leisure", |page| {
            page.push("<h1>Welcome</h1><p>Thousands of things for home, work and leisure, at your door in two days.</p>");
            page.push("<section class=\"teasers\"><h2>This week</h2><ul class=\"grid\">");
            for number in (0..self.books.len()).step_by((self.books.len() / 6).max(1)).take(6) {
                list::book_card(page, number, &self.books[number]);
            }
            for number in (0..self.categories.len()).step_by((self.categories.len() / 12).max(1)).take(12) {
                item::card(page, number, &self.categories[number], 0);
            }
            page.push("</ul></section><p><a href=\"/departments\">All departments</a></p>");
        })
    }

    fn departments(&self) -> String {
        frame("Departments", |page| {
            page.push("<h1>Departments</h1><ul class=\"departments\"><li><a href=\"/books\">Books</a></li>");
            let tops =
                self.categories.iter().enumerate().filter(|(_, category)| !category.path.contains(" > "));
            for (number, category) in tops {
                item::category_link(page, number, category);
            }
            page.push("</ul>");
        })
    }
}

/// A page with the shop's head and foot around it.
pub(super) fn frame(title: &str, body: impl FnOnce(&mut Markup)) -> String {
    let mut page = Markup::new();
    write!(
        page,
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title></head><body>\
         <header><nav class=\"menu\"><a href=\"/\">Shop</a> <a href=\"/departments\">Departments</a> \
         <a href=\"/books\">Books</a> <a href=\"/events/2026/11\">Events</a></nav></header><main>",
        Escaped(title)
    );
    body(&mut page);
    page.push("</main><footer><ul class=\"foot\">");
    for (number, (name, _)) in HELP.iter().enumerate() {
        write!(page, "<li><a href=\"/help/{}-{number}\">{}</a></li>", slug(name), Escaped(name));
    }
    page.push("</ul></footer></body></html>");
    page.into_string()
}

fn help(number: usize) -> Option<String> {
    let (name, text) = HELP.get(number)?;
    Some(frame(name, |page| {
        write!(
            page,
            "<h1>{0}</h1><p>{1}</p><p>{2}</p>",
            Escaped(name),
            Escaped(text),
            Escaped(HELP[(number + 7) % 24].1)
        );
        page.push("<p>Did this answer your question? If not, our staff will be glad to help you.</p>");
    }))
}

fn month_page(year: u32, month: u32) -> String {
    let title = format!("Events in {month}/{year}");
    frame(&title, |page| {
        write!(
            page,
            "<h1>{title}</h1><p>Readings, book signings and children's hours in our stores.</p><table class=\"month\"><tr>"
        );
        for day in 1..=28 {
            write!(page, "<td>{day}</td>");
        }
        page.push("</tr></table>");
        let (before, after) = if month == 1 {
            ((year - 1, 12), (year, 2))
        } else if month == 12 {
            ((year, 11), (year + 1, 1))
        } else {
            ((year, month - 1), (year, month + 1))
        };
        write!(
            page,
            "<p><a href=\"/events/{}/{:02}\">earlier</a> <a href=\"/events/{}/{:02}\">later</a> \
             <a href=\"/events/{}/{month:02}\">next year</a></p>",
            before.0,
            before.1,
            after.0,
            after.1,
            year + 1
        );
    })
}
