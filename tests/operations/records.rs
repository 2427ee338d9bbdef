use sha2::{Digest, Sha256};
use steward_core::files::dialogs::Title;
use steward_core::files::file_facts;
use steward_core::history::details::{details_of, show};
use steward_core::model::ids::RecordId;
use steward_core::model::problem::Problem;

use crate::export_portal::to;
use crate::export_server::stored_export;
use crate::test_app::TestApp;

#[tokio::test]
async fn a_record_tells_what_was_sent_and_answered_and_no_token() {
    let app = TestApp::new().await;
    let folder = app.folder("backups");
    app.export_portal(to(&folder, false)).await.unwrap();
    let record = app.history().await.remove(0);

    let details = details_of(&app.steward.context.history, RecordId(record.id)).await.unwrap();

    assert_eq!(details.entry.note, record.note);
    assert!(details.requests[0].address.ends_with("/portaladmin/exportSite"), "{:?}", details.requests);
    let field = |name: &str| {
        details.requests[0].form.iter().find(|field| field.name == name).map(|field| field.value.as_str())
    };
    assert_eq!((field("location"), field("token")), (folder.to_str(), Some("***")));
    assert!(details.response.unwrap().contains(".portalsite"));
    assert!(!details.response_truncated);
}

#[tokio::test]
async fn only_a_file_that_was_saved_here_is_shown_in_its_folder() {
    let app = TestApp::new().await;
    let place = stored_export(&app).await;
    let beside = app.folder("exported").join("passwords.txt");
    std::fs::write(&beside, "not ours").unwrap();

    show(&app.steward.dialogs, &app.steward.data_folder, &place.display().to_string()).unwrap();

    let others = [
        beside.display().to_string(),
        app.folder("exported").display().to_string(),
        format!("{}/../passwords.txt", place.display()),
        "/etc/passwd".to_owned(),
        String::new(),
    ];
    for other in others {
        let refused = show(&app.steward.dialogs, &app.steward.data_folder, &other);
        assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{other}: {refused:?}");
    }
    assert_eq!(app.dialogs.shown(), [place]);
}

#[tokio::test]
async fn size_and_checksum_are_told_of_an_export_in_a_chosen_folder_and_of_no_other_file() {
    let app = TestApp::new().await;
    let folder = app.folder("backups");
    app.dialogs.will_choose(&folder);
    app.steward.dialogs.choose_folder(Title::ChooseFolder).await.unwrap();
    app.export_portal(to(&folder, false)).await.unwrap();
    let path = app.history().await.remove(0).note;
    let facts =
        async |path: &str| file_facts(&app.steward.dialogs, &app.steward.data_folder, path.to_owned()).await;

    let file = facts(&path).await.unwrap();

    let bytes = std::fs::read(&path).unwrap();
    assert_eq!((file.path.as_str(), file.size.0), (path.as_str(), bytes.len() as u64));
    let sha256: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(file.sha256, sha256);
    let gone = folder.join("gone.portalsite").display().to_string();
    assert!(matches!(facts(&gone).await, Err(Problem::File { .. })));
    for other in ["/etc/passwd", "", &format!("{}/../elsewhere", folder.display())] {
        assert!(matches!(facts(other).await, Err(Problem::Unexpected { .. })), "{other}");
    }
}

/// On Windows a look at such a path sends the person's credentials to the computer it names. What was looked at says
/// that it is not there; what was not cannot know.
#[tokio::test]
async fn a_path_that_was_not_chosen_is_not_even_looked_at() {
    let app = TestApp::new().await;
    let place = stored_export(&app).await;

    for other in
        ["//nas.example.org/share/report.html", "\\\\nas.example.org\\share\\report.html", "/not/there"]
    {
        let refused = show(&app.steward.dialogs, &app.steward.data_folder, other);
        assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{other}: {refused:?}");
    }

    std::fs::remove_file(&place).unwrap();
    let gone = show(&app.steward.dialogs, &app.steward.data_folder, &place.display().to_string());
    assert!(matches!(gone, Err(Problem::File { .. })), "{gone:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_in_a_chosen_folder_shows_nothing_outside_of_it() {
    let app = TestApp::new().await;
    let folder = app.folder("chosen");
    let outside = app.folder("outside").join("passwords.txt");
    std::fs::write(&outside, "not ours").unwrap();
    std::os::unix::fs::symlink(&outside, folder.join("report.html")).unwrap();
    app.dialogs.will_choose(&folder);
    app.steward.dialogs.choose_folder(Title::ChooseFolder).await.unwrap();

    let refused = show(
        &app.steward.dialogs,
        &app.steward.data_folder,
        &folder.join("report.html").display().to_string(),
    );

    assert!(matches!(refused, Err(Problem::Unexpected { .. })), "{refused:?}");
    assert!(app.dialogs.shown().is_empty());
}
