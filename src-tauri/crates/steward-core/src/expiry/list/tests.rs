use super::*;
use crate::access::checked_facts::nothing;
use crate::expiry::gaps;
use crate::model::checked::{
    Checked, CheckedCertificate, CheckedInvitation, CheckedLicense, CheckedPresented, CheckedSessionEnd,
    ExpiryFact, OwnCertificate,
};
use crate::model::deployment::DeploymentType;
use crate::model::expiry::{ExpiryGapReason, ExpiryPart};
use crate::sites::{SiteForm, Sites};

fn at(text: &str) -> Millis {
    text.parse::<Timestamp>().unwrap().into()
}

fn fact<T>(found: Vec<T>) -> ExpiryFact<T> {
    let mut fact = ExpiryFact::default();
    fact.returned(found, None);
    fact
}

fn license(name: &str, expires_at: &str) -> CheckedLicense {
    CheckedLicense { list: "features".to_owned(), name: name.to_owned(), expires_at: at(expires_at) }
}

/// A site with a portal and a server, which were checked and return nothing that expires.
fn checked() -> (Site, Vec<ComponentChecks>) {
    let folder = tempfile::tempdir().unwrap();
    let sites = Sites::open(&folder.path().join("sites.json")).unwrap();
    let form = SiteForm::of("City", "https://gis.example.org/portal", "https://gis.example.org/server");
    let site = sites.save(&form).unwrap();
    let check = |component: &TargetSite| {
        let mut checks = nothing(component);
        checks.note_session(Some("gisadmin".to_owned()), None);
        checks.expiries.licenses = fact(Vec::new());
        checks.expiries.machine_certificates = fact(Vec::new());
        checks.expiries.own_certificates = fact(Vec::new());
        checks.invitations.returned(Some(Vec::new()));
        checks
    };
    let checks = site.components().iter().map(check).collect();
    (site, checks)
}

fn listed(site: &Site, checks: &[ComponentChecks], now: &str) -> Vec<Expiry> {
    of_site(site, checks, &[], now.parse().unwrap())
}

#[test]
fn a_license_expires_on_its_day_in_the_zone_of_the_site_and_a_day_early_without_one() {
    let (site, mut checks) = checked();
    // Midnight of 21 October in New York.
    let end = "2026-10-21T04:00:00Z";
    checks[1].expiries.licenses = fact(vec![license("Image", end)]);
    for (zone, day, first, last) in [
        // Zone, day, first moment with 8 days left, last moment with 1 day left.
        ("Pacific/Honolulu", "2026-10-20", "2026-10-12T10:00:00Z", "2026-10-20T09:59:59Z"),
        ("America/New_York", "2026-10-21", "2026-10-13T04:00:00Z", "2026-10-21T03:59:59Z"),
        ("Etc/UTC", "2026-10-21", "2026-10-13T00:00:00Z", "2026-10-20T23:59:59Z"),
        ("Europe/Berlin", "2026-10-21", "2026-10-12T22:00:00Z", "2026-10-20T21:59:59Z"),
        ("Asia/Kolkata", "2026-10-21", "2026-10-12T18:30:00Z", "2026-10-20T18:29:59Z"),
        ("Pacific/Kiritimati", "2026-10-21", "2026-10-12T10:00:00Z", "2026-10-20T09:59:59Z"),
    ] {
        checks[1].expiries.time_zone = Some(zone.to_owned());
        let days = |moment: &str, later: i64| {
            let now = moment.parse::<Timestamp>().unwrap() + jiff::SignedDuration::from_secs(later);
            let list = of_site(&site, &checks, &[], now);
            assert_eq!((list[0].day.as_str(), list[0].plan_for.as_deref()), (day, None), "{zone}");
            list[0].days
        };
        assert_eq!([days(first, -1), days(first, 0)], [9, 8], "{zone}");
        assert_eq!([days(last, 0), days(last, 1)], [1, 0], "{zone}");
        assert_eq!([days(last, -86_400), days(last, 86_401)], [2, -1], "{zone}");
    }
    checks[1].expiries.time_zone = None;
    let list = listed(&site, &checks, "2026-10-14T12:00:00Z");
    assert_eq!((list[0].day.as_str(), list[0].plan_for.as_deref()), ("2026-10-21", Some("2026-10-20")));
    assert_eq!((list[0].days, list[0].days_left()), (7, 6));
    checks[1].expiries.time_zone = Some("Mars/Olympus".to_owned());
    assert_eq!(listed(&site, &checks, "2026-10-14T12:00:00Z")[0].zone, None, "a zone that is not known here");
}

#[test]
fn what_is_known_to_the_second_is_not_told_a_day_early() {
    let (site, mut checks) = checked();
    checks[0].certificate.returned(Some(at("2026-12-09T23:59:00Z")));
    let certificate = |alias: &str, end: &str, is_exact| CheckedCertificate {
        machine: "GIS1".to_owned(),
        alias: alias.to_owned(),
        expires_at: at(end),
        is_exact,
        presented: None,
    };
    checks[1].expiries.machine_certificates = fact(vec![
        certificate("new", "2026-12-20T00:00:00Z", true),
        certificate("old", "2026-12-21T00:00:00Z", false),
    ]);
    let list = listed(&site, &checks, "2026-11-30T08:00:00Z");
    let told: Vec<_> = list.iter().map(|one| (one.day.as_str(), one.days, one.plan_for.as_deref())).collect();
    assert_eq!(
        told,
        [("2026-12-09", 9, None), ("2026-12-20", 20, None), ("2026-12-21", 21, Some("2026-12-20"))]
    );
}

#[test]
fn a_certificate_that_several_components_present_is_listed_once_and_another_of_a_machine_beside_it() {
    let (site, mut checks) = checked();
    let end = at("2026-12-09T23:59:00Z");
    for checks in &mut checks {
        checks.certificate.returned(Some(end));
    }
    let certificate = |machine: &str, expires_at| CheckedCertificate {
        machine: machine.to_owned(),
        alias: "a".to_owned(),
        expires_at,
        is_exact: true,
        presented: None,
    };
    let other = at("2026-12-31T00:00:00Z");
    checks[1].expiries.machine_certificates =
        fact(vec![certificate("GIS1", end), certificate("GIS2", other)]);
    let list = listed(&site, &checks, "2026-11-30T08:00:00Z");
    let (machine, alias) = ("GIS2".to_owned(), "a".to_owned());
    let machine = Expiring::Machine { machine, alias, differs: None };
    let what: Vec<_> = list.into_iter().map(|one| one.what).collect();
    assert_eq!(what, [Expiring::Presented { host: "gis.example.org".to_owned() }, machine]);
}

#[test]
fn a_machine_whose_port_presents_another_certificate_is_one_entry_by_the_end_that_comes_first() {
    let (site, mut checks) = checked();
    let (own, presented) = ("2026-12-20T00:00:00Z", "2026-12-09T23:59:00Z");
    let mut list = |own: &str, is_exact, presented: &str| {
        checks[1].expiries.machine_certificates = fact(vec![CheckedCertificate {
            machine: "GIS1".to_owned(),
            alias: "a".to_owned(),
            expires_at: at(own),
            is_exact,
            presented: Some(CheckedPresented {
                host: "gis1.example.org:6443".to_owned(),
                expires_at: Some(at(presented)),
                reason: String::new(),
            }),
        }]);
        // The web adaptor presents the certificate of the machine, which must not hide that the port presents another
        // one.
        checks[1].certificate.returned(Some(at("2026-12-20T00:00:00Z")));
        let list = listed(&site, &checks, "2026-11-30T08:00:00Z");
        let is_machine = |one: &Expiry| matches!(one.what, Expiring::Machine { .. });
        list.into_iter().filter(is_machine).map(|one| (one.at, one.what)).collect::<Vec<_>>()
    };
    for (own, presented, first) in [(own, presented, presented), (presented, own, presented)] {
        let differs = DifferentCertificates {
            host: "gis1.example.org:6443".to_owned(),
            presented_until: at(presented),
            own_until: at(own),
        };
        let (machine, alias) = ("GIS1".to_owned(), "a".to_owned());
        let what = Expiring::Machine { machine, alias, differs: Some(differs) };
        assert_eq!(list(own, true, presented), [(at(first), what)]);
    }
    // The certificate is listed once, as that of the web adaptor. A time without a zone might be the same.
    assert_eq!(list(own, true, own), []);
    let rough = list("2026-12-19T04:00:00Z", false, own);
    assert!(matches!(&rough[..], [(_, Expiring::Machine { differs: None, .. })]), "{rough:?}");
    let other = list("2026-12-18T04:00:00Z", false, own);
    assert!(matches!(&other[..], [(_, Expiring::Machine { differs: Some(_), .. })]), "{other:?}");
}

#[test]
fn a_port_that_was_not_reached_is_named_and_says_nothing_of_the_certificate() {
    let (site, mut checks) = checked();
    assert_eq!(gaps(&site, &checks), []);
    checks[1].expiries.machine_certificates = fact(vec![CheckedCertificate {
        machine: "GIS1".to_owned(),
        alias: "a".to_owned(),
        expires_at: at("2026-12-20T00:00:00Z"),
        is_exact: true,
        presented: Some(CheckedPresented {
            host: "gis1.example.org:6443".to_owned(),
            expires_at: None,
            reason: "refused".to_owned(),
        }),
    }]);
    let [gap] = &gaps(&site, &checks)[..] else { panic!("one gap") };
    assert_eq!(gap.part, ExpiryPart::PresentedCertificates);
    assert_eq!(gap.why, ExpiryGapReason::Failed { reason: "gis1.example.org:6443: refused".to_owned() });
    let list = listed(&site, &checks, "2026-11-30T08:00:00Z");
    assert!(matches!(&list[..], [Expiry { what: Expiring::Machine { differs: None, .. }, .. }]), "{list:?}");
}

#[test]
fn the_certificate_at_the_url_for_clients_is_listed_beside_that_of_the_connection() {
    let (site, mut checks) = checked();
    checks[1].certificate.returned(Some(at("2026-12-20T00:00:00Z")));
    checks[1].expiries.services_url = fact(vec![CheckedPresented {
        host: "maps.example.org".to_owned(),
        expires_at: Some(at("2026-12-09T00:00:00Z")),
        reason: String::new(),
    }]);
    let list = listed(&site, &checks, "2026-11-30T08:00:00Z");
    let hosts: Vec<_> = list.into_iter().map(|one| one.what).collect();
    let presented = |host: &str| Expiring::Presented { host: host.to_owned() };
    assert_eq!(hosts, [presented("maps.example.org"), presented("gis.example.org")]);
}

#[test]
fn licenses_that_expire_together_are_one_entry_and_all_entries_are_in_the_order_of_their_ends() {
    let (site, mut checks) = checked();
    checks[0].expiries.licenses = fact(vec![license("viewerUT", "2026-12-24T00:00:00Z")]);
    checks[1].expiries.licenses = fact(vec![
        license("Image", "2026-12-31T00:00:00Z"),
        license("Server", "2026-12-10T00:00:00Z"),
        license("Network", "2026-12-31T00:00:00Z"),
        license("Next year", "2027-12-10T00:00:00Z"),
    ]);
    let list = listed(&site, &checks, "2026-11-30T08:00:00Z");
    let names = |one: &Expiry| match &one.what {
        Expiring::License { names } => names.join(", "),
        other => panic!("{other:?}"),
    };
    assert_eq!(list.iter().map(names).collect::<Vec<_>>(), ["Server", "viewerUT", "Image, Network"]);
    assert_eq!(list[1].server, None);
    assert!(list[0].server.is_some());
}

#[test]
fn a_session_is_listed_once_with_the_plans_that_need_it_and_a_short_one_only_for_a_plan() {
    let (site, mut checks) = checked();
    let (end, seen_at) = (at("2026-12-28T11:02:00Z"), at("2026-11-28T11:02:00Z"));
    for checks in &mut checks {
        checks.expiries.session = Some(CheckedSessionEnd { at: end, seen_at });
    }
    let server = Some(site.servers[0].id.clone());
    let needs = |plan: &str, parts: Vec<Option<ServerId>>| NeededSession { plan: plan.to_owned(), parts };
    let now = "2026-11-30T08:00:00Z".parse().unwrap();
    let needed = [needs("Nightly", vec![server]), needs("Weekly", vec![None])];
    let list = of_site(&site, &checks, &needed, now);
    let plans = vec!["Nightly".to_owned(), "Weekly".to_owned()];
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].what, Expiring::Session { username: "gisadmin".to_owned(), plans });

    for (seen_at, with_plans, without) in
        [("2026-12-21T11:02:01Z", 1, 0), ("2026-12-27T11:02:00Z", 1, 0), ("2026-12-27T11:02:01Z", 0, 0)]
    {
        for checks in &mut checks {
            checks.expiries.session = Some(CheckedSessionEnd { at: end, seen_at: at(seen_at) });
        }
        let listed = [&needed[..], &[]].map(|needed| of_site(&site, &checks, needed, now).len());
        assert_eq!(listed, [with_plans, without], "{seen_at}");
    }

    let seen_at = at("2026-11-28T11:02:00Z");
    checks[0].expiries.session = Some(CheckedSessionEnd { at: end, seen_at });
    checks[0].note_session(None, None);
    assert_eq!(of_site(&site, &checks, &needed, now), [], "signed out");
}

#[test]
fn certificates_of_this_computer_are_those_of_the_whole_site_and_a_long_dead_authority_is_left_out() {
    let (site, mut checks) = checked();
    let own = |is_client, subject: &str, end: &str| OwnCertificate {
        is_client,
        subject: subject.to_owned(),
        expires_at: at(end),
    };
    checks[0].expiries.own_certificates = fact(vec![
        own(false, "CN=Old CA", "2026-10-30T00:00:00Z"),
        own(false, "CN=CA", "2026-11-29T00:00:00Z"),
        own(true, "CN=gisadmin", "2027-01-14T00:00:00Z"),
    ]);
    checks[0].invitations.returned(Some(vec![CheckedInvitation {
        collaboration_id: "c".to_owned(),
        collaboration: "Water".to_owned(),
        invitation_id: "i".to_owned(),
        guest: "https://water.example.org/portal".to_owned(),
        expires_at: at("2026-12-02T09:00:00Z"),
    }]));
    let list = listed(&site, &checks, "2026-11-30T08:00:00Z");
    let told: Vec<_> = list.iter().map(|one| (one.what.clone(), one.is_over)).collect();
    let guest = "https://water.example.org/portal".to_owned();
    assert_eq!(
        told,
        [
            (Expiring::Authority { subject: "CN=CA".to_owned() }, true),
            (Expiring::Invitation { collaboration: "Water".to_owned(), guest }, false),
            (Expiring::Client { subject: "CN=gisadmin".to_owned() }, false),
        ]
    );
}

#[test]
fn what_was_not_returned_is_a_gap_and_its_earlier_facts_stay() {
    let (site, mut checks) = checked();
    assert_eq!(gaps(&site, &checks), []);
    let whole = listed(&site, &checks, "2026-11-30T08:00:00Z");
    assert_eq!(whole, []);

    checks[1].expiries.licenses = fact(vec![license("Image", "2026-12-10T00:00:00Z")]);
    checks[1].expiries.licenses.failed("403".to_owned());
    assert_eq!(listed(&site, &checks, "2026-11-30T08:00:00Z").len(), 1);
    let found = gaps(&site, &checks);
    assert_eq!((found.len(), found[0].part), (1, ExpiryPart::Licenses));
    assert_eq!(found[0].why, ExpiryGapReason::Failed { reason: "403".to_owned() });

    checks[0].invitations = Checked::default();
    checks[0].expiries.own_certificates = ExpiryFact::default();
    let why: Vec<_> = gaps(&site, &checks).into_iter().map(|gap| gap.why).collect();
    let not_checked = || ExpiryGapReason::NotChecked;
    assert_eq!(why, [not_checked(), not_checked(), ExpiryGapReason::Failed { reason: "403".to_owned() }]);
    // Nothing is known of a component that was never checked.
    assert_eq!(gaps(&site, &[]).len(), 6);
}

#[test]
fn a_deployment_that_has_no_such_resources_is_not_called_one_where_nothing_expires() {
    let (site, checks) = checked();
    let site = Site { deployment_type: DeploymentType::Kubernetes, ..site };
    let found = gaps(&site, &checks);
    let told: Vec<_> = found.iter().map(|gap| (gap.server.is_some(), gap.part)).collect();
    let [licenses, certificates] = [ExpiryPart::Licenses, ExpiryPart::MachineCertificates];
    assert_eq!(told, [(false, licenses), (false, certificates), (true, licenses), (true, certificates)]);
    assert!(found.iter().all(|gap| gap.why == ExpiryGapReason::NotOffered));
}
