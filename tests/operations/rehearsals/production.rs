//! A production site is no test site, whatever its entry is called and wherever it is saved to be.

use steward_core::sites::Site;
use steward_testkit::{Fault, FaultProxy, move_sessions};

use super::*;

/// What a rehearsal is refused for: the name of the production site; empty if the site itself is not marked as test.
async fn refused(this: &Rehearsing) -> String {
    assert_eq!(this.imports().await, 0);
    let name = match this.begin().await {
        Err(Problem::PreconditionFailed { why: PreconditionFailure::ProductionEndpoint { production } }) => {
            production
        }
        Err(Problem::PreconditionFailed { why: PreconditionFailure::NotATestSite }) => String::new(),
        other => panic!("{other:?}"),
    };
    assert_eq!(this.app.steward.rehearsals.all(), []);
    assert_eq!(this.imports().await, 0);
    name
}

/// Saves a production site with a portal, a server, or both; empty for none.
fn twin(this: &Rehearsing, portal: &str, server: &str) {
    let ready = this.test.ready();
    let form = test_app::form(None, portal, &ready.server);
    let servers = match server {
        "" => Vec::new(),
        address => vec![ServerForm { address: address.to_owned(), ..form.servers[0].clone() }],
    };
    let twin = SiteForm { name: "Harbour".to_owned(), environment: Environment::Production, servers, ..form };
    this.app.sites().save(&twin).unwrap();
}

#[tokio::test]
async fn a_site_that_is_marked_production_is_refused_before_anything_is_sent() {
    let this = Rehearsing::new().await;
    let sites = this.app.sites();
    let test = sites.get(&this.site).unwrap();
    for environment in [Environment::Practice, Environment::Production] {
        sites.put(Site { environment, ..test.clone() }).unwrap();
        assert_eq!(refused(&this).await, "", "{environment:?}");
        assert!(this.view().await.refused.is_some(), "the page says so before");
    }
    sites.put(test).unwrap();
    this.begin().await.unwrap();
}

#[tokio::test]
async fn the_same_endpoint_that_is_production_under_another_name_is_refused_before_anything_is_sent() {
    for of_portal in [true, false] {
        let this = Rehearsing::new().await;
        let ready = this.test.ready().clone();
        match of_portal {
            true => twin(&this, &ready.portal, ""),
            false => twin(&this, "", &ready.server),
        }
        assert_eq!(refused(&this).await, "Harbour", "of the portal: {of_portal}");
        assert!(this.view().await.refused.is_some());
    }
}

#[tokio::test]
async fn the_same_endpoint_that_is_production_at_another_spelling_of_its_url_is_refused_before_anything_is_sent()
 {
    let this = Rehearsing::new().await;
    let spelled = |url: &str| url.to_uppercase().replace("HTTP://", "http://") + "//";
    let ready = this.test.ready();
    twin(&this, &spelled(&ready.portal), "");
    assert_eq!(refused(&this).await, "Harbour");
    // Also when it becomes production while a rehearsal is under way.
    let sites = this.app.sites();
    let twin = sites.all().into_iter().find(|site| site.name == "Harbour").unwrap();
    sites.put(Site { environment: Environment::Test, ..twin.clone() }).unwrap();
    this.begin().await.unwrap();
    sites.put(twin).unwrap();
    assert!(matches!(this.open(true).await, Err(Problem::PreconditionFailed { .. })));
    assert_eq!(this.imports().await, 0);
}

/// The test site is saved at the URLs of another door, and production at those behind it. Only the list of the portal says that they
/// are one, and it is not in memory after a restart.
#[tokio::test]
async fn the_same_endpoint_that_is_production_at_another_url_is_refused_before_anything_is_sent() {
    let this = Rehearsing::new().await;
    let ready = this.test.ready().clone();
    let behind = ready.portal.trim_start_matches("http://").trim_end_matches("/portal");
    let door = FaultProxy::to(behind, "/portals/self/servers", Fault::Reset).await.unwrap();
    let moved = |there: &str| there.replace(behind, &door.address());
    let leaked = |there: &str| -> &'static str { format!("\"adminUrl\":\"http://{there}").leak() };
    door.change_to(Fault::Saying(leaked(behind), leaked(&door.address())));
    let form = test_app::form(Some(&this.site), &moved(&ready.portal), &moved(&ready.server));
    let form = SiteForm { name: NAME.to_owned(), environment: Environment::Test, ..form };
    this.app.sites().save(&form).unwrap();
    move_sessions(&this.app.vault, &this.site.0, &format!("http://{}", door.address()));
    twin(&this, "", &ready.server);

    let this = this.restarted();

    assert_eq!(refused(&this).await, "Harbour");
    assert!(door.met() > 0, "the portal was asked for its servers");
    assert!(this.view().await.refused.is_some());
}
