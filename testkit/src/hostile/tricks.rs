//! Servers that break HTTP itself, written against the bare socket.

use super::{Expected, Hostile, is_protocol, is_timeout, is_truncated, own_address};
use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

#[derive(Debug, Clone, Copy)]
enum Trick {
    Silence,
    SlowHeaders,
    SilenceAfterHeaders,
    SlowBody,
    EndlessBody,
    EndlessChunks,
    EndlessHints,
    TooShort,
    TooLong,
    TooLongAndClosed,
    ManyHeaders,
    LongHeader,
    EndlessHeader,
    Garbage,
    BadChunks,
    HugeChunk,
    BrokenOff,
    Reset,
    TwoLengths,
}

impl Trick {
    const ALL: [(Self, &'static str, Expected); 19] = [
        (Self::Silence, "silence", is_timeout),
        (Self::SlowHeaders, "slow loris", is_timeout),
        (Self::SilenceAfterHeaders, "silence after the headers", is_timeout),
        (Self::SlowBody, "a body of a few bytes a second", is_timeout),
        (Self::EndlessBody, "endless body", is_truncated),
        (Self::EndlessChunks, "endless chunks", is_truncated),
        (Self::EndlessHints, "endless early hints", is_timeout),
        (Self::TooShort, "body shorter than its length", is_protocol),
        (Self::TooLong, "body longer than its length", is_protocol),
        (Self::TooLongAndClosed, "body longer than its length, then closed", is_protocol),
        (Self::ManyHeaders, "too many headers", is_protocol),
        (Self::LongHeader, "too long a header", is_protocol),
        (Self::EndlessHeader, "endless header", is_protocol),
        (Self::Garbage, "garbage instead of HTTP", is_protocol),
        (Self::BadChunks, "malformed chunks", is_protocol),
        (Self::HugeChunk, "a chunk of 2^64 bytes", is_protocol),
        (Self::BrokenOff, "chunks broken off", is_protocol),
        (Self::Reset, "reset in the middle", is_protocol),
        (Self::TwoLengths, "two different lengths", is_protocol),
    ];

    async fn play(self, to: &mut TcpStream) -> io::Result<()> {
        const FOREVER: Duration = Duration::from_hours(1);
        const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
        match self {
            Self::Silence => tokio::time::sleep(FOREVER).await,
            Self::SlowHeaders => {
                for byte in OK.iter().cycle() {
                    to.write_all(&[*byte]).await?;
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            }
            Self::SilenceAfterHeaders => {
                to.write_all(OK).await?;
                to.write_all(b"Content-Length: 100\r\n\r\n<p>").await?;
                tokio::time::sleep(FOREVER).await;
            }
            Self::SlowBody => {
                to.write_all(OK).await?;
                to.write_all(b"\r\n").await?;
                loop {
                    to.write_all(b".").await?;
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
            Self::EndlessBody => {
                to.write_all(OK).await?;
                to.write_all(b"\r\n").await?;
                loop {
                    to.write_all(&[b'.'; 16 << 10]).await?;
                }
            }
            Self::EndlessChunks => {
                to.write_all(OK).await?;
                to.write_all(b"Transfer-Encoding: chunked\r\n\r\n").await?;
                let chunks = [b"100\r\n".as_slice(), &[b'.'; 256], b"\r\n"].concat().repeat(100);
                loop {
                    to.write_all(&chunks).await?;
                }
            }
            Self::EndlessHints => loop {
                to.write_all(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n").await?;
                tokio::time::sleep(Duration::from_millis(1)).await;
            },
            Self::TooShort => {
                to.write_all(OK).await?;
                to.write_all(b"Content-Length: 100\r\n\r\nshort").await?;
            }
            Self::TooLong => {
                to.write_all(&[OK, b"Content-Length: 4\r\n\r\nmore than four"].concat()).await?;
                tokio::time::sleep(FOREVER).await;
            }
            Self::TooLongAndClosed => {
                let rest = b"Connection: close\r\nContent-Length: 4\r\n\r\nmore than four";
                to.write_all(&[OK, rest].concat()).await?;
            }
            Self::ManyHeaders => {
                to.write_all(OK).await?;
                to.write_all(b"X-Flood: 1\r\n".repeat(5_000).as_slice()).await?;
                to.write_all(b"Content-Length: 1\r\n\r\n.").await?;
            }
            Self::LongHeader => {
                to.write_all(OK).await?;
                to.write_all(&[b"X-Flood: ".as_slice(), &b"x".repeat(1 << 20), b"\r\n\r\n"].concat()).await?;
            }
            Self::EndlessHeader => {
                to.write_all(OK).await?;
                to.write_all(b"X-Flood: ").await?;
                loop {
                    to.write_all(&[b'x'; 16 << 10]).await?;
                }
            }
            Self::Garbage => {
                to.write_all(&b"\x16\x03\x01\xff\0\r\n".repeat(50)).await?;
            }
            Self::BadChunks => {
                to.write_all(OK).await?;
                to.write_all(b"Transfer-Encoding: chunked\r\n\r\n3\r\nabcZZZZ\r\nno number\r\n").await?;
            }
            Self::HugeChunk => {
                to.write_all(OK).await?;
                to.write_all(b"Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\nabc").await?;
            }
            Self::BrokenOff => {
                to.write_all(OK).await?;
                to.write_all(b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n").await?;
            }
            Self::Reset => {
                to.write_all(OK).await?;
                to.write_all(b"Content-Length: 100\r\n\r\nhalf").await?;
                tokio::time::sleep(Duration::from_millis(20)).await;
                // Closing at once, without waiting for what is unsent, resets the connection.
                to.set_zero_linger()?;
            }
            Self::TwoLengths => {
                to.write_all(OK).await?;
                to.write_all(b"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde").await?;
            }
        }
        Ok(())
    }
}

pub(super) async fn add(hostile: &mut Hostile) {
    for (trick, name, expected) in Trick::ALL {
        let listener = TcpListener::bind((own_address(), 0)).await.unwrap();
        hostile.case(name, &format!("http://{}/", listener.local_addr().unwrap()), expected);
        hostile.servers.spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                // A client that hangs up is what is hoped for.
                connections.spawn(async move { serve(&mut stream, trick).await });
            }
        });
    }
}

/// Answers robots.txt properly, so that it is the page that misbehaves.
async fn serve(stream: &mut TcpStream, trick: Trick) -> io::Result<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        if stream.read_buf(&mut request).await? == 0 {
            return Ok(());
        }
    }
    if request.starts_with(b"GET /robots.txt ") {
        let none = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        return stream.write_all(none).await;
    }
    trick.play(stream).await
}
