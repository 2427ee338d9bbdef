//! Log server on this computer: takes octet-counted syslog over TLS (RFC 5425).

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustls::ServerConfig;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// Behavior of a log server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// It reads to the end, and ends the connection then.
    Whole,
    /// It ends each connection by itself after the first message, as a server that is stopped.
    First,
    /// It ends each connection after the first message, without an alert of TLS.
    FirstAbruptly,
    /// It ends a connection at a message that is longer, in bytes.
    NoLongerThan(usize),
    /// It breaks each connection off without having read anything.
    Nothing,
}

/// Running log server. It ends when this is dropped.
pub struct LogReceiver {
    address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

struct State {
    messages: Mutex<Vec<String>>,
    reading: Mutex<Reading>,
}

impl LogReceiver {
    /// Starts a log server that presents itself with `tls`.
    ///
    /// # Errors
    /// The error of the listener.
    pub async fn start(tls: Arc<ServerConfig>) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let state = Arc::new(State { messages: Mutex::default(), reading: Mutex::new(Reading::Whole) });
        let (acceptor, shared) = (TlsAcceptor::from(tls), state.clone());
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let (acceptor, shared) = (acceptor.clone(), shared.clone());
                tokio::spawn(async move { shared.serve(&acceptor, connection).await });
            }
        });
        Ok(Self { address, state, task })
    }

    /// Returns the port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// Sets what it does with the connections to come.
    pub fn set(&self, reading: Reading) {
        *locked(&self.state.reading) = reading;
    }

    /// Returns all messages that were read.
    #[must_use]
    pub fn messages(&self) -> Vec<String> {
        locked(&self.state.messages).clone()
    }
}

impl Drop for LogReceiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl State {
    async fn serve(&self, acceptor: &TlsAcceptor, connection: TcpStream) -> io::Result<()> {
        let reading = *locked(&self.reading);
        let mut stream = acceptor.accept(connection).await?;
        if reading == Reading::Nothing {
            // What arrived and was not read makes the system reset the connection.
            return stream.get_ref().0.readable().await;
        }
        loop {
            let mut length = String::new();
            loop {
                match stream.read_u8().await? {
                    b' ' => break,
                    digit => length.push(char::from(digit)),
                }
            }
            let length = length.parse().map_err(io::Error::other)?;
            if matches!(reading, Reading::NoLongerThan(longest) if length > longest) {
                return Ok(());
            }
            let mut message = vec![0; length];
            stream.read_exact(&mut message).await?;
            locked(&self.messages).push(String::from_utf8(message).map_err(io::Error::other)?);
            match reading {
                Reading::First => return stream.shutdown().await,
                Reading::FirstAbruptly => return Ok(()),
                Reading::Whole | Reading::NoLongerThan(_) | Reading::Nothing => {}
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic cannot leave a single push or assignment incomplete.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
