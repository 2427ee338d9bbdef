//! A way to a site on which one request meets with an accident.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::http::read_request;

/// Where tokens are asked for. A fault happens there only when it is ordered for there.
const TOKENS: &str = "generateToken";

/// What happens to a request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The site does what was asked, and its answer is lost on the way.
    AnswerLost,
    /// The site never hears of it; these bytes come back instead.
    Instead(Vec<u8>),
    /// The site's answer breaks off after so many bytes.
    CutAfter(usize),
    /// The site never hears of it, and nothing comes back until the client hangs up.
    Silence,
    /// The connection is reset after so many bytes of the site's answer.
    ResetAfter(usize),
    /// After so many bytes of the site's answer nothing comes any more, until the client hangs up.
    StallAfter(usize),
    /// One bit of this byte of the site's answer is another.
    FlippedAt(usize),
    /// The site's answer announces this length instead of its own.
    Announcing(u64),
    /// The site never hears of it, and the connection is reset.
    Reset,
    /// The site hears of it when this is notified.
    HeldUntil(Arc<Notify>),
}

/// Passes plain HTTP on to a site, one request per connection, and lets `fault` happen to those whose first line
/// contains `on`.
pub struct FaultProxy {
    address: SocketAddr,
    met: Arc<AtomicUsize>,
    hung_up: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    spared: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

#[derive(Clone)]
struct Way {
    own: String,
    site: String,
    on: String,
    fault: Fault,
    met: Arc<AtomicUsize>,
    hung_up: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    spared: Arc<AtomicUsize>,
}

impl FaultProxy {
    /// A proxy to `site`, given as `127.0.0.1:PORT`, on a free port of this machine.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn to(site: &str, on: &str, fault: Fault) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let met = Arc::new(AtomicUsize::new(0));
        let hung_up = Arc::new(AtomicUsize::new(0));
        let most = Arc::new(AtomicUsize::new(usize::MAX));
        let spared = Arc::new(AtomicUsize::new(0));
        let way = Way {
            own: address.to_string(),
            site: site.to_owned(),
            on: on.to_owned(),
            fault,
            met: met.clone(),
            hung_up: hung_up.clone(),
            most: most.clone(),
            spared: spared.clone(),
        };
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let way = way.clone();
                // What goes wrong on a connection is seen by whoever is at its other end.
                tokio::spawn(async move { way.carry(client).await.ok() });
            }
        });
        Ok(Self { address, met, hung_up, most, spared, task })
    }

    /// The accident happens to the first so many of these requests, and never again.
    #[must_use]
    pub fn only(self, times: usize) -> Self {
        self.most.store(times, Ordering::SeqCst);
        self
    }

    /// The accident does not happen to the first so many of these requests.
    #[must_use]
    pub fn sparing(self, times: usize) -> Self {
        self.spared.store(times, Ordering::SeqCst);
        self
    }

    /// Its address, as `127.0.0.1:PORT`.
    #[must_use]
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// How many requests the accident happened to.
    #[must_use]
    pub fn met(&self) -> usize {
        self.met.load(Ordering::SeqCst)
    }

    /// How many clients gave up on a silent site.
    #[must_use]
    pub fn hung_up(&self) -> usize {
        self.hung_up.load(Ordering::SeqCst)
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Way {
    async fn carry(&self, mut client: TcpStream) -> io::Result<()> {
        let request = self.read_request(&mut client).await?;
        let first_line = request.split(|byte| *byte == b'\r').next().unwrap_or_default();
        let first_line = String::from_utf8_lossy(first_line);
        // Asking for a token is no part of what is asked with it.
        let is_spared = first_line.contains(TOKENS) && !self.on.contains(TOKENS);
        let less = |spared: usize| spared.checked_sub(1);
        let is_meant = first_line.contains(&self.on)
            && !is_spared
            && self.spared.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_err();
        let more = |met| (met < self.most.load(Ordering::SeqCst)).then_some(met + 1);
        if !is_meant || self.met.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_err() {
            let answer = self.ask(&request).await?;
            return client.write_all(&answer).await;
        }
        match &self.fault {
            Fault::AnswerLost => self.ask(&request).await.map(drop),
            Fault::Reset => client.set_zero_linger(),
            Fault::HeldUntil(released) => {
                released.notified().await;
                let answer = self.ask(&request).await?;
                client.write_all(&answer).await
            }
            Fault::Instead(bytes) => client.write_all(bytes).await,
            Fault::Silence => {
                // Whoever waits here is told only by the client's own end of the connection.
                let end = client.read_u8().await;
                self.hung_up.fetch_add(1, Ordering::SeqCst);
                end.map(drop)
            }
            Fault::CutAfter(length) => {
                let answer = self.ask(&request).await?;
                client.write_all(&answer[..answer.len().min(*length)]).await
            }
            Fault::ResetAfter(length) => {
                let answer = self.ask(&request).await?;
                client.write_all(&answer[..answer.len().min(*length)]).await?;
                // What is still on its way is lost with it, as on a real line.
                client.set_zero_linger()
            }
            Fault::StallAfter(length) => {
                let answer = self.ask(&request).await?;
                client.write_all(&answer[..answer.len().min(*length)]).await?;
                let end = client.read_u8().await;
                self.hung_up.fetch_add(1, Ordering::SeqCst);
                end.map(drop)
            }
            Fault::FlippedAt(place) => {
                let mut answer = self.ask(&request).await?;
                if let Some(byte) = answer.get_mut(*place) {
                    *byte ^= 1;
                }
                client.write_all(&answer).await
            }
            Fault::Announcing(length) => {
                let answer = self.ask(&request).await?;
                client.write_all(&announcing(*length, &answer)).await
            }
        }
    }

    /// Asks the site and reads its whole answer, which ends with the connection.
    async fn ask(&self, request: &[u8]) -> io::Result<Vec<u8>> {
        let mut site = TcpStream::connect(&self.site).await?;
        site.write_all(request).await?;
        let mut answer = Vec::new();
        site.read_to_end(&mut answer).await?;
        Ok(answer)
    }

    /// Reads a request whole, addresses it to the site, and asks for the connection to end with it.
    async fn read_request(&self, client: &mut TcpStream) -> io::Result<Vec<u8>> {
        let (head, body) = read_request(client).await?;
        let head = head.replace(&self.own, &self.site);
        Ok([format!("{head}\r\nconnection: close\r\n\r\n").as_bytes(), &body].concat())
    }
}

/// The answer with another `content-length`.
fn announcing(length: u64, answer: &[u8]) -> Vec<u8> {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(answer.len());
    let head = String::from_utf8_lossy(&answer[..end]);
    let kept = head.split("\r\n").filter(|line| !line.to_ascii_lowercase().starts_with("content-length:"));
    let head = kept.collect::<Vec<_>>().join("\r\n");
    [format!("{head}\r\ncontent-length: {length}").as_bytes(), &answer[end..]].concat()
}
