//! Update server on this computer, and a key to sign releases with.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::KeyPair;
use serde_json::{Value, json};

use crate::test_server::{Reply, TestServer};

/// Key that signs releases, created for one test.
pub struct ReleaseKey(KeyPair);

impl ReleaseKey {
    /// Creates a new key.
    ///
    /// # Errors
    /// Returns an error if the system provides no random bytes.
    pub fn new() -> Result<Self> {
        Ok(Self(KeyPair::generate_unencrypted_keypair()?))
    }

    /// Returns the public key in the form that a build reads.
    ///
    /// # Errors
    /// Returns an error if the key cannot be encoded.
    pub fn public(&self) -> Result<String> {
        Ok(STANDARD.encode(self.0.pk.to_box()?.to_string()))
    }

    /// Returns the signature of an installer of this version, in the form of the packager.
    ///
    /// # Errors
    /// Returns an error if the installer cannot be signed.
    pub fn sign(&self, installer: &[u8], version: &str) -> Result<String> {
        self.sign_with(
            installer,
            &format!("timestamp:1790000000\tfile:Site Steward.AppImage\tversion:{version}"),
        )
    }

    /// Returns a signature without the version of the installer, in the form of earlier packagers.
    ///
    /// # Errors
    /// Returns an error if the installer cannot be signed.
    pub fn sign_for_any_version(&self, installer: &[u8]) -> Result<String> {
        self.sign_with(installer, "timestamp:1790000000\tfile:Site Steward.AppImage")
    }

    fn sign_with(&self, installer: &[u8], comment: &str) -> Result<String> {
        let signature =
            minisign::sign(Some(&self.0.pk), &self.0.sk, installer, Some(comment), Some("update"))?;
        Ok(STANDARD.encode(signature.to_string()))
    }
}

/// Server with the releases of the program.
pub struct ReleasePlace {
    server: TestServer,
    files: Arc<Files>,
}

/// Responses by path.
type Files = Mutex<HashMap<String, Reply>>;

impl ReleasePlace {
    /// Starts a server without files on a free port of this computer.
    ///
    /// # Errors
    /// Returns the error of the system if no port is available.
    pub async fn open() -> io::Result<Self> {
        let files = Arc::new(Files::default());
        let inside = files.clone();
        let server = TestServer::start(move |request| {
            let files = inside.lock().unwrap_or_else(PoisonError::into_inner);
            let file = files.get(request.target()).cloned();
            file.unwrap_or_else(|| Reply::new("404 Not Found", "", "").then_close())
        });
        Ok(Self { server: server.await?, files })
    }

    /// Returns the URL of a file.
    #[must_use]
    pub fn address(&self, file: &str) -> String {
        format!("{}/{file}", self.server.origin())
    }

    /// Offers a version with one installer for all systems.
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

    /// Adds a file.
    pub fn put(&self, file: &str, bytes: impl Into<Vec<u8>>) {
        self.hold(file, Reply::new("200 OK", "", bytes).then_close());
    }

    /// Adds a file whose connection is closed after the first half.
    pub fn put_cut(&self, file: &str, bytes: impl Into<Vec<u8>>) {
        self.hold(file, half(bytes.into()).then_close());
    }

    /// Adds a file of which nothing is sent after the first half, until the client closes the connection.
    pub fn put_silent(&self, file: &str, bytes: impl Into<Vec<u8>>) {
        self.hold(file, half(bytes.into()).then_silence());
    }

    /// Redirects a file to another URL.
    pub fn point(&self, file: &str, to: &str) {
        self.hold(file, Reply::redirect("302 Found", to).then_close());
    }

    /// Returns the paths of all requests, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.server.requests().iter().map(|request| request.target().to_owned()).collect()
    }

    fn hold(&self, name: &str, file: Reply) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(format!("/{name}"), file);
    }
}

/// Returns the first half of a file, with the length of the complete file.
fn half(bytes: Vec<u8>) -> Reply {
    let length = bytes.len() / 2;
    Reply::new("200 OK", "", bytes).cut_after(length)
}
