//! A site that gives one answer and remembers what it was asked.

use std::collections::BTreeMap;
use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What a site was asked.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct Asked {
    /// As in `POST`.
    pub method: String,
    /// The path, still encoded.
    pub path: String,
    /// The form's fields.
    pub form: BTreeMap<String, String>,
}

/// Answers the first request with a JSON text.
pub struct RecordingSite {
    address: String,
    asked: JoinHandle<io::Result<Asked>>,
}

impl RecordingSite {
    /// A site on a free port of this machine.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn answering(json: String) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?.to_string();
        let asked = tokio::spawn(async move {
            let (mut client, _) = listener.accept().await?;
            let asked = read(&mut client).await?;
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
            let answer = format!("{head}content-length: {}\r\n\r\n{json}", json.len());
            client.write_all(answer.as_bytes()).await?;
            Ok(asked)
        });
        Ok(Self { address, asked })
    }

    /// Its address, as `127.0.0.1:PORT`.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What it was asked.
    ///
    /// # Errors
    /// When the request was no form.
    pub async fn asked(self) -> io::Result<Asked> {
        self.asked.await.map_err(io::Error::other)?
    }
}

async fn read(client: &mut TcpStream) -> io::Result<Asked> {
    let mut bytes = Vec::new();
    loop {
        let read = client.read_buf(&mut bytes).await?;
        if let Some(asked) = whole(&bytes) {
            return Ok(asked);
        }
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// The request, once all of it is there.
fn whole(bytes: &[u8]) -> Option<Asked> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let length = head.lines().find_map(|line| {
        line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse::<usize>().ok()
    });
    if body.len() < length? {
        return None;
    }
    let mut words = head.split_whitespace();
    Some(Asked {
        method: words.next()?.to_owned(),
        path: words.next()?.to_owned(),
        form: url::form_urlencoded::parse(body.as_bytes()).into_owned().collect(),
    })
}
