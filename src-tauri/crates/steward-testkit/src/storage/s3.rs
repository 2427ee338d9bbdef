//! S3 servers that verify signatures: rclone, which is quick to install, and garage, which also verifies the region.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use object_store::aws::{AmazonS3, AmazonS3Builder, AwsAuthorizer, AwsCredential};
use uuid::Uuid;

use super::contents;
use super::server::{Server, TRIES};
use super::tools;
use crate::free_port::free_port;

/// Bucket that exists from the start.
const BUCKET: &str = "exports";

/// Region that is no default of any client, so that a test fails if the region is not passed on.
const REGION: &str = "practice-1";

/// Running server with one key and one bucket. It ends when this is dropped.
pub struct S3 {
    server: Server,
    port: u16,
    key: Key,
}

/// Only key of a server.
#[derive(Clone)]
struct Key {
    access: String,
    secret: String,
}

impl S3 {
    /// Starts a new, empty rclone that stores its data in `folder`. It accepts requests that are signed for any region.
    ///
    /// # Errors
    /// Returns an error if rclone is not installed, with the command that installs it, or if it does not start.
    pub async fn rclone(folder: &Path) -> Result<Self> {
        let program = tools::find("rclone/bin/rclone", "test --only storage-servers")?;
        let buckets = folder.join("buckets");
        fs::create_dir_all(buckets.join(BUCKET))
            .with_context(|| format!("cannot make {}", buckets.display()))?;
        Self::start("rclone", folder, |port, key| {
            let mut command = Command::new(&program);
            command.args(["serve", "s3", "--config", "/dev/null", "--addr", &format!("127.0.0.1:{port}")]);
            command.args(["--auth-key", &format!("{},{}", key.access, key.secret)]).arg(&buckets);
            Ok(command)
        })
        .await
    }

    /// Starts a new, empty garage that stores its data in `folder`. It rejects requests for another region.
    ///
    /// # Errors
    /// Returns an error if garage is not installed, with the command that installs it, or if it does not start.
    pub async fn garage(folder: &Path) -> Result<Self> {
        let program = tools::find("bin/garage", "weekly")?;
        Self::start("garage", folder, |port, key| {
            let configuration = folder.join("garage.toml");
            fs::write(&configuration, garage_settings(folder, port)?)
                .with_context(|| format!("cannot write {}", configuration.display()))?;
            let mut command = Command::new(&program);
            command.arg("-c").arg(&configuration).args(["server", "--single-node", "--default-bucket"]);
            command.env("GARAGE_DEFAULT_ACCESS_KEY", &key.access);
            command.env("GARAGE_DEFAULT_SECRET_KEY", &key.secret).env("GARAGE_DEFAULT_BUCKET", BUCKET);
            Ok(command)
        })
        .await
    }

    async fn start(
        name: &'static str,
        folder: &Path,
        command: impl Fn(u16, &Key) -> Result<Command>,
    ) -> Result<Self> {
        let key = Key { access: format!("GK{}", hex(24)), secret: hex(64) };
        let mut last_words = String::new();
        for _ in 0..TRIES {
            let port = free_port()?;
            let server = Server::start(name, &mut command(port, &key)?, folder)?;
            let mut s3 = Self { server, port, key: key.clone() };
            let probe = Self::probe(s3.endpoint(), key.clone());
            if s3.server.answers(probe).await? {
                return Ok(s3);
            }
            last_words = s3.server.last_words();
        }
        bail!("{name} ended while it was starting. {last_words}")
    }

    /// Returns a request for the bucket, signed with the key: another server rejects the key.
    fn probe(endpoint: String, key: Key) -> impl AsyncFn() -> Result<()> {
        async move || uploads(&endpoint, &key, BUCKET).await.map(drop)
    }

    /// Returns the URL, for example `http://127.0.0.1:40001`. Buckets are the first segment of the path.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns the only region that garage accepts requests for.
    #[must_use]
    pub fn region(&self) -> &'static str {
        REGION
    }

    /// Returns the ID of the key.
    #[must_use]
    pub fn access_key(&self) -> &str {
        &self.key.access
    }

    /// Returns the secret of the key.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.key.secret
    }

    /// Returns the name of the bucket that exists from the start.
    #[must_use]
    pub fn bucket(&self) -> &'static str {
        BUCKET
    }

    /// Returns the environment variables of S3 programs for this server.
    #[must_use]
    pub fn variables(&self) -> [(&'static str, String); 4] {
        [
            ("AWS_ACCESS_KEY_ID", self.key.access.clone()),
            ("AWS_SECRET_ACCESS_KEY", self.key.secret.clone()),
            ("AWS_ENDPOINT_URL", self.endpoint()),
            ("AWS_ALLOW_HTTP", "true".into()),
        ]
    }

    /// Returns a client of the bucket, with the right key and region.
    ///
    /// # Errors
    /// Returns an error if the client cannot be created.
    pub fn store(&self) -> Result<AmazonS3> {
        Ok(self.settings().build()?)
    }

    /// Returns the builder of the client, for a test that changes the secret or the region.
    #[must_use]
    pub fn settings(&self) -> AmazonS3Builder {
        AmazonS3Builder::new()
            .with_endpoint(self.endpoint())
            .with_allow_http(true)
            .with_region(REGION)
            .with_bucket_name(BUCKET)
            .with_access_key_id(&self.key.access)
            .with_secret_access_key(&self.key.secret)
    }

    /// Returns the names of all objects in the bucket, sorted.
    ///
    /// # Errors
    /// Returns an error if the bucket cannot be listed.
    pub async fn names(&self) -> Result<Vec<String>> {
        contents::names(&self.store()?).await
    }

    /// Returns the content of an object.
    ///
    /// # Errors
    /// Returns an error if there is no such object.
    pub async fn read(&self, name: &str) -> Result<Vec<u8>> {
        contents::read(&self.store()?, name).await
    }

    /// Returns the names of multipart uploads that were begun and neither completed nor aborted. They cost money, and
    /// lists of objects do not contain them.
    ///
    /// # Errors
    /// Returns an error if the uploads cannot be listed.
    pub async fn unfinished(&self) -> Result<Vec<String>> {
        uploads(&self.endpoint(), &self.key, BUCKET).await
    }
}

async fn uploads(endpoint: &str, key: &Key, bucket: &str) -> Result<Vec<String>> {
    let mut request = contents::request("GET", &format!("{endpoint}/{bucket}?uploads="))?;
    let credential =
        AwsCredential { key_id: key.access.clone(), secret_key: key.secret.clone(), token: None };
    AwsAuthorizer::new(&credential, "s3", REGION).try_authorize(&mut request, None)?;
    match contents::send(&request).await {
        Ok(list) => Ok(contents::elements(&list, "Key")),
        // rclone returns this error instead of an empty list.
        Err(error) if error.to_string().contains("<Code>NoSuchUpload</Code>") => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn garage_settings(folder: &Path, port: u16) -> Result<String> {
    let folder = folder.to_str().context("the server's folder has a name that is not text")?;
    let rpc_secret = hex(64);
    let rpc = free_port()?;
    Ok(format!(
        "metadata_dir = {meta:?}
data_dir = {data:?}
db_engine = \"sqlite\"
replication_factor = 1
rpc_bind_addr = \"127.0.0.1:{rpc}\"
rpc_public_addr = \"127.0.0.1:{rpc}\"
rpc_secret = \"{rpc_secret}\"

[s3_api]
s3_region = \"{REGION}\"
api_bind_addr = \"127.0.0.1:{port}\"
root_domain = \".s3.localhost\"
",
        meta = format!("{folder}/garage/meta"),
        data = format!("{folder}/garage/data"),
    ))
}

/// Returns random hexadecimal digits.
fn hex(digits: usize) -> String {
    let mut text = String::new();
    while text.len() < digits {
        text.push_str(&Uuid::new_v4().simple().to_string());
    }
    text.truncate(digits);
    text
}

#[cfg(all(test, unix))]
mod tests {
    use object_store::path::Path;
    use object_store::{Error, ObjectStoreExt as _};

    use super::*;

    #[tokio::test]
    async fn what_is_put_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let s3 = S3::rclone(folder.path()).await.unwrap();
        s3.store().unwrap().put(&Path::from("a/b.txt"), "three words here".into()).await.unwrap();
        assert_eq!(s3.names().await.unwrap(), ["a/b.txt"]);
        assert_eq!(s3.read("a/b.txt").await.unwrap(), b"three words here");
    }

    #[tokio::test]
    async fn an_upload_that_was_left_is_seen_until_it_is_aborted() {
        let folder = tempfile::tempdir().unwrap();
        let s3 = S3::rclone(folder.path()).await.unwrap();
        let store = s3.store().unwrap();
        let mut upload = store.put_multipart(&Path::from("half.bin")).await.unwrap();
        upload.put_part(vec![7; 6 << 20].into()).await.unwrap();

        assert_eq!(s3.unfinished().await.unwrap(), ["half.bin"]);
        assert!(s3.names().await.unwrap().is_empty());
        upload.abort().await.unwrap();
        assert!(s3.unfinished().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_wrong_secret_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let s3 = S3::rclone(folder.path()).await.unwrap();
        let wrong_secret = s3.settings().with_secret_access_key(hex(64)).build().unwrap();
        let rejected = wrong_secret.put(&Path::from("rejected.txt"), "x".into()).await.unwrap_err();
        assert!(matches!(rejected, Error::PermissionDenied { .. }), "{rejected:?}");
        assert!(s3.names().await.unwrap().is_empty());
    }

    #[tokio::test]
    #[ignore = "needs garage, which the weekly run compiles"]
    async fn garage_rejects_a_wrong_region() {
        let folder = tempfile::tempdir().unwrap();
        let s3 = S3::garage(folder.path()).await.unwrap();
        let elsewhere = s3.settings().with_region("practice-2").build().unwrap();
        let rejected = elsewhere.put(&Path::from("rejected.txt"), "x".into()).await.unwrap_err();
        assert!(format!("{rejected:?}").contains("AuthorizationHeaderMalformed"), "{rejected:?}");
        assert!(s3.names().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn the_server_ends_with_the_value() {
        let folder = tempfile::tempdir().unwrap();
        let s3 = S3::rclone(folder.path()).await.unwrap();
        let port = s3.port;
        drop(s3);
        assert!(tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err());
    }
}
