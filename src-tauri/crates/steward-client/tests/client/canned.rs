//! A server that answers what it was told to, and remembers what it was asked.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use url::{Url, form_urlencoded};

/// What it was asked.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) head: String,
    pub(crate) form: Vec<(String, String)>,
}

pub(crate) struct Canned {
    origin: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    serving: JoinHandle<()>,
}

impl Canned {
    /// Answers each path with its text, in which `ORIGIN` stands for its own origin; other paths with a page.
    /// A text that begins with a number and a space has that HTTP status; the rest of a redirection is where it
    /// leads, and the rest of a 401 how one is to sign in.
    pub(crate) async fn answering(answers: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let answers: Vec<(String, String)> = answers
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.replace("ORIGIN", &origin)))
            .collect();
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let remembers = Arc::clone(&asked);
        let serving = tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(client, answers.clone(), Arc::clone(&remembers)));
            }
        });
        Self { origin, asked, serving }
    }

    pub(crate) fn root(&self, context: &str) -> Url {
        Url::parse(&format!("{}/{context}", self.origin)).unwrap()
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Canned {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(mut client: TcpStream, answers: Vec<(String, String)>, asked: Arc<Mutex<Vec<Asked>>>) {
    let Some(request) = read(&mut client).await else { return };
    let answer = answers.iter().find(|(path, _)| *path == request.path);
    asked.lock().unwrap().push(request);
    let (status, text) = match answer {
        None => ("404", "<html><title>Nothing here</title></html>"),
        Some((_, text)) => match text.split_once(' ') {
            Some((status, rest)) if status.parse::<u16>().is_ok() => (status, rest),
            _ => ("200", text.as_str()),
        },
    };
    let location = match status {
        "302" => format!("location: {text}\r\n"),
        "401" => format!("www-authenticate: {text}\r\n"),
        _ => String::new(),
    };
    let answer = format!(
        "HTTP/1.1 {status} Said\r\n{location}content-length: {}\r\nconnection: close\r\n\r\n{text}",
        text.len()
    );
    let _ = client.write_all(answer.as_bytes()).await;
}

async fn read(client: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    loop {
        if client.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
        if body.len() < length.unwrap_or(0_usize) {
            continue;
        }
        let mut words = text.split_whitespace();
        let method = words.next()?.to_owned();
        let target = words.next()?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        return Some(Asked {
            method,
            path: path.to_owned(),
            query: query.to_owned(),
            form: form_urlencoded::parse(body.as_bytes()).into_owned().collect(),
            head,
        });
    }
}
