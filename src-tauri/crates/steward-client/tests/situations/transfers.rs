//! Files on their way down and up: what the client takes for whole, and when it takes a line for broken.

use std::time::Duration;

use steward_client::uploads::{Outgoing, upload_part, upload_whole};
use steward_client::{ClientError, Endpoint, Resumed, STALLED, Same, Stage, Trust};
use steward_testkit::{Reply, TestServer, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::support::{TOKEN, accepting, endpoint, pass, self_signed};

const STORED: &str = "https://inside.invalid:6443/arcgis/admin/uploads/i1";
/// Longest silence that is waited out. The clock is put forward, so that nobody has to wait for it.
const LIMIT: Duration = Duration::from_secs(60);
/// A pause that does not end a transfer. Two of them in a row do.
const SHORT: Duration = Duration::from_secs(40);

/// The connection of one request, whose head was read.
async fn asked(listener: &TcpListener) -> TcpStream {
    let (mut client, _) = listener.accept().await.unwrap();
    head_of(&mut client).await;
    client
}

async fn head_of(client: &mut TcpStream) {
    let mut bytes = Vec::new();
    while !bytes.windows(4).any(|window| window == b"\r\n\r\n") {
        assert_ne!(client.read_buf(&mut bytes).await.unwrap(), 0);
    }
}

async fn all(endpoint: &Endpoint, patience: Duration) -> Result<Vec<u8>, ClientError> {
    let mut download = endpoint.download_stored(STORED, patience).await?;
    let mut bytes = Vec::new();
    while let Some(piece) = download.next().await? {
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

async fn answered_with(answer: &str) -> Result<Vec<u8>, ClientError> {
    let answer = answer.as_bytes().to_vec();
    let site = TestServer::start(move |_| Reply::raw(answer.clone())).await.unwrap();
    all(&endpoint(&Trust::default(), &site.origin()), STALLED).await
}

#[tokio::test]
async fn a_body_that_ends_early_has_no_end() {
    for answer in [
        "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n123456789",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n123456789\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n12345",
    ] {
        let error = answered_with(answer).await.unwrap_err();
        assert!(matches!(error, ClientError::Unreachable { stage: Stage::Read, .. }), "{error:?}");
        assert!(error.is_network_failure());
    }
    let whole = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n123456789\r\n0\r\n\r\n";
    assert_eq!(answered_with(whole).await.unwrap(), b"123456789");
}

#[tokio::test]
async fn a_part_that_nobody_asked_for_is_no_file() {
    let answer =
        "HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 0-3/9\r\ncontent-length: 4\r\n\r\n1234";
    let error = answered_with(answer).await.unwrap_err();
    assert!(matches!(error, ClientError::Unreadable { .. }), "{error:?}");
}

#[tokio::test]
async fn a_slow_line_may_take_as_long_as_it_takes_and_a_silent_one_may_not() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = endpoint(&Trust::default(), &format!("http://{}", listener.local_addr().unwrap()));
    let answering = async {
        let mut site = asked(&listener).await;
        pass(SHORT).await;
        site.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n").await.unwrap();
        site
    };
    let (download, mut site) = tokio::join!(endpoint.download_stored(STORED, LIMIT), answering);
    let mut download = download.unwrap();
    for letter in *b"1234567" {
        let writing = async {
            pass(SHORT).await;
            site.write_all(&[letter]).await.unwrap();
        };
        let (piece, ()) = tokio::join!(download.next(), writing);
        assert_eq!(piece.unwrap().unwrap()[..], [letter]);
    }

    let (rest, ()) = tokio::join!(download.next(), pass(LIMIT));
    let error = rest.unwrap_err();
    assert!(matches!(error, ClientError::Stalled { stage: Stage::Read, .. }), "{error:?}");

    let falling_silent = async {
        let site = asked(&listener).await;
        pass(LIMIT).await;
        site
    };
    let (download, _site) = tokio::join!(endpoint.download_stored(STORED, LIMIT), falling_silent);
    let Err(error) = download else { panic!("an answer") };
    assert!(matches!(error, ClientError::Stalled { stage: Stage::Wait, .. }), "{error:?}");
}

/// What a site answers to the wish for the bytes from 4 on, of ten.
async fn resumed(status: &'static str, headers: &str) -> Result<(bool, Vec<u8>), ClientError> {
    let rest = Reply::new(status, headers, "456789");
    let all = Reply::new("200 OK", "etag: \"two\"\r\n", "another one");
    let site = TestServer::start(move |request| {
        if request.header("range") == Some("bytes=4-") && !status.starts_with("200") {
            rest.clone()
        } else {
            all.clone()
        }
    })
    .await
    .unwrap();
    let same = Same { etag: "\"one\"".to_owned(), length: 10 };
    let endpoint = endpoint(&Trust::default(), &site.origin());
    let resumed = endpoint.resume_stored(STORED, 4, &same, STALLED).await?;
    assert!(site.requests()[0].header("if-range") == Some("\"one\""));
    assert!(site.requests().iter().all(|request| request.text().contains(TOKEN)));
    let (continues, mut download) = match resumed {
        Resumed::Continues(download) => (true, download),
        Resumed::Anew(download) => (false, download),
    };
    let mut bytes = Vec::new();
    while let Some(piece) = download.next().await? {
        bytes.extend_from_slice(&piece);
    }
    Ok((continues, bytes))
}

#[tokio::test]
async fn a_rest_is_taken_only_of_the_same_content_and_from_the_right_place() {
    let partial = "206 Partial Content";
    let fits = resumed(partial, "etag: \"one\"\r\ncontent-range: bytes 4-9/10\r\n").await.unwrap();
    assert_eq!(fits, (true, b"456789".to_vec()));
    for (status, headers) in [
        ("200 OK", ""),
        ("416 Range Not Satisfiable", "content-range: bytes */2\r\n"),
        (partial, "etag: \"two\"\r\ncontent-range: bytes 4-9/10\r\n"),
        (partial, "etag: W/\"one\"\r\ncontent-range: bytes 4-9/10\r\n"),
        (partial, "content-range: bytes 4-9/10\r\n"),
        (partial, "etag: \"one\"\r\ncontent-range: bytes 3-8/10\r\n"),
        (partial, "etag: \"one\"\r\ncontent-range: bytes 4-9/11\r\n"),
        (partial, "etag: \"one\"\r\ncontent-range: bytes 4-9/*\r\n"),
        (partial, "etag: \"one\"\r\n"),
    ] {
        let anew = resumed(status, headers).await.unwrap();
        assert_eq!(anew, (false, b"another one".to_vec()), "{status} {headers}");
    }
}

#[tokio::test]
async fn a_rest_that_is_shorter_than_announced_has_no_end() {
    // Its own length is right, and the whole is not.
    let same = Same { etag: "\"one\"".to_owned(), length: 10 };
    let headers = "etag: \"one\"\r\ncontent-range: bytes 4-9/10\r\n".to_owned();
    let site = TestServer::start(move |_| Reply::new("206 Partial Content", &headers, "4567")).await.unwrap();
    let endpoint = endpoint(&Trust::default(), &site.origin());
    let Resumed::Continues(mut rest) = endpoint.resume_stored(STORED, 4, &same, STALLED).await.unwrap()
    else {
        panic!("the rest of the same content")
    };
    assert_eq!(rest.next().await.unwrap().unwrap(), "4567");
    let error = rest.next().await.unwrap_err();
    assert!(matches!(error, ClientError::WrongLength { announced: 10, came: 8 }), "{error:?}");
}

/// Passes bytes on to a site, and changes one bit of the byte at `place` of what comes back.
async fn flipping(site: u16, place: usize) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (client, _) = listener.accept().await.unwrap();
        let (mut from_client, mut to_client) = client.into_split();
        let site = TcpStream::connect(("127.0.0.1", site)).await.unwrap();
        let (mut from_site, mut to_site) = site.into_split();
        tokio::spawn(async move { tokio::io::copy(&mut from_client, &mut to_site).await });
        let (mut passed, mut buffer) = (0, vec![0; 16 * 1024]);
        while let Ok(read @ 1..) = from_site.read(&mut buffer).await {
            if (passed..passed + read).contains(&place) {
                buffer[place - passed] ^= 1;
            }
            passed += read;
            if to_client.write_all(&buffer[..read]).await.is_err() {
                return;
            }
        }
    });
    port
}

#[tokio::test]
async fn a_bit_that_is_changed_on_the_way_is_noticed_by_the_encryption() {
    let certified = self_signed(&["127.0.0.1"], |_| ());
    let body = "x".repeat(300_000);
    let site = TestServer::start_tls(certified.server(), move |_| Reply::new("200 OK", "", body.clone()))
        .await
        .unwrap();
    for place in [50_000, 150_000, 299_000] {
        let root = format!("https://127.0.0.1:{}", flipping(site.port(), place).await);
        let error = all(&endpoint(&accepting(&certified, &root), &root), STALLED).await.unwrap_err();
        assert!(matches!(error, ClientError::Unreachable { stage: Stage::Read, .. }), "{error:?}");
    }
    let untouched = format!("https://127.0.0.1:{}", flipping(site.port(), usize::MAX).await);
    let untouched = endpoint(&accepting(&certified, &untouched), &untouched);
    assert_eq!(all(&untouched, STALLED).await.unwrap().len(), 300_000);
}

#[tokio::test]
async fn a_file_that_goes_up_slowly_is_not_given_up() {
    let site = TestServer::start(|_| Reply::json(r#"{"status":"success"}"#)).await.unwrap();
    let (pieces, slow) = mpsc::channel(1);
    let file = Outgoing {
        length: 8 << 20,
        pieces: Box::pin(futures_util::stream::unfold(slow, |mut slow: mpsc::Receiver<_>| async move {
            Some((slow.recv().await?, slow))
        })),
    };
    let reading_slowly = async move {
        for _ in 0..8 {
            pass(SHORT).await;
            pieces.send(Ok(vec![b'x'; 1 << 20].into())).await.unwrap();
            let _is_taken = pieces.reserve().await.unwrap();
        }
    };
    let endpoint = endpoint(&Trust::default(), &site.origin());
    let (sent, ()) =
        tokio::join!(upload_part(endpoint.permit_unchecked().await, "i1", 1, file, LIMIT), reading_slowly);
    sent.unwrap();
    let request = &site.requests()[0];
    assert!(request.head.starts_with("POST /admin/uploads/i1/uploadPart "));
    let body = String::from_utf8_lossy(&request.body);
    assert!(
        !request.head.contains(TOKEN) && body.find(TOKEN) < body.find("partFile"),
        "the token comes first"
    );
}

#[tokio::test]
async fn a_site_that_stops_reading_or_never_answers_is_noticed() {
    // It accepts, and reads nothing.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let root = format!("http://{}", listener.local_addr().unwrap());
    let large = Outgoing::of(vec![b'x'; 64 << 20]);
    let large = Outgoing {
        length: large.length,
        pieces: Box::pin(futures_util::stream::iter((0..64).map(|_| Ok(vec![b'x'; 1 << 20].into())))),
    };
    let deaf = endpoint(&Trust::default(), &root);
    let sent = tokio::select! {
        sent = upload_whole(deaf.permit_unchecked().await, "a.csv", "", large, LIMIT) => sent.err(),
        () = waiting() => None,
    };
    assert!(matches!(sent, Some(ClientError::Stalled { stage: Stage::Send, .. })), "{sent:?}");

    let site = TestServer::start(|_| Reply::silence()).await.unwrap();
    let silent = endpoint(&Trust::default(), &site.origin());
    let part = Outgoing::of(b"x".to_vec());
    let in_vain = async {
        until("the request", async || site.waiting() == 1).await;
        waiting().await;
    };
    let sent = tokio::select! {
        sent = upload_part(silent.permit_unchecked().await, "i1", 1, part, LIMIT) => sent.err(),
        () = in_vain => None,
    };
    let Some(error) = sent else { panic!("an answer, or none in a day") };
    assert!(matches!(error, ClientError::Stalled { stage: Stage::Wait, .. }), "{error:?}");
    assert!(error.may_have_taken_effect());
    assert_eq!(site.requests().len(), 1, "it is sent once");
}

/// A day on the clock, in which whatever moves has its turn every minute.
async fn waiting() {
    for _ in 0..24 * 60 {
        pass(LIMIT).await;
    }
}
