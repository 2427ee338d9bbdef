//! Several invitations refreshed into one folder.

use std::path::Path;

use steward_core::batch::result::{Part, Several};
use steward_core::listings::invitations;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::Ended;
use steward_core::model::saved_file::Saving;
use steward_core::operations::refresh_invitation::into_folder::perform;
use steward_core::operations::refresh_invitation::{
    RefreshInvitationForm, RefreshReport, save_kept, waiting,
};
use steward_testkit::Fault;

use crate::desk::{Desk, files_in};
use crate::stop::soon;

/// Those of collaborations that this portal hosts.
async fn forms(desk: &Desk) -> Vec<RefreshInvitationForm> {
    let mut all = invitations(&desk.host, &desk.site).await.unwrap();
    all.retain(|one| one.collaboration_name != "County Base Map");
    assert_eq!(all.len(), 3);
    let form = |collaboration_id, invitation_id| RefreshInvitationForm { collaboration_id, invitation_id };
    all.into_iter().map(|one| form(one.collaboration_id, one.invitation_id)).collect()
}

async fn refresh(desk: &Desk, folder: &Path, forms: Vec<RefreshInvitationForm>) -> Several<RefreshReport> {
    desk.dialogs.will_choose(folder);
    match perform(&desk.host, &desk.site, desk.run(), forms).await.unwrap() {
        Ended::Done { report, .. } => report,
        other => panic!("{other:?}"),
    }
}

fn saved(part: &Part<RefreshReport>) -> &str {
    match part {
        Part::Done { report: RefreshReport { saving: Saving::Saved { file }, .. }, .. } => &file.path,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn several_invitations_lie_in_one_folder_private_and_whole() {
    let desk = Desk::new().await;
    let forms = forms(&desk).await;
    let folder = desk.folder("invitations");

    let several = refresh(&desk, &folder, forms.clone()).await;

    for (part, form) in several.parts.iter().zip(&forms) {
        let path = Path::new(saved(part));
        assert_eq!(path.parent(), Some(folder.as_path()));
        let invitation: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert_eq!(invitation["invitationRequest"]["id"], form.invitation_id);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
    assert_eq!(files_in(&folder).len(), 3, "nothing else is left");
    assert!(waiting(&desk.host, &desk.site).is_empty());
    assert_eq!(desk.history().await.len(), 3);
    let now = invitations(&desk.host, &desk.site).await.unwrap();
    let refreshed = now.iter().filter(|one| one.expires_in.unwrap().0 > 71 * 60 * 60 * 1000);
    assert_eq!(refreshed.count(), 3);
}

#[tokio::test]
async fn names_from_a_server_neither_leave_the_folder_nor_take_the_place_of_a_file() {
    let desk = Desk::new().await;
    let forms = forms(&desk).await;
    let folder = desk.folder("invitations");
    std::fs::write(folder.join("evil.exe.invite"), "theirs").unwrap();
    let answer = b"HTTP/1.1 200 OK\r\ncontent-disposition: attachment; filename=../../evil.exe\r\n\
                   content-length: 25\r\n\r\n{\"invitationRequest\": {}}"
        .to_vec();
    let way = desk.with_fault("/refresh", Fault::Instead(answer)).await;

    let several = refresh(&desk, &folder, forms).await;

    assert_eq!(way.met(), 3, "one request each");
    let mut names = files_in(&folder);
    names.sort();
    assert_eq!(
        names,
        ["evil.exe (2).invite", "evil.exe (3).invite", "evil.exe (4).invite", "evil.exe.invite"]
    );
    assert_eq!(std::fs::read(folder.join("evil.exe.invite")).unwrap(), b"theirs");
    assert!(saved(&several.parts[0]).ends_with("evil.exe (2).invite"));
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_said_before_anything_is_sent() {
    let desk = Desk::new().await;
    let forms = forms(&desk).await;
    let way = desk.with_fault("/refresh", Fault::Reset).await;
    let absent = desk.folder("desk").join("absent");
    desk.dialogs.will_choose(&absent);

    let problem = perform(&desk.host, &desk.site, desk.run(), forms.clone()).await.err().unwrap();

    assert!(matches!(&problem, Problem::File { path, .. } if path.ends_with("absent")), "{problem:?}");
    let closed = perform(&desk.host, &desk.site, desk.run(), forms).await.unwrap();
    assert!(matches!(closed, Ended::Dismissed), "{closed:?}");
    assert_eq!(way.met(), 0);
    assert!(desk.history().await.is_empty());
}

#[tokio::test]
async fn a_folder_that_goes_away_in_the_middle_loses_nothing_and_leaves_the_rest_alone() {
    let desk = Desk::new().await;
    let forms = forms(&desk).await;
    let folder = desk.folder("invitations");
    desk.order("refresh_invitation", "delay", &[("seconds", "1")]).await;

    let goes_away = async {
        soon(|| async { !desk.history().await.is_empty() }).await;
        std::fs::remove_dir(&folder).unwrap();
    };
    let (several, ()) = tokio::join!(refresh(&desk, &folder, forms), goes_away);

    let [Part::Done { report, .. }, Part::NotSent, Part::NotSent] = &several.parts[..] else {
        panic!("{several:?}");
    };
    assert!(matches!(report.saving, Saving::Failed { problem: Problem::File { .. } }), "{report:?}");
    let kept = waiting(&desk.host, &desk.site);
    assert_eq!(kept.len(), 1, "what was refreshed is in hand");
    desk.dialogs.will_choose(&desk.folder("desk").join("a.invite"));
    assert!(matches!(save_kept(&desk.host, &report.kept).await, Ok(Saving::Saved { .. })));
}

#[tokio::test]
async fn a_lost_answer_in_the_middle_ends_the_run() {
    let desk = Desk::new().await;
    let forms = forms(&desk).await;
    let folder = desk.folder("invitations");
    let second = format!("{}/refresh", forms[1].invitation_id);
    let way = desk.with_fault(&second, Fault::AnswerLost).await;

    let several = refresh(&desk, &folder, forms).await;

    assert!(
        matches!(several.parts[..], [Part::Done { .. }, Part::Unknown { .. }, Part::NotSent]),
        "{several:?}"
    );
    assert_eq!(way.met(), 1);
    assert_eq!(files_in(&folder).len(), 1);
}

#[tokio::test]
async fn a_refused_invitation_does_not_keep_the_others_from_being_refreshed() {
    let desk = Desk::new().await;
    let mut forms = forms(&desk).await;
    forms[0].invitation_id = "nobody".to_owned();
    let folder = desk.folder("invitations");

    let several = refresh(&desk, &folder, forms).await;

    assert!(
        matches!(several.parts[..], [Part::Refused { .. }, Part::Done { .. }, Part::Done { .. }]),
        "{several:?}"
    );
    assert_eq!(files_in(&folder).len(), 2);
}
