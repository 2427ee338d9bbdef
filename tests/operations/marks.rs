//! Neither mark of a site, read-only or production, is lost without a reason that is in the history.

use steward_core::actions::sites::{remove, save};
use steward_core::model::deployment::SiteKind;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::{Fault, Problem};
use steward_core::sites::{Site, SiteForm};
use steward_journal::Outcome;

use crate::desk::Desk;

const CITY: &str = "https://gis.example.org/portal";
const ELSEWHERE: &str = "https://other.example.org/portal";

async fn add(desk: &Desk, form: SiteForm) -> Result<SiteForm, Problem> {
    let saved = save(&desk.host, &form).await?;
    Ok(SiteForm { id: Some(saved.id), ..form })
}

fn read_only(name: &str, portal: &str) -> SiteForm {
    SiteForm { read_only: true, ..SiteForm::of(name, portal, "") }
}

fn production(name: &str, portal: &str) -> SiteForm {
    SiteForm { kind: SiteKind::Production, ..SiteForm::of(name, portal, "") }
}

fn id(form: &SiteForm) -> SiteId {
    form.id.clone().unwrap()
}

fn fault(field: &str, fault: Fault) -> Option<Problem> {
    Some(Problem::Form { field: field.to_owned(), fault })
}

fn is_there(desk: &Desk, form: &SiteForm) -> Option<Site> {
    desk.host.sites.get(&id(form)).ok()
}

#[tokio::test]
async fn a_read_only_site_is_removed_or_moved_only_while_it_is_unlocked() {
    let desk = Desk::signed_out().await;
    let site = add(&desk, read_only("City", CITY)).await.unwrap();
    let locked = Some(Problem::ReadOnly { site: id(&site) });
    let moved = SiteForm { portal: ELSEWHERE.to_owned(), ..site.clone() };

    assert_eq!(remove(&desk.host, &id(&site), "It is in the way").await.err(), locked);
    assert_eq!(
        save(&desk.host, &moved).await.err(),
        locked,
        "its address would be free for one without the mark"
    );
    assert!(is_there(&desk, &site).is_some());

    desk.host.unlock(&id(&site), "The deployment is gone").await.unwrap();
    save(&desk.host, &moved).await.unwrap();
    remove(&desk.host, &id(&site), "").await.unwrap();
    assert!(is_there(&desk, &site).is_none());
}

#[tokio::test]
async fn a_second_site_at_the_address_of_a_read_only_site_is_read_only_too() {
    let desk = Desk::signed_out().await;
    let first = add(&desk, read_only("City", CITY)).await.unwrap();

    for same in [
        CITY,
        "https://gis.example.org/portal/",
        "https://GIS.example.org/Portal",
        "https://gis.example.org./portal",
        "https://gis.example.org//p%6Frtal",
    ] {
        let refused = add(&desk, SiteForm::of("Second", same, "")).await.err();
        assert_eq!(refused, fault("readOnly", Fault::ReadOnlyElsewhere), "{same}");
    }
    let elsewhere = add(&desk, SiteForm::of("Second", ELSEWHERE, "")).await.unwrap();
    let moved = SiteForm { portal: CITY.to_owned(), ..elsewhere };
    assert_eq!(save(&desk.host, &moved).await.err(), fault("readOnly", Fault::ReadOnlyElsewhere));

    let mut second = add(&desk, read_only("Third", CITY)).await.unwrap();
    // Both are let go of together, or neither ever could be.
    desk.host.unlock(&id(&first), "A test deployment from now on").await.unwrap();
    desk.host.unlock(&id(&second), "A test deployment from now on").await.unwrap();
    second.read_only = false;
    assert!(save(&desk.host, &second).await.is_ok());
}

#[tokio::test]
async fn a_production_site_is_one_no_longer_only_with_a_reason_that_is_recorded() {
    let desk = Desk::signed_out().await;
    let site = add(&desk, production("City", CITY)).await.unwrap();
    let with = |reason: &str| SiteForm { reason: reason.to_owned(), ..site.clone() };
    let test = |reason: &str| SiteForm { kind: SiteKind::Test, ..with(reason) };
    let moved = |reason: &str| SiteForm { portal: ELSEWHERE.to_owned(), ..with(reason) };
    let no_reason = fault("reason", Fault::TooShort);

    for reason in ["", " . ", "ab"] {
        assert_eq!(save(&desk.host, &test(reason)).await.err(), no_reason, "{reason:?}");
        assert_eq!(save(&desk.host, &moved(reason)).await.err(), no_reason, "{reason:?}");
        assert_eq!(remove(&desk.host, &id(&site), reason).await.err(), no_reason, "{reason:?}");
    }
    let second = add(&desk, SiteForm::of("Second", CITY, "")).await.err();
    assert_eq!(second, fault("kind", Fault::ProductionElsewhere));
    assert!(
        save(&desk.host, &SiteForm { name: "Town".to_owned(), ..with("") }).await.is_ok(),
        "no mark is lost"
    );

    save(&desk.host, &test("Moved to the new cluster")).await.unwrap();
    let record = desk.acts().await.remove(0);
    assert_eq!((&*record.intent.operation, &*record.note), ("change_site", "Moved to the new cluster"));
    let kind = ("siteKind".to_owned(), "production \u{2192} test".to_owned());
    assert!(record.intent.parameters.contains(&kind), "{record:?}");

    remove(&desk.host, &id(&site), "").await.unwrap();
    assert!(is_there(&desk, &site).is_none(), "a test site goes without a question");
}

#[tokio::test]
async fn a_production_site_is_removed_with_a_reason_that_is_recorded() {
    let desk = Desk::signed_out().await;
    let site = add(&desk, production("City", CITY)).await.unwrap();

    let rejected = remove(&desk.host, &id(&site), "").await;
    assert_eq!(rejected.err(), Some(Problem::form("reason", Fault::TooShort)));
    assert!(desk.host.sites.get(&id(&site)).is_ok());
    remove(&desk.host, &id(&site), " Switched off ").await.unwrap();

    let record = desk.acts().await.remove(0);
    assert_eq!((&*record.intent.operation, &*record.note), ("remove_site", "Switched off"));
    assert_eq!((record.outcome, &*record.intent.site_name), (Outcome::Succeeded, "City"));
}

#[tokio::test]
async fn a_mark_is_set_on_the_sites_that_were_at_its_address_before_and_recorded() {
    let desk = Desk::signed_out().await;
    let copy = add(&desk, SiteForm::of("Copy", CITY, "")).await.unwrap();
    let other = add(&desk, SiteForm::of("Other", ELSEWHERE, "")).await.unwrap();

    let city = production("City", CITY);
    add(&desk, SiteForm { read_only: true, ..city }).await.unwrap();

    let marked = is_there(&desk, &copy).unwrap();
    assert!(marked.read_only && marked.kind == SiteKind::Production);
    let record = desk.acts().await.remove(0);
    assert_eq!((&*record.intent.site_name, &*record.note), ("Copy", "City"));
    let kind = ("siteKind".to_owned(), "test \u{2192} production".to_owned());
    assert!(record.intent.parameters.contains(&kind), "{record:?}");
    let untouched = is_there(&desk, &other).unwrap();
    assert!(!untouched.read_only && untouched.kind == SiteKind::Test);
}
