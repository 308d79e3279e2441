//! The form of a channel, new or to be changed, and what was typed into it.

use crate::access::csrf::Fields;
use crate::problem::Problem;
use crate::ui::visitor::Visitor;
use engine::{ChannelWish, default_zone};
use knowledge::Folders;
use maud::{Markup, html};
use model::FolderId;
use store::{ChannelSettings, Encryption, MESSAGE_KINDS, Rhythm, Target};

/// Which kind of channel a form is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Webhook,
    Mail,
}

impl Kind {
    pub(super) fn of(target: &Target) -> Self {
        match target {
            Target::Webhook { .. } => Self::Webhook,
            Target::Mail(_) => Self::Mail,
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        [Self::Webhook, Self::Mail].into_iter().find(|kind| kind.word() == word)
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Mail => "mail",
        }
    }

    pub(super) fn invitation(self) -> &'static str {
        match self {
            Self::Webhook => "Add a webhook",
            Self::Mail => "Add an e-mail address",
        }
    }
}

/// What the fields of a form hold.
#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    pairs: Vec<(String, String)>,
}

impl Values {
    /// Of a new channel.
    pub(super) fn blank() -> Self {
        let mut values = Self::default();
        for kind in ["event_opened", "event_ended", "watch_changed", "watch_gone", "watch_ended"] {
            values.put("wants", kind);
        }
        values.put("zone", default_zone());
        values.put("encryption", "implicit");
        values
    }

    /// As typed. A password is not sent back.
    pub(super) fn typed(fields: &Fields) -> Self {
        let kept = fields.pairs().filter(|(name, _)| *name != crate::access::csrf::FIELD);
        Self { pairs: kept.map(|(name, value)| (name.to_owned(), value.to_owned())).collect() }
    }

    /// Of a channel, without its secrets.
    pub(super) fn of(settings: &ChannelSettings) -> Self {
        let mut values = Self::default();
        values.put("name", &settings.name);
        match &settings.target {
            Target::Webhook { url, .. } => values.put("url", url.as_str()),
            Target::Mail(mail) => {
                values.put("host", &mail.host);
                values.put("port", mail.port.to_string());
                values.put("encryption", mail.encryption.word());
                values.put("user", mail.user.as_deref().unwrap_or_default());
                values.put("from", &mail.from);
                values.put("to", mail.to.join(", "));
            }
        }
        settings.wants.iter().for_each(|kind| values.put("wants", kind));
        settings.folders.iter().for_each(|id| values.put("folders", id.to_string()));
        match settings.rhythm {
            Rhythm::AtOnce => values.put("rhythm", "at_once"),
            Rhythm::Hourly => values.put("rhythm", "hourly"),
            Rhythm::Daily { at } => {
                values.put("rhythm", "daily");
                values.put("daily_at", at.strftime("%H:%M").to_string());
            }
        }
        if let Some(quiet) = settings.quiet {
            values.put("quiet_from", quiet.from.strftime("%H:%M").to_string());
            values.put("quiet_to", quiet.to.strftime("%H:%M").to_string());
        }
        values.put("zone", &settings.zone);
        values
    }

    /// What it asks for.
    pub(super) fn wish(&self, kind: Kind) -> Result<ChannelWish, Problem> {
        let text = |name: &str| Some(self.get(name).to_owned());
        let filled = |name: &str| text(name).filter(|text| !text.is_empty());
        let rhythm = match self.get("rhythm") {
            "daily" => format!("daily {}", self.get("daily_at")),
            "" => "at_once".into(),
            other => other.to_owned(),
        };
        let quiet = match (self.get("quiet_from"), self.get("quiet_to")) {
            ("", "") => String::new(),
            (from, to) => format!("{from}-{to}"),
        };
        let port = filled("port").map(|port| port.parse::<u16>()).transpose();
        let port = port.map_err(|_| Problem::invalid("the port is not a number between 1 and 65535"))?;
        let folders = self.all("folders").filter_map(|id| id.parse().ok()).map(FolderId).collect();
        let common = ChannelWish {
            name: filled("name"),
            wants: Some(self.all("wants").map(str::to_owned).collect()),
            folders: Some(folders),
            rhythm: Some(rhythm),
            quiet: Some(quiet),
            zone: filled("zone"),
            ..ChannelWish::default()
        };
        let addresses = self.get("to").split([',', ';', '\n']).map(str::trim).filter(|to| !to.is_empty());
        Ok(match kind {
            Kind::Webhook => ChannelWish { url: text("url"), secret: filled("secret"), ..common },
            Kind::Mail => ChannelWish {
                host: text("host"),
                port,
                encryption: filled("encryption"),
                user: text("user"),
                password: filled("password"),
                from: text("from"),
                to: Some(addresses.map(str::to_owned).collect()),
                ..common
            },
        })
    }

    fn put(&mut self, name: &str, value: impl Into<String>) {
        self.pairs.push((name.to_owned(), value.into()));
    }

    fn get(&self, name: &str) -> &str {
        self.pairs.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.trim())
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.pairs.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|one| one == value)
    }
}

/// When a kind of message is told.
pub(super) fn kind_words(kind: &str) -> &str {
    MESSAGE_KINDS.iter().find(|(word, _)| *word == kind).map_or(kind, |(_, words)| words)
}

pub(super) fn form(
    visitor: &Visitor,
    action: &str,
    kind: Kind,
    values: &Values,
    folders: &Folders,
    alarm: &Markup,
    button: &str,
) -> Markup {
    html! {
        form .fields method="post" action=(action) {
            (visitor.hidden())
            input type="hidden" name="kind" value=(kind.word());
            @match kind {
                Kind::Webhook => (webhook_fields(values)),
                Kind::Mail => (mail_fields(values)),
            }
            (input("name", "Name", values, "After where it leads", "text", false))
            fieldset .wide.ticks {
                legend { "Tell when" }
                @for (word, words) in MESSAGE_KINDS {
                    label { input type="checkbox" name="wants" value=(word) checked[values.has("wants", word)]; " " (words) }
                }
            }
            @if !folders.is_empty() {
                label .wide {
                    span { "Only about these folders" }
                    select name="folders" multiple size="5" {
                        @for (path, folder) in folders.list() {
                            @let id = folder.id.to_string();
                            option value=(id) selected[values.has("folders", &id)] { (path) }
                        }
                    }
                    small { "None chosen: all of them. Folders inside a chosen one are included." }
                }
            }
            (rhythm_fields(values))
            div .wide { (alarm) }
            div .actions.wide { button .button.primary name="deed" value="save" { (button) } }
        }
    }
}

fn webhook_fields(values: &Values) -> Markup {
    html! {
        label .wide {
            span { "Address" }
            input type="url" name="url" value=(values.get("url")) required maxlength="2000" spellcheck="false"
                autocapitalize="off" placeholder="https://example.org/hook";
            small { "Gets a POST with JSON, signed, and repeated under the same key until it is taken." }
        }
    }
}

fn mail_fields(values: &Values) -> Markup {
    let chosen = values.get("encryption");
    html! {
        (input("to", "To", values, "you@example.org", "text", true))
        (input("from", "From", values, "ripplewatch@example.org", "text", true))
        (input("host", "Mail server", values, "smtp.example.org", "text", true))
        label {
            span { "Encryption" }
            select name="encryption" {
                @for (known, words) in [
                    (Encryption::Implicit, "TLS (port 465)"),
                    (Encryption::Starttls, "STARTTLS (port 587)"),
                    (Encryption::None, "None (private addresses only)"),
                ] {
                    option value=(known.word()) selected[known.word() == chosen] { (words) }
                }
            }
        }
        (input("port", "Port", values, "The usual one", "text", false))
        (input("user", "User", values, "None", "text", false))
        label {
            span { "Password" }
            input type="password" name="password" autocomplete="new-password" maxlength="1000" placeholder="Unchanged";
        }
    }
}

fn rhythm_fields(values: &Values) -> Markup {
    let rhythm = values.get("rhythm");
    html! {
        label {
            span { "Rhythm" }
            select name="rhythm" {
                option value="at_once" selected[rhythm.is_empty() || rhythm == "at_once"] { "At once" }
                option value="hourly" selected[rhythm == "hourly"] { "Gathered, every hour" }
                option value="daily" selected[rhythm == "daily"] { "Gathered, once a day" }
            }
        }
        (input("daily_at", "Once a day at", values, "08:00", "time", false))
        (input("quiet_from", "Quiet from", values, "22:00", "time", false))
        (input("quiet_to", "Quiet until", values, "07:00", "time", false))
        (input("zone", "Time zone of these hours", values, "Europe/Berlin", "text", false))
    }
}

fn input(name: &str, label: &str, values: &Values, placeholder: &str, kind: &str, required: bool) -> Markup {
    html! {
        label {
            span { (label) }
            input type=(kind) name=(name) value=(values.get(name)) placeholder=(placeholder) required[required]
                maxlength="500" spellcheck="false" autocapitalize="off" autocomplete="off";
        }
    }
}
