//! A place on this machine that offers newer versions of the program, and a key to sign them with.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::KeyPair;
use serde_json::{Value, json};

use crate::test_server::{Reply, TestServer};

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

/// A place that offers newer versions.
pub struct ReleasePlace {
    server: TestServer,
    files: Arc<Files>,
}

/// The files by their paths, each as the reply to whoever asks for it.
type Files = Mutex<HashMap<String, Reply>>;

impl ReleasePlace {
    /// On a free port of this machine, with nothing in it.
    ///
    /// # Errors
    /// When no port can be had.
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

    /// The address of a file of it.
    #[must_use]
    pub fn address(&self, file: &str) -> String {
        format!("{}/{file}", self.server.origin())
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
        self.hold(file, Reply::new("200 OK", "", bytes).then_close());
    }

    /// Puts a file there whose second half never comes.
    pub fn put_cut(&self, file: &str, bytes: impl Into<Vec<u8>>) {
        self.hold(file, half(bytes.into()).then_close());
    }

    /// Puts a file there whose second half is waited for in vain.
    pub fn put_silent(&self, file: &str, bytes: impl Into<Vec<u8>>) {
        self.hold(file, half(bytes.into()).then_silence());
    }

    /// Points from a file to another place.
    pub fn point(&self, file: &str, to: &str) {
        self.hold(file, Reply::redirect("302 Found", to).then_close());
    }

    /// What was asked for, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.server.requests().iter().map(|request| request.target().to_owned()).collect()
    }

    fn hold(&self, name: &str, file: Reply) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(format!("/{name}"), file);
    }
}

/// The first half of a file, announced as the whole.
fn half(bytes: Vec<u8>) -> Reply {
    let length = bytes.len() / 2;
    Reply::new("200 OK", "", bytes).cut_after(length)
}
