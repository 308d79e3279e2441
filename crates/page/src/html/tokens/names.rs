//! Tag names, each looked up once: a page has thousands of tags and a few dozen names.

use html5ever::LocalName;

const SLOTS: usize = 128;

/// The names met lately.
pub(super) struct Names([Option<LocalName>; SLOTS]);

impl Default for Names {
    fn default() -> Self {
        Self([const { None }; SLOTS])
    }
}

impl Names {
    /// A name in lower case.
    pub(super) fn of(&mut self, name: &str) -> LocalName {
        let slot = &mut self.0[slot(name.as_bytes())];
        match slot {
            Some(known) if str::eq_ignore_ascii_case(known, name) => known.clone(),
            _ => slot.insert(LocalName::from(name.to_ascii_lowercase())).clone(),
        }
    }
}

/// Length, first and last letter tell most names apart.
fn slot(name: &[u8]) -> usize {
    let letter = |byte: Option<&u8>| usize::from(byte.copied().unwrap_or_default() | 0x20);
    (letter(name.first()) * 5 + letter(name.last()) * 3 + name.len()) % SLOTS
}
