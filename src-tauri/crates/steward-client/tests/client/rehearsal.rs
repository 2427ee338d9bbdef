//! A practice site in a temporary folder.

use practice_site::{Options, PracticeSite, Release};
use steward_client::{Endpoint, Http, IssuedToken, Trust, generate_token};
use steward_testkit::{InjectedFault, seeded_site};
use steward_vault::Secret;
use tempfile::TempDir;
use url::Url;

pub(crate) const PORTAL_TOKENS: [&str; 3] = ["sharing", "rest", "generateToken"];

pub(crate) struct Rehearsal {
    pub(crate) site: PracticeSite,
    pub(crate) http: Http,
    _folder: TempDir,
}

/// A new site over plain http, which only loopback is let to.
pub(crate) async fn rehearsal() -> Rehearsal {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        data_dir: folder.path().join("data"),
        listen: "127.0.0.1:0".parse().unwrap(),
        localhost: false,
        http: true,
        deliver_anywhere: false,
        servers: 1,
        release: Release::default(),
    };
    let site = seeded_site(options).await.unwrap();
    Rehearsal { site, http: http(), _folder: folder }
}

pub(crate) fn http() -> Http {
    Http::new(&Trust::default()).unwrap()
}

impl Rehearsal {
    pub(crate) fn portal(&self) -> Endpoint {
        Endpoint::new(self.http.clone(), Url::parse(&self.site.ready().portal).unwrap())
    }

    pub(crate) fn server(&self) -> Endpoint {
        Endpoint::new(self.http.clone(), self.server_root())
    }

    pub(crate) fn server_root(&self) -> Url {
        Url::parse(&self.site.ready().server).unwrap()
    }

    pub(crate) fn origin(&self) -> String {
        self.site.ready().portal.strip_suffix("/portal").unwrap().to_owned()
    }

    pub(crate) fn sign_in(&self, role: &str) -> (String, Secret<String>) {
        let user = self.site.ready().users.iter().find(|user| user.role == role).unwrap();
        (user.username.clone(), Secret::new(user.password.clone()))
    }

    /// A portal token of this role.
    pub(crate) async fn token(&self, role: &str) -> IssuedToken {
        let (username, password) = self.sign_in(role);
        generate_token(&self.portal(), &PORTAL_TOKENS, &username, &password).await.unwrap()
    }

    /// Orders what happens to the next requests of an operation.
    pub(crate) async fn order(&self, operation: &str, fault: &str, times: &str) {
        let token = self.token("administrator").await;
        let fault = InjectedFault { operation, name: fault, times, more: &[] };
        fault.order(&self.origin(), token.token.expose()).await.unwrap();
    }
}
