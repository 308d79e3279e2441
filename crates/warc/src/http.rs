//! HTTP messages as blocks.

/// The head of an answer as a block: HTTP/1.1 whatever it was, since readers know nothing newer, and without the
/// transfer encoding, which is undone by the time a body is kept.
pub fn response_block(head: &str) -> Vec<u8> {
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default();
    let rest = status.split_once(' ').map_or("", |(_, rest)| rest);
    let mut block = format!("HTTP/1.1 {rest}\r\n").into_bytes();
    for line in lines.filter(|line| !line.is_empty()) {
        let name = line.split(':').next().unwrap_or_default();
        if without_transfer_encoding(name) {
            block.extend_from_slice(line.as_bytes());
        } else {
            block.extend_from_slice(b"x-archive-orig-");
            block.extend_from_slice(line.as_bytes());
        }
        block.extend_from_slice(b"\r\n");
    }
    block.extend_from_slice(b"\r\n");
    block
}

/// Whether a header still holds once the transfer encoding is undone.
pub fn without_transfer_encoding(name: &str) -> bool {
    !name.eq_ignore_ascii_case("transfer-encoding") && !name.eq_ignore_ascii_case("trailer")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_undone_is_not_said_again() {
        let block = response_block("HTTP/2.0 200 OK\r\ncontent-type: text/html\r\nTransfer-Encoding: chunked\r\n");
        assert_eq!(
            String::from_utf8(block).unwrap(),
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx-archive-orig-Transfer-Encoding: chunked\r\n\r\n"
        );
    }
}
