//! Neither mark of a site, read-only or production, is lost without a reason that is in the history.

use steward_core::actions::sites::{remove, save};
use steward_core::actions::unlock::unlock;
use steward_core::model::deployment::Environment;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::sites::{Site, SiteForm};
use steward_journal::{Outcome, StoredRecord};

use crate::held_keyring::{HeldKeyring, Question};
use crate::test_app::TestApp;

const CITY: &str = "https://gis.example.org/portal";
const ELSEWHERE: &str = "https://other.example.org/portal";

async fn add(app: &TestApp, form: SiteForm) -> Result<SiteForm, Problem> {
    let saved = save(&app.steward.context, &form).await?;
    Ok(SiteForm { id: Some(saved.id), ..form })
}

fn read_only(name: &str, portal: &str) -> SiteForm {
    SiteForm { read_only: true, ..SiteForm::of(name, portal, "") }
}

fn production(name: &str, portal: &str) -> SiteForm {
    SiteForm { environment: Environment::Production, ..SiteForm::of(name, portal, "") }
}

fn id(form: &SiteForm) -> SiteId {
    form.id.clone().unwrap()
}

fn fault(field: &str, fault: FieldError) -> Option<Problem> {
    Some(Problem::Form { field: field.to_owned(), fault })
}

fn is_there(app: &TestApp, form: &SiteForm) -> Option<Site> {
    app.sites().get(&id(form)).ok()
}

#[tokio::test]
async fn a_read_only_site_is_removed_or_moved_only_while_it_is_unlocked() {
    let app = TestApp::signed_out().await;
    let site = add(&app, read_only("City", CITY)).await.unwrap();
    let locked = Some(Problem::ReadOnly { site: id(&site), site_name: "City".to_owned() });
    let moved = SiteForm { portal: ELSEWHERE.to_owned(), ..site.clone() };

    assert_eq!(remove(&app.steward.context, &id(&site), "It is in the way").await.err(), locked);
    assert_eq!(
        save(&app.steward.context, &moved).await.err(),
        locked,
        "its address would be free for one without the mark"
    );
    assert!(is_there(&app, &site).is_some());

    unlock(&app.steward.context, &id(&site), "The deployment is gone").await.unwrap();
    save(&app.steward.context, &moved).await.unwrap();
    remove(&app.steward.context, &id(&site), "").await.unwrap();
    assert!(is_there(&app, &site).is_none());
}

#[tokio::test]
async fn a_second_site_at_the_address_of_a_read_only_site_is_read_only_too() {
    let app = TestApp::signed_out().await;
    let first = add(&app, read_only("City", CITY)).await.unwrap();

    for same in [
        CITY,
        "https://gis.example.org/portal/",
        "https://GIS.example.org/Portal",
        "https://gis.example.org./portal",
        "https://gis.example.org//p%6Frtal",
    ] {
        let refused = add(&app, SiteForm::of("Second", same, "")).await.err();
        assert_eq!(refused, fault("readOnly", FieldError::ReadOnlyElsewhere), "{same}");
    }
    let elsewhere = add(&app, SiteForm::of("Second", ELSEWHERE, "")).await.unwrap();
    let moved = SiteForm { portal: CITY.to_owned(), ..elsewhere };
    assert_eq!(
        save(&app.steward.context, &moved).await.err(),
        fault("readOnly", FieldError::ReadOnlyElsewhere)
    );

    let mut second = add(&app, read_only("Third", CITY)).await.unwrap();
    // Both are let go of together, or neither ever could be.
    unlock(&app.steward.context, &id(&first), "A test deployment from now on").await.unwrap();
    unlock(&app.steward.context, &id(&second), "A test deployment from now on").await.unwrap();
    second.read_only = false;
    assert!(save(&app.steward.context, &second).await.is_ok());
}

#[tokio::test]
async fn a_production_site_is_one_no_longer_only_with_a_reason_that_is_recorded() {
    let app = TestApp::signed_out().await;
    let site = add(&app, production("City", CITY)).await.unwrap();
    let with = |reason: &str| SiteForm { reason: reason.to_owned(), ..site.clone() };
    let test = |reason: &str| SiteForm { environment: Environment::Test, ..with(reason) };
    let moved = |reason: &str| SiteForm { portal: ELSEWHERE.to_owned(), ..with(reason) };
    let no_reason = fault("reason", FieldError::TooShort);

    for reason in ["", " . ", "ab"] {
        assert_eq!(save(&app.steward.context, &test(reason)).await.err(), no_reason, "{reason:?}");
        assert_eq!(save(&app.steward.context, &moved(reason)).await.err(), no_reason, "{reason:?}");
        assert_eq!(remove(&app.steward.context, &id(&site), reason).await.err(), no_reason, "{reason:?}");
    }
    let second = add(&app, SiteForm::of("Second", CITY, "")).await.err();
    assert_eq!(second, fault("environment", FieldError::ProductionElsewhere));
    assert!(
        save(&app.steward.context, &SiteForm { name: "Town".to_owned(), ..with("") }).await.is_ok(),
        "no mark is lost"
    );

    save(&app.steward.context, &test("Moved to the new cluster")).await.unwrap();
    let record = app.acts().await.remove(0);
    assert_eq!((&*record.intent.operation, &*record.note), ("change_site", "Moved to the new cluster"));
    let kind = ("siteEnvironment".to_owned(), "production \u{2192} test".to_owned());
    assert!(record.intent.parameters.contains(&kind), "{record:?}");

    remove(&app.steward.context, &id(&site), "").await.unwrap();
    assert!(is_there(&app, &site).is_none(), "a test site goes without a question");
}

#[tokio::test]
async fn a_production_site_is_removed_with_a_reason_that_is_recorded() {
    let app = TestApp::signed_out().await;
    let site = add(&app, production("City", CITY)).await.unwrap();

    let rejected = remove(&app.steward.context, &id(&site), "").await;
    assert_eq!(rejected.err(), Some(Problem::form("reason", FieldError::TooShort)));
    assert!(app.sites().get(&id(&site)).is_ok());
    remove(&app.steward.context, &id(&site), " Switched off ").await.unwrap();

    let record = app.acts().await.remove(0);
    assert_eq!((&*record.intent.operation, &*record.note), ("remove_site", "Switched off"));
    assert_eq!((record.outcome, &*record.intent.site_name), (Outcome::Succeeded, "City"));
}

#[tokio::test]
async fn a_mark_is_set_on_the_sites_that_were_at_its_address_before_and_recorded() {
    let app = TestApp::signed_out().await;
    let copy = add(&app, SiteForm::of("Copy", CITY, "")).await.unwrap();
    let other = add(&app, SiteForm::of("Other", ELSEWHERE, "")).await.unwrap();

    let city = production("City", CITY);
    add(&app, SiteForm { read_only: true, ..city }).await.unwrap();

    let marked = is_there(&app, &copy).unwrap();
    assert!(marked.read_only && marked.environment == Environment::Production);
    let record = app.acts().await.remove(0);
    assert_eq!((&*record.intent.site_name, &*record.note), ("Copy", "City"));
    let kind = ("siteEnvironment".to_owned(), "test \u{2192} production".to_owned());
    assert!(record.intent.parameters.contains(&kind), "{record:?}");
    let untouched = is_there(&app, &other).unwrap();
    assert!(!untouched.read_only && untouched.environment == Environment::Test);
}

#[tokio::test]
async fn a_mark_goes_on_to_the_sites_at_another_address_of_a_site_that_got_it() {
    const SERVER: &str = "https://gis.example.org/server";
    let app = TestApp::signed_out().await;
    let both = add(&app, SiteForm::of("Both", CITY, SERVER)).await.unwrap();
    let server = add(&app, SiteForm::of("Server", "", SERVER)).await.unwrap();

    add(&app, production("City", CITY)).await.unwrap();

    for site in [both, server] {
        assert_eq!(is_there(&app, &site).unwrap().environment, Environment::Production, "{}", site.name);
    }
}

#[tokio::test]
async fn a_site_that_gets_a_mark_keeps_what_was_changed_of_it_meanwhile() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let copy = add(&app, SiteForm::of("Copy", CITY, "")).await.unwrap();
    app.sites().note_signed_in(&id(&copy), Some("sam".to_owned())).unwrap();
    // The record of the mark names who is signed in.
    keyring.hold(Question::Get, &id(&copy).0);
    let another = async {
        keyring.waits(1).await;
        assert_eq!(is_there(&app, &copy).unwrap().environment, Environment::Test, "it has no mark yet");
        app.sites().note_signed_in(&id(&copy), Some("alex".to_owned())).unwrap();
        keyring.let_go();
    };

    let (added, ()) = tokio::join!(add(&app, production("City", CITY)), another);

    added.unwrap();
    let marked = is_there(&app, &copy).unwrap();
    assert_eq!((marked.environment, marked.username.as_deref()), (Environment::Production, Some("alex")));
}

#[tokio::test]
async fn a_site_that_is_locked_while_the_keyring_waits_keeps_its_mark_its_address_and_its_place() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let context = &app.steward.context;
    let site = add(&app, read_only("City", CITY)).await.unwrap();
    app.sites().note_signed_in(&id(&site), Some("sam".to_owned())).unwrap();
    let writable = SiteForm { read_only: false, ..site.clone() };
    let elsewhere = SiteForm { portal: ELSEWHERE.to_owned(), ..site.clone() };
    let locked = Some(Problem::ReadOnly { site: id(&site), site_name: "City".to_owned() });
    for (turn, change) in [Some(&writable), Some(&elsewhere), None].into_iter().enumerate() {
        unlock(context, &id(&site), "A test deployment from now on").await.unwrap();
        // The record of the change names who is signed in.
        keyring.hold(Question::Get, &id(&site).0);
        let locking = async {
            keyring.waits(turn + 1).await;
            context.locks.lock_again(&id(&site));
            keyring.let_go();
        };
        let changing = async {
            match change {
                Some(form) => save(context, form).await.err(),
                None => remove(context, &id(&site), "It is in the way").await.err(),
            }
        };

        let (refused, ()) = tokio::join!(changing, locking);

        assert_eq!(refused, locked, "change {turn}");
        let now = is_there(&app, &site).unwrap();
        assert!(now.read_only && now.addresses().any(|own| own.as_str().starts_with(CITY)), "change {turn}");
        assert_eq!(app.acts().await[0].outcome, Outcome::Failed, "change {turn}");
    }
}

#[tokio::test]
async fn a_site_that_is_locked_while_an_unlock_waits_for_the_keyring_stays_locked() {
    let (app, keyring) = HeldKeyring::of(TestApp::signed_out().await);
    let context = &app.steward.context;
    let site = add(&app, read_only("City", CITY)).await.unwrap();
    app.sites().note_signed_in(&id(&site), Some("sam".to_owned())).unwrap();
    // The record of the unlock names who is signed in.
    keyring.hold(Question::Get, &id(&site).0);
    let locking = async {
        keyring.waits(1).await;
        context.locks.lock_again(&id(&site));
        keyring.let_go();
    };

    let locked = id(&site);
    let (unlocked, ()) = tokio::join!(unlock(context, &locked, "A test deployment"), locking);

    assert_eq!(unlocked.err(), Some(Problem::ReadOnly { site: id(&site), site_name: "City".to_owned() }));
    assert_eq!(context.locks.unlocked_until(&id(&site)), None);
    let records = [app.acts().await, app.history().await].concat();
    let is_unlock =
        |record: &&StoredRecord| record.intent.parameters.iter().any(|(name, _)| name == "minutes");
    assert_eq!(records.iter().find(is_unlock).map(|record| record.outcome), Some(Outcome::Failed));
}
