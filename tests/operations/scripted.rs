//! A site that says what it is told to, byte by byte.

use steward_client::{Endpoint, Http, Trust};
use steward_testkit::{Reply, TestServer};

/// What follows an answer on its connection.
pub(crate) enum Then {
    Close,
    /// Nothing, until the client hangs up.
    Silence,
}

/// A site that answers by a script: the number of the request and its head in small letters in, bytes out.
pub(crate) struct Scripted(TestServer);

impl Scripted {
    pub(crate) async fn new(script: impl Fn(usize, &str) -> (Vec<u8>, Then) + Send + Sync + 'static) -> Self {
        let server = TestServer::start(move |request| {
            let (answer, then) = script(request.number, &request.head.to_ascii_lowercase());
            match then {
                Then::Close => Reply::raw(answer),
                Then::Silence => Reply::raw(answer).then_silence(),
            }
        });
        Self(server.await.unwrap())
    }

    pub(crate) fn address(&self) -> String {
        format!("{}/server", self.0.origin())
    }

    /// Host and port.
    pub(crate) fn host(&self) -> String {
        self.0.address()
    }

    pub(crate) fn server(&self) -> Endpoint {
        server_at(&self.address())
    }

    /// The requests, head and body, in small letters.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.0.requests().iter().map(|request| request.text().to_ascii_lowercase()).collect()
    }
}

/// A server that wants no token.
pub(crate) fn server_at(address: &str) -> Endpoint {
    Endpoint::new(Http::new(&Trust::default()).unwrap(), address.parse().unwrap())
}

/// The address of a stored file, as a server names it.
pub(crate) const STORED: &str = "https://inside.invalid:6443/arcgis/admin/uploads/i1";

/// A whole file as the answer.
pub(crate) fn file(etag: &str, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let head =
        format!("HTTP/1.1 200 OK\r\netag: {etag}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
    [head.as_bytes(), content].concat()
}
