//! Parts of an upload that come in order, again, too early, half, or before a power cut.

use crate::support::{Rehearsal, rehearsal};
use crate::uploads::{PATH, download, register, send_part};
use futures_util::StreamExt as _;
use futures_util::stream::{iter, pending};
use reqwest::Body;
use reqwest::multipart::{Form, Part};
use serde_json::Value;
use std::path::PathBuf;
use steward_testkit::until;

async fn send_parts(site: &Rehearsal, id: &str, parts: &[(&str, &str)]) {
    for (number, content) in parts {
        let answer = send_part(site, id, number, content.as_bytes()).await;
        assert_eq!(answer["status"], "success", "{number}: {answer}");
    }
}

async fn commit(site: &Rehearsal, id: &str) -> Value {
    site.post_as("administrator", &format!("{PATH}/{id}/commit"), &[]).await
}

/// Commits, and answers what the upload has become.
async fn committed(site: &Rehearsal, id: &str) -> String {
    let answer = commit(site, id).await;
    assert_eq!(answer["status"], "success", "{answer}");
    download(site, id, &[]).await.text().await.unwrap()
}

fn in_order(site: &Rehearsal, id: &str) -> PathBuf {
    site.data().join("server/uploads").join(id).join("parts/in-order")
}

#[tokio::test]
async fn parts_that_come_in_order_are_written_once() {
    let site = rehearsal().await;
    let id = register(&site, "parts.txt").await;
    send_parts(&site, &id, &[("1", "one, "), ("2", "two, "), ("3", "three")]).await;
    let in_order = in_order(&site, &id);
    assert_eq!(std::fs::read_to_string(&in_order).unwrap(), "one, two, three");
    // Kept open, it shows what becomes of the file itself. Windows numbers no files, and keeps a folder while something
    // in it is open.
    #[cfg(unix)]
    let before = std::fs::File::open(&in_order).unwrap();
    assert_eq!(committed(&site, &id).await, "one, two, three");
    let folder = site.data().join("server/uploads").join(&id);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "parts stay");
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let kept = std::fs::metadata(folder.join("parts.txt")).unwrap();
        assert_eq!(kept.ino(), before.metadata().unwrap().ino(), "it was written again");
    }
}

#[tokio::test]
async fn parts_from_before_and_after_a_restart_again_and_too_early_become_one_file() {
    let site = rehearsal().await;
    let id = register(&site, "parts.txt").await;
    send_parts(&site, &id, &[("1", "one, "), ("2", "wrong"), ("5", "too early"), ("2", "two, ")]).await;
    let site = site.restarted().await;
    send_parts(&site, &id, &[("3", "three, "), ("4", "four, "), ("5", "five, "), ("6", "six")]).await;
    assert_eq!(committed(&site, &id).await, "one, two, three, four, five, six");
}

#[tokio::test]
async fn some_of_the_parts_in_order_may_be_committed() {
    let site = rehearsal().await;
    for (parts, expected) in [("1,2", "one, two, "), ("2", "two, "), ("3,1", "threeone, ")] {
        let id = register(&site, "parts.txt").await;
        send_parts(&site, &id, &[("1", "one, "), ("2", "two, "), ("3", "three")]).await;
        let form = [("parts", parts)];
        let answer = site.post_as("administrator", &format!("{PATH}/{id}/commit"), &form).await;
        assert_eq!(answer["status"], "success", "{answer}");
        assert_eq!(download(&site, &id, &[]).await.text().await.unwrap(), expected);
    }
}

#[tokio::test]
async fn a_part_that_a_power_cut_took_is_missed_by_the_commit_and_can_be_sent_again() {
    let site = rehearsal().await;
    let whole = "one, two, three";
    // Zeros where the second was, the end gone, all of it gone.
    let losses: [(&str, Option<&str>); 3] =
        [("2", Some("one, \0\0\0\0\0three")), ("3", Some("one, two, th")), ("1", None)];
    for (missing, left) in losses {
        let id = register(&site, "parts.txt").await;
        send_parts(&site, &id, &[("1", "one, "), ("2", "two, "), ("3", "three")]).await;
        let file = in_order(&site, &id);
        match left {
            Some(left) => std::fs::write(file, left).unwrap(),
            None => std::fs::remove_file(file).unwrap(),
        }
        let answer = commit(&site, &id).await;
        assert_eq!(answer["code"], 400, "{answer}");
        assert!(answer["messages"].to_string().contains(&format!("Part {missing} of")), "{answer}");
        let all = [("1", "one, "), ("2", "two, "), ("3", "three")];
        let again =
            if left.is_some() { &all[missing.parse::<usize>().unwrap() - 1..][..1] } else { &all[..] };
        send_parts(&site, &id, again).await;
        assert_eq!(committed(&site, &id).await, whole);
    }
    // And what said where they end: those behind the last line that can be read have not arrived.
    let id = register(&site, "parts.txt").await;
    send_parts(&site, &id, &[("1", "one, "), ("2", "two, "), ("3", "three")]).await;
    let ends = in_order(&site, &id).with_file_name("ends");
    let lines = std::fs::read_to_string(&ends).unwrap();
    std::fs::write(&ends, &lines[..lines.len() / 2]).unwrap();
    send_parts(&site, &id, &[("2", "two, "), ("3", "three")]).await;
    assert_eq!(committed(&site, &id).await, whole);
}

#[tokio::test]
async fn a_part_whose_first_try_is_stuck_can_be_sent_again_and_nothing_of_that_try_stays() {
    let site = rehearsal().await;
    let id = register(&site, "parts.txt").await;
    send_parts(&site, &id, &[("1", "one, ")]).await;
    // A line that carried some of it and then nothing any more.
    let some = iter([std::io::Result::Ok(vec![b'x'; 100_000])]).chain(pending());
    let stuck = Part::stream(Body::wrap_stream(some)).file_name("part");
    let form = Form::new().text("token", site.token("administrator").await).text("partNumber", "2");
    let address = site.address(&format!("{PATH}/{id}/uploadPart"));
    let stuck = tokio::spawn(site.http.post(address).multipart(form.part("partFile", stuck)).send());
    let arriving = || std::fs::metadata(in_order(&site, &id)).is_ok_and(|file| file.len() > 50_000);
    until("the part", async || arriving()).await;

    send_parts(&site, &id, &[("2", "two, "), ("3", "three, ")]).await;
    stuck.abort();
    send_parts(&site, &id, &[("4", "four")]).await;
    assert_eq!(committed(&site, &id).await, "one, two, three, four");
}

#[tokio::test]
async fn what_came_of_a_part_that_broke_off_goes_when_it_is_sent_again() {
    let site = rehearsal().await;
    let id = register(&site, "parts.txt").await;
    send_parts(&site, &id, &[("1", "one, ")]).await;
    let some = [Ok(vec![b'x'; 100_000]), Err(std::io::Error::other("broken"))];
    let broken = Part::stream(Body::wrap_stream(iter(some))).file_name("part");
    let form = Form::new().text("token", site.token("administrator").await).text("partNumber", "2");
    let address = site.address(&format!("{PATH}/{id}/uploadPart"));
    assert!(site.http.post(address).multipart(form.part("partFile", broken)).send().await.is_err());
    send_parts(&site, &id, &[("2", "two")]).await;
    assert_eq!(committed(&site, &id).await, "one, two");
}
