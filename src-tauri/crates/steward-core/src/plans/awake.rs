//! Keeps the computer awake while a plan runs: a backup can last longer than the time after which a computer sleeps by
//! itself. It still sleeps when its lid is closed, or a user wants it to.
//!
//! Not on Windows, where it needs a call that is `unsafe`.

use std::time::Duration;

/// Longest time that the system may take to answer: a backup does not wait for it.
const ANSWER: Duration = Duration::from_secs(5);

/// Keeps the computer awake until what it returns is dropped. A failure is only logged.
pub(crate) async fn keep() -> Option<Awake> {
    match tokio::time::timeout(ANSWER, hold()).await {
        Ok(Ok(awake)) => Some(awake),
        Ok(Err(error)) => {
            tracing::info!(%error, "the computer is not kept awake while a backup plan runs");
            None
        }
        Err(_) => {
            tracing::info!("the system does not answer whether the computer is kept awake");
            None
        }
    }
}

/// File of logind: the computer may sleep once it is closed, also by the end of this process.
#[cfg(target_os = "linux")]
pub(crate) struct Awake {
    _held: zbus::zvariant::OwnedFd,
}

#[cfg(target_os = "linux")]
async fn hold() -> zbus::Result<Awake> {
    inhibit(&zbus::Connection::system().await?).await
}

#[cfg(target_os = "linux")]
async fn inhibit(bus: &zbus::Connection) -> zbus::Result<Awake> {
    let path = "/org/freedesktop/login1";
    let (service, manager) = (Some("org.freedesktop.login1"), Some("org.freedesktop.login1.Manager"));
    let arguments = ("idle", "Site Steward", "A backup plan runs", "block");
    let reply = bus.call_method(service, path, manager, "Inhibit", &arguments).await?;
    Ok(Awake { _held: reply.body().deserialize()? })
}

/// A program of macOS, which also ends with this process.
#[cfg(target_os = "macos")]
pub(crate) struct Awake(std::process::Child);

#[cfg(target_os = "macos")]
async fn hold() -> std::io::Result<Awake> {
    let process = std::process::id().to_string();
    let mut caffeinate = std::process::Command::new("/usr/bin/caffeinate");
    std::future::ready(caffeinate.args(["-i", "-w", &process]).spawn().map(Awake)).await
}

#[cfg(target_os = "macos")]
impl Drop for Awake {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(all(test, target_os = "linux"))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::process::{Child, Command, Stdio};
    use std::sync::{Arc, Mutex};

    use super::*;

    /// What logind was asked, and the end of the file that it gives away.
    struct Logind {
        asked: Arc<Mutex<Vec<[String; 4]>>>,
        given: Mutex<Option<UnixStream>>,
    }

    #[zbus::interface(name = "org.freedesktop.login1.Manager")]
    impl Logind {
        fn inhibit(
            &self,
            what: String,
            who: String,
            why: String,
            mode: String,
        ) -> zbus::fdo::Result<zbus::zvariant::OwnedFd> {
            self.asked.lock().unwrap().push([what, who, why, mode]);
            let given = self.given.lock().unwrap().take();
            let given = given.ok_or_else(|| zbus::fdo::Error::AccessDenied("once only".to_owned()))?;
            Ok(OwnedFd::from(given).into())
        }
    }

    struct Daemon(Child);

    impl Drop for Daemon {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// Starts a bus of its own, and returns its address.
    fn bus() -> (Daemon, String) {
        let mut daemon = Command::new("dbus-daemon");
        daemon.args(["--session", "--nofork", "--print-address"]).stdout(Stdio::piped());
        let mut daemon = Daemon(daemon.spawn().unwrap());
        let mut address = String::new();
        BufReader::new(daemon.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
        (daemon, address.trim().to_owned())
    }

    #[tokio::test]
    async fn the_computer_is_kept_from_idle_sleep_while_a_run_lasts_and_no_longer() {
        let (_daemon, address) = bus();
        let (mut kept, given) = UnixStream::pair().unwrap();
        let asked = Arc::default();
        let logind = Logind { asked: Arc::clone(&asked), given: Mutex::new(Some(given)) };
        let address = address.as_str();
        let served = zbus::connection::Builder::address(address).unwrap();
        let served = served.name("org.freedesktop.login1").unwrap();
        let _served = served.serve_at("/org/freedesktop/login1", logind).unwrap().build().await.unwrap();
        let bus = zbus::connection::Builder::address(address).unwrap().build().await.unwrap();

        let awake = inhibit(&bus).await.unwrap();
        let expected = ["idle", "Site Steward", "A backup plan runs", "block"].map(str::to_owned);
        assert_eq!(*asked.lock().unwrap(), [expected]);
        kept.set_nonblocking(true).unwrap();
        let open = kept.read(&mut [0]).unwrap_err();
        assert_eq!(open.kind(), std::io::ErrorKind::WouldBlock);

        drop(awake);
        kept.set_nonblocking(false).unwrap();
        assert_eq!(kept.read(&mut [0]).unwrap(), 0, "the file is closed");
        assert!(inhibit(&bus).await.is_err(), "a refusal is an error, and no panic");
    }
}
