//! A place on this machine that offers newer versions of the program, and a key to sign them with.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::KeyPair;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A key to sign releases with, thrown away with the test.
pub struct ReleaseKey(KeyPair);

impl ReleaseKey {
    /// A key that nobody has.
    ///
    /// # Errors
    /// When the machine has no randomness.
    pub fn new() -> Result<Self> {
        Ok(Self(KeyPair::generate_unencrypted_keypair()?))
    }

    /// The public half, in the form that a build is given.
    ///
    /// # Errors
    /// When it cannot be written down.
    pub fn public(&self) -> Result<String> {
        Ok(STANDARD.encode(self.0.pk.to_box()?.to_string()))
    }

    /// The signature of an installer of this version, as the packager makes it.
    ///
    /// # Errors
    /// When it cannot be signed.
    pub fn sign(&self, installer: &[u8], version: &str) -> Result<String> {
        self.sign_with(
            installer,
            &format!("timestamp:1790000000\tfile:Site Steward.AppImage\tversion:{version}"),
        )
    }

    /// A signature that does not say of which version the installer is, as earlier packagers made it.
    ///
    /// # Errors
    /// When it cannot be signed.
    pub fn sign_for_any_version(&self, installer: &[u8]) -> Result<String> {
        self.sign_with(installer, "timestamp:1790000000\tfile:Site Steward.AppImage")
    }

    fn sign_with(&self, installer: &[u8], comment: &str) -> Result<String> {
        let signature =
            minisign::sign(Some(&self.0.pk), &self.0.sk, installer, Some(comment), Some("update"))?;
        Ok(STANDARD.encode(signature.to_string()))
    }
}

/// What a file of the place is like.
enum File {
    Whole(Vec<u8>),
    /// More is announced than comes.
    Cut(Vec<u8>),
    /// More is announced, and nothing more comes while somebody waits.
    Silent(Vec<u8>),
    Elsewhere(String),
}

/// A place that offers newer versions.
pub struct ReleasePlace {
    origin: String,
    shared: Arc<Shared>,
    serving: JoinHandle<()>,
}

#[derive(Default)]
struct Shared {
    files: Mutex<HashMap<String, Arc<File>>>,
    asked: Mutex<Vec<String>>,
}

impl ReleasePlace {
    /// On a free port of this machine, with nothing in it.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn open() -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let origin = format!("http://{}", listener.local_addr()?);
        let shared = Arc::new(Shared::default());
        let inside = shared.clone();
        let serving = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let shared = inside.clone();
                // Whoever asked may have gone.
                tokio::spawn(async move { shared.answer(client).await.ok() });
            }
        });
        Ok(Self { origin, shared, serving })
    }

    /// The address of a file of it.
    #[must_use]
    pub fn address(&self, file: &str) -> String {
        format!("{}/{file}", self.origin)
    }

    /// Offers a version with an installer, for whatever system asks.
    pub fn offer(&self, version: &str, notes: &str, installer: &str, signature: &str) {
        let package = json!({ "url": self.address(installer), "signature": signature });
        let systems = ["linux", "windows", "darwin"];
        let platforms: serde_json::Map<String, Value> = systems
            .iter()
            .flat_map(|system| ["x86_64", "aarch64"].map(|processor| format!("{system}-{processor}")))
            .map(|platform| (platform, package.clone()))
            .collect();
        let offer = json!({
            "version": version,
            "notes": notes,
            "pub_date": "2026-11-20T09:30:00Z",
            "platforms": platforms,
        });
        self.put("latest.json", offer.to_string());
    }

    /// Puts a file there.
    pub fn put(&self, file: &str, bytes: impl Into<Vec<u8>>) {
        self.hold(file, File::Whole(bytes.into()));
    }

    /// Puts a file there whose second half never comes.
    pub fn put_cut(&self, file: &str, bytes: impl Into<Vec<u8>>) {
        self.hold(file, File::Cut(bytes.into()));
    }

    /// Puts a file there whose second half is waited for in vain.
    pub fn put_silent(&self, file: &str, bytes: impl Into<Vec<u8>>) {
        self.hold(file, File::Silent(bytes.into()));
    }

    /// Points from a file to another place.
    pub fn point(&self, file: &str, to: &str) {
        self.hold(file, File::Elsewhere(to.to_owned()));
    }

    /// What was asked for, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn hold(&self, name: &str, file: File) {
        let mut files = self.shared.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(format!("/{name}"), Arc::new(file));
    }
}

impl Drop for ReleasePlace {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Shared {
    async fn answer(&self, mut client: TcpStream) -> io::Result<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            if client.read_buf(&mut head).await? == 0 {
                return Ok(());
            }
        }
        let head = String::from_utf8_lossy(&head);
        let path = head.split_whitespace().nth(1).unwrap_or_default().to_owned();
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
        let file = self.files.lock().unwrap_or_else(PoisonError::into_inner).get(&path).cloned();
        let (status, more, bytes, announced) = match file.as_deref() {
            None => ("404 Not Found", String::new(), &[][..], 0),
            Some(File::Elsewhere(to)) => ("302 Found", format!("location: {to}\r\n"), &[][..], 0),
            Some(File::Whole(bytes)) => ("200 OK", String::new(), bytes.as_slice(), bytes.len()),
            Some(File::Cut(bytes) | File::Silent(bytes)) => {
                ("200 OK", String::new(), &bytes[..bytes.len() / 2], bytes.len())
            }
        };
        let head =
            format!("HTTP/1.1 {status}\r\n{more}content-length: {announced}\r\nconnection: close\r\n\r\n");
        client.write_all(head.as_bytes()).await?;
        client.write_all(bytes).await?;
        if let Some(File::Silent(_)) = file.as_deref() {
            // Until the other side has had enough.
            client.read_u8().await?;
        }
        Ok(())
    }
}
