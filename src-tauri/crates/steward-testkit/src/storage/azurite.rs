//! A server that speaks Azure's blobs and checks signatures.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use object_store::azure::{
    AzureAccessKey, AzureAuthorizer, AzureCredential, MicrosoftAzure, MicrosoftAzureBuilder,
};
use uuid::Uuid;

use super::contents;
use super::server::{Server, TRIES, free_ports};
use super::tools;

/// The only account.
const ACCOUNT: &str = "siteacct";

/// A running azurite with one account and no container; it ends when this is dropped.
pub struct Azurite {
    server: Server,
    port: u16,
    key: String,
}

impl Azurite {
    /// Starts a new, empty server that keeps everything in this folder.
    ///
    /// # Errors
    /// When azurite or Node is not installed (the message says how), or does not start.
    pub async fn start(folder: &Path) -> Result<Self> {
        // By its script and not by npm's starter, which would be the process that we end.
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

    /// One try with a port of its own; the inner error is what a server said that ended at once.
    async fn try_start(script: &Path, folder: &Path) -> Result<Result<Self, String>> {
        let [port] = free_ports()?;
        // Digits and small letters in fours are base64 as well.
        let key = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
        let location = folder.join("azurite");
        fs::create_dir_all(&location).with_context(|| format!("cannot make {}", location.display()))?;
        let mut command = Command::new("node");
        command.arg(script).args(["--blobHost", "127.0.0.1", "--blobPort", &port.to_string()]);
        // Clients are newer than the versions of the protocol that azurite has heard of.
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

    /// Lists the containers, signed: another server does not know the key.
    fn probe(endpoint: String, key: String) -> impl AsyncFn() -> Result<()> {
        async move || ask("GET", &format!("{endpoint}?comp=list"), &key).await.map(drop)
    }

    /// The account's address, as in `http://127.0.0.1:40001/siteacct`.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}/{ACCOUNT}", self.port)
    }

    /// The only account.
    #[must_use]
    pub fn account(&self) -> &'static str {
        ACCOUNT
    }

    /// The account's key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Makes a container.
    ///
    /// # Errors
    /// When it is there already, or azurite refuses the name.
    pub async fn make_container(&self, name: &str) -> Result<()> {
        let address = format!("{}/{name}?restype=container", self.endpoint());
        ask("PUT", &address, &self.key).await.map(drop)
    }

    /// A client of the container, with the right key.
    ///
    /// # Errors
    /// When the client cannot be built.
    pub fn store(&self, container: &str) -> Result<MicrosoftAzure> {
        Ok(self.settings(container).build()?)
    }

    /// The same before it is built, for a test that changes the key.
    #[must_use]
    pub fn settings(&self, container: &str) -> MicrosoftAzureBuilder {
        MicrosoftAzureBuilder::new()
            .with_endpoint(self.endpoint())
            .with_allow_http(true)
            .with_account(ACCOUNT)
            .with_access_key(&self.key)
            .with_container_name(container)
    }

    /// The names of all blobs in the container, sorted.
    ///
    /// # Errors
    /// When the container cannot be listed.
    pub async fn names(&self, container: &str) -> Result<Vec<String>> {
        contents::names(&self.store(container)?).await
    }

    /// All of one blob.
    ///
    /// # Errors
    /// When it is not there.
    pub async fn read(&self, container: &str, name: &str) -> Result<Vec<u8>> {
        contents::read(&self.store(container)?, name).await
    }

    /// The names of blobs that have blocks and were never committed.
    ///
    /// # Errors
    /// When the container cannot be asked.
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
