//! No request that changes a site is ever sent twice: not by us, not by the library.

use std::time::Duration;

use steward_client::uploads::{self, Outgoing};
use steward_client::{ClientError, Stage, Trust};

use crate::support::{DONE, Reply, Site, accepting, area, get, post, self_signed};

fn answer(status: &'static str) -> Reply {
    Reply::Answer(status, "content-type: text/html\r\n".to_owned(), "<html>no</html>".to_owned())
}

/// Long enough for a second request to arrive, if there were one.
async fn a_moment() {
    tokio::time::sleep(Duration::from_millis(150)).await;
}

#[tokio::test]
async fn a_post_whose_answer_is_an_error_page_is_sent_once() {
    for status in [
        "500 Oops",
        "502 Bad Gateway",
        "503 Service Unavailable",
        "504 Gateway Timeout",
        "408 Timeout",
        "403 Forbidden",
    ] {
        let site = Site::plain(move |_| answer(status)).await;
        let error = post(&area(&Trust::default(), &site.root())).await.unwrap_err();
        a_moment().await;
        assert!(matches!(error, ClientError::Unreadable { .. }), "{error:?}");
        assert!(error.may_have_taken_effect(), "{status}");
        assert_eq!(site.requests().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_post_that_is_reset_before_it_is_read_is_sent_once() {
    let site = Site::resetting_at_once().await;
    let error = post(&area(&Trust::default(), &site.root())).await.unwrap_err();
    a_moment().await;
    assert!(matches!(error, ClientError::Unreachable { .. }), "{error:?}");
    assert_eq!(site.connections(), 1);
}

#[tokio::test]
async fn a_post_that_is_reset_or_dropped_after_it_was_read_is_sent_once() {
    for reply in [Reply::Reset, Reply::Close] {
        let site = Site::plain(move |_| reply.clone()).await;
        let error = post(&area(&Trust::default(), &site.root())).await.unwrap_err();
        a_moment().await;
        assert!(matches!(error, ClientError::Unreachable { stage: Stage::Wait, .. }), "{error:?}");
        assert!(error.may_have_taken_effect());
        assert_eq!((site.connections(), site.requests().len()), (1, 1));
    }
}

#[tokio::test]
async fn a_post_reset_within_encryption_is_sent_once() {
    let certified = self_signed(&["127.0.0.1"], |_| ());
    let site = Site::tls(certified.server(), |_| Reply::Reset).await;

    let error = post(&area(&accepting(&certified, &site.root()), &site.root())).await.unwrap_err();

    a_moment().await;
    assert!(error.may_have_taken_effect(), "{error:?}");
    assert_eq!((site.connections(), site.requests().len()), (1, 1));
}

#[tokio::test]
async fn a_post_that_is_given_up_is_sent_once() {
    let site = Site::plain(|_| Reply::Silence).await;
    let area = area(&Trust::default(), &site.root());

    assert!(tokio::time::timeout(Duration::from_millis(300), post(&area)).await.is_err());

    a_moment().await;
    assert_eq!((site.connections(), site.requests().len()), (1, 1));
}

#[tokio::test]
async fn a_connection_that_a_post_was_sent_on_is_not_used_again() {
    let site = Site::plain(|_| Reply::json(DONE)).await;
    let area = area(&Trust::default(), &site.root());

    for _ in 0..5 {
        post(&area).await.unwrap();
    }

    assert_eq!((site.connections(), site.requests().len()), (5, 5));
}

#[tokio::test]
async fn the_parts_of_a_file_share_a_connection_and_what_follows_them_has_its_own() {
    let site = Site::plain(|_| Reply::json(DONE)).await;
    let area = area(&Trust::default(), &site.root());

    for number in 1..=5 {
        let part = Outgoing::of(vec![b'x'; 1 << 16]);
        uploads::upload_part(&area, "i1", number, part, Duration::from_secs(20)).await.unwrap();
    }
    assert_eq!((site.connections(), site.requests().len()), (1, 5));

    uploads::commit(&area, "i1", 5).await.unwrap();
    assert_eq!((site.connections(), site.requests().len()), (2, 6));
}

#[tokio::test]
async fn each_post_has_a_connection_of_its_own_and_so_never_meets_one_that_is_being_closed() {
    let site = Site::plain(|_| Reply::AnswerThenClose("200 OK", String::new(), DONE.to_owned())).await;
    let area = area(&Trust::default(), &site.root());

    for round in 1..=20 {
        // A reading leaves a connection behind, which the site closes just as the next request begins.
        get(&area).await.unwrap();
        let before = site.connections();
        tokio::time::sleep(Duration::from_millis(15 + round % 10)).await;
        post(&area).await.unwrap();
        assert_eq!(site.connections(), before + 1, "round {round}");
        tokio::time::sleep(Duration::from_millis(40)).await;
    }

    let posts = site.requests().iter().filter(|request| request.starts_with("POST")).count();
    assert_eq!(posts, 20);
}
