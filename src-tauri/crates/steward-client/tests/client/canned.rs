//! A server that replies by path, and keeps every request.

use steward_testkit::{Reply, Request, TestServer};
use url::Url;

pub(crate) struct Canned(TestServer);

impl Canned {
    /// Answers each path with its text, in which `ORIGIN` stands for its own origin; other paths with a page.
    /// A text that begins with a number and a space has that HTTP status; the rest of a redirection is where it
    /// leads, and the rest of a 401 how one is to sign in.
    pub(crate) async fn answering(answers: &[(&str, &str)]) -> Self {
        let answers: Vec<(String, String)> =
            answers.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let server = TestServer::start(move |request| {
            let answer = answers.iter().find(|(path, _)| path == request.path());
            match answer {
                None => reply("404", "<html><title>Nothing here</title></html>"),
                Some((_, text)) => {
                    let text = text.replace("ORIGIN", &request.origin);
                    match text.split_once(' ') {
                        Some((status, rest)) if status.parse::<u16>().is_ok() => reply(status, rest),
                        _ => reply("200", &text),
                    }
                }
            }
        });
        Self(server.await.unwrap())
    }

    pub(crate) fn root(&self, context: &str) -> Url {
        Url::parse(&format!("{}/{context}", self.0.origin())).unwrap()
    }

    pub(crate) fn asked(&self) -> Vec<Request> {
        self.0.requests()
    }
}

fn reply(status: &str, text: &str) -> Reply {
    let header = match status {
        "302" => format!("location: {text}\r\n"),
        "401" => format!("www-authenticate: {text}\r\n"),
        _ => String::new(),
    };
    Reply::new(&format!("{status} Said"), &header, text).then_close()
}
