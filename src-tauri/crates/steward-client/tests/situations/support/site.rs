//! A site that counts what reaches it.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// What a request is met with.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Status line's rest, further header lines, body. The connection stays open.
    Answer(&'static str, String, String),
    /// The same, and the connection ends a moment later, as an idle one does.
    AnswerThenClose(&'static str, String, String),
    /// The connection is reset.
    Reset,
    /// The connection ends in order.
    Close,
    /// Bytes past the encryption.
    Garbage,
    /// Nothing, for ever.
    Silence,
}

impl Reply {
    pub(crate) fn json(body: &str) -> Self {
        Self::Answer("200 OK", "content-type: application/json\r\n".to_owned(), body.to_owned())
    }

    pub(crate) fn redirect(status: &'static str, to: &str) -> Self {
        Self::Answer(status, format!("location: {to}\r\n"), String::new())
    }
}

type Behaviour = dyn Fn(&str) -> Reply + Send + Sync;

/// A site that counts what reaches it.
pub(crate) struct Site {
    address: SocketAddr,
    scheme: &'static str,
    seen: Arc<Seen>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Seen {
    connections: AtomicUsize,
    requests: Mutex<Vec<String>>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Site {
    /// Without encryption.
    pub(crate) async fn plain(reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        Self::start(None, false, Arc::new(reply)).await
    }

    /// With this certificate.
    pub(crate) async fn tls(
        config: Arc<ServerConfig>,
        reply: impl Fn(&str) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::start(Some(config), false, Arc::new(reply)).await
    }

    /// Resets each connection before a byte of it was read.
    pub(crate) async fn resetting_at_once() -> Self {
        Self::start(None, true, Arc::new(|_: &str| Reply::Reset)).await
    }

    async fn start(tls: Option<Arc<ServerConfig>>, resets_at_once: bool, behaviour: Arc<Behaviour>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let seen = Arc::new(Seen::default());
        let inside = seen.clone();
        let task = tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                inside.connections.fetch_add(1, Ordering::SeqCst);
                if resets_at_once {
                    tcp.set_zero_linger().unwrap();
                    continue;
                }
                tokio::spawn(serve(tcp, tls.clone(), behaviour.clone(), inside.clone()));
            }
        });
        Self { address, scheme, seen, task }
    }

    pub(crate) fn root(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    pub(crate) const fn port(&self) -> u16 {
        self.address.port()
    }

    pub(crate) fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::SeqCst)
    }

    /// Heads and bodies of the requests that were read whole.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.seen.requests.lock().unwrap().clone()
    }
}

async fn serve(
    mut tcp: TcpStream,
    tls: Option<Arc<ServerConfig>>,
    behaviour: Arc<Behaviour>,
    seen: Arc<Seen>,
) {
    let Some(config) = tls else {
        if let Some(Reply::Reset) = converse(&mut tcp, &*behaviour, &seen).await {
            tcp.set_zero_linger().unwrap();
        }
        return;
    };
    let Ok(mut stream) = TlsAcceptor::from(config).accept(tcp).await else { return };
    let end = converse(&mut stream, &*behaviour, &seen).await;
    let (mut tcp, _) = stream.into_inner();
    match end {
        Some(Reply::Reset) => tcp.set_zero_linger().unwrap(),
        Some(Reply::Garbage) => {
            // A record of application data that nobody encrypted.
            tcp.write_all(&[0x17, 3, 3, 0, 32]).await.ok();
            tcp.write_all(&[0x55; 32]).await.ok();
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        _ => {}
    }
}

/// Answers requests until one of them ends the connection.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    behaviour: &Behaviour,
    seen: &Seen,
) -> Option<Reply> {
    loop {
        let request = read(stream).await?;
        let reply = behaviour(&request);
        seen.requests.lock().unwrap().push(request);
        match &reply {
            Reply::Answer(status, headers, body) | Reply::AnswerThenClose(status, headers, body) => {
                let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n", body.len());
                stream.write_all((head + body).as_bytes()).await.ok()?;
                stream.flush().await.ok()?;
                if matches!(reply, Reply::AnswerThenClose(..)) {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    return Some(Reply::Close);
                }
            }
            Reply::Silence => std::future::pending().await,
            _ => return Some(reply),
        }
    }
}

async fn read<S: AsyncRead + Unpin>(stream: &mut S) -> Option<String> {
    let mut bytes = Vec::new();
    let mut whole = None;
    loop {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        // Asked of the head alone: some bodies are large, and who sends them waits for us.
        whole = whole.or_else(|| length(&bytes));
        if whole.is_some_and(|whole| bytes.len() >= whole) {
            return Some(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}

/// How long a request is by its head, once that is there.
fn length(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    let body = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    Some(head + body.unwrap_or(0))
}
