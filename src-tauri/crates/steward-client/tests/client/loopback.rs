//! Who knocks at the port that waits for the browser.

use std::time::Duration;

use steward_client::Endpoint;
use steward_client::oauth::{self, Authorization, Loopback, NoCode, Redirect};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use url::Url;

use crate::in_the_browser::PATIENCE;
use crate::rehearsal::http;
use steward_testkit::Browser;

async fn begun() -> (Loopback, Authorization, String, String) {
    let portal = Endpoint::new(http(), Url::parse("https://gis.example.org/portal").unwrap());
    let loopback = Loopback::listen(&[0]).await.unwrap();
    let authorization = oauth::begin(&portal, "sitesteward", &Redirect::Loopback(&loopback)).unwrap();
    let state = authorization.url.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    let address = loopback.redirect_uri();
    (loopback, authorization, address, state)
}

async fn raw(address: &str, request: &str) -> String {
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    // A refusal may end the connection while the rest of a request is still on its way.
    let _ = stream.read_to_string(&mut answer).await;
    answer
}

#[tokio::test]
async fn strangers_get_a_plain_refusal_and_the_right_answer_still_counts() {
    let (loopback, authorization, address, state) = begun().await;
    let host = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let waiting = async { loopback.code(&authorization, PATIENCE).await };
    let knocking = async {
        let browser = Browser::new().unwrap();
        let wrong = [
            format!("{address}favicon.ico"),
            address.clone(),
            format!("{address}?code=stolen"),
            format!("{address}?code=stolen&state=wrong"),
            format!("{address}?code=stolen&state={}", &state[..42]),
            format!("{address}?code=stolen&state={state}&state={state}"),
            format!("{address}?state={state}"),
            format!("{address}elsewhere?code=stolen&state={state}"),
        ];
        for url in &wrong {
            let (status, page) = browser.visit(url).await.unwrap();
            assert_eq!(status, 400, "{url}");
            assert!(!page.contains("stolen"), "{page}");
        }
        // A page elsewhere, under a name of its own; a form; and a request without an end.
        let rebound = format!("GET /?code=stolen&state={state} HTTP/1.1\r\nhost: rebound.example\r\n\r\n");
        assert!(raw(&address, &rebound).await.starts_with("HTTP/1.1 400"));
        let form = format!("POST /?code=stolen&state={state} HTTP/1.1\r\nhost: {host}\r\n\r\n");
        assert!(raw(&address, &form).await.starts_with("HTTP/1.1 400"));
        let endless = format!("GET / HTTP/1.1\r\nhost: {host}\r\nx: {}\r\n", "x".repeat(40_000));
        assert!(!raw(&address, &endless).await.contains("200 OK"));
        browser.visit(&format!("{address}?code=right&state={state}")).await.unwrap()
    };
    let (code, (status, _)) = tokio::join!(waiting, knocking);
    assert_eq!(status, 200);
    assert_eq!(code.unwrap().expose(), "right");
}

#[tokio::test]
async fn a_connection_that_says_nothing_does_not_stand_in_the_way() {
    let (loopback, authorization, address, state) = begun().await;
    let host = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut silent = Vec::new();
    for _ in 0..8 {
        silent.push(TcpStream::connect(&host).await.unwrap());
    }
    let browser = Browser::new().unwrap();
    let url = format!("{address}?code=right&state={state}");
    let (code, _) = tokio::join!(loopback.code(&authorization, Duration::from_secs(5)), browser.visit(&url));
    assert_eq!(code.unwrap().expose(), "right");
}

#[tokio::test]
async fn a_person_who_declines_is_believed_only_with_the_right_state() {
    let (loopback, authorization, address, state) = begun().await;
    let browser = Browser::new().unwrap();
    let knocking = async {
        let wrong = format!("{address}?error=access_denied&state=wrong");
        assert_eq!(browser.visit(&wrong).await.unwrap().0, 400);
        let right = format!("{address}?error=access_denied&error_description=Not+today&state={state}");
        browser.visit(&right).await.unwrap()
    };
    let (code, (_, page)) = tokio::join!(loopback.code(&authorization, PATIENCE), knocking);
    let declined = code.unwrap_err();
    assert!(matches!(&declined, NoCode::Declined { reason } if reason == "Not today"), "{declined:?}");
    assert!(!page.contains("Not today"));
}

#[tokio::test]
async fn the_port_is_closed_after_the_answer_and_when_nobody_waits_any_more() {
    let (loopback, authorization, address, state) = begun().await;
    let host = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let url = format!("{address}?code=right&state={state}");
    let browser = Browser::new().unwrap();
    let (code, _) = tokio::join!(loopback.code(&authorization, PATIENCE), browser.visit(&url));
    code.unwrap();
    assert!(TcpStream::connect(&host).await.is_err());

    let (loopback, authorization, address, _) = begun().await;
    let host = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let stopped = tokio::time::timeout(Duration::from_millis(50), loopback.code(&authorization, PATIENCE));
    assert!(stopped.await.is_err());
    assert!(TcpStream::connect(&host).await.is_err());
}
