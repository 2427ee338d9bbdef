//! The destinations of a portal in a backup plan: those of its export, with the key of a storage account in the keyring only.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use steward_app::steward::Steward;
use steward_core::files::dialogs::Title;
use steward_core::model::problem::{FieldError, Problem};
use steward_plans::form::PlanForm;
use steward_plans::plan::{BackupPlan, PlanPart, PortalStore};
use steward_plans::set::{PartFault, PartState, Verdict};
use steward_testkit::Fault;
use steward_vault::SecretStore as _;

use crate::backup_plans::{plan_of, run_of};
use crate::history::listened_to;
use crate::meanwhile::Lockable;
use crate::test_app::TestApp;

const KEY: &str = "canary0a2V5";

fn blob(container: &str) -> PortalStore {
    PortalStore::Blob {
        container: container.to_owned(),
        account_name: "account".to_owned(),
        account_endpoint: "blob.example.net".to_owned(),
    }
}

fn bucket(region: &str) -> PortalStore {
    PortalStore::Bucket { bucket: "backups".to_owned(), region: region.to_owned() }
}

/// A form of a paused plan with the portal alone.
async fn form(app: &TestApp, store: PortalStore) -> PlanForm {
    let part = PlanPart::Portal { location: "/exports".to_owned(), seen_at: None, store: Some(store) };
    let plan = BackupPlan { parts: vec![part], ..plan_of(app) };
    app.dialogs.will_choose(&plan.folder);
    app.steward.dialogs.choose_folder(Title::ChooseFolder).await.unwrap();
    PlanForm { id: None, is_enabled: false, ..PlanForm::of(&plan) }
}

async fn save(app: &TestApp, form: &PlanForm) -> Result<BackupPlan, Problem> {
    let Steward { plans, context, preferences, dialogs, alerts, .. } = &app.steward;
    plans.save(context, &preferences.policy, &alerts.settings(), dialogs, form).await
}

async fn key_of(app: &TestApp, plan: &BackupPlan) -> Option<String> {
    let stored = app.vault.get(&format!("plans/{}", plan.id.0)).await.unwrap();
    stored.map(|key| key.expose().clone())
}

/// The portal takes every export, and says where it wrote it.
fn written(location: &str) -> Fault {
    let body = format!(r#"{{"status":"success","location":"{location}"}}"#);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    Fault::Instead(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes())
}

/// Files below a folder that contain a text.
fn containing(folder: &Path, text: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(containing(&entry.path(), text));
        } else if std::fs::read(entry.path())
            .is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
        {
            found.push(entry.path());
        }
    }
    found
}

#[tokio::test]
async fn a_container_gets_the_key_from_the_keyring_and_no_file_has_it() {
    let app = TestApp::new().await;
    let with_key = PlanForm { account_key: Some(format!(" {KEY} ")), ..form(&app, blob("backups")).await };
    let plan = save(&app, &with_key).await.unwrap();
    assert_eq!(key_of(&app, &plan).await.as_deref(), Some(KEY));
    let way = app.with_fault("/exportSite", written("/exports/pointer.portalsite")).await;
    let (address, wire) = listened_to(&way.address()).await;
    app.go_through(&address);

    let stored = run_of(&app, &plan).await.unwrap();

    assert_eq!(stored.set.parts[0].state, PartState::OnSite { size: None });
    assert_eq!(
        stored.set.verdict(),
        Verdict::AsExpected,
        "it cannot be checked from here, and is not expected to"
    );
    let sent =
        wire.lock().unwrap().iter().map(|one| String::from_utf8_lossy(one).into_owned()).collect::<String>();
    assert!(sent.contains("backupObjectStore=backups") && sent.contains(KEY), "{sent}");
    let files = containing(app.steward.data_folder.parent().unwrap(), KEY);
    assert!(files.is_empty(), "{files:?}");
}

#[tokio::test]
async fn a_bucket_is_sent_as_the_form_sends_it() {
    let app = TestApp::new().await;
    let plan = save(&app, &form(&app, bucket(" eu-1 ")).await).await.unwrap();
    let way = app.with_fault("/exportSite", written("/exports/pointer.portalsite")).await;
    let (address, wire) = listened_to(&way.address()).await;
    app.go_through(&address);

    let stored = run_of(&app, &plan).await.unwrap();

    assert_eq!(stored.set.parts[0].state, PartState::OnSite { size: None });
    let sent =
        wire.lock().unwrap().iter().map(|one| String::from_utf8_lossy(one).into_owned()).collect::<String>();
    assert!(sent.contains("backupObjectStore=backups&backupObjectStoreRegion=eu-1"), "{sent}");
}

#[tokio::test]
async fn an_enabled_plan_needs_each_field_of_its_storage_and_a_key_for_its_account() {
    let app = TestApp::new().await;
    app.save_password().await;
    let enabled =
        async |store| PlanForm { is_enabled: true, schedule: every_night(), ..form(&app, store).await };
    let refused = async |form: &PlanForm| match save(&app, form).await {
        Err(Problem::Form { field, fault: FieldError::Required }) => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&enabled(bucket(" ")).await).await, "parts.0.region");
    assert_eq!(refused(&enabled(blob("")).await).await, "parts.0.container");
    assert_eq!(refused(&enabled(blob("backups")).await).await, "accountKey");

    let with_key = PlanForm { account_key: Some(KEY.to_owned()), ..enabled(blob("backups")).await };
    let plan = save(&app, &with_key).await.unwrap();
    let renamed = PlanForm { name: "Weekly".to_owned(), ..PlanForm::of(&plan) };
    save(&app, &renamed).await.expect("the stored key stays");
    let of_another = PlanForm { parts: form(&app, blob("elsewhere")).await.parts, ..PlanForm::of(&plan) };
    assert_eq!(refused(&of_another).await, "accountKey", "a key is for the account that it was entered for");

    let to_bucket = PlanForm { parts: form(&app, bucket("eu-1")).await.parts, ..PlanForm::of(&plan) };
    save(&app, &to_bucket).await.unwrap();
    assert_eq!(key_of(&app, &plan).await, None, "no part needs it any more");
}

#[tokio::test]
async fn a_key_goes_with_its_plan_and_a_run_without_it_sends_nothing() {
    let app = TestApp::new().await;
    let with_key = PlanForm { account_key: Some(KEY.to_owned()), ..form(&app, blob("backups")).await };
    let plan = save(&app, &with_key).await.unwrap();
    app.steward.plans.delete(&app.steward.context, &plan.id).await.unwrap();
    assert_eq!(key_of(&app, &plan).await, None);

    let way = app.with_fault("/exportSite", Fault::Silence).await;
    let stored = run_of(&app, &plan).await.unwrap();

    let state = &stored.set.parts[0].state;
    assert!(
        matches!(state, PartState::Failed { fault: PartFault::Other, note } if note.contains("storage account")),
        "{state:?}"
    );
    assert_eq!(way.met(), 0);
}

#[tokio::test]
async fn a_plan_that_cannot_be_written_keeps_the_key_that_it_had() {
    let app = TestApp::new().await;
    let with_key = PlanForm { account_key: Some(KEY.to_owned()), ..form(&app, blob("backups")).await };
    let plan = save(&app, &with_key).await.unwrap();
    let file = app.steward.data_folder.join("plans.json");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();

    let another_key = PlanForm { account_key: Some("another".to_owned()), ..PlanForm::of(&plan) };
    let to_bucket = PlanForm { parts: form(&app, bucket("eu-1")).await.parts, ..PlanForm::of(&plan) };
    for form in [another_key, to_bucket] {
        assert!(matches!(save(&app, &form).await, Err(Problem::File { .. })));
        assert_eq!(key_of(&app, &plan).await.as_deref(), Some(KEY));
    }
    // Of a paused plan, the key can be entered later.
    let without_key = PlanForm { name: "Later".to_owned(), account_key: None, ..with_key };
    std::fs::remove_dir(&file).unwrap();
    let plan = save(&app, &without_key).await.unwrap();
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let with_key = PlanForm { account_key: Some(KEY.to_owned()), ..PlanForm::of(&plan) };
    assert!(matches!(save(&app, &with_key).await, Err(Problem::File { .. })));
    assert_eq!(key_of(&app, &plan).await, None);
}

#[tokio::test]
async fn the_plans_of_a_removed_site_go_although_the_keyring_is_locked() {
    let app = TestApp::new().await;
    let with_key = PlanForm { account_key: Some(KEY.to_owned()), ..form(&app, blob("backups")).await };
    let plan = save(&app, &with_key).await.unwrap();
    let vault = Arc::new(Lockable { inner: app.vault.clone(), locked: AtomicBool::new(true) });
    let app = app.restarted_with(vault);
    let Steward { plans, context, .. } = &app.steward;

    let deleted = plans.delete(context, &plan.id).await;
    assert!(matches!(deleted, Err(Problem::Keyring { .. })), "{deleted:?}");
    assert_eq!(plans.all().len(), 1, "the deletion of a plan can be repeated");

    let forgotten = plans.forget_site(context, &app.site).await;
    assert!(matches!(forgotten, Err(Problem::Keyring { .. })), "{forgotten:?}");
    assert_eq!(plans.all(), []);
}

fn every_night() -> steward_plans::schedule::Schedule {
    use steward_plans::schedule::{Day, Schedule, TimeOfDay};
    Schedule { days: Day::ALL.to_vec(), times: vec![TimeOfDay { hour: 2, minute: 30 }], skip_missed: false }
}
