//! A way to the site that keeps connections as they are, and remembers what was asked on each.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What clients sent, by connection.
type Heard = Arc<Mutex<Vec<Vec<u8>>>>;

pub(crate) struct Tap {
    address: SocketAddr,
    heard: Heard,
    task: JoinHandle<()>,
}

impl Tap {
    /// Passes each connection on to `site`, given as `127.0.0.1:PORT`.
    pub(crate) async fn on(site: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (own, site) = (address.to_string(), site.to_owned());
        assert_eq!(own.len(), site.len(), "the name of the site is replaced in place");
        let heard = Heard::default();
        let all = Arc::clone(&heard);
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let number = {
                    let mut all = all.lock().unwrap();
                    all.push(Vec::new());
                    all.len() - 1
                };
                tokio::spawn(carry(client, own.clone(), site.clone(), Arc::clone(&all), number));
            }
        });
        Self { address, heard, task }
    }

    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }

    /// The first lines of the requests of each connection.
    pub(crate) fn requests(&self) -> Vec<Vec<String>> {
        let heard = self.heard.lock().unwrap();
        let first_lines = |bytes: &Vec<u8>| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            // A body has no line end after it: the next request follows on its last line.
            let ends = text.split("\r\n").filter_map(|line| line.strip_suffix(" HTTP/1.1"));
            let begin =
                |line: &str| ["POST /", "GET /"].iter().find_map(|method| line.rfind(method)).unwrap_or(0);
            ends.map(|line| line[begin(line)..].to_owned()).collect()
        };
        heard.iter().map(first_lines).collect()
    }
}

impl Drop for Tap {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn carry(
    client: TcpStream,
    own: String,
    site: String,
    heard: Heard,
    number: usize,
) -> std::io::Result<()> {
    let (mut from, mut to) = TcpStream::connect(&site).await?.into_split();
    let (mut read, mut write) = client.into_split();
    let back = tokio::spawn(async move { tokio::io::copy(&mut from, &mut write).await });
    let mut bytes = vec![0; 1 << 16];
    loop {
        let length = read.read(&mut bytes).await?;
        if length == 0 {
            break;
        }
        heard.lock().unwrap()[number].extend_from_slice(&bytes[..length]);
        let mut passed = bytes[..length].to_vec();
        while let Some(at) = passed.windows(own.len()).position(|window| window == own.as_bytes()) {
            passed[at..at + site.len()].copy_from_slice(site.as_bytes());
        }
        to.write_all(&passed).await?;
    }
    to.shutdown().await?;
    back.await?.map(drop)
}
