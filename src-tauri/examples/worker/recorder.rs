//! A way to a site that records the requests, in their order, so that they can be sent again.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A request as it was sent.
pub(crate) struct Sent {
    method: Method,
    url: String,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// Passes connections on to a site. It ends when this is dropped.
pub(crate) struct Recorder {
    address: String,
    sent: Arc<Mutex<Vec<Sent>>>,
    task: JoinHandle<()>,
}

impl Recorder {
    /// Passes each connection on to `site`, given as `127.0.0.1:PORT`.
    pub(crate) async fn before(site: &str) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?.to_string();
        let sent = Arc::<Mutex<Vec<Sent>>>::default();
        let (own, site, all) = (address.clone(), site.to_owned(), Arc::clone(&sent));
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (own, site, all) = (own.clone(), site.clone(), Arc::clone(&all));
                // Ignore the error: the client sees it at its end of the connection.
                tokio::spawn(async move { pass_on(client, &own, &site, &all).await.ok() });
            }
        });
        Ok(Self { address, sent, task })
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Returns what was recorded since the last time.
    pub(crate) fn take(&self) -> Vec<Sent> {
        std::mem::take(&mut *self.sent.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass_on(client: TcpStream, own: &str, site: &str, all: &Mutex<Vec<Sent>>) -> Result<()> {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_site, mut to_site) = TcpStream::connect(site).await?.into_split();
    let requests = async {
        let mut waiting = Vec::new();
        while from_client.read_buf(&mut waiting).await? > 0 {
            while let Some((head, length)) = whole(&waiting) {
                let request: Vec<u8> = waiting.drain(..head + length).collect();
                let text = String::from_utf8(request[..head].to_vec())?.replace(own, site);
                to_site.write_all(text.as_bytes()).await?;
                to_site.write_all(&request[head..]).await?;
                let sent = Sent::of(&text, request[head..].to_vec(), site)?;
                all.lock().unwrap_or_else(PoisonError::into_inner).push(sent);
            }
        }
        anyhow::Ok(())
    };
    let responses = async { Ok(tokio::io::copy(&mut from_site, &mut to_client).await.map(drop)?) };
    tokio::try_join!(requests, responses).map(drop)
}

/// Returns the lengths of the head and the body of the first request, if all of it has arrived.
fn whole(bytes: &[u8]) -> Option<(usize, usize)> {
    let head = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&bytes[..head]).to_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let length: usize = length.unwrap_or_default();
    (bytes.len() >= head + length).then_some((head, length))
}

impl Sent {
    fn of(head: &str, body: Vec<u8>, site: &str) -> Result<Self> {
        let mut lines = head.lines();
        let mut first = lines.next().unwrap_or_default().split(' ');
        let (method, target) = (first.next().unwrap_or_default(), first.next().context("no target")?);
        let mut headers = HeaderMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            // Those of the connection are the client's own.
            if !["host", "content-length", "connection"].contains(&name.to_lowercase().as_str()) {
                headers.append(name.parse::<HeaderName>()?, value.trim().parse::<HeaderValue>()?);
            }
        }
        Ok(Self { method: method.parse()?, url: format!("http://{site}{target}"), headers, body })
    }

    /// Returns whether it validates a data store item.
    pub(crate) fn is_for_data_item(&self) -> bool {
        self.url.ends_with("/validateDataItem")
    }

    /// Sends it again, and reads the response to its end.
    pub(crate) async fn again(&self, http: &reqwest::Client) -> Result<()> {
        let request = http.request(self.method.clone(), &self.url).headers(self.headers.clone());
        let mut response = request.body(self.body.clone()).send().await?;
        ensure!(response.status().is_success(), "{} was answered with {}", self.url, response.status());
        while response.chunk().await?.is_some() {}
        Ok(())
    }
}
