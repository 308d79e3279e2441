//! Lines to and from a mail server, capped and timed.

use crate::failure::Failure;
use model::FailureKind;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

/// RFC 5321 allows 512 bytes a line; some servers say more.
const LONGEST_LINE: usize = 4_096;
/// Lines of one reply; real servers offer two dozen things.
const MOST_LINES: usize = 100;

/// A connection read by lines.
pub(super) struct Line<S> {
    stream: S,
    read: Vec<u8>,
    limit: Duration,
}

/// What the server said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) code: u16,
    pub(super) lines: Vec<String>,
}

impl Reply {
    pub(super) fn is_fine(&self) -> bool {
        (200..300).contains(&self.code)
    }

    /// Its words in one line, without anything that could steer a terminal.
    pub(super) fn text(&self) -> String {
        let text = self.lines.join(" ");
        text.chars().filter(|character| !character.is_control()).take(300).collect()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Line<S> {
    /// `limit` is how long a single step may take.
    pub(super) fn new(stream: S, limit: Duration) -> Self {
        Self { stream, read: Vec::new(), limit }
    }

    /// The bare connection; `None` if there is something on it that was sent too early.
    pub(super) fn into_inner(self) -> Option<S> {
        self.read.is_empty().then_some(self.stream)
    }

    pub(super) async fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let writing = async {
            self.stream.write_all(bytes).await?;
            self.stream.flush().await
        };
        match timeout(self.limit, writing).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(broken(&error)),
            Err(_) => Err(Failure::timeout("the mail server took nothing", self.limit)),
        }
    }

    /// One reply, of as many lines as it has.
    pub(super) async fn reply(&mut self) -> Result<Reply, Failure> {
        timeout(self.limit, self.read_reply())
            .await
            .unwrap_or_else(|_| Err(Failure::timeout("no answer of the mail server", self.limit)))
    }

    async fn read_reply(&mut self) -> Result<Reply, Failure> {
        let mut lines = Vec::new();
        loop {
            let line = self.read_line().await?;
            let (code, more, text) = parse(&line).ok_or_else(|| {
                let said: String =
                    line.chars().filter(|character| !character.is_control()).take(80).collect();
                Failure::new(FailureKind::Protocol, format!("{said:?} is not what a mail server says"))
            })?;
            lines.push(text.to_owned());
            if !more {
                return Ok(Reply { code, lines });
            }
            if lines.len() >= MOST_LINES {
                let detail = format!("the mail server's answer has more than {MOST_LINES} lines");
                return Err(Failure::new(FailureKind::Protocol, detail));
            }
        }
    }

    async fn read_line(&mut self) -> Result<String, Failure> {
        loop {
            if let Some(end) = self.read.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                return Ok(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned());
            }
            if self.read.len() > LONGEST_LINE {
                let detail = format!("the mail server's answer has a line of more than {LONGEST_LINE} bytes");
                return Err(Failure::new(FailureKind::Protocol, detail));
            }
            let mut piece = [0; 1024];
            match self.stream.read(&mut piece).await {
                Ok(0) => {
                    return Err(Failure::new(FailureKind::Protocol, "the mail server closed the connection"));
                }
                Ok(n) => self.read.extend_from_slice(piece.get(..n).unwrap_or_default()),
                Err(error) => return Err(broken(&error)),
            }
        }
    }
}

fn broken(error: &std::io::Error) -> Failure {
    Failure::new(FailureKind::Protocol, format!("the connection to the mail server broke: {error}"))
}

/// `250-PIPELINING` → 250, more to come, the rest.
fn parse(line: &str) -> Option<(u16, bool, &str)> {
    let code = line.get(..3).filter(|code| code.bytes().all(|byte| byte.is_ascii_digit()))?;
    let code = code.parse().ok().filter(|code| (200..600).contains(code))?;
    match line.get(3..4) {
        None => Some((code, false, "")),
        Some(" ") => Some((code, false, line.get(4..)?)),
        Some("-") => Some((code, true, line.get(4..)?)),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_as_written() {
        assert_eq!(parse("250-SIZE 1000"), Some((250, true, "SIZE 1000")));
        assert_eq!(parse("354 go on"), Some((354, false, "go on")));
        assert_eq!(parse("250"), Some((250, false, "")));
        for odd in ["", "25", "HTTP/1.1 400 Bad Request", "999 no", "250_x", "ééé"] {
            assert_eq!(parse(odd), None, "{odd}");
        }
    }

    #[tokio::test]
    async fn an_endless_answer_is_refused() {
        for flood in [vec![b'2'; 10_000], b"250-more\r\n".repeat(200)] {
            let (ours, mut theirs) = tokio::io::duplex(64 << 10);
            theirs.write_all(&flood).await.unwrap();
            let failure = Line::new(ours, Duration::from_secs(1)).reply().await.unwrap_err();
            assert_eq!(failure.kind, FailureKind::Protocol, "{}", failure.detail);
        }
    }
}
