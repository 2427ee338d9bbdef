//! An S3 server that checks signatures, regions and permissions.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use object_store::aws::{AmazonS3, AmazonS3Builder, AwsAuthorizer, AwsCredential};
use serde_json::{Value, json};
use uuid::Uuid;

use super::contents;
use super::server::{Server, TRIES, free_ports};
use super::tools;

/// The bucket that is there from the start.
const BUCKET: &str = "exports";

/// Named unlike anything that a client would fall back to, so that a region which is not passed on is noticed.
const REGION: &str = "practice-1";

/// A running garage with one key and one bucket; it ends when this is dropped.
pub struct Garage {
    server: Server,
    s3_port: u16,
    admin_port: u16,
    key: Key,
}

/// The secrets of one server.
#[derive(Clone)]
struct Key {
    access: String,
    secret: String,
    admin: String,
}

impl Garage {
    /// Starts a new, empty server that keeps everything in this folder.
    ///
    /// # Errors
    /// When garage is not installed (the message says how), or does not start.
    pub async fn start(folder: &Path) -> Result<Self> {
        let program = tools::find("bin/garage")?;
        let key = Key { access: format!("GK{}", hex(24)), secret: hex(64), admin: hex(64) };
        let mut last_words = String::new();
        for _ in 0..TRIES {
            match Self::try_start(&program, folder, &key).await? {
                Ok(garage) => return Ok(garage),
                Err(said) => last_words = said,
            }
        }
        bail!("garage ended while it was starting. {last_words}")
    }

    /// One try with ports of its own; the inner error is what a server said that ended at once.
    async fn try_start(program: &Path, folder: &Path, key: &Key) -> Result<Result<Self, String>> {
        let [s3_port, rpc_port, admin_port] = free_ports()?;
        let configuration = folder.join("garage.toml");
        fs::write(&configuration, settings(folder, [s3_port, rpc_port, admin_port], &key.admin)?)
            .with_context(|| format!("cannot write {}", configuration.display()))?;
        let mut command = Command::new(program);
        command.arg("-c").arg(&configuration).args(["server", "--single-node", "--default-bucket"]);
        command.env("GARAGE_DEFAULT_ACCESS_KEY", &key.access);
        command.env("GARAGE_DEFAULT_SECRET_KEY", &key.secret).env("GARAGE_DEFAULT_BUCKET", BUCKET);
        let server = Server::start("garage", &mut command, folder)?;
        let mut garage = Self { server, s3_port, admin_port, key: key.clone() };
        let probe = Self::probe(garage.endpoint(), key.clone());
        if garage.server.answers(probe).await? {
            return Ok(Ok(garage));
        }
        Ok(Err(garage.server.last_words()))
    }

    /// Asks for the bucket, signed: another server knows neither the key nor its secret.
    fn probe(endpoint: String, key: Key) -> impl AsyncFn() -> Result<()> {
        async move || uploads(&endpoint, &key, BUCKET).await.map(drop)
    }

    /// As in `http://127.0.0.1:40001`. Buckets are the first segment of the path.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.s3_port)
    }

    /// The only region that requests may be signed for.
    #[must_use]
    pub fn region(&self) -> &'static str {
        REGION
    }

    /// The identifier of the key.
    #[must_use]
    pub fn access_key(&self) -> &str {
        &self.key.access
    }

    /// The key's secret.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.key.secret
    }

    /// The bucket that is there from the start.
    #[must_use]
    pub fn bucket(&self) -> &'static str {
        BUCKET
    }

    /// All this under the names of the variables that S3 programs read.
    #[must_use]
    pub fn variables(&self) -> [(&'static str, String); 4] {
        [
            ("AWS_ACCESS_KEY_ID", self.key.access.clone()),
            ("AWS_SECRET_ACCESS_KEY", self.key.secret.clone()),
            ("AWS_ENDPOINT_URL", self.endpoint()),
            ("AWS_ALLOW_HTTP", "true".into()),
        ]
    }

    /// Makes another bucket that the key may use.
    ///
    /// # Errors
    /// When the name is taken or garage refuses it.
    pub async fn make_bucket(&self, name: &str) -> Result<()> {
        let made = self.administer("CreateBucket", json!({ "globalAlias": name })).await?;
        let permissions = json!({ "read": true, "write": true, "owner": true });
        let allow =
            json!({ "bucketId": made["id"], "accessKeyId": self.key.access, "permissions": permissions });
        self.administer("AllowBucketKey", allow).await.map(drop)
    }

    async fn administer(&self, call: &str, what: Value) -> Result<Value> {
        let address = format!("http://127.0.0.1:{}/v2/{call}", self.admin_port);
        let request = reqwest::Client::new().post(address).bearer_auth(&self.key.admin).json(&what);
        let answer = request.send().await?;
        let status = answer.status();
        let text = answer.text().await?;
        if !status.is_success() {
            bail!("garage answered {call} with {status}: {text}");
        }
        Ok(serde_json::from_str(&text)?)
    }

    /// A client of the bucket, with the right key and region.
    ///
    /// # Errors
    /// When the client cannot be built.
    pub fn store(&self, bucket: &str) -> Result<AmazonS3> {
        Ok(self.settings(bucket).build()?)
    }

    /// The same before it is built, for a test that changes the secret or the region.
    #[must_use]
    pub fn settings(&self, bucket: &str) -> AmazonS3Builder {
        AmazonS3Builder::new()
            .with_endpoint(self.endpoint())
            .with_allow_http(true)
            .with_region(REGION)
            .with_bucket_name(bucket)
            .with_access_key_id(&self.key.access)
            .with_secret_access_key(&self.key.secret)
    }

    /// The names of all objects in the bucket, sorted.
    ///
    /// # Errors
    /// When the bucket cannot be listed.
    pub async fn names(&self, bucket: &str) -> Result<Vec<String>> {
        contents::names(&self.store(bucket)?).await
    }

    /// All of one object.
    ///
    /// # Errors
    /// When it is not there.
    pub async fn read(&self, bucket: &str, name: &str) -> Result<Vec<u8>> {
        contents::read(&self.store(bucket)?, name).await
    }

    /// The names of uploads in parts that were begun and neither completed nor aborted: what costs money and is
    /// never seen.
    ///
    /// # Errors
    /// When the bucket cannot be asked.
    pub async fn unfinished(&self, bucket: &str) -> Result<Vec<String>> {
        uploads(&self.endpoint(), &self.key, bucket).await
    }
}

async fn uploads(endpoint: &str, key: &Key, bucket: &str) -> Result<Vec<String>> {
    let mut request = contents::request("GET", &format!("{endpoint}/{bucket}?uploads="))?;
    let credential =
        AwsCredential { key_id: key.access.clone(), secret_key: key.secret.clone(), token: None };
    AwsAuthorizer::new(&credential, "s3", REGION).try_authorize(&mut request, None)?;
    Ok(contents::elements(&contents::send(&request).await?, "Key"))
}

fn settings(folder: &Path, [s3, rpc, admin]: [u16; 3], admin_token: &str) -> Result<String> {
    let folder = folder.to_str().context("the server's folder has a name that is not text")?;
    let rpc_secret = hex(64);
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
api_bind_addr = \"127.0.0.1:{s3}\"
root_domain = \".s3.localhost\"

[admin]
api_bind_addr = \"127.0.0.1:{admin}\"
admin_token = \"{admin_token}\"
",
        meta = format!("{folder}/garage/meta"),
        data = format!("{folder}/garage/data"),
    ))
}

/// As many random hexadecimal digits.
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
        let garage = Garage::start(folder.path()).await.unwrap();
        garage.make_bucket("another").await.unwrap();
        for bucket in [garage.bucket(), "another"] {
            let store = garage.store(bucket).unwrap();
            store.put(&Path::from("a/b.txt"), "three words here".into()).await.unwrap();
            assert_eq!(garage.names(bucket).await.unwrap(), ["a/b.txt"]);
            assert_eq!(garage.read(bucket, "a/b.txt").await.unwrap(), b"three words here");
        }
    }

    #[tokio::test]
    async fn an_upload_that_was_left_is_seen_until_it_is_aborted() {
        let folder = tempfile::tempdir().unwrap();
        let garage = Garage::start(folder.path()).await.unwrap();
        let store = garage.store(garage.bucket()).unwrap();
        let mut upload = store.put_multipart(&Path::from("half.bin")).await.unwrap();
        upload.put_part(vec![7; 6 << 20].into()).await.unwrap();

        assert_eq!(garage.unfinished(garage.bucket()).await.unwrap(), ["half.bin"]);
        assert!(garage.names(garage.bucket()).await.unwrap().is_empty());
        upload.abort().await.unwrap();
        assert!(garage.unfinished(garage.bucket()).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_wrong_secret_and_a_wrong_region_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let garage = Garage::start(folder.path()).await.unwrap();
        let name = Path::from("refused.txt");

        let stranger = garage.settings(garage.bucket()).with_secret_access_key(hex(64)).build().unwrap();
        let refused = stranger.put(&name, "x".into()).await.unwrap_err();
        assert!(matches!(refused, Error::PermissionDenied { .. }), "{refused:?}");

        let elsewhere = garage.settings(garage.bucket()).with_region("practice-2").build().unwrap();
        let refused = elsewhere.put(&name, "x".into()).await.unwrap_err();
        assert!(format!("{refused:?}").contains("AuthorizationHeaderMalformed"), "{refused:?}");
        assert!(garage.names(garage.bucket()).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn the_server_ends_with_the_value() {
        let folder = tempfile::tempdir().unwrap();
        let garage = Garage::start(folder.path()).await.unwrap();
        let port = garage.s3_port;
        drop(garage);
        assert!(tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err());
    }
}
