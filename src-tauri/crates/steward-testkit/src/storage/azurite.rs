//! Blob server that verifies signatures: azurite.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use object_store::azure::{
    AzureAccessKey, AzureAuthorizer, AzureCredential, MicrosoftAzure, MicrosoftAzureBuilder,
};
use uuid::Uuid;

use super::contents;
use super::server::{Server, TRIES};
use super::tools;
use crate::free_port::free_port;

/// Name of the only account.
const ACCOUNT: &str = "siteacct";

/// Running azurite with one account and no container. It ends when this is dropped.
pub struct Azurite {
    server: Server,
    port: u16,
    key: String,
}

impl Azurite {
    /// Starts a new, empty server that stores its data in `folder`.
    ///
    /// # Errors
    /// Returns an error if azurite or Node is not installed, with the command that installs it, or if the server does
    /// not start.
    pub async fn start(folder: &Path) -> Result<Self> {
        // Start the script, not npm's starter: only the started process is ended.
        let script =
            tools::find("azurite/node_modules/azurite/dist/src/blob/main.js", "test --only storage-servers")?;
        let mut last_words = String::new();
        for _ in 0..TRIES {
            match Self::try_start(&script, folder).await? {
                Ok(azurite) => return Ok(azurite),
                Err(said) => last_words = said,
            }
        }
        bail!("azurite ended while it was starting. {last_words}")
    }

    /// Starts the server once, on a new port. The inner error is the log of a server that ended at once.
    async fn try_start(script: &Path, folder: &Path) -> Result<Result<Self, String>> {
        let port = free_port()?;
        // Lowercase letters and digits are valid base64 if their number is a multiple of four.
        let key = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        let location = folder.join("azurite");
        fs::create_dir_all(&location).with_context(|| format!("cannot make {}", location.display()))?;
        let mut command = Command::new("node");
        command.arg(script).args(["--blobHost", "127.0.0.1", "--blobPort", &port.to_string()]);
        // Clients use newer versions of the protocol than azurite supports.
        command.args(["--silent", "--disableTelemetry", "--skipApiVersionCheck", "--location"]);
        command.arg(&location).env("AZURITE_ACCOUNTS", format!("{ACCOUNT}:{key}"));
        let server = Server::start("azurite", &mut command, folder)?;
        let mut azurite = Self { server, port, key };
        let probe = Self::probe(azurite.endpoint(), azurite.key.clone());
        if azurite.server.answers(probe).await? {
            return Ok(Ok(azurite));
        }
        Ok(Err(azurite.server.last_words()))
    }

    /// Returns a request for the list of containers, signed with the key: another server rejects the key.
    fn probe(endpoint: String, key: String) -> impl AsyncFn() -> Result<()> {
        async move || ask("GET", &format!("{endpoint}?comp=list"), &key).await.map(drop)
    }

    /// Returns the URL of the account, for example `http://127.0.0.1:40001/siteacct`.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}/{ACCOUNT}", self.port)
    }

    /// Returns the name of the account.
    #[must_use]
    pub fn account(&self) -> &'static str {
        ACCOUNT
    }

    /// Returns the key of the account.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Creates a container.
    ///
    /// # Errors
    /// Returns an error if the container exists, or azurite rejects its name.
    pub async fn make_container(&self, name: &str) -> Result<()> {
        let address = format!("{}/{name}?restype=container", self.endpoint());
        ask("PUT", &address, &self.key).await.map(drop)
    }

    /// Returns a client of the container, with the right key.
    ///
    /// # Errors
    /// Returns an error if the client cannot be created.
    pub fn store(&self, container: &str) -> Result<MicrosoftAzure> {
        Ok(self.settings(container).build()?)
    }

    /// Returns the builder of the client, for a test that changes the key.
    #[must_use]
    pub fn settings(&self, container: &str) -> MicrosoftAzureBuilder {
        MicrosoftAzureBuilder::new()
            .with_endpoint(self.endpoint())
            .with_allow_http(true)
            .with_account(ACCOUNT)
            .with_access_key(&self.key)
            .with_container_name(container)
    }

    /// Returns the names of all blobs in the container, sorted.
    ///
    /// # Errors
    /// Returns an error if the container cannot be listed.
    pub async fn names(&self, container: &str) -> Result<Vec<String>> {
        contents::names(&self.store(container)?).await
    }

    /// Returns the content of a blob.
    ///
    /// # Errors
    /// Returns an error if there is no such blob.
    pub async fn read(&self, container: &str, name: &str) -> Result<Vec<u8>> {
        contents::read(&self.store(container)?, name).await
    }

    /// Returns the names of blobs that have blocks and were never committed.
    ///
    /// # Errors
    /// Returns an error if the container cannot be listed.
    pub async fn unfinished(&self, container: &str) -> Result<Vec<String>> {
        let list = "restype=container&comp=list&include=uncommittedblobs";
        let all = ask("GET", &format!("{}/{container}?{list}", self.endpoint()), &self.key).await?;
        let finished = self.names(container).await?;
        let names = contents::elements(&all, "Name").into_iter();
        Ok(names.filter(|name| !finished.contains(name)).collect())
    }
}

async fn ask(method: &str, address: &str, key: &str) -> Result<String> {
    let mut request = contents::request(method, address)?;
    request.headers_mut().insert("content-length", "0".parse()?);
    let credential = AzureCredential::AccessKey(AzureAccessKey::try_new(key)?);
    AzureAuthorizer::new(&credential, ACCOUNT).try_authorize(&mut request)?;
    contents::send(&request).await
}

#[cfg(all(test, unix))]
mod tests {
    use object_store::path::Path;
    use object_store::{Error, ObjectStoreExt as _};

    use super::*;

    #[tokio::test]
    async fn what_is_put_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let azurite = Azurite::start(folder.path()).await.unwrap();
        azurite.make_container("exports").await.unwrap();
        let store = azurite.store("exports").unwrap();
        store.put(&Path::from("a/b.txt"), "three words here".into()).await.unwrap();
        assert_eq!(azurite.names("exports").await.unwrap(), ["a/b.txt"]);
        assert_eq!(azurite.read("exports", "a/b.txt").await.unwrap(), b"three words here");
        assert!(azurite.unfinished("exports").await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_blob_that_was_never_committed_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let azurite = Azurite::start(folder.path()).await.unwrap();
        azurite.make_container("exports").await.unwrap();
        let store = azurite.store("exports").unwrap();
        store.put(&Path::from("whole.txt"), "x".into()).await.unwrap();
        let mut upload = store.put_multipart(&Path::from("half.bin")).await.unwrap();
        upload.put_part(vec![7; 1 << 20].into()).await.unwrap();
        assert_eq!(azurite.unfinished("exports").await.unwrap(), ["half.bin"]);
        assert_eq!(azurite.names("exports").await.unwrap(), ["whole.txt"]);
    }

    #[tokio::test]
    async fn a_wrong_key_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let azurite = Azurite::start(folder.path()).await.unwrap();
        azurite.make_container("exports").await.unwrap();
        let wrong = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        let stranger = azurite.settings("exports").with_access_key(wrong).build().unwrap();
        let refused = stranger.put(&Path::from("refused.txt"), "x".into()).await.unwrap_err();
        assert!(matches!(refused, Error::PermissionDenied { .. }), "{refused:?}");
        assert!(azurite.names("exports").await.unwrap().is_empty());
    }
}
