//! Servers whose TLS the app does not support: OpenSSL with the settings of old web servers.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use steward_client::{ClientError, Stage, Trust};

use crate::support::{Certified, accepting, endpoint, get, post, self_signed};

/// `openssl s_server`, ended when this is dropped.
struct OldServer {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    root: String,
    _file: tempfile::NamedTempFile,
}

impl OldServer {
    fn start(certified: &Certified, settings: &[&str]) -> Self {
        // Certificate and key in one file, as it reads them without a file of the key.
        let mut file = tempfile::NamedTempFile::new().unwrap();
        write!(file, "{}{}", certified.certificate.pem(), certified.key.serialize_pem()).unwrap();
        let mut child = Command::new("openssl")
            .args(["s_server", "-accept", "127.0.0.1:0", "-naccept", "4", "-cert"])
            .arg(file.path())
            .args(settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let mut server = Self { child, input, lines, root: String::new(), _file: file };
        let accepts = server.line_with("ACCEPT");
        server.root = format!("https://{}", accepts.trim_start_matches("ACCEPT").trim());
        server
    }

    fn line_with(&self, part: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(20)).expect("no such line");
            if line.contains(part) {
                return line;
            }
        }
    }
}

impl Drop for OldServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_server_with_other_cipher_suites_or_versions_of_tls_is_told_as_such() {
    let certified = self_signed(&["127.0.0.1"], |_| ());
    for (settings, stage) in [
        (&["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA384"][..], Stage::TlsSuites),
        (&["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], Stage::TlsVersions),
        (&["-tls1", "-cipher", "ALL:@SECLEVEL=0"], Stage::TlsVersions),
    ] {
        let server = OldServer::start(&certified, settings);
        let endpoint = endpoint(&accepting(&certified, &server.root), &server.root);
        for error in [get(&endpoint).await.unwrap_err(), post(&endpoint).await.unwrap_err()] {
            assert!(
                matches!(error, ClientError::Unreachable { stage: found, .. } if found == stage),
                "{settings:?}: {error:?}"
            );
            assert!(!error.may_have_taken_effect());
        }
    }
}

/// OpenSSL sends the alert that it also sends without a common cipher suite.
#[tokio::test]
async fn a_client_certificate_that_tls_1_2_asks_for_is_told_as_such() {
    let certified = self_signed(&["127.0.0.1"], |_| ());
    for version in ["-tls1_2", "-tls1_3"] {
        let server = OldServer::start(&certified, &[version, "-Verify", "1"]);
        let endpoint = endpoint(&accepting(&certified, &server.root), &server.root);
        for error in [get(&endpoint).await.unwrap_err(), post(&endpoint).await.unwrap_err()] {
            assert!(matches!(error, ClientError::ClientCertificate { .. }), "{version}: {error:?}");
            assert!(!error.may_have_taken_effect());
        }
    }
}

/// As IIS does where only a path of the site requires a client certificate.
#[tokio::test]
async fn a_certificate_that_is_asked_for_after_the_request_is_told_as_such() {
    let certified = self_signed(&["127.0.0.1"], |_| ());
    for changes in [false, true] {
        let mut server = OldServer::start(&certified, &["-tls1_2"]);
        let endpoint = endpoint(&accepting(&certified, &server.root), &server.root);
        let asked = tokio::spawn(async move {
            match changes {
                true => post(&endpoint).await.unwrap_err(),
                false => get(&endpoint).await.map(drop).unwrap_err(),
            }
        });
        let server = tokio::task::spawn_blocking(move || {
            server.line_with("HTTP/1.1");
            // Its command for: renegotiate, and ask for a certificate.
            server.input.write_all(b"R\n").unwrap();
            server
        });

        let error = asked.await.unwrap();

        assert!(matches!(error, ClientError::Unreachable { stage: Stage::LateCertificate, .. }), "{error:?}");
        // It was sent: what the server did with it is not known.
        assert!(error.may_have_taken_effect());
        drop(server.await.unwrap());
    }
}

/// Windows ends a handshake without common parameters by closing the connection.
#[tokio::test]
async fn a_connection_that_is_closed_during_the_handshake_is_no_host_that_cannot_be_reached() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let root = format!("https://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async move {
        let (client, _) = listener.accept().await.unwrap();
        client.readable().await.unwrap();
    });

    let error = get(&endpoint(&Trust::default(), &root)).await.unwrap_err();

    assert!(matches!(error, ClientError::Unreachable { stage: Stage::Tls, .. }), "{error:?}");
    server.await.unwrap();
}
