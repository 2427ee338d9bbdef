//! Mail server on this computer: takes mail by SMTP, over TLS, after STARTTLS, or without encryption.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::ServerConfig;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// How a mail server encrypts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailTls {
    /// From the beginning.
    Always,
    /// When a client asks for it.
    Offered,
    /// Not at all.
    Never,
}

/// Fault of a mail server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MailFault {
    /// Nothing.
    #[default]
    None,
    /// It rejects each receiver, with a sentence.
    Receiver,
    /// It rejects the first receiver of each mail.
    FirstReceiver,
    /// It rejects a client that introduces itself by no whole name.
    Hello,
    /// It rejects each password.
    Password,
    /// Its greeting has no end.
    Endless,
    /// It sends a reply of its own behind the one to STARTTLS, as somebody between could.
    Injected,
}

/// A mail that was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TakenMail {
    /// Whether the connection was encrypted when the mail came.
    pub is_encrypted: bool,
    /// User and password, if the client signed in by PLAIN.
    pub credentials: Option<(String, String)>,
    /// Addresses of the receivers.
    pub to: Vec<String>,
    /// Headers and text, with the dots of SMTP removed.
    pub message: String,
}

/// Running mail server. It ends when this is dropped.
pub struct MailReceiver {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

struct State {
    acceptor: TlsAcceptor,
    tls: MailTls,
    taken: Mutex<Vec<TakenMail>>,
    commands: Mutex<Vec<String>>,
    fault: Mutex<MailFault>,
}

impl MailReceiver {
    /// Starts a mail server that presents itself with `certificate`.
    ///
    /// # Errors
    /// The error of the listener.
    pub async fn start(certificate: Arc<ServerConfig>, tls: MailTls) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            acceptor: TlsAcceptor::from(certificate),
            tls,
            taken: Mutex::default(),
            commands: Mutex::default(),
            fault: Mutex::default(),
        });
        let shared = state.clone();
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let shared = shared.clone();
                // Ignore the error: the client sees it at its end of the connection.
                tokio::spawn(async move { shared.serve(connection).await.ok() });
            }
        });
        Ok(Self { address, state, task })
    }

    /// Returns the port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// Sets what it does wrong from now on.
    pub fn set(&self, fault: MailFault) {
        *locked(&self.state.fault) = fault;
    }

    /// Returns the mails that were taken.
    #[must_use]
    pub fn taken(&self) -> Vec<TakenMail> {
        locked(&self.state.taken).clone()
    }

    /// Returns all commands, in order.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        locked(&self.state.commands).clone()
    }
}

impl Drop for MailReceiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl State {
    async fn serve(&self, connection: TcpStream) -> io::Result<()> {
        if self.tls == MailTls::Always {
            let encrypted = self.acceptor.accept(connection).await?;
            return self.speak(encrypted, true, true).await.map(drop);
        }
        if let Some(connection) = self.speak(connection, false, true).await? {
            let encrypted = self.acceptor.accept(connection).await?;
            self.speak(encrypted, true, false).await?;
        }
        Ok(())
    }

    /// Speaks SMTP until the client quits, or returns the connection for TLS.
    async fn speak<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: S,
        is_encrypted: bool,
        greets: bool,
    ) -> io::Result<Option<S>> {
        let fault = *locked(&self.fault);
        let mut stream = BufReader::new(stream);
        if fault == MailFault::Endless {
            loop {
                stream.write_all(&[b'2'; 4096]).await?;
            }
        }
        if greets {
            stream.write_all(b"220 mail.example.org\r\n").await?;
        }
        let mut mail = TakenMail { is_encrypted, ..TakenMail::default() };
        let mut was_refused = false;
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(None);
            }
            let line = line.trim_end().to_owned();
            locked(&self.commands).push(line.clone());
            let reply = match line.to_ascii_uppercase() {
                one if one.starts_with("EHLO") && fault == MailFault::Hello && !is_whole(&one) => {
                    "504 5.5.2 Helo command rejected: need fully-qualified hostname"
                }
                one if one.starts_with("EHLO") => match (self.tls, is_encrypted) {
                    (MailTls::Offered, false) => "250-mail.example.org\r\n250-8BITMIME\r\n250 STARTTLS",
                    _ => "250-mail.example.org\r\n250-8BITMIME\r\n250 AUTH PLAIN LOGIN",
                },
                one if one == "STARTTLS" => {
                    let injected = if fault == MailFault::Injected { "250 AUTH PLAIN\r\n" } else { "" };
                    stream.write_all(format!("220 begin\r\n{injected}").as_bytes()).await?;
                    return Ok(Some(stream.into_inner()));
                }
                one if one.starts_with("AUTH PLAIN") && fault == MailFault::Password => {
                    "550 5.7.30 Basic authentication is not supported."
                }
                one if one.starts_with("AUTH PLAIN") => {
                    mail.credentials = plain(&line);
                    "235 welcome"
                }
                one if one.starts_with("RCPT") && fault == MailFault::Receiver => {
                    "550 5.1.1 This receiver is not known here."
                }
                one if one.starts_with("RCPT") && fault == MailFault::FirstReceiver && !was_refused => {
                    was_refused = true;
                    "550 5.1.1 This receiver is not known here."
                }
                one if one.starts_with("RCPT") => {
                    let address = line.split(['<', '>']).nth(1).unwrap_or_default();
                    mail.to.push(address.to_owned());
                    "250 known"
                }
                one if one == "DATA" => {
                    stream.write_all(b"354 go on\r\n").await?;
                    mail.message = data(&mut stream).await?;
                    locked(&self.taken).push(mail.clone());
                    "250 taken"
                }
                one if one == "QUIT" => {
                    stream.write_all(b"221 bye\r\n").await?;
                    return Ok(None);
                }
                _ => "250 fine",
            };
            stream.write_all(format!("{reply}\r\n").as_bytes()).await?;
        }
    }
}

fn is_whole(hello: &str) -> bool {
    hello.split(' ').nth(1).is_some_and(|name| name.contains('.') && !name.starts_with('['))
}

async fn data(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<String> {
    let mut message = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        match line.trim_end() {
            "." => return Ok(message),
            _ => message.push_str(line.strip_prefix('.').unwrap_or(&line)),
        }
    }
}

fn plain(line: &str) -> Option<(String, String)> {
    let bytes = STANDARD.decode(line.split(' ').nth(2)?).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let mut parts = text.split('\0').skip(1).map(str::to_owned);
    Some((parts.next()?, parts.next()?))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic cannot leave a single push or assignment incomplete.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
