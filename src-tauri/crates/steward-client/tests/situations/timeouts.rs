//! Two windows of time: a connection comes about soon or not at all; an answer may take all night. The clock is put
//! forward, so that nobody has to wait for it.

use std::time::Duration;

use steward_client::listing;
use steward_client::operations::export_server::ExportServer;
use steward_client::operations::find_items::FindItems;
use steward_client::operations::import_server::ImportServer;
use steward_client::{ClientError, Endpoint, ServerType, Stage, Trust};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::support::{endpoint, pass};

const NIGHT: Duration = Duration::from_secs(12 * 60 * 60);
/// A pause that does not end a request.
const SHORT: Duration = Duration::from_secs(20);

async fn read_request(client: &mut TcpStream) {
    let mut bytes = Vec::new();
    while !bytes.windows(4).any(|window| window == b"\r\n\r\n") {
        assert!(client.read_buf(&mut bytes).await.unwrap() > 0);
    }
}

/// A server whose answer comes in the morning.
async fn in_the_morning(body: &'static str) -> (String, oneshot::Receiver<()>, oneshot::Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let root = format!("http://{}", listener.local_addr().unwrap());
    let (asked, was_asked) = oneshot::channel();
    let (morning, comes) = oneshot::channel::<()>();
    tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.unwrap();
        read_request(&mut client).await;
        asked.send(()).unwrap();
        comes.await.unwrap();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
        let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
        client.write_all(answer.as_bytes()).await.unwrap();
    });
    (root, was_asked, morning)
}

#[tokio::test]
async fn a_running_export_and_a_running_import_have_no_time_out() {
    let (root, was_asked, morning) = in_the_morning(r#"{"status":"success","location":"/a"}"#).await;
    let server = endpoint(&Trust::default(), &root);
    let request = ExportServer { location: "/backups".to_owned() };
    let export = tokio::spawn(async move { request.send(server.permit_unchecked().await).await });
    was_asked.await.unwrap();
    pass(NIGHT).await;
    assert!(!export.is_finished(), "it was given up in the night");
    morning.send(()).unwrap();
    assert_eq!(export.await.unwrap().unwrap().location, "/a");

    let (root, was_asked, morning) = in_the_morning(r#"{"status":"success","result":[]}"#).await;
    let server = endpoint(&Trust::default(), &root);
    let request =
        ImportServer { location: "/a".to_owned(), server_type: ServerType::Gis, restart_web_server: None };
    let import = tokio::spawn(async move { request.send(server.permit_unchecked().await).await });
    was_asked.await.unwrap();
    pass(NIGHT).await;
    assert!(!import.is_finished(), "it was given up in the night");
    morning.send(()).unwrap();
    assert_eq!(import.await.unwrap().unwrap().status, "success");
}

#[tokio::test]
async fn what_should_be_quick_is_given_up_after_a_minute() {
    let (root, was_asked, _morning) = in_the_morning("{}").await;
    let server = endpoint(&Trust::default(), &root);
    let listing = tokio::spawn(async move { steward_client::listing::data_roots(&server).await });
    was_asked.await.unwrap();

    pass(Duration::from_secs(61)).await;

    let given_up = tokio::time::timeout(Duration::from_secs(5), listing).await;
    let error = given_up.unwrap().unwrap().unwrap_err();
    assert!(matches!(error, ClientError::Stalled { stage: Stage::Wait, .. }), "{error:?}");
}

/// Reads a list of the site: by a search, element by element, and as a whole.
async fn read(list: &'static str, server: Endpoint) -> Result<(), ClientError> {
    match list {
        "items" => {
            let all = FindItems { ancestor_path: "/".to_owned(), ..FindItems::default() };
            all.send(&server, |_| Some(())).await.map(drop)
        }
        "services" => listing::ServiceList::read(&server).await.map(drop),
        _ => listing::machines(&server).await.map(drop),
    }
}

#[tokio::test]
async fn a_list_that_comes_by_the_byte_ends_after_ten_minutes() {
    for list in ["items", "services", "machines"] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let root = format!("http://{}", listener.local_addr().unwrap());
        let reading = tokio::spawn(read(list, endpoint(&Trust::default(), &root)));
        let (mut site, _) = listener.accept().await.unwrap();
        read_request(&mut site).await;
        site.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n").await.unwrap();
        let mut minutes = 0;
        while !reading.is_finished() && minutes < 30 {
            pass(Duration::from_secs(50)).await;
            let _ = site.write_all(b" ").await;
            minutes += 1;
        }

        assert!(reading.is_finished(), "{list}");
        let error = reading.await.unwrap().unwrap_err();
        assert!(matches!(error, ClientError::Slow { .. }), "{list}: {error:?}");
        assert!(minutes >= 12, "{list}: {minutes}");
    }
}

#[tokio::test]
async fn a_list_may_come_slowly_and_a_silent_one_may_not() {
    for list in ["items", "services", "machines"] {
        for falls_silent in [false, true] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let root = format!("http://{}", listener.local_addr().unwrap());
            let reading = tokio::spawn(read(list, endpoint(&Trust::default(), &root)));
            let (mut site, _) = listener.accept().await.unwrap();
            read_request(&mut site).await;
            pass(SHORT).await;
            let body = format!("{{\"{list}\":[{}{{}}]}}", "{},".repeat(9));
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            site.write_all(head.as_bytes()).await.unwrap();
            let (begin, end) = body.split_at(body.len() - 3);
            for piece in begin.as_bytes().chunks(4) {
                pass(SHORT).await;
                site.write_all(piece).await.unwrap();
            }
            if falls_silent {
                // The first lets the client read what was written.
                pass(SHORT).await;
                pass(Duration::from_secs(61)).await;
            } else {
                pass(SHORT).await;
                site.write_all(end.as_bytes()).await.unwrap();
            }

            let ended = tokio::time::timeout(Duration::from_secs(5), reading).await.unwrap().unwrap();

            if falls_silent {
                let error = ended.unwrap_err();
                assert!(
                    matches!(error, ClientError::Stalled { stage: Stage::Read, .. }),
                    "{list}: {error:?}"
                );
            } else {
                ended.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn a_connection_that_stalls_is_given_up_soon_also_by_an_export() {
    // The system takes the connection, and nobody at the other end says a word of TLS.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let root = format!("https://{}", listener.local_addr().unwrap());
    let server = endpoint(&Trust::default(), &root);
    let request = ExportServer { location: "/backups".to_owned() };
    let export = tokio::spawn(async move { request.send(server.permit_unchecked().await).await });
    let (mut client, _) = listener.accept().await.unwrap();
    // The client has begun.
    client.read_u8().await.unwrap();

    pass(Duration::from_secs(15)).await;

    let error = tokio::time::timeout(Duration::from_secs(5), export).await.unwrap().unwrap().unwrap_err();
    assert!(
        matches!(error, ClientError::Unreachable { stage: Stage::Connect | Stage::Tls, .. }),
        "{error:?}"
    );
    assert!(!error.may_have_taken_effect(), "nothing was asked yet");
}
