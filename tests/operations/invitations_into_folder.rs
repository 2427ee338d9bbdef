//! Several invitations refreshed into one folder.

use std::path::Path;

use steward_core::batch::result::{BatchItemResult, BatchResult};
use steward_core::listings::invitations;
use steward_core::model::problem::Problem;
use steward_core::model::run_result::RunResult;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::refresh_invitation::into_folder::perform;
use steward_core::operations::refresh_invitation::{
    self, RefreshInvitationForm, RefreshReport, save_kept, waiting,
};
use steward_journal::Outcome;
use steward_testkit::{Fault, FaultProxy, until};

use crate::import_server::answer;
use crate::test_app::{TestApp, files_in};

/// Those of collaborations that this portal hosts.
pub(crate) async fn forms(app: &TestApp) -> Vec<RefreshInvitationForm> {
    let mut all = invitations(&app.steward.context.access, &app.site).await.unwrap();
    all.retain(|one| one.collaboration_name != "County Base Map");
    assert_eq!(all.len(), 3);
    let form = |collaboration_id, invitation_id| RefreshInvitationForm { collaboration_id, invitation_id };
    all.into_iter().map(|one| form(one.collaboration_id, one.invitation_id)).collect()
}

pub(crate) async fn refresh(
    app: &TestApp,
    folder: &Path,
    forms: Vec<RefreshInvitationForm>,
) -> BatchResult<RefreshReport> {
    app.dialogs.will_choose(folder);
    match perform(&app.steward.context, &app.steward.invitation_files, &app.site, app.run(), forms)
        .await
        .unwrap()
    {
        RunResult::Done { report, .. } => report,
        other => panic!("{other:?}"),
    }
}

fn saved(part: &BatchItemResult<RefreshReport>) -> &str {
    match part {
        BatchItemResult::Done {
            report: RefreshReport { saving: SaveResult::Saved { file }, .. }, ..
        } => &file.path,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn several_invitations_lie_in_one_folder_private_and_whole() {
    let app = TestApp::new().await;
    let forms = forms(&app).await;
    let folder = app.folder("invitations");

    let several = refresh(&app, &folder, forms.clone()).await;

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
    assert!(waiting(&app.steward.invitation_files.unsaved, &app.site).is_empty());
    assert_eq!(app.history().await.len(), 3);
    let now = invitations(&app.steward.context.access, &app.site).await.unwrap();
    let refreshed = now.iter().filter(|one| one.expires_in.unwrap().0 > 71 * 60 * 60 * 1000);
    assert_eq!(refreshed.count(), 3);
}

#[tokio::test]
async fn several_end_as_one_ended_run() {
    let rejected = r#"{"error":{"code":400,"message":"No.","details":[]}}"#;
    for (rejects, outcome) in [(0, Outcome::Succeeded), (1, Outcome::Warnings), (3, Outcome::Failed)] {
        let app = TestApp::new().await;
        let forms = forms(&app).await;
        let way = FaultProxy::to(app.practice_address(), "/refresh", answer(rejected)).await.unwrap();
        let way = way.sparing(3 - rejects);
        app.go_through(&way.address());

        refresh(&app, &app.folder("invitations"), forms).await;

        let ended = app.steward.context.runs.ended();
        assert_eq!(ended.iter().map(|run| run.outcome).collect::<Vec<_>>(), [outcome]);
        assert_eq!(ended[0].record, None, "each has its own");
    }
}

#[tokio::test]
async fn a_refreshed_invitation_that_is_not_saved_succeeded_in_the_panel_as_in_the_history() {
    let app = TestApp::new().await;
    let form = forms(&app).await.remove(0);

    let (context, files) = (&app.steward.context, &app.steward.invitation_files);
    refresh_invitation::perform(context, files, &app.site, app.run(), form).await.unwrap();

    assert_eq!(context.runs.ended()[0].outcome, Outcome::Succeeded);
    assert_eq!(app.history().await[0].outcome, Outcome::Succeeded, "the invitation was refreshed");
}

#[tokio::test]
async fn names_from_a_server_neither_leave_the_folder_nor_take_the_place_of_a_file() {
    let app = TestApp::new().await;
    let forms = forms(&app).await;
    let folder = app.folder("invitations");
    std::fs::write(folder.join("evil.exe.invite"), "theirs").unwrap();
    let answer = b"HTTP/1.1 200 OK\r\ncontent-disposition: attachment; filename=../../evil.exe\r\n\
                   content-length: 25\r\n\r\n{\"invitationRequest\": {}}"
        .to_vec();
    let way = app.with_fault("/refresh", Fault::Instead(answer)).await;

    let several = refresh(&app, &folder, forms).await;

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
    let app = TestApp::new().await;
    let forms = forms(&app).await;
    let way = app.with_fault("/refresh", Fault::Reset).await;
    let absent = app.folder("desk").join("absent");
    app.dialogs.will_choose(&absent);

    let problem =
        perform(&app.steward.context, &app.steward.invitation_files, &app.site, app.run(), forms.clone())
            .await
            .err()
            .unwrap();

    assert!(matches!(&problem, Problem::File { path, .. } if path.ends_with("absent")), "{problem:?}");
    let closed = perform(&app.steward.context, &app.steward.invitation_files, &app.site, app.run(), forms)
        .await
        .unwrap();
    assert!(matches!(closed, RunResult::Dismissed), "{closed:?}");
    assert_eq!(way.met(), 0);
    assert!(app.history().await.is_empty());
}

#[tokio::test]
async fn a_folder_that_goes_away_in_the_middle_loses_nothing_and_leaves_the_rest_alone() {
    let app = TestApp::new().await;
    let forms = forms(&app).await;
    let folder = app.folder("invitations");
    app.order("refresh_invitation", "delay", &[("seconds", "1")]).await;

    let goes_away = async {
        until("the record", async || !app.history().await.is_empty()).await;
        std::fs::remove_dir(&folder).unwrap();
    };
    let (several, ()) = tokio::join!(refresh(&app, &folder, forms), goes_away);

    let [BatchItemResult::Done { report, .. }, BatchItemResult::NotSent, BatchItemResult::NotSent] =
        &several.parts[..]
    else {
        panic!("{several:?}");
    };
    assert!(matches!(report.saving, SaveResult::Failed { problem: Problem::File { .. } }), "{report:?}");
    let kept = waiting(&app.steward.invitation_files.unsaved, &app.site);
    assert_eq!(kept.len(), 1, "what was refreshed is in hand");
    let (ended, recorded) = (app.steward.context.runs.ended().remove(0), app.history().await.remove(0));
    assert_eq!((ended.outcome, recorded.outcome), (Outcome::Warnings, Outcome::Warnings));
    app.dialogs.will_choose(&app.folder("desk").join("a.invite"));
    assert!(matches!(
        save_kept(&app.steward.invitation_files, &report.kept).await,
        Ok(SaveResult::Saved { .. })
    ));
}

#[tokio::test]
async fn a_lost_answer_in_the_middle_ends_the_run() {
    let app = TestApp::new().await;
    let forms = forms(&app).await;
    let folder = app.folder("invitations");
    let second = format!("{}/refresh", forms[1].invitation_id);
    let way = app.with_fault(&second, Fault::AnswerLost).await;

    let several = refresh(&app, &folder, forms).await;

    assert!(
        matches!(
            several.parts[..],
            [BatchItemResult::Done { .. }, BatchItemResult::Unknown { .. }, BatchItemResult::NotSent]
        ),
        "{several:?}"
    );
    assert_eq!(way.met(), 1);
    assert_eq!(files_in(&folder).len(), 1);
}

#[tokio::test]
async fn a_refused_invitation_does_not_keep_the_others_from_being_refreshed() {
    let app = TestApp::new().await;
    let mut forms = forms(&app).await;
    forms[0].invitation_id = "nobody".to_owned();
    let folder = app.folder("invitations");

    let several = refresh(&app, &folder, forms).await;

    assert!(
        matches!(
            several.parts[..],
            [BatchItemResult::Rejected { .. }, BatchItemResult::Done { .. }, BatchItemResult::Done { .. }]
        ),
        "{several:?}"
    );
    assert_eq!(files_in(&folder).len(), 2);
}

#[tokio::test]
async fn a_file_of_an_invitation_that_cannot_be_written_is_a_warning_in_panel_and_history() {
    let app = TestApp::new().await;
    let [one, last, ..] = &forms(&app).await[..] else { panic!("two invitations") };
    app.dialogs.will_choose(&app.folder("desk").join("absent").join("a.invite"));
    let (context, files) = (&app.steward.context, &app.steward.invitation_files);
    refresh_invitation::perform(context, files, &app.site, app.run(), one.clone()).await.unwrap();
    let outcomes = async || (context.runs.ended()[0].outcome, app.history().await[0].outcome);
    assert_eq!(outcomes().await, (Outcome::Warnings, Outcome::Warnings));
    assert!(app.history().await[0].note.contains("absent"), "{:?}", app.history().await[0].note);

    // The last of several, so that none is left unsent.
    let folder = app.folder("invitations");
    app.order("refresh_invitation", "delay", &[("seconds", "1")]).await;
    let goes_away = async {
        until("the record", async || app.history().await.len() == 2).await;
        std::fs::remove_dir(&folder).unwrap();
    };
    let (several, ()) = tokio::join!(refresh(&app, &folder, vec![last.clone()]), goes_away);
    assert!(matches!(several.parts[..], [BatchItemResult::Done { .. }]), "{several:?}");
    assert_eq!(outcomes().await, (Outcome::Warnings, Outcome::Warnings));
}
