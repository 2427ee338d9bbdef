//! Readings of a site at times after an import, and the state that their lines must have.

use steward_client::listing::{IndexCount, ValidatedServer, Validity};

use super::super::facts::{DataReading, FederationReading, OpenItem};
use super::*;
use crate::model::ids::ServerId;
use crate::model::service_check::{NotRunning, ServiceCheck};

const MINUTE: i64 = 60_000;

/// Changes what was read of a site.
type Change<'c> = &'c dyn Fn(&mut SiteReading);

/// A site with a portal and a server where all is as it should be.
fn whole() -> SiteReading {
    let component = |id: Option<&str>| ComponentReading {
        id: id.map(|id| ServerId(id.to_owned())),
        server: id.map(ToOwned::to_owned),
        machine: Ok(None),
        before: "11.3.0".to_owned(),
        version: Ok("11.3.0".to_owned()),
        services: id.map(|_| {
            Ok(ServicesReading {
                check: ServiceCheck {
                    checked_at: Millis(0),
                    services: 1,
                    should_run: 1,
                    running: 1,
                    not_running: Vec::new(),
                    unknown: 0,
                    unlisted: Vec::new(),
                    earlier: None,
                },
                paths: Vec::new(),
                roots: Vec::new(),
                is_federated: Federated::Yes,
            })
        }),
        data: id.map(|_| Ok(DataReading { items: 1, valid: 1, ..DataReading::default() })),
    };
    let index = |name: &str| IndexCount { name: name.to_owned(), database: Some(10), index: Some(10) };
    let server = ValidatedServer {
        id: "1".to_owned(),
        admin_url: "https://srv1:6443/arcgis".to_owned(),
        validity: Validity::Valid,
        messages: vec!["looked at".to_owned()],
    };
    SiteReading {
        components: vec![component(None), component(Some("s1"))],
        portal: Some(PortalReading {
            index: Ok(vec![index("search"), index("users"), index("groups")]),
            federation: Ok(FederationReading { listed: 1, validated: vec![server] }),
            listed: Ok(()),
            items: Ok((Vec::new(), None)),
        }),
        token: Ok(Millis(0)),
        content: None,
    }
}

fn services(site: &mut SiteReading) -> &mut ServicesReading {
    site.components[1].services.as_mut().unwrap().as_mut().unwrap()
}

fn data(site: &mut SiteReading) -> &mut DataReading {
    site.components[1].data.as_mut().unwrap().as_mut().unwrap()
}

fn portal(site: &mut SiteReading) -> &mut PortalReading {
    site.portal.as_mut().unwrap()
}

fn federation(site: &mut SiteReading) -> &mut FederationReading {
    portal(site).federation.as_mut().unwrap()
}

fn index(site: &mut SiteReading, place: usize) -> &mut IndexCount {
    &mut portal(site).index.as_mut().unwrap()[place]
}

fn service_that_is(state: &str) -> impl Fn(&mut SiteReading) {
    let state = state.to_owned();
    move |site| {
        let check = &mut services(site).check;
        check.running = 0;
        check.not_running = vec![NotRunning { service: "A.MapServer".to_owned(), state: state.clone() }];
    }
}

fn item_that_is(verdict: Verdict) -> impl Fn(&mut SiteReading) {
    move |site| {
        let open = OpenItem { path: "/fileShares/a".to_owned(), verdict, reason: "no".to_owned() };
        data(site).open = vec![open];
    }
}

fn moments(ended: Option<i64>, begun: i64, now: i64) -> Moments {
    Moments { now: Millis(now), import_ended: ended.map(Millis), begun: Millis(begun) }
}

/// The state of a line after each of these changes, at these moments.
fn state(about: ProofAbout, moments: Moments, change: impl Fn(&mut SiteReading)) -> ProofState {
    let mut site = whole();
    change(&mut site);
    let progress = indexed(&site).map(|entries| IndexProgress::after(None, moments.begun, entries));
    let proof = judge(&site, moments, progress);
    assert_eq!(proof.state, proof.lines.iter().map(|line| line.state).max().unwrap(), "the worst line");
    proof.line(about).unwrap().state
}

#[test]
fn what_may_come_by_itself_is_not_yet_there_for_a_limited_time() {
    use ProofState::{NotYet, Wrong};
    let after = |millis: i64| moments(Some(0), 0, millis);
    let without = |millis: i64| moments(None, 0, millis);
    let stopped = || service_that_is("STOPPED");
    let invalid = |site: &mut SiteReading| federation(site).validated[0].validity = Validity::Invalid;
    let behind = |site: &mut SiteReading| index(site, 0).index = Some(9);
    let (services, federation, search) =
        (ProofAbout::Services, ProofAbout::Federation, ProofAbout::SearchIndex);
    for (limit, about, change, before, at_limit, without_import) in [
        (SETTLING, services, &stopped() as Change<'_>, NotYet, Wrong, Wrong),
        (SETTLING, services, &service_that_is("STARTING"), NotYet, Wrong, NotYet),
        (SETTLING, services, &service_that_is("FAILED"), Wrong, Wrong, Wrong),
        (SETTLING, federation, &invalid, NotYet, Wrong, Wrong),
        (STANDSTILL, search, &behind, NotYet, Wrong, NotYet),
    ] {
        assert_eq!(state(about, after(limit - 1), change), before, "{about:?} a moment before");
        assert_eq!(state(about, after(limit), change), at_limit, "{about:?} at the limit");
        assert_eq!(state(about, without(limit - 1), change), without_import, "{about:?} without an import");
        assert_eq!(state(about, without(limit), change), Wrong, "{about:?} without one, at the limit");
    }
    // A starting service has its time from the first check on, which can be long after the import.
    let late = moments(Some(0), 2 * SETTLING, 2 * SETTLING + MINUTE);
    assert_eq!(state(services, late, service_that_is("STARTING")), NotYet);
    assert_eq!(state(services, late, stopped()), Wrong);
}

#[test]
fn what_is_not_known_is_no_success_and_a_warning_is_no_defect() {
    use ProofAbout::{Answers, Content, DataStores, Federation, Orphans, SearchIndex, Services, SignIn};
    use ProofState::{Done, NotKnown, Wrong};
    let now = moments(Some(0), 0, SETTLING);
    let denied = || NotRead::missing("no");
    let of_content =
        |name: &str| ContentReading { missing: vec![name.to_owned()], ..ContentReading::default() };
    let all: [(ProofAbout, Change<'_>, ProofState, &str); 23] = [
        (Answers, &|_| {}, Done, "as before"),
        (Answers, &|site| site.components[1].version = Ok("11.4.0".to_owned()), Wrong, "another version"),
        (Answers, &|site| site.components[1].version = Ok(String::new()), NotKnown, "no version"),
        (Answers, &|site| site.components[0].version = Err(NotRead::SignIn), NotKnown, "signed out"),
        (
            Answers,
            &|site| site.components[1].version = Err(NotRead::SameServer { other: "s0".to_owned() }),
            NotKnown,
            "the same server as another one",
        ),
        (SignIn, &|site| site.token = Err(NotRead::NoRenewal), NotKnown, "no token without a user"),
        (Services, &|site| services(site).check.unknown = 1, NotKnown, "a state that is not returned"),
        (Services, &|site| services(site).check.unlisted = vec!["Parcels".to_owned()], NotKnown, "a folder"),
        (DataStores, &item_that_is(Verdict::Warnings), Done, "a warning of an item"),
        (DataStores, &item_that_is(Verdict::Invalid), Wrong, "an item that cannot be used"),
        (DataStores, &item_that_is(Verdict::NotValidated), NotKnown, "an item that was not validated"),
        (DataStores, &|site| data(site).left_out = 1, NotKnown, "more items than are validated"),
        (
            DataStores,
            &|site| data(site).unlisted = vec![("/fileShares".to_owned(), denied())],
            NotKnown,
            "a root",
        ),
        (SearchIndex, &|site| index(site, 2).index = None, NotKnown, "an index without a number"),
        (SearchIndex, &|site| portal(site).index = Ok(Vec::new()), NotKnown, "no index"),
        (
            SearchIndex,
            &|site| {
                let users = index(site, 1);
                (users.database, users.index) = (Some(0), Some(0));
            },
            NotKnown,
            "no user, although one is signed in",
        ),
        (Federation, &|site| federation(site).validated[0].validity = Validity::Warnings, Done, "a warning"),
        (
            Federation,
            &|site| federation(site).validated[0].validity = Validity::NotKnown,
            NotKnown,
            "no result",
        ),
        (Federation, &|site| federation(site).listed = 2, NotKnown, "a server without a result"),
        (Federation, &|site| services(site).is_federated = Federated::Lost, Wrong, "not listed any more"),
        (
            Orphans,
            &|site| services(site).check.unlisted = vec!["Parcels".to_owned()],
            NotKnown,
            "services that are not listed",
        ),
        (Content, &|site| site.content = Some(Ok(of_content("A.MapServer"))), Wrong, "a service is missing"),
        (Content, &|site| site.content = Some(Err(denied())), NotKnown, "the content cannot be compared"),
    ];
    for (about, change, expected, what) in all {
        assert_eq!(state(about, now, change), expected, "{about:?}: {what}");
    }
}
