//! rsyslog of the distribution with its TLS module, in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use tokio::net::TcpStream;

use super::LogCertificates;
use crate::free_port::free_port;
use crate::storage::tools;
use crate::until::until;

/// Log server that can be stopped and started. It ends when this is dropped.
pub struct Rsyslog {
    folder: PathBuf,
    unpacked: PathBuf,
    port: u16,
    process: Option<Child>,
}

impl Rsyslog {
    /// Writes the configuration of a server that requires a client certificate; `None` if rsyslog is not installed here.
    ///
    /// # Errors
    /// The error of the files.
    pub fn configured(folder: &Path, certificates: &LogCertificates) -> Result<Option<Self>> {
        let Ok(program) = tools::find("rsyslog/usr/sbin/rsyslogd", "test --only log-server") else {
            return Ok(None);
        };
        let unpacked = program.ancestors().nth(3).context("rsyslog is in no folder")?.to_owned();
        let port = free_port()?;
        fs::write(folder.join("rsyslog.conf"), configuration(folder, certificates, port))?;
        Ok(Some(Self { folder: folder.to_owned(), unpacked, port, process: None }))
    }

    /// Returns the port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Starts it, and waits until it listens.
    ///
    /// # Errors
    /// The error of its process.
    pub async fn start(&mut self) -> Result<()> {
        let libraries = libraries(&self.unpacked)?;
        let log = fs::File::create(self.folder.join("rsyslogd.log"))?;
        let process = Command::new(self.unpacked.join("usr/sbin/rsyslogd"))
            .arg("-n")
            .arg("-f")
            .arg(self.folder.join("rsyslog.conf"))
            .arg("-i")
            .arg(self.folder.join("rsyslog.pid"))
            .arg("-M")
            .arg(libraries.join("rsyslog"))
            .env("LD_LIBRARY_PATH", &libraries)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        self.process = Some(process);
        let port = self.port;
        until("rsyslog listens", async || TcpStream::connect(("127.0.0.1", port)).await.is_ok()).await;
        Ok(())
    }

    /// Stops it as the system does, and waits for its end.
    ///
    /// # Errors
    /// The error of its process.
    pub fn stop(&mut self) -> Result<()> {
        let Some(mut process) = self.process.take() else { return Ok(()) };
        let asked = Command::new("kill").arg(process.id().to_string()).status()?;
        ensure!(asked.success(), "rsyslog could not be stopped");
        process.wait()?;
        Ok(())
    }

    /// Kills the log server, as a power failure does.
    pub fn kill(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        // An error means that the process has ended already.
        let _ = process.kill();
        let _ = process.wait();
    }

    /// Returns the messages that it wrote to its file.
    #[must_use]
    pub fn messages(&self) -> Vec<String> {
        let file = fs::read_to_string(self.folder.join("received.log")).unwrap_or_default();
        file.lines().map(str::to_owned).collect()
    }
}

impl Drop for Rsyslog {
    fn drop(&mut self) {
        self.kill();
    }
}

fn configuration(folder: &Path, certificates: &LogCertificates, port: u16) -> String {
    let [authority, server, key] =
        [&certificates.authority, &certificates.server, &certificates.server_key].map(|path| path.display());
    let folder = folder.display();
    format!(
        r#"global(workDirectory="{folder}" maxMessageSize="64k" parser.escapeControlCharactersOnReceive="off"
       defaultNetstreamDriver="gtls" defaultNetstreamDriverCAFile="{authority}"
       defaultNetstreamDriverCertFile="{server}" defaultNetstreamDriverKeyFile="{key}")
module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="x509/certvalid")
template(name="raw" type="string" string="%rawmsg%\n")
input(type="imtcp" address="127.0.0.1" port="{port}")
action(type="omfile" file="{folder}/received.log" template="raw")
"#
    )
}

/// Returns the folder of the libraries, which is named after the processor.
fn libraries(unpacked: &Path) -> Result<PathBuf> {
    let mut folders =
        fs::read_dir(unpacked.join("usr/lib"))?.filter_map(Result::ok).map(|entry| entry.path());
    folders.find(|folder| folder.join("rsyslog").is_dir()).context("rsyslog has no modules")
}
