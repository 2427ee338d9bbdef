//! A site that says what it is told to, byte by byte.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use steward_client::{Area, Http, Trust};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What follows an answer on its connection.
pub(crate) enum Then {
    Close,
    /// Nothing, until the client hangs up.
    Silence,
}

type Script = dyn Fn(usize, &str) -> (Vec<u8>, Then) + Send + Sync;

/// A site that answers by a script: the number of the request and its head in, bytes out.
pub(crate) struct Scripted {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Drop for Scripted {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Scripted {
    pub(crate) async fn new(script: impl Fn(usize, &str) -> (Vec<u8>, Then) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (heads, script): (_, Arc<Script>) = (asked.clone(), Arc::new(script));
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(answer(client, heads.clone(), script.clone()));
            }
        });
        Self { address, asked, task }
    }

    pub(crate) fn address(&self) -> String {
        format!("http://{}/server", self.address)
    }

    pub(crate) fn server(&self) -> Area {
        server_at(&self.address())
    }

    /// The heads of the requests.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// A server that wants no token.
pub(crate) fn server_at(address: &str) -> Area {
    Area::new(Http::new(&Trust::default()).unwrap(), address.parse().unwrap())
}

/// The address of a stored file, as a server names it.
pub(crate) const STORED: &str = "https://inside.invalid:6443/arcgis/admin/uploads/i1";

async fn answer(mut client: TcpStream, heads: Arc<Mutex<Vec<String>>>, script: Arc<Script>) {
    let mut bytes = Vec::new();
    while !bytes.windows(4).any(|window| window == b"\r\n\r\n") {
        if client.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let head = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let whole = head.find("\r\n\r\n").unwrap_or(0) + 4 + length.unwrap_or(0_usize);
    // A connection that is closed before the form was read is reset, and takes the answer with it.
    while bytes.len() < whole && client.read_buf(&mut bytes).await.unwrap_or(0) > 0 {}
    let number = {
        let mut heads = heads.lock().unwrap();
        heads.push(head.clone());
        heads.len()
    };
    let (answer, then) = script(number, &head);
    // The client may have hung up already; its test sees that.
    let _ = client.write_all(&answer).await;
    if matches!(then, Then::Silence) {
        let _ = client.read_u8().await;
    }
}

/// A whole file as the answer.
pub(crate) fn file(etag: &str, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let head =
        format!("HTTP/1.1 200 OK\r\netag: {etag}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
    [head.as_bytes(), content].concat()
}
