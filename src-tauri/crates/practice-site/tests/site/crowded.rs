//! More clients than the site has connections for.

use std::time::{Duration, Instant};

use reqwest::Client;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Rehearsal, rehearsal};

const PORTAL: &str = "/portal/sharing/rest/generateToken";

/// Longest time until a sign-in with the right password is answered, with room for a busy computer.
const SOON: Duration = Duration::from_secs(20);

fn host(site: &Rehearsal) -> String {
    site.address("").trim_start_matches("http://").to_owned()
}

async fn signed_in(site: &Rehearsal) -> Duration {
    let (username, password) = site.sign_in("publisher");
    let start = Instant::now();
    let form = [("username", username.as_str()), ("password", &password)];
    let answer = Client::new().post(site.address(PORTAL)).form(&form).send().await.unwrap();
    let answer: serde_json::Value = answer.json().await.unwrap();
    assert!(answer["token"].is_string(), "{answer}");
    start.elapsed()
}

#[tokio::test]
async fn two_hundred_wrong_passwords_do_not_keep_the_right_one_out() {
    let site = rehearsal().await;
    let (username, _) = site.sign_in("publisher");
    let body = format!("username={username}&password=wrong");
    let mut wrong = Vec::new();
    for _ in 0..210 {
        let mut connection = TcpStream::connect(host(&site)).await.unwrap();
        let head = format!(
            "POST {PORTAL} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n",
            host(&site),
            body.len()
        );
        connection.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
        wrong.push(connection);
    }

    assert!(signed_in(&site).await < SOON);
}

#[tokio::test]
async fn requests_that_are_never_completed_keep_nobody_out() {
    let site = rehearsal().await;
    let mut half = Vec::new();
    for _ in 0..260 {
        let mut connection = TcpStream::connect(host(&site)).await.unwrap();
        connection.write_all(b"GET /portal HTTP/1.1\r\nhost: ").await.unwrap();
        half.push(connection);
    }

    // Not after the timeout of the others, which is ten seconds.
    assert!(signed_in(&site).await < Duration::from_secs(5));
}

#[tokio::test]
async fn a_request_that_is_being_answered_is_not_closed_for_others() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    site.site.add_fault(practice_site::FaultRule {
        operation: practice_site::Operation::FindItems,
        fault: practice_site::InjectedFault::Delay,
        seconds: 3,
        after: false,
        times: 1,
    });
    let mut working = TcpStream::connect(host(&site)).await.unwrap();
    let head = format!(
        "GET /server/admin/data/findItems?f=json&ancestorPath=/&token={token} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        host(&site)
    );
    working.write_all(head.as_bytes()).await.unwrap();
    let mut half = Vec::new();
    for _ in 0..260 {
        half.push(TcpStream::connect(host(&site)).await.unwrap());
    }

    let mut answer = String::new();
    working.read_to_string(&mut answer).await.unwrap();

    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
