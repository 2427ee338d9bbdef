//! Servers that accept one version of HTTP only.

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::support::{DONE, accepting, endpoint, get, post, self_signed};

/// Empty SETTINGS, and RST_STREAM of the first stream with HTTP_1_1_REQUIRED (RFC 9113, 6.4 and 7).
const REQUIRES_HTTP_1: [u8; 22] = [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0x0d];

async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, is_http_2: bool) {
    let mut head = Vec::new();
    // The preface of HTTP/2 has an empty line too.
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        if stream.read_buf(&mut head).await.unwrap_or_default() == 0 {
            return;
        }
    }
    let length = DONE.len();
    let response = match is_http_2 {
        true => REQUIRES_HTTP_1.to_vec(),
        false => {
            format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{DONE}").into()
        }
    };
    // The client might have closed the connection.
    let _ = stream.write_all(&response).await;
    let _ = stream.flush().await;
    let _ = stream.read_to_end(&mut head).await;
}

/// As IIS does where it asks for a client certificate or for Windows authentication: it offers HTTP/2, and resets each
/// request over it.
#[tokio::test]
async fn a_server_that_offers_http_2_and_requires_http_1_answers_reads_and_changes() {
    let certified = self_signed(&["127.0.0.1"], |_| ());
    let mut tls = (*certified.server()).clone();
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let root = format!("https://{}", listener.local_addr().unwrap());
    let acceptor = TlsAcceptor::from(Arc::new(tls));
    let server = tokio::spawn(async move {
        for _ in 0..8 {
            let (client, _) = listener.accept().await.unwrap();
            let stream = acceptor.accept(client).await.unwrap();
            let is_http_2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
            tokio::spawn(answer(stream, is_http_2));
        }
    });
    let endpoint = endpoint(&accepting(&certified, &root), &root);

    assert_eq!(get(&endpoint).await.unwrap(), ["/enterpriseDatabases"]);
    post(&endpoint).await.unwrap();
    assert_eq!(get(&endpoint).await.unwrap(), ["/enterpriseDatabases"]);
    server.abort();
}
