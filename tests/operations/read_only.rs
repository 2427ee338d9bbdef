use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use steward_core::actions::sites::save;
use steward_core::history::{HistorySearch, page_of};
use steward_core::model::history_key::{HistoryAct, HistoryKey};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::{Fault as FormFault, Problem};
use steward_core::model::run_result::{Ended, RecordId};
use steward_core::operations::deactivate_webhooks::deactivation_log::{self, SilenceId};
use steward_core::operations::import_server::safety_backup::Parachute;
use steward_core::operations::{
    deactivate_webhooks, export_server, find_items, import_server, refresh_invitation, update_participant,
};
use steward_core::sites::read_only::{Locks, Moment};
use steward_core::transfers::upload::{self, UploadId, UploadSource};
use steward_journal::Outcome;
use steward_testkit::Fault;

use crate::desk::{Desk, form};

fn text(text: &str) -> String {
    text.to_owned()
}

pub(crate) fn read_only(desk: &Desk) {
    let mut site = desk.host.sites.get(&desk.site).unwrap();
    site.read_only = true;
    desk.host.sites.put(site).unwrap();
}

/// A clock that a test moves.
pub(crate) fn clock_of(desk: &mut Desk) -> Arc<AtomicI64> {
    let (start, passed) = (Instant::now(), Arc::new(AtomicI64::new(0)));
    let seconds = passed.clone();
    desk.host.locks = Locks::by(Box::new(move || {
        let passed = seconds.load(Ordering::SeqCst);
        let steady = start + Duration::from_secs(passed.unsigned_abs());
        Moment { steady, wall: Millis(1_764_000_000_000 + passed * 1000) }
    }));
    passed
}

fn deactivation(service: &str) -> deactivate_webhooks::DeactivateWebhooksForm {
    deactivate_webhooks::DeactivateWebhooksForm {
        services: vec![text(service)],
        why: text("Maintenance"),
        confirmation: text(""),
    }
}

/// Everything that changes a site, each with parameters that would pass every other check.
async fn writes(desk: &Desk, silence: &SilenceId, import: &RecordId) -> Vec<(&'static str, Option<Problem>)> {
    let (host, site) = (&desk.host, &desk.site);
    let import_form = |parachute| import_server::ImportServerForm {
        location: text("/exports/a.agssite"),
        confirmation: text("City GIS"),
        parachute,
    };
    let update = update_participant::UpdateParticipantForm {
        collaboration_id: text("c"),
        participant_id: text("p"),
        contact_firstname: text("Ana"),
        contact_lastname: text("Ito"),
        contact_email_address: text("ana@example.net"),
    };
    let refresh =
        refresh_invitation::RefreshInvitationForm { collaboration_id: text("c"), invitation_id: text("i") };
    let parachute = Some(Parachute { also_here: false });
    let upload = UploadSource::Choose { part_mebibytes: 1 };
    vec![
        ("import", import_server::perform(host, site, desk.run(), import_form(None)).await.err()),
        (
            "import with a parachute",
            import_server::perform(host, site, desk.run(), import_form(parachute)).await.err(),
        ),
        ("undo", import_server::undo(host, site, desk.run(), import.clone(), "City GIS").await.err()),
        (
            "deactivate",
            deactivate_webhooks::perform(host, site, desk.run(), deactivation("Buffer.GPServer")).await.err(),
        ),
        ("restore", deactivation_log::restore(host, site, desk.run(), silence.clone()).await.err()),
        ("update", update_participant::perform(host, site, desk.run(), update).await.err()),
        ("refresh", refresh_invitation::perform(host, site, desk.run(), refresh).await.err()),
        ("upload", upload::upload(host, site, desk.run(), upload).await.err()),
        ("discard", upload::discard(host, site, &UploadId(text("i1"))).await.err()),
    ]
}

#[tokio::test]
async fn a_read_only_site_refuses_every_write_and_is_asked_for_none() {
    let desk = Desk::new().await;
    let first = deactivation("Buffer.GPServer");
    deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), first).await.unwrap();
    let silence = deactivation_log::ledger(&desk.host, None).await.unwrap().remove(0).id;
    let import = crate::import_server::with_parachute(&desk, false).await;
    read_only(&desk);
    let records = desk.history().await.len();
    let way = desk.with_fault("POST ", Fault::AnswerLost).await;
    read_only(&desk);

    for (write, problem) in writes(&desk, &silence, &import).await {
        assert_eq!(problem, Some(Problem::ReadOnly { site: desk.site.clone() }), "{write}");
    }

    assert_eq!(way.met(), 0, "nothing was posted");
    assert_eq!(desk.history().await.len(), records, "what was not sent is no history");
    assert!(desk.dialogs.suggested().is_empty(), "nobody is asked for a place in vain");
}

#[tokio::test]
async fn a_read_only_site_is_still_exported_and_searched() {
    let desk = Desk::new().await;
    read_only(&desk);
    let location = desk.folder("exports").display().to_string();

    let place = export_server::ServerExportPlace::ServerFolder { location };
    let form = export_server::ExportServerForm { place };
    let exported = export_server::perform(&desk.host, &desk.site, desk.run(), form).await;
    let form = find_items::FindItemsForm {
        parent_path: text("/enterpriseDatabases"),
        ancestor_path: text(""),
        types: text(""),
        id: text(""),
        is_managed: None,
    };
    let found = desk.find_items(form).await;

    assert!(matches!(exported, Ok(Ended::Done { .. })), "{exported:?}");
    assert!(found.is_ok(), "{:?}", found.err());
}

#[tokio::test]
async fn an_unlock_takes_a_reason_lasts_a_quarter_of_an_hour_and_is_in_the_history() {
    let mut desk = Desk::new().await;
    let passed = clock_of(&mut desk);
    read_only(&desk);
    let silence = |service: &'static str| {
        deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), deactivation(service))
    };
    let locked = Problem::ReadOnly { site: desk.site.clone() };

    for no_reason in ["", "  ", "..", "a b", "\u{200b}\u{200b}\u{200b}"] {
        let refused = desk.host.unlock(&desk.site, no_reason).await.err();
        let expected = Problem::Form { field: text("reason"), fault: FormFault::TooShort };
        assert_eq!(refused, Some(expected), "{no_reason:?}");
    }
    assert_eq!(silence("Buffer.GPServer").await.err(), Some(locked.clone()));
    assert!(desk.history().await.is_empty());

    desk.host.unlock(&desk.site, "Receiver moves to another machine").await.unwrap();
    passed.store(15 * 60 - 1, Ordering::SeqCst);
    assert!(silence("Buffer.GPServer").await.is_ok());
    passed.store(15 * 60, Ordering::SeqCst);
    assert_eq!(silence("Hosted/Hydrants.FeatureServer").await.err(), Some(locked.clone()));

    let search = HistorySearch { text: text("another machine"), ..HistorySearch::default() };
    let shown = page_of(&desk.host, search, None, 10).await.unwrap().entries;
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].operation, HistoryKey::Act(HistoryAct::Unlock));
    assert_eq!(shown[0].username, desk.host.sites.get(&desk.site).unwrap().username.unwrap());

    desk.host.unlock(&desk.site, "Once more").await.unwrap();
    desk.host.locks.lock_again(&desk.site);
    assert_eq!(silence("Hosted/Hydrants.FeatureServer").await.err(), Some(locked.clone()));
    desk.host.unlock(&desk.site, "And again").await.unwrap();
    let desk = desk.restarted();
    let form = deactivation("Hosted/Hydrants.FeatureServer");
    let after = deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), form).await.err();
    assert_eq!(after, Some(locked), "a restart locks again");
}

#[tokio::test]
async fn an_unlock_that_cannot_be_written_down_does_not_take_effect() {
    let desk = Desk::new().await;
    read_only(&desk);
    let journal = rusqlite::Connection::open(desk.host.data_folder.join("journal.db")).unwrap();
    let full = "CREATE TRIGGER full BEFORE INSERT ON record BEGIN SELECT RAISE(ABORT, 'disk full'); END";
    journal.execute_batch(full).unwrap();

    assert!(desk.host.unlock(&desk.site, "A good reason").await.is_err());

    assert_eq!(desk.host.locks.unlocked_until(&desk.site), None);
}

#[tokio::test]
async fn the_mark_is_taken_away_only_while_the_site_is_unlocked() {
    let desk = Desk::new().await;
    read_only(&desk);
    let ready = desk.practice.ready();
    let without = || form(Some(&desk.site), &ready.portal, &ready.server);

    let refused = save(&desk.host, &without()).await.err();
    assert_eq!(refused, Some(Problem::ReadOnly { site: desk.site.clone() }));
    assert!(desk.host.sites.get(&desk.site).unwrap().read_only);

    desk.host.unlock(&desk.site, "It is a test site from now on").await.unwrap();
    let saved = save(&desk.host, &without()).await.unwrap();
    assert!(!saved.read_only);
    assert_eq!(saved.unlocked_until, None);

    let history = desk.history().await;
    assert_eq!((history.len(), history[0].outcome), (1, Outcome::Succeeded));
}

#[tokio::test]
async fn a_production_site_wants_its_name_typed_before_it_falls_silent() {
    let desk = Desk::new().await;
    let mut site = desk.host.sites.get(&desk.site).unwrap();
    site.kind = steward_core::model::deployment::SiteKind::Production;
    desk.host.sites.put(site).unwrap();
    let typed = |confirmation: &str| deactivate_webhooks::DeactivateWebhooksForm {
        confirmation: text(confirmation),
        ..deactivation("Buffer.GPServer")
    };

    for wrong in ["", "City", "city gis"] {
        let refused =
            deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), typed(wrong)).await.err();
        let expected = Problem::Form { field: text("confirmation"), fault: FormFault::NotTheSitesName };
        assert_eq!(refused, Some(expected), "{wrong:?}");
    }
    assert!(desk.history().await.is_empty(), "nothing was sent");

    let done = deactivate_webhooks::perform(&desk.host, &desk.site, desk.run(), typed(" City GIS ")).await;
    assert!(matches!(done, Ok(Ended::Done { .. })), "{done:?}");
}
