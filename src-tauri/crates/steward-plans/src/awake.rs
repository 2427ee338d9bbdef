//! Keeps the computer awake while a plan runs: a backup can last longer than the time after which a computer sleeps by
//! itself. It still sleeps when its lid is closed, or a user puts it to sleep.

use std::sync::mpsc::{Sender, channel};

/// Keeps the computer awake until it is dropped. If the system refuses, this is only logged.
pub(crate) struct Awake {
    _until_dropped: Sender<()>,
}

/// Asks the system to stay awake. The backup does not wait for its answer.
pub(crate) fn keep() -> Awake {
    let (until_dropped, dropped) = channel::<()>();
    // A thread of its own: Windows keeps the computer awake for as long as the thread that asked for it.
    std::thread::spawn(move || {
        let asked = keepawake::Builder::default()
            .idle(true)
            .app_name("Site Steward")
            .app_reverse_domain("org.sitesteward.desktop")
            .reason("A backup plan runs")
            .create();
        match asked {
            Ok(_awake) => {
                // Nothing is ever sent: `recv` returns an error as soon as the other end is dropped.
                let _ = dropped.recv();
            }
            Err(error) => {
                tracing::info!(%error, "the computer is not kept awake while a backup plan runs");
            }
        }
    });
    Awake { _until_dropped: until_dropped }
}

#[cfg(all(test, target_os = "linux"))]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _, stdin};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::process::{Child, Command, Stdio};
    use std::sync::Mutex;
    use std::sync::mpsc::Sender;
    use std::time::Duration;

    use super::*;

    /// Fake of logind, which passes requests to the test and returns one end of a socket.
    struct Logind {
        asked: Sender<[String; 4]>,
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
            let given = self.given.lock().unwrap().take();
            let given = given.ok_or_else(|| zbus::fdo::Error::AccessDenied("once only".to_owned()))?;
            self.asked.send([what, who, why, mode]).unwrap();
            Ok(OwnedFd::from(given).into())
        }
    }

    /// Process that is killed at the end of the test.
    struct Process(Child);

    impl Drop for Process {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// Starts a bus, and returns its address.
    fn bus() -> (Process, String) {
        let mut daemon = Command::new("dbus-daemon");
        daemon.args(["--session", "--nofork", "--print-address"]).stdout(Stdio::piped());
        let mut daemon = Process(daemon.spawn().unwrap());
        let mut address = String::new();
        BufReader::new(daemon.0.stdout.take().unwrap()).read_line(&mut address).unwrap();
        (daemon, address.trim().to_owned())
    }

    #[test]
    #[ignore = "the test below starts it, with the address of its bus"]
    fn awake_until_a_line_arrives() {
        let mut line = String::new();
        let awake = keep();
        stdin().read_line(&mut line).unwrap();
        drop(awake);
        // The process goes on, so that only the drop can release what was held.
        stdin().read_line(&mut line).unwrap();
    }

    #[tokio::test]
    async fn the_computer_is_kept_from_idle_sleep_while_a_run_lasts_and_no_longer() {
        let (_daemon, address) = bus();
        let (mut kept, given) = UnixStream::pair().unwrap();
        let (asked, question) = channel();
        let logind = Logind { asked, given: Mutex::new(Some(given)) };
        let served = zbus::connection::Builder::address(address.as_str()).unwrap();
        let served = served.name("org.freedesktop.login1").unwrap();
        let _served = served.serve_at("/org/freedesktop/login1", logind).unwrap().build().await.unwrap();

        tokio::task::spawn_blocking(move || {
            let mut run = Command::new(std::env::current_exe().unwrap());
            run.args(["--exact", "--ignored", "awake::tests::awake_until_a_line_arrives"]);
            run.env("DBUS_SYSTEM_BUS_ADDRESS", address).stdin(Stdio::piped()).stdout(Stdio::null());
            let mut run = Process(run.spawn().unwrap());

            let expected = ["idle", "Site Steward", "A backup plan runs", "block"].map(str::to_owned);
            assert_eq!(question.recv_timeout(Duration::from_secs(30)).unwrap(), expected);
            kept.set_nonblocking(true).unwrap();
            assert_eq!(kept.read(&mut [0]).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);

            std::io::Write::write_all(run.0.stdin.as_mut().unwrap(), b"\n").unwrap();
            kept.set_nonblocking(false).unwrap();
            assert_eq!(kept.read(&mut [0]).unwrap(), 0, "the file is closed");
        })
        .await
        .unwrap();
    }
}
