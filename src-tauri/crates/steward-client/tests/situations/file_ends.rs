//! The two ends of a stored file, with and without ranges.

use steward_client::{ClientError, FileEnds, STALLED, Trust, WholeFile};
use steward_testkit::{Reply, Request, TestServer};

use crate::support::endpoint;

const LOCATION: &str = "https://srv1:6443/arcgis/admin/uploads/i7c1/download";

/// A file of so many bytes, none like its neighbours.
fn file(length: usize) -> String {
    (0..length).map(|at| char::from(b'a' + u8::try_from(at % 23).unwrap_or_default())).collect()
}

fn part(status: &'static str, range: &str, body: &str) -> Reply {
    let headers = format!("content-type: application/octet-stream\r\ncontent-range: bytes {range}\r\n");
    Reply::new(status, &headers, body)
}

fn range(request: &Request) -> Option<&str> {
    Some(request.header("range")?.split_once('=')?.1)
}

fn ends(file: &str, tail: usize) -> FileEnds {
    let bytes = file.as_bytes();
    FileEnds {
        length: bytes.len() as u64,
        head: bytes.iter().copied().take(4).collect(),
        tail: bytes[bytes.len() - tail..].to_vec(),
    }
}

#[tokio::test]
async fn of_a_large_file_only_the_ends_are_read() {
    let content = file(500_000);
    let served = content.clone();
    let site = TestServer::start(move |request| match range(request) {
        Some("0-3") => part("206 Partial Content", "0-3/500000", &served[..4]),
        Some("-65557") => part("206 Partial Content", "434443-499999/500000", &served[434_443..]),
        other => panic!("asked for {other:?}"),
    })
    .await
    .unwrap();

    let seen = endpoint(&Trust::default(), &site.origin())
        .peek_stored(LOCATION, STALLED, WholeFile::Read)
        .await
        .unwrap();

    assert_eq!(seen, ends(&content, 65_557));
}

#[tokio::test]
async fn a_server_that_knows_no_ranges_is_read_to_the_end() {
    let content = file(200_000);
    let served = content.clone();
    let site = TestServer::start(move |_| {
        Reply::new("200 OK", "content-type: application/octet-stream\r\n", served.clone())
    })
    .await
    .unwrap();

    let seen = endpoint(&Trust::default(), &site.origin())
        .peek_stored(LOCATION, STALLED, WholeFile::Read)
        .await
        .unwrap();

    assert_eq!(seen, ends(&content, 65_557));
    assert_eq!(site.requests().len(), 1);
}

#[tokio::test]
async fn a_complete_file_that_is_refused_is_not_read() {
    for status in ["200 OK", "416 Range Not Satisfiable"] {
        // What it sends never ends: reading it would.
        let site = TestServer::start(move |request| match range(request) {
            Some(_) if status.starts_with("416") => part(status, "*/200000", ""),
            _ => Reply::raw("HTTP/1.1 200 OK\r\ncontent-length: 200000\r\n\r\nPK").then_silence(),
        })
        .await
        .unwrap();

        let endpoint = endpoint(&Trust::default(), &site.origin());
        let error = endpoint.peek_stored(LOCATION, STALLED, WholeFile::Refuse).await.unwrap_err();

        assert!(matches!(error, ClientError::Unreadable { .. }), "{status}: {error:?}");
    }
}

#[tokio::test]
async fn a_part_that_does_not_end_is_not_read_further() {
    for (endless, is_read) in [("0-3", true), ("-65557", false)] {
        let site = TestServer::start(move |request| match range(request) {
            Some(asked) if asked == endless => {
                let head = "HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 0-3/500000\r\n\r\n";
                Reply::raw(format!("{head}{}", file(100_000))).then_silence()
            }
            Some("-65557") => part("206 Partial Content", "434443-499999/500000", &file(65_557)),
            other => panic!("asked for {other:?}"),
        })
        .await
        .unwrap();

        let endpoint = endpoint(&Trust::default(), &site.origin());
        let seen = endpoint.peek_stored(LOCATION, STALLED, WholeFile::Refuse).await;

        match is_read {
            true => assert_eq!(seen.unwrap().head, b"abcd"),
            false => assert!(matches!(seen, Err(ClientError::Unreadable { .. })), "{seen:?}"),
        }
    }
}

#[tokio::test]
async fn a_file_shorter_than_its_last_part_is_read_whole() {
    let content = file(50);
    let served = content.clone();
    let site = TestServer::start(move |request| match range(request) {
        Some(_) => part("416 Range Not Satisfiable", "*/50", ""),
        None => Reply::new("200 OK", "", served.clone()),
    })
    .await
    .unwrap();

    let seen = endpoint(&Trust::default(), &site.origin())
        .peek_stored(LOCATION, STALLED, WholeFile::Read)
        .await
        .unwrap();

    assert_eq!(seen, ends(&content, 50));
}

#[tokio::test]
async fn an_error_object_is_no_file() {
    let body = r#"{"status":"error","messages":["Could not find the item."],"code":404}"#;
    let site = TestServer::start(move |_| Reply::json(body)).await.unwrap();

    let error = endpoint(&Trust::default(), &site.origin())
        .peek_stored(LOCATION, STALLED, WholeFile::Read)
        .await
        .unwrap_err();

    assert!(matches!(error, ClientError::Rejected { code: 404, .. }), "{error:?}");
}
