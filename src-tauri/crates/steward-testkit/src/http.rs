//! Reads requests from a connection.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// Reads one request: its head without the empty line, and as many bytes after it as `content-length` announces.
pub(crate) async fn read_request<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        more(stream, &mut bytes).await?;
    };
    let mut body = bytes.split_off(end + 4);
    bytes.truncate(end);
    let head = String::from_utf8_lossy(&bytes).into_owned();
    let length = content_length(&head).unwrap_or(0);
    while body.len() < length {
        more(stream, &mut body).await?;
    }
    Ok((head, body))
}

async fn more<S: AsyncRead + Unpin>(stream: &mut S, bytes: &mut Vec<u8>) -> io::Result<()> {
    if stream.read_buf(bytes).await? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

fn content_length(head: &str) -> Option<usize> {
    head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    })
}
