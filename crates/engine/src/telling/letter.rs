//! A message, or a digest of some, as an e-mail: plain text, and HTML for those who prefer it.

use super::story::{Story, absolute, digest_title, when};
use fetch::Letter;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use maud::{DOCTYPE, Markup, html};
use page::watches::{Diff, Piece};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use store::{Dispatch, MailTarget};
use url::Url;

/// Why a letter cannot be written.
#[derive(Debug, thiserror::Error)]
pub(super) enum LetterError {
    #[error("{address:?} is not an e-mail address: {why}")]
    Address { address: String, why: String },
    #[error("the letter cannot be written: {0}")]
    Unwritable(#[from] lettre::error::Error),
}

pub(super) fn letter(
    dispatch: &Dispatch,
    mail: &MailTarget,
    base: &Url,
    now: Timestamp,
) -> Result<Letter, LetterError> {
    let zone = dispatch.channel.settings.time_zone();
    let stories: Vec<Story> =
        dispatch.messages.iter().map(|message| Story::of(message, base, &zone)).collect();
    let subject = match stories.as_slice() {
        [story] => story.title.clone(),
        _ => digest_title(&dispatch.messages, base, &zone),
    };
    let settings = absolute("/notifications", base);
    let page =
        Page { subject: &subject, groups: grouped(&stories), settings: settings.as_ref(), zone: &zone };
    let from = mailbox(&mail.from)?;
    let to = mail.to.iter().map(|to| mailbox(to)).collect::<Result<Vec<_>, _>>()?;
    let host = base.host_str().unwrap_or("localhost").trim_matches(['[', ']']).replace(':', ".");
    let mut builder = lettre::Message::builder()
        .from(from.clone())
        .subject(subject.as_str())
        .date(now.into())
        .message_id(Some(format!("<{}@{host}>", name(&dispatch.key))));
    for to in &to {
        builder = builder.to(to.clone());
    }
    for (header, value) in [
        ("List-Id", format!("Ripplewatch <notifications.{host}>")),
        // Holiday answers to us would be read by nobody.
        ("Auto-Submitted", "auto-generated".into()),
        ("X-Ripplewatch-Key", dispatch.key.chars().filter(char::is_ascii_graphic).take(200).collect()),
    ] {
        builder = builder.raw_header(HeaderValue::new(header_name(header), value));
    }
    let message =
        builder.multipart(MultiPart::alternative_plain_html(page.text(), page.html().into_string()))?;
    let address = |mailbox: &Mailbox| mailbox.email.to_string();
    Ok(Letter { from: address(&from), to: to.iter().map(address).collect(), content: message.formatted() })
}

/// Whom a text names: `a@b.example` or `Name <a@b.example>`.
pub(super) fn mailbox(text: &str) -> Result<Mailbox, LetterError> {
    let wrong = |why: String| LetterError::Address { address: text.to_owned(), why };
    if text.chars().any(char::is_control) {
        return Err(wrong("it holds control characters".into()));
    }
    let mailbox: Mailbox =
        text.trim().parse().map_err(|error: lettre::address::AddressError| wrong(error.to_string()))?;
    if !mailbox.email.to_string().is_ascii() {
        return Err(wrong("only plain ASCII addresses can be mailed to".into()));
    }
    Ok(mailbox)
}

/// The same key gives the same name: mail programs show a repeated letter once.
fn name(key: &str) -> String {
    Sha256::digest(key.as_bytes()).iter().take(16).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[expect(clippy::expect_used, reason = "the names are written above, in ASCII")]
fn header_name(name: &'static str) -> HeaderName {
    HeaderName::new_from_ascii(name.into()).expect("an ASCII name")
}

/// By folder, those with most to tell first.
fn grouped(stories: &[Story]) -> Vec<(Option<&str>, Vec<&Story>)> {
    let mut groups: BTreeMap<Option<&str>, Vec<&Story>> = BTreeMap::new();
    for story in stories {
        groups.entry(story.folder.as_deref()).or_default().push(story);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, stories)| std::cmp::Reverse(stories.len()));
    groups
}

struct Page<'a> {
    subject: &'a str,
    groups: Vec<(Option<&'a str>, Vec<&'a Story>)>,
    settings: Option<&'a Url>,
    zone: &'a TimeZone,
}

impl Page<'_> {
    fn is_digest(&self) -> bool {
        self.groups.iter().map(|(_, stories)| stories.len()).sum::<usize>() > 1
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (folder, stories) in &self.groups {
            if self.is_digest() {
                let heading = format!("{} ({})", folder.unwrap_or("Other"), stories.len());
                let _ = write!(text, "{heading}\n{}\n\n", "=".repeat(heading.chars().count()));
            }
            for story in stories {
                story_text(&mut text, story, self.zone);
            }
        }
        text.push_str("-- \nRipplewatch");
        if let Some(settings) = self.settings {
            let _ = write!(text, " · what you are told, and when: {settings}");
        }
        text.push('\n');
        text
    }

    fn html(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.subject) }
                }
                body style="font-family: system-ui, sans-serif; line-height: 1.45; max-width: 40em; margin: 0 auto; padding: 1em" {
                    @for (folder, stories) in &self.groups {
                        @if self.is_digest() {
                            h1 style="font-size: 1.2em" { (folder.unwrap_or("Other")) " (" (stories.len()) ")" }
                        }
                        @for story in stories { (story_html(story, self.zone)) }
                    }
                    p style="color: #666; font-size: .85em" {
                        "Ripplewatch"
                        @if let Some(settings) = self.settings {
                            " · " a href=(settings) { "what you are told, and when" }
                        }
                    }
                }
            }
        }
    }
}

fn story_text(text: &mut String, story: &Story, zone: &TimeZone) {
    let _ = write!(text, "{}\n{}\n\n", story.title, when(story.at, zone));
    for paragraph in &story.paragraphs {
        let _ = write!(text, "{paragraph}\n\n");
    }
    if let Some(diff) = &story.diff {
        let _ = write!(text, "{}\n\n", diff.text());
    }
    if !story.sources.is_empty() {
        text.push_str("Sources:\n");
        for source in &story.sources {
            let _ = writeln!(text, "  - {source}");
        }
        text.push('\n');
    }
    if !story.articles.is_empty() {
        text.push_str("Articles:\n");
        for article in &story.articles {
            let _ = write!(text, "  - {}", article.title);
            if let Some(source) = &article.source {
                let _ = write!(text, " ({source})");
            }
            if let Some(url) = &article.url {
                let _ = write!(text, "\n    {url}");
            }
            text.push('\n');
        }
        text.push('\n');
    }
    if let Some(link) = &story.link {
        let _ = write!(text, "More: {link}\n\n");
    }
}

fn story_html(story: &Story, zone: &TimeZone) -> Markup {
    html! {
        h2 style="font-size: 1.05em; margin-bottom: 0" {
            @if let Some(link) = &story.link { a href=(link) { (story.title) } } @else { (story.title) }
        }
        p style="color: #666; margin-top: 0" { (when(story.at, zone)) }
        @for paragraph in &story.paragraphs { p { (paragraph) } }
        @if let Some(diff) = &story.diff { (diff_html(diff)) }
        @if !story.sources.is_empty() {
            p { strong { "Sources" } }
            ul { @for source in &story.sources { li { (source) } } }
        }
        @if !story.articles.is_empty() {
            p { strong { "Articles" } }
            ul {
                @for article in &story.articles {
                    li {
                        @if let Some(url) = &article.url { a href=(url) { (article.title) } } @else { (article.title) }
                        @if let Some(source) = &article.source { " (" (source) ")" }
                    }
                }
            }
        }
    }
}

fn diff_html(diff: &Diff) -> Markup {
    html! {
        @for hunk in &diff.hunks {
            p style="white-space: pre-wrap; border-left: 3px solid #ccc; padding-left: .7em" {
                @for piece in &hunk.0 {
                    @match piece {
                        Piece::Same(words) => (words),
                        Piece::Removed(words) => del style="background: #fdd; color: #700" { (words) },
                        Piece::Added(words) => ins style="background: #dfd; color: #050; text-decoration: none" { (words) },
                    }
                }
            }
        }
        @if diff.cut { p { "… and more" } }
    }
}
