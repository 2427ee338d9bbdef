//! Mail servers that alerts are sent to.

use std::time::Duration;

use steward_client::mail::{Mail, MailEncryption, MailError, MailServer, RefusedReceiver, send};
use steward_client::{Http, Route, StreamError, Trust};
use steward_testkit::{MailFault, MailReceiver, MailTls};
use steward_vault::Secret;

use crate::proxies::Proxy;
use crate::support::{Authority, trusting};

const TO: [&str; 2] = ["gis@example.org", "on-call@example.org"];

/// A mail with what must not become a header, an end, or another letter.
async fn mail_to(
    http: &Http,
    port: u16,
    encryption: MailEncryption,
    user: &str,
) -> Result<Vec<RefusedReceiver>, MailError> {
    mail_by(http, ("127.0.0.1", port), encryption, user).await
}

async fn mail_by(
    http: &Http,
    (host, port): (&str, u16),
    encryption: MailEncryption,
    user: &str,
) -> Result<Vec<RefusedReceiver>, MailError> {
    let password = Secret::new("canary-password".to_owned());
    let server = MailServer { computer: "ws-12", host, port, encryption, user, password: &password };
    let to = TO.map(str::to_owned);
    let mail = Mail {
        id: "7f3a",
        from: "steward@example.org",
        to: &to,
        subject: "Stadt K\u{f6}ln:\r\nBcc: everybody@example.org",
        text: "First\r\n.\r\nL\u{e4}nger".to_owned(),
    };
    tokio::time::timeout(Duration::from_secs(20), send(http, &server, mail)).await.expect("it ends by itself")
}

fn direct(trust: &Trust) -> Http {
    Http::with_route(trust, &Route::Direct).unwrap()
}

#[tokio::test]
async fn mail_is_taken_over_tls_from_the_beginning_and_after_starttls() {
    let authority = Authority::new("Example Authority");
    let certificate = || authority.signs(&["127.0.0.1"], |_| ()).server();
    for (tls, encryption) in [
        (MailTls::Always, MailEncryption::Tls),
        (MailTls::Offered, MailEncryption::StartTls),
        (MailTls::Never, MailEncryption::None),
    ] {
        let server = MailReceiver::start(certificate(), tls).await.unwrap();

        mail_to(&direct(&trusting(&authority)), server.port(), encryption, "steward").await.unwrap();

        let taken = server.taken();
        assert_eq!(taken.len(), 1, "{tls:?}");
        assert_eq!(taken[0].is_encrypted, tls != MailTls::Never);
        assert_eq!(taken[0].to, TO);
        assert_eq!(taken[0].credentials, Some(("steward".to_owned(), "canary-password".to_owned())));
        let message = &taken[0].message;
        assert!(message.contains("Message-ID: <7f3a@site-steward.invalid>"), "{message}");
        assert!(message.contains("Auto-Submitted: auto-generated"), "{message}");
        assert!(!message.lines().any(|line| line.starts_with("Bcc:")), "{message}");
        // The whole text, in base64.
        assert!(message.trim_end().ends_with("Rmlyc3QNCi4NCkzDpG5nZXI="), "{message}");
    }
}

#[tokio::test]
async fn a_server_without_starttls_learns_neither_password_nor_receiver() {
    let authority = Authority::new("Example Authority");
    let certificate = authority.signs(&["127.0.0.1"], |_| ()).server();
    let server = MailReceiver::start(certificate, MailTls::Never).await.unwrap();

    let error = mail_to(&direct(&trusting(&authority)), server.port(), MailEncryption::StartTls, "steward")
        .await
        .unwrap_err();

    assert!(matches!(error, MailError::NoStartTls), "{error:?}");
    assert_eq!(server.commands().len(), 1, "EHLO only: {:?}", server.commands());
}

#[tokio::test]
async fn nothing_is_sent_to_a_mail_server_that_is_not_trusted_or_whose_replies_come_from_between() {
    let (authority, other) = (Authority::new("Example Authority"), Authority::new("Another"));
    let certificate = || authority.signs(&["127.0.0.1"], |_| ()).server();
    for (tls, encryption) in
        [(MailTls::Always, MailEncryption::Tls), (MailTls::Offered, MailEncryption::StartTls)]
    {
        let server = MailReceiver::start(certificate(), tls).await.unwrap();
        let error =
            mail_to(&direct(&trusting(&other)), server.port(), encryption, "steward").await.unwrap_err();
        assert!(matches!(error, MailError::Stream(StreamError::Certificate(_))), "{tls:?}: {error:?}");
        assert!(server.taken().is_empty());
    }
    let server = MailReceiver::start(certificate(), MailTls::Offered).await.unwrap();
    server.set(MailFault::Injected);
    let error = mail_to(&direct(&trusting(&authority)), server.port(), MailEncryption::StartTls, "steward")
        .await
        .unwrap_err();
    assert!(matches!(error, MailError::Stream(_)), "{error:?}");
    assert!(server.taken().is_empty());
}

#[tokio::test]
async fn the_words_of_a_mail_server_come_back_and_one_without_an_end_is_left() {
    let authority = Authority::new("Example Authority");
    let certificate = authority.signs(&["127.0.0.1"], |_| ()).server();
    let server = MailReceiver::start(certificate, MailTls::Offered).await.unwrap();
    let http = direct(&trusting(&authority));
    for (fault, words) in [
        (MailFault::Receiver, "This receiver is not known here."),
        (MailFault::Password, "Basic authentication is not supported."),
    ] {
        server.set(fault);
        let error = mail_to(&http, server.port(), MailEncryption::StartTls, "steward").await.unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert!(matches!(error, MailError::Rejected(_)), "{error:?}");
        assert!(!error.to_string().contains("canary"), "{error}");
    }
    assert!(server.taken().is_empty());

    server.set(MailFault::Endless);
    mail_to(&http, server.port(), MailEncryption::StartTls, "").await.unwrap_err();
    let plain =
        MailReceiver::start(authority.signs(&["127.0.0.1"], |_| ()).server(), MailTls::Never).await.unwrap();
    plain.set(MailFault::Endless);
    mail_to(&http, plain.port(), MailEncryption::None, "").await.unwrap_err();
}

#[tokio::test]
async fn a_receiver_that_is_refused_keeps_no_other_one_from_the_mail() {
    let authority = Authority::new("Example Authority");
    let certificate = authority.signs(&["127.0.0.1"], |_| ()).server();
    let server = MailReceiver::start(certificate, MailTls::Offered).await.unwrap();
    server.set(MailFault::FirstReceiver);
    let http = direct(&trusting(&authority));

    let refused = mail_to(&http, server.port(), MailEncryption::StartTls, "").await.unwrap();

    let [refused] = &refused[..] else { panic!("{refused:?}") };
    assert_eq!(refused.address, TO[0]);
    assert!(refused.said.contains("This receiver is not known here."), "{refused:?}");
    assert_eq!(server.taken()[0].to, TO[1..]);
}

#[tokio::test]
async fn a_relay_that_wants_a_whole_name_of_this_computer_gets_one_before_and_after_starttls() {
    let authority = Authority::new("Example Authority");
    let certificate = authority.signs(&["127.0.0.1"], |_| ()).server();
    let server = MailReceiver::start(certificate, MailTls::Offered).await.unwrap();
    server.set(MailFault::Hello);

    let http = direct(&trusting(&authority));
    mail_to(&http, server.port(), MailEncryption::StartTls, "").await.unwrap();

    let hellos: Vec<_> =
        server.commands().into_iter().filter(|command| command.starts_with("EHLO")).collect();
    assert_eq!(hellos, ["EHLO ws-12.example.org"; 2]);
}

#[tokio::test]
async fn a_mail_server_that_requires_a_client_certificate_or_speaks_no_tls_is_told_as_such() {
    let authority = Authority::new("Example Authority");
    let certified = authority.signs(&["127.0.0.1"], |_| ());
    let server =
        MailReceiver::start(certified.server_asking_by_tls12(&authority), MailTls::Offered).await.unwrap();
    let http = direct(&trusting(&authority));

    let error = mail_to(&http, server.port(), MailEncryption::StartTls, "").await.unwrap_err();
    assert!(matches!(error, MailError::Stream(StreamError::ClientCertificate { .. })), "{error:?}");
    let error = mail_to(&http, server.port(), MailEncryption::Tls, "").await.unwrap_err();
    assert!(matches!(error, MailError::Stream(StreamError::NoTls(_))), "{error:?}");
}

#[tokio::test]
async fn mail_without_encryption_stays_on_this_computer() {
    let password = Secret::default();
    let server = MailServer {
        computer: "ws-12",
        host: "192.0.2.1",
        port: 25,
        encryption: MailEncryption::None,
        user: "",
        password: &password,
    };
    let to = ["gis@example.org".to_owned()];
    let mail = Mail { id: "1", from: "steward@example.org", to: &to, subject: "", text: String::new() };
    let error = send(&direct(&Trust::default()), &server, mail).await.unwrap_err();
    assert!(matches!(error, MailError::NotEncrypted), "{error:?}");
}

#[tokio::test]
async fn a_mail_server_behind_a_proxy_is_reached_by_a_tunnel() {
    let authority = Authority::new("Example Authority");
    let certificate = authority.signs(&["mail.example.invalid"], |_| ()).server();
    let server = MailReceiver::start(certificate, MailTls::Offered).await.unwrap();
    let proxy = Proxy::to(server.port()).await;
    let http = Http::with_route(&trusting(&authority), &proxy.route(&[])).unwrap();

    mail_by(&http, ("mail.example.invalid", 587), MailEncryption::StartTls, "").await.unwrap();

    assert_eq!(server.taken().len(), 1);
    assert!(
        proxy.asked()[0].starts_with("CONNECT mail.example.invalid:587 HTTP/1.1\r\n"),
        "{:?}",
        proxy.asked()
    );
}
