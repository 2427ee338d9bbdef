//! Practice site in a separate process, and its memory.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use steward_testkit::find_within;

/// Time limit for a start. The first one creates certificates and content.
const LIMIT: Duration = Duration::from_secs(120);

/// Running practice site. It ends when this is dropped.
pub(crate) struct Site {
    process: Child,
    data: PathBuf,
    ready: Value,
    http: reqwest::Client,
}

/// Resident memory of the site, in MiB: while idle, and the maximum since then.
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    pub(crate) idle: u64,
    pub(crate) peak: u64,
}

/// Component that receives a request.
#[derive(Clone, Copy)]
pub(crate) enum Component {
    Portal,
    Server,
}

impl Site {
    /// Starts the program without encryption. A new data folder is filled.
    pub(crate) async fn start(program: &Path, data: &Path) -> Result<Self> {
        Self::begin(program, data, &["--http"]).await
    }

    /// Starts the program with TLS. A new data folder is filled.
    pub(crate) async fn start_encrypted(program: &Path, data: &Path) -> Result<Self> {
        let mut site = Self::begin(program, data, &[]).await?;
        site.trust_itself()?;
        Ok(site)
    }

    /// Starts the program with TLS and so many servers. A new data folder is filled.
    pub(crate) async fn start_with_servers(program: &Path, data: &Path, servers: usize) -> Result<Self> {
        let mut site = Self::begin(program, data, &["--servers", &servers.to_string()]).await?;
        site.trust_itself()?;
        Ok(site)
    }

    fn trust_itself(&mut self) -> Result<()> {
        let certificate = reqwest::Certificate::from_pem(&fs::read(self.certificate())?)?;
        self.http = reqwest::Client::builder().add_root_certificate(certificate).build()?;
        Ok(())
    }

    async fn begin(program: &Path, data: &Path, how: &[&str]) -> Result<Self> {
        fs::create_dir_all(data)?;
        let ready = data.with_extension("ready.json");
        // Delete the file of an earlier start: its port is no longer used.
        let _ = fs::remove_file(&ready);
        let mut command = Command::new(program);
        command.arg("serve").args(how).arg("--data-dir").arg(data).arg("--ready-file").arg(&ready);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(data.with_extension("log"))?);
        let process = command.spawn().with_context(|| format!("{} cannot be started", program.display()))?;
        let http = reqwest::Client::new();
        let mut site = Self { process, data: data.to_owned(), ready: Value::Null, http };
        site.ready = site.wait_for(&ready).await?;
        Ok(site)
    }

    async fn wait_for(&mut self, ready: &Path) -> Result<Value> {
        // `Some(None)` if the process has ended.
        let find = async || match fs::read(ready) {
            Ok(text) => anyhow::Ok(Some(Some(text))),
            Err(_) => Ok(self.process.try_wait()?.map(|_| None)),
        };
        let Some(text) = find_within(LIMIT, Duration::from_millis(20), find).await?.flatten() else {
            let log = self.data.with_extension("log");
            bail!("the practice site is not ready: {}", fs::read_to_string(log).unwrap_or_default());
        };
        Ok(serde_json::from_slice(&text)?)
    }

    /// Returns the data folder of the site.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Returns the folder with the files of the items.
    pub(crate) fn content(&self) -> Result<PathBuf> {
        let portal = rusqlite::Connection::open(self.data.join("portal/portal.db"))?;
        let name: String = portal.query_row("SELECT content FROM portal", [], |row| row.get(0))?;
        Ok(self.data.join("portal").join(name))
    }

    /// Returns a token of the administrator.
    pub(crate) async fn token(&self, area: Component) -> Result<String> {
        let user = self.administrator()?;
        let path = match area {
            Component::Portal => "sharing/rest/generateToken",
            Component::Server => "admin/generateToken",
        };
        let text = |name: &str| user[name].as_str().unwrap_or_default();
        let form = [("username", text("username")), ("password", text("password")), ("client", "requestip")];
        let answer: Value = serde_json::from_slice(&self.post(area, path, &form).await?.0)?;
        Ok(answer["token"].as_str().with_context(|| format!("no token: {answer}"))?.to_owned())
    }

    /// Returns the account of the administrator, with user name and password.
    pub(crate) fn administrator(&self) -> Result<&Value> {
        let users = self.ready["users"].as_array().context("the site names no users")?;
        let user = users.iter().find(|user| user["role"] == "administrator");
        user.context("the site has no administrator")
    }

    /// Returns the path of the certificate to trust. Empty without TLS.
    pub(crate) fn certificate(&self) -> String {
        self.ready["ca_certificate"].as_str().unwrap_or_default().to_owned()
    }

    /// Returns the root URL of a component.
    pub(crate) fn root(&self, area: Component) -> Result<&str> {
        let name = match area {
            Component::Portal => "portal",
            Component::Server => "server",
        };
        self.ready[name].as_str().context("the site has no address")
    }

    /// Returns the root URLs of all servers.
    pub(crate) fn servers(&self) -> Result<Vec<String>> {
        let servers = self.ready["servers"].as_array().context("the site names no servers")?;
        Ok(servers.iter().filter_map(|root| root.as_str().map(str::to_owned)).collect())
    }

    /// Sends a form, and returns the body and the time until its last byte.
    pub(crate) async fn post(
        &self,
        area: Component,
        path: &str,
        form: &[(&str, &str)],
    ) -> Result<(Vec<u8>, Duration)> {
        let base = self.root(area)?;
        let form = [form, &[("f", "json")]].concat();
        let request = self.http.post(format!("{base}/{path}")).form(&form).build()?;
        let start = Instant::now();
        let body = self.http.execute(request).await?.bytes().await?;
        Ok((body.to_vec(), start.elapsed()))
    }

    /// Sends an operation, and fails if it does not succeed. The time does not include the sign-in.
    pub(crate) async fn operate(&self, path: &str, form: &[(&str, &str)]) -> Result<(Value, Duration)> {
        let token = self.token(Component::Portal).await?;
        let form = [form, &[("token", token.as_str())]].concat();
        let (body, time) = self.post(Component::Portal, path, &form).await?;
        let answer: Value = serde_json::from_slice(&body)?;
        if answer["status"] != "success" {
            bail!("{path} was answered with {answer}");
        }
        Ok((answer, time))
    }

    /// Resets the maximum, and returns the current resident memory, in MiB.
    pub(crate) fn rest(&self) -> Result<u64> {
        let clear = self.of_process("clear_refs");
        fs::write(&clear, "5").with_context(|| format!("cannot write {}", clear.display()))?;
        self.resident("VmRSS:")
    }

    /// Returns the maximum since then, with `idle`.
    pub(crate) fn memory(&self, idle: u64) -> Result<Memory> {
        Ok(Memory { idle, peak: self.resident("VmHWM:")? })
    }

    fn resident(&self, name: &str) -> Result<u64> {
        let status = fs::read_to_string(self.of_process("status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let kibibytes =
            line.and_then(|rest| rest.split_whitespace().next()).and_then(|text| text.parse().ok());
        kibibytes.map(|number: u64| number / 1024).with_context(|| format!("the system tells no {name}"))
    }

    fn of_process(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{name}", self.process.id()))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // Ignore the error: the process has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
