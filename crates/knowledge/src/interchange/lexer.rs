//! Words, texts and signs of one line of the text form.

use crate::literal::quote;
use serde_json::Deserializer;

/// What a line is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word without quotes: a keyword, a number, a simple name.
    Bare(String),
    /// A text in quotes, written as in JSON.
    Quoted(String),
    /// `[`, `]` or `,`.
    Sign(char),
}

/// The tokens of a line, one by one.
#[derive(Debug)]
pub(super) struct Tokens(std::iter::Peekable<std::vec::IntoIter<Token>>);

/// Whether a name can stand without quotes.
pub(super) fn is_bare(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "/-_.&+@".contains(c);
    let is_word_of_ours = matches!(name, "stop" | "nothing");
    name.starts_with(char::is_alphanumeric) && name.chars().all(plain) && !is_word_of_ours
}

/// A name, in quotes if it needs them.
pub(super) fn name(name: &str) -> String {
    if is_bare(name) { name.to_owned() } else { quoted(name) }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl Tokens {
    pub(super) fn of(line: &str) -> Result<Self, String> {
        let mut tokens = Vec::new();
        let mut rest = line.trim();
        while let Some(first) = rest.chars().next() {
            let (token, length) = match first {
                '[' | ']' | ',' => (Token::Sign(first), 1),
                '"' => read_quoted(rest)?,
                _ => {
                    let is_end = |c: char| c.is_whitespace() || "[],\"".contains(c);
                    let length = rest.find(is_end).unwrap_or(rest.len());
                    (Token::Bare(rest[..length].to_owned()), length)
                }
            };
            tokens.push(token);
            rest = rest[length..].trim_start();
        }
        Ok(Self(tokens.into_iter().peekable()))
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Option<Token> {
        self.0.next()
    }

    /// Takes the next token if it is this one.
    pub(super) fn take(&mut self, token: &Token) -> bool {
        self.0.next_if_eq(token).is_some()
    }

    /// Takes the next token if it is this keyword.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        self.0.next_if(|token| matches!(token, Token::Bare(bare) if bare == word)).is_some()
    }

    /// Demands a keyword.
    pub(super) fn word(&mut self, word: &str) -> Result<(), String> {
        match self.next() {
            Some(Token::Bare(bare)) if bare == word => Ok(()),
            other => Err(expected(word, other)),
        }
    }

    /// Demands a sign.
    pub(super) fn sign(&mut self, sign: char) -> Result<(), String> {
        match self.next() {
            Some(Token::Sign(found)) if found == sign => Ok(()),
            other => Err(expected(&sign.to_string(), other)),
        }
    }

    /// Demands any word without quotes.
    pub(super) fn bare(&mut self, what: &str) -> Result<String, String> {
        match self.next() {
            Some(Token::Bare(bare)) => Ok(bare),
            other => Err(expected(what, other)),
        }
    }

    /// Demands a text in quotes.
    pub(super) fn quoted(&mut self, what: &str) -> Result<String, String> {
        match self.next() {
            Some(Token::Quoted(text)) => Ok(text),
            other => Err(expected(&format!("{what} in quotes"), other)),
        }
    }

    /// Demands a name, with or without quotes.
    pub(super) fn name(&mut self, what: &str) -> Result<String, String> {
        match self.next() {
            Some(Token::Bare(name) | Token::Quoted(name)) => Ok(name),
            other => Err(expected(what, other)),
        }
    }

    /// Demands a whole number.
    pub(super) fn number(&mut self, what: &str) -> Result<i64, String> {
        let bare = self.bare(what)?;
        bare.parse().map_err(|_| format!("{} is not {what}: ids are whole numbers", quote(&bare)))
    }

    /// The number after the first bracket, if there is one.
    pub(super) fn number_in_brackets(&self) -> Option<i64> {
        let mut rest = self.0.clone().skip_while(|token| *token != Token::Sign('[')).skip(1);
        match rest.next()? {
            Token::Bare(bare) => bare.parse().ok(),
            _ => None,
        }
    }

    /// Demands that nothing is left.
    pub(super) fn end(&mut self) -> Result<(), String> {
        match self.next() {
            None => Ok(()),
            some => Err(expected("the end of the line", some)),
        }
    }
}

fn read_quoted(rest: &str) -> Result<(Token, usize), String> {
    let mut texts = Deserializer::from_str(rest).into_iter::<String>();
    match texts.next() {
        Some(Ok(text)) => Ok((Token::Quoted(text), texts.byte_offset())),
        _ => Err(format!("the quotes are not closed, or hold a wrong escape: {}", quote(rest))),
    }
}

fn expected(what: &str, found: Option<Token>) -> String {
    let found = match found {
        None => "nothing".to_owned(),
        Some(Token::Bare(text) | Token::Quoted(text)) => quote(&text),
        Some(Token::Sign(sign)) => quote(&sign.to_string()),
    };
    format!("expected {what}, found {found}")
}
