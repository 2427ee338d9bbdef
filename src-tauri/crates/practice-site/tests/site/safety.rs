//! Safe to run on anybody's desk.

use crate::support::{error_code, options, rehearsal};
use practice_site::{Options, PracticeSite};
use reqwest::{Certificate, Client};
use std::io::ErrorKind;
use std::time::Duration;
use steward_testkit::until;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

#[tokio::test]
async fn only_loopback_is_listened_on() {
    let folder = tempfile::tempdir().unwrap();
    for foreign in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let options =
            Options { listen: foreign.parse().unwrap(), ..options(&folder.path().join("data"), true) };
        let refusal = PracticeSite::start(options).await.err().unwrap().to_string();
        assert!(refusal.contains("not a loopback address"), "{refusal}");
    }
    assert!(!folder.path().join("data").exists());
}

#[tokio::test]
async fn foreign_host_names_are_refused() {
    let site = rehearsal().await;
    let port = url::Url::parse(&site.site.ready().portal).unwrap().port().unwrap();
    let address = site.address("/portal/sharing/rest/info");
    for host in [format!("rebound.example:{port}"), "127.0.0.1".into(), format!("127.0.0.1.example:{port}")] {
        let response = site.http.get(&address).header("Host", &host).send().await.unwrap();
        assert_eq!(response.status(), 403, "{host}");
    }
    let own = site.http.get(&address).header("Host", format!("localhost:{port}")).send().await.unwrap();
    assert_eq!(own.status(), 200);
    // Said twice, not said at all, and said in the request line.
    let raw = [
        format!(
            "GET /portal/sharing/rest/info HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: rebound.example\r\n"
        ),
        "GET /portal/sharing/rest/info HTTP/1.0\r\n".into(),
        format!("GET http://rebound.example/portal/sharing/rest/info HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"),
    ];
    for request in raw {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.write_all(format!("{request}Connection: close\r\n\r\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.contains(" 403 ") || answer.contains(" 400 "), "{request}: {answer}");
    }
}

#[tokio::test]
async fn other_web_pages_are_refused_even_with_a_token() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let path = "/server/admin/services/Hosted/Hydrants.FeatureServer/webhooks";
    for origin in ["https://page.example", "null", "http://127.0.0.1:1"] {
        let request = site.http.post(site.address(&format!("{path}/deactivateAll")));
        let response = request.header("Origin", origin).form(&[("token", &token)]).send().await.unwrap();
        assert_eq!(response.status(), 403, "{origin}");
    }
    let listed = site.get(path, &[("token", &token)]).await;
    assert!(listed["webhooks"].as_array().unwrap().iter().any(|webhook| webhook["active"] == true));
    let own = site.http.get(site.address("/portal/sharing/rest")).header("Origin", site.address(""));
    assert_eq!(own.send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_body_that_is_too_large_is_an_error_object() {
    let site = rehearsal().await;
    let large = "x".repeat(2 << 20);
    let answer = site.post("/portal/sharing/rest/generateToken", &[("username", &large)]).await;
    assert_eq!(error_code(&answer), 413);
}

#[tokio::test]
async fn a_client_that_dawdles_over_its_headers_is_let_go() {
    let site = rehearsal().await;
    let port = url::Url::parse(&site.site.ready().portal).unwrap().port().unwrap();
    let dawdle = async |said: &[u8]| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.write_all(said).await.unwrap();
        let mut rest = Vec::new();
        tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut rest)).await
    };
    let (nothing, half) =
        tokio::join!(dawdle(b""), dawdle(b"GET /portal/sharing/rest HTTP/1.1\r\nHost: 127"));
    assert!(nothing.is_ok(), "a connection that says nothing is still open");
    assert!(half.is_ok(), "half a header keeps the connection open");
}

#[tokio::test]
async fn https_works_with_the_sites_own_authority_and_not_without() {
    let folder = tempfile::tempdir().unwrap();
    let site = PracticeSite::start(options(folder.path(), false)).await.unwrap();
    let ready = site.ready();
    assert!(ready.portal.starts_with("https://127.0.0.1:") && ready.portal.ends_with("/portal"));
    let pem = std::fs::read(ready.ca_certificate.as_ref().unwrap()).unwrap();
    let trusting = Client::builder().tls_certs_only([Certificate::from_pem(&pem).unwrap()]).build().unwrap();
    let by_name = ready.portal.replace("127.0.0.1", "localhost");
    for base in [&ready.portal, &by_name] {
        let response = trusting.get(format!("{base}/sharing/rest/info")).send().await.unwrap();
        assert_eq!(response.status(), 200);
    }
    let stranger = Client::new().get(format!("{}/sharing/rest/info", ready.portal)).send().await;
    assert!(stranger.is_err(), "an unknown authority was trusted");

    let served = std::fs::read(folder.path().join("certificate/server.pem")).unwrap();
    assert_ne!(served, pem, "the authority must not be served as an end entity");
    let before = pem;
    site.stop().await;
    let again = PracticeSite::start(options(folder.path(), false)).await.unwrap();
    assert_eq!(std::fs::read(again.ready().ca_certificate.as_ref().unwrap()).unwrap(), before);
}

#[tokio::test]
async fn the_key_of_the_authority_is_kept_nowhere() {
    let site = rehearsal().await;
    assert!(!site.data().join("certificate/ca.key").exists());
}

#[tokio::test]
async fn a_certificate_that_has_expired_or_soon_will_is_renewed_at_start_with_its_authority() {
    let folder = tempfile::tempdir().unwrap();
    let site = PracticeSite::start(options(folder.path(), false)).await.unwrap();
    let authority = site.ready().ca_certificate.clone().unwrap();
    site.stop().await;
    for days in [Some(-10), Some(10), None] {
        let certificate = folder.path().join("certificate");
        match days {
            Some(days) => {
                let (pem, key) = certificate_for(days);
                std::fs::write(certificate.join("server.pem"), &pem).unwrap();
                std::fs::write(certificate.join("ca.pem"), &pem).unwrap();
                std::fs::write(certificate.join("server.key"), key).unwrap();
            }
            // As a power cut may leave it.
            None => std::fs::write(certificate.join("server.pem"), "").unwrap(),
        }
        let before = std::fs::read(certificate.join("ca.pem")).unwrap();
        let site = PracticeSite::start(options(folder.path(), false)).await.unwrap();
        // Whoever trusted the authority before finds the new one in the same place.
        assert_eq!(site.ready().ca_certificate.clone().unwrap(), authority);
        let now = std::fs::read(&authority).unwrap();
        assert_ne!(now, before, "{days:?}");
        let trusting =
            Client::builder().tls_certs_only([Certificate::from_pem(&now).unwrap()]).build().unwrap();
        let response = trusting.get(format!("{}/sharing/rest/info", site.ready().portal)).send().await;
        assert_eq!(response.unwrap().status(), 200, "{days:?}");
        site.stop().await;
    }
}

/// A certificate of this machine that ends in so many days, and its key.
fn certificate_for(days: i64) -> (String, String) {
    let names = ["localhost", "127.0.0.1"].map(str::to_owned).to_vec();
    let mut params = rcgen::CertificateParams::new(names).unwrap();
    let day = |days: i64| {
        let when = jiff::Zoned::now().checked_add(jiff::Span::new().days(days)).unwrap();
        rcgen::date_time_ymd(
            when.year().into(),
            when.month().try_into().unwrap(),
            when.day().try_into().unwrap(),
        )
    };
    params.not_before = day(days - 100);
    params.not_after = day(days);
    let key = rcgen::KeyPair::generate().unwrap();
    (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

#[tokio::test]
async fn what_a_page_of_another_site_causes_is_rejected_but_for_the_sign_in_page() {
    let site = rehearsal().await;
    let token = site.token("administrator").await;
    let ask = async |path: &str, headers: &[(&'static str, &str)]| {
        let request = headers
            .iter()
            .fold(site.http.get(site.address(path)), |request, (name, value)| request.header(*name, *value));
        request.send().await.unwrap()
    };
    let folder = site.exports();
    let export = format!("/server/admin/exportSite?token={token}&location={}", folder.to_str().unwrap());
    let sign_in = "/portal/sharing/rest/oauth2/authorize?client_id=pythonapi&response_type=code\
        &redirect_uri=urn:ietf:wg:oauth:2.0:oob";
    for from in ["cross-site", "same-site", "CROSS-SITE", "unheard-of"] {
        for (mode, dest) in
            [("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe"), ("navigate", "document")]
        {
            let headers = [("Sec-Fetch-Site", from), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", dest)];
            assert_eq!(ask(&export, &headers).await.status(), 403, "{headers:?}");
            let known = matches!(from, "cross-site" | "same-site");
            let opened = known && (mode, dest) == ("navigate", "document");
            assert_eq!(ask(sign_in, &headers).await.status(), if opened { 200 } else { 403 }, "{headers:?}");
        }
        assert_eq!(ask(&export, &[("Sec-Fetch-Site", from)]).await.status(), 403, "{from}");
    }
    let twice = [("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "cross-site")];
    assert_eq!(ask(&export, &twice).await.status(), 403);
    assert_eq!(site.exported_files(), [""; 0]);
    // Opened by a person, by our own page, or by a program.
    for own in [&[("Sec-Fetch-Site", "none")][..], &[("Sec-Fetch-Site", "same-origin")], &[]] {
        assert_eq!(ask("/portal/sharing/rest/info", own).await.status(), 200, "{own:?}");
        assert_eq!(ask(sign_in, own).await.status(), 200, "{own:?}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn keys_sign_ins_and_databases_are_for_this_account_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let site = PracticeSite::start(options(folder.path(), true)).await.unwrap();
    let mode = |path: &str| std::fs::metadata(folder.path().join(path)).unwrap().permissions().mode() & 0o777;
    for file in ["users.json", "certificate/server.key"] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
    for folder in ["portal", "server", "sessions", "certificate"] {
        assert_eq!(mode(folder), 0o700, "{folder}");
    }
    let ready = folder.path().join("ready.json");
    site.ready().write(&ready).unwrap();
    assert_eq!(std::fs::metadata(ready).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn one_data_folder_serves_one_site() {
    let site = rehearsal().await;
    let second = PracticeSite::start(options(&site.data(), true)).await.err().unwrap();
    assert!(second.to_string().contains("another practice site"), "{second}");
}

/// Otherwise its files could not be copied, nor on Windows be removed. Several times, because it is a matter of moments.
#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_site_has_closed_its_databases() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..20 {
        PracticeSite::start(options(folder.path(), true)).await.unwrap().stop().await;
        // The last connection to a database removes its log.
        for log in ["portal/portal.db-wal", "server/server.db-wal", "sessions/sessions.db-wal"] {
            assert!(!folder.path().join(log).exists(), "{log} is still there");
        }
    }
}

#[tokio::test]
async fn a_dropped_site_answers_no_more() {
    let site = rehearsal().await;
    let address = site.address("/portal/sharing/rest");
    let port = url::Url::parse(&address).unwrap().port().unwrap();
    drop(site);
    until("the port to close", async || TcpStream::connect(("127.0.0.1", port)).await.is_err()).await;
}

#[tokio::test]
async fn headers_without_end_are_refused() {
    let site = rehearsal().await;
    let port = url::Url::parse(&site.address("/")).unwrap().port().unwrap();
    let long = format!("X-Long: {}\r\n", "x".repeat(200_000));
    let many = (0..1000).map(|n| format!("X-{n}: y\r\n")).collect::<String>();
    for headers in [long, many] {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let request = format!("GET /portal/sharing/rest HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n");
        // The site may close before all of it is sent.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.is_empty() || answer.contains(" 431 ") || answer.contains(" 400 "),
            "{} {answer}",
            headers.len()
        );
    }
}

#[tokio::test]
async fn a_crowd_of_idle_connections_is_bounded_and_makes_room_again() {
    let site = rehearsal().await;
    let address = site.address("/portal/sharing/rest/info");
    let port = url::Url::parse(&address).unwrap().port().unwrap();
    let mut crowd = Vec::new();
    for _ in 0..400 {
        crowd.push(TcpStream::connect(("127.0.0.1", port)).await.unwrap());
    }
    let is_open = |stream: &TcpStream| {
        stream.try_read(&mut [0]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    };
    until("half of them to be turned away", async || {
        crowd.iter().filter(|stream| !is_open(stream)).count() >= 200
    })
    .await;
    drop(crowd);
    until("room for another", async || Client::new().get(&address).send().await.is_ok()).await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_in_place_of_a_file_of_the_site_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let replaced_by_a_pipe = |name: &str| {
        std::fs::remove_file(data.join(name)).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(data.join(name)).status().unwrap().success());
    };
    PracticeSite::start(options(&data, false)).await.unwrap().stop().await;

    for name in ["certificate/server.pem", "certificate/ca.pem", "certificate/server.key"] {
        replaced_by_a_pipe(name);
        // Made anew, like a certificate that cannot be read.
        PracticeSite::start(options(&data, false)).await.unwrap().stop().await;
        assert!(data.join(name).is_file(), "{name}");
    }
    replaced_by_a_pipe("users.json");
    let refusal = format!("{:#}", PracticeSite::start(options(&data, false)).await.err().unwrap());
    assert!(refusal.contains("users.json: not a regular file"), "{refusal}");
}
