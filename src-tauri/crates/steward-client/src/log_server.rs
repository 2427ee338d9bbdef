//! Delivery of messages to a log server: octet-counted syslog over TLS (RFC 5425).
//!
//! The protocol has no acknowledgement: what was written might never have been read. [`deliver`] therefore counts
//! messages as delivered once the server ended the connection *after* it was told that there are no more. A server
//! reads what comes before that end, and the system resets a connection with unread data. The caller delivers
//! everything else again. [`DeliveryError`] tells how far a delivery came that does not count.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::error::is_end;
use crate::http::{EncryptedStream, Http, StreamError};

/// How long a connection must last after the last message. A server that is stopped ends it within this time, by
/// itself.
const SETTLED: Duration = Duration::from_secs(1);

/// Time limit for the messages, and for the end of the server, which reads them first.
const LIMIT: Duration = Duration::from_secs(120);

/// Reason why messages do not count as delivered.
#[derive(Debug, thiserror::Error)]
pub enum DeliveryError {
    /// The connection could not be opened, or failed.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The server ended the connection before it was told that there are no more messages. It might have read some.
    #[error("the log server ended the connection by itself ({0})")]
    Ended(io::Error),
    /// The server did not end the connection after the last message, or broke it off. It might have read all of them.
    #[error("the log server did not confirm the end of the messages ({0})")]
    NotConfirmed(io::Error),
}

/// Delivers messages in one connection, and returns once the server has read them.
///
/// # Errors
/// [`DeliveryError`]. The server might have read some of the messages then.
pub async fn deliver(http: &Http, host: &str, port: u16, messages: &[Vec<u8>]) -> Result<(), DeliveryError> {
    let mut stream = http.open_stream(host, port).await?;
    let written = within(LIMIT, write(&mut stream, messages)).await;
    // A server that rejects the client certificate reports it only now: TLS 1.3 has no step for it in the handshake.
    match tokio::time::timeout(SETTLED, read_to_end(&mut stream)).await {
        Err(_) => written.map_err(|error| failed(error, DeliveryError::Ended))?,
        Ok(ended) => {
            return Err(failed(ended.err().unwrap_or_else(too_early), DeliveryError::Ended));
        }
    }
    let ended = within(LIMIT, async {
        // The end of the messages (RFC 5425, section 4.4), and of what is sent at all.
        stream.shutdown().await?;
        match read_to_end(&mut stream).await {
            // Many servers close without an alert of their own.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(()),
            ended => ended,
        }
    });
    ended.await.map_err(|error| match error.kind() {
        io::ErrorKind::TimedOut => DeliveryError::NotConfirmed(error),
        _ => failed(error, DeliveryError::NotConfirmed),
    })
}

/// Returns `ended` with the error if the server ended the connection, otherwise the error of the connection.
fn failed(error: io::Error, ended: fn(io::Error) -> DeliveryError) -> DeliveryError {
    if is_end(&error) { ended(error) } else { StreamError::from(error).into() }
}

async fn write(stream: &mut EncryptedStream, messages: &[Vec<u8>]) -> io::Result<()> {
    for message in messages {
        // RFC 5425, section 4.3: the length, a space, the message.
        stream.write_all(format!("{} ", message.len()).as_bytes()).await?;
        stream.write_all(message).await?;
    }
    stream.flush().await
}

/// Reads until the server ends the connection, and ignores what it sends: the protocol has no responses.
async fn read_to_end(stream: &mut EncryptedStream) -> io::Result<()> {
    let mut ignored = [0; 256];
    while stream.read(&mut ignored).await? > 0 {}
    Ok(())
}

async fn within(limit: Duration, work: impl Future<Output = io::Result<()>>) -> io::Result<()> {
    tokio::time::timeout(limit, work)
        .await
        .unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "no response within the time limit")))
}

fn too_early() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "end of the connection")
}
