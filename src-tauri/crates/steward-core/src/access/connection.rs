//! The way to a site, put together from its settings: whom to trust there, who we are, which proxy.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use steward_client::{Http, Identity, Pin, Route, Trust};
use steward_vault::{Secret, SecretStore};
use url::Url;

use crate::model::ids::SiteId;
use crate::model::problem::{Fault, Problem};
use crate::settings::preferences::ProgramConnection;
use crate::sites::{ConnectionForm, SavedRoute, Site, read_certificate};

/// The ways to all sites. Each is prepared once: reading the system's authorities takes a while.
pub(crate) struct Connections {
    vault: Arc<dyn SecretStore>,
    ways: Mutex<HashMap<SiteId, Way>>,
    /// How often the way to each site was forgotten, and the way of the program.
    revisions: Mutex<HashMap<SiteId, u64>>,
    /// What a site uses whose own connection says nothing.
    program: Mutex<ProgramConnection>,
    /// Whether the organisation decides which way: then no site has one of its own.
    route_is_locked: bool,
}

/// A password that belongs to the way to a site.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WayPassword {
    /// Of the proxy.
    Proxy,
    /// Of the file of the client certificate.
    Certificate,
}

/// A way, and what it was put together from: it leads to no site whose settings are others by now.
struct Way {
    made_of: MadeOf,
    http: Http,
}

#[derive(PartialEq, Eq)]
struct MadeOf {
    ca_certificate: Option<PathBuf>,
    client_certificate: Option<PathBuf>,
    pins: Vec<Pin>,
    route: SavedRoute,
    whose_proxy: SiteId,
    /// Of the site, and of the program. Secrets and files change, too.
    revisions: (u64, u64),
}

/// The password of a proxy as it lies in the keyring, with the proxy that it is meant for.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProxyPassword {
    proxy: String,
    password: String,
}

/// What a way is put together from.
struct Parts<'a> {
    ca_certificate: Option<&'a Path>,
    client_certificate: Option<&'a Path>,
    certificate_password: Secret<String>,
    pins: Vec<Pin>,
    route: &'a SavedRoute,
    proxy_password: Secret<String>,
}

impl Connections {
    pub(crate) fn new(
        vault: Arc<dyn SecretStore>,
        program: ProgramConnection,
        route_is_locked: bool,
    ) -> Self {
        let (ways, revisions, program) = (Mutex::default(), Mutex::default(), Mutex::new(program));
        Self { vault, ways, revisions, program, route_is_locked }
    }

    /// From now on, this is the way to every site that has none of its own.
    pub(crate) fn use_for_all(&self, program: ProgramConnection) {
        *locked(&self.program) = program;
        *locked(&self.revisions).entry(self::program()).or_default() += 1;
        locked(&self.ways).clear();
    }

    /// Keeps the password of the program's own proxy; one that was meant for another proxy is forgotten.
    pub(crate) async fn keep_program_password(
        &self,
        before: &ProgramConnection,
        now: &ProgramConnection,
        typed: Option<&str>,
    ) -> Result<(), Problem> {
        let name = entry(&program(), WayPassword::Proxy);
        let proxy = |connection: &ProgramConnection| match &connection.route {
            SavedRoute::Proxy { address, .. } => Some(address.clone()),
            SavedRoute::System | SavedRoute::Direct => None,
        };
        match typed {
            Some("") => self.vault.forget(&name).await?,
            Some(typed) => self.keep_for_proxy(&program(), &now.route, typed).await?,
            None if proxy(before).is_some() && proxy(before) != proxy(now) => {
                self.vault.forget(&name).await?
            }
            None => {}
        }
        Ok(())
    }

    /// A site's own settings, completed with those of the program, and whose proxy it is.
    fn completed(
        &self,
        site: &SiteId,
        route: &SavedRoute,
        authority: Option<PathBuf>,
    ) -> (SavedRoute, Option<PathBuf>, SiteId) {
        let general = locked(&self.program).clone();
        let authority = authority.or_else(|| crate::sites::path(&general.ca_certificate));
        match route {
            own if *own != SavedRoute::System && !self.route_is_locked => {
                (own.clone(), authority, site.clone())
            }
            _ => (general.route, authority, program()),
        }
    }

    /// Which way leads to a saved site: its own, or that of the program.
    pub(crate) fn route_to(&self, site: &Site) -> SavedRoute {
        self.completed(&site.id, &site.route, None).0
    }

    /// The way to a saved site.
    pub(crate) async fn to(&self, site: &Site) -> Result<Http, Problem> {
        // Before any secret is read: one that is written meanwhile makes it a way of before.
        let made_of = self.made_of(site);
        if let Some(way) = self.known(&site.id, &made_of) {
            return Ok(way);
        }
        let parts = Parts {
            ca_certificate: made_of.ca_certificate.as_deref(),
            client_certificate: made_of.client_certificate.as_deref(),
            certificate_password: match made_of.client_certificate {
                Some(_) => self.certificate_password(&site.id).await?,
                None => Secret::default(),
            },
            pins: made_of.pins.clone(),
            route: &made_of.route,
            proxy_password: self.proxy_password(&made_of.whose_proxy, &made_of.route).await?,
        };
        let http = parts.put_together(&site.id)?;
        // Whoever asked beside us has one way with us.
        if let Some(way) = self.known(&site.id, &made_of) {
            return Ok(way);
        }
        locked(&self.ways).insert(site.id.clone(), Way { made_of, http: http.clone() });
        Ok(http)
    }

    /// Whether `http` still is the way to a site.
    pub(crate) fn is_way_to(&self, site: &Site, http: &Http) -> bool {
        self.known(&site.id, &self.made_of(site)).is_some_and(|way| way.is_same(http))
    }

    fn known(&self, site: &SiteId, made_of: &MadeOf) -> Option<Http> {
        let ways = locked(&self.ways);
        ways.get(site).filter(|way| way.made_of == *made_of).map(|way| way.http.clone())
    }

    fn made_of(&self, site: &Site) -> MadeOf {
        let revisions = {
            let revisions = locked(&self.revisions);
            let of = |whose: &SiteId| revisions.get(whose).copied().unwrap_or_default();
            (of(&site.id), of(&program()))
        };
        let (route, ca_certificate, whose_proxy) =
            self.completed(&site.id, &site.route, site.ca_certificate.clone());
        MadeOf {
            ca_certificate,
            client_certificate: site.client_certificate.clone(),
            pins: site.pins.clone(),
            route,
            whose_proxy,
            revisions,
        }
    }

    /// The way that the program itself takes: to what belongs to no site.
    pub(crate) async fn of_the_program(&self) -> Result<Http, Problem> {
        let (route, authority, whose_proxy) = self.completed(&program(), &SavedRoute::System, None);
        let parts = Parts {
            ca_certificate: authority.as_deref(),
            client_certificate: None,
            certificate_password: Secret::default(),
            pins: Vec::new(),
            proxy_password: self.proxy_password(&whose_proxy, &route).await?,
            route: &route,
        };
        parts.put_together(&SiteId(String::new()))
    }

    /// The way that somebody is filling in, of a new site or of `site`.
    pub(crate) async fn drafted(&self, site: Option<&Site>, form: &ConnectionForm) -> Result<Http, Problem> {
        let is_another = site.map(|site| form.is_through_another_proxy(site)).transpose()?.unwrap_or(false);
        let (ca_certificate, route) = (form.checked_authority()?, form.checked_route()?);
        let client_certificate = crate::sites::path(&form.client_certificate);
        let nobody = SiteId(String::new());
        let site_id = site.map_or(&nobody, |site| &site.id);
        let (route, ca_certificate, whose_proxy) = self.completed(site_id, &route, ca_certificate);
        let proxy_password = match (&form.proxy_password, site) {
            _ if whose_proxy == program() => self.proxy_password(&whose_proxy, &route).await?,
            (Some(typed), _) => Secret::new(typed.clone()),
            (None, Some(site)) if !is_another => self.proxy_password(&site.id, &route).await?,
            (None, _) => Secret::default(),
        };
        let certificate_password = match (&form.client_certificate_password, site) {
            (Some(typed), _) => Secret::new(typed.clone()),
            (None, Some(site)) => self.certificate_password(&site.id).await?,
            (None, None) => Secret::default(),
        };
        let parts = Parts {
            ca_certificate: ca_certificate.as_deref(),
            client_certificate: client_certificate.as_deref(),
            certificate_password,
            pins: form.pins.iter().map(crate::sites::PinView::pin).collect(),
            route: &route,
            proxy_password,
        };
        parts.put_together(site_id)
    }

    /// Keeps the passwords that were typed with a form; an empty one is forgotten.
    pub(crate) async fn keep_passwords(&self, site: &SiteId, form: &ConnectionForm) -> Result<(), Problem> {
        let name = entry(site, WayPassword::Certificate);
        match form.client_certificate_password.as_deref() {
            None => {}
            Some("") => self.vault.forget(&name).await?,
            Some(typed) => self.vault.set(&name, Secret::new(typed.to_owned())).await?,
        }
        match form.proxy_password.as_deref() {
            None => Ok(()),
            Some("") => Ok(self.vault.forget(&entry(site, WayPassword::Proxy)).await?),
            Some(typed) => self.keep_for_proxy(site, &form.checked_route()?, typed).await,
        }
    }

    /// Keeps a password for the proxy that a route leads through, and for no other.
    async fn keep_for_proxy(&self, site: &SiteId, route: &SavedRoute, typed: &str) -> Result<(), Problem> {
        let SavedRoute::Proxy { address, .. } = route else { return Ok(()) };
        let kept = ProxyPassword { proxy: address.clone(), password: typed.to_owned() };
        let text = serde_json::to_string(&kept).context("the password of a proxy cannot be written down")?;
        Ok(self.vault.set(&entry(site, WayPassword::Proxy), Secret::new(text)).await?)
    }

    /// Forgets the proxy's password when the form names another proxy: it was meant for that one.
    pub(crate) async fn keep_to_its_proxy(&self, site: &Site, form: &ConnectionForm) -> Result<(), Problem> {
        if form.is_through_another_proxy(site)? {
            self.vault.forget(&entry(&site.id, WayPassword::Proxy)).await?;
        }
        Ok(())
    }

    /// Forgets the passwords of a site.
    pub(crate) async fn forget_passwords(&self, site: &SiteId) -> Result<(), Problem> {
        for which in [WayPassword::Certificate, WayPassword::Proxy] {
            self.vault.forget(&entry(site, which)).await?;
        }
        Ok(())
    }

    /// The settings of a site changed.
    pub(crate) fn forget(&self, site: &SiteId) {
        *locked(&self.revisions).entry(site.clone()).or_default() += 1;
        locked(&self.ways).remove(site);
    }

    async fn certificate_password(&self, site: &SiteId) -> Result<Secret<String>, Problem> {
        Ok(self.vault.get(&entry(site, WayPassword::Certificate)).await?.unwrap_or_default())
    }

    /// The password for the proxy that a route leads through; none where it was typed for another.
    async fn proxy_password(&self, whose: &SiteId, route: &SavedRoute) -> Result<Secret<String>, Problem> {
        let SavedRoute::Proxy { address, .. } = route else { return Ok(Secret::default()) };
        let kept = self.vault.get(&entry(whose, WayPassword::Proxy)).await?.unwrap_or_default();
        Ok(match serde_json::from_str::<ProxyPassword>(kept.expose()) {
            Ok(kept) if kept.proxy == *address => Secret::new(kept.password),
            Ok(_) => Secret::default(),
            // Earlier versions kept it alone.
            Err(_) => kept,
        })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Single inserts and removals; none can be left half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Parts<'_> {
    fn put_together(self, site: &SiteId) -> Result<Http, Problem> {
        let identity = match self.client_certificate.map(read_certificate).transpose()? {
            Some(file) if file.windows(10).any(|text| text == b"-----BEGIN") => {
                Some(Identity::Pem(Secret::new(file)))
            }
            Some(file) => {
                Some(Identity::Pkcs12 { file: Secret::new(file), password: self.certificate_password })
            }
            None => None,
        };
        let trust = Trust {
            ca_pem: self.ca_certificate.map(read_certificate).transpose()?,
            identity,
            pins: self.pins,
        };
        let route = match self.route {
            SavedRoute::System => Route::System,
            SavedRoute::Direct => Route::Direct,
            SavedRoute::Proxy { address, user, exceptions } => Route::Proxy {
                url: Url::parse(address)
                    .map_err(|_| Problem::form("connection.route.address", Fault::NotAnAddress))?,
                user: user.clone(),
                password: self.proxy_password,
                exceptions: exceptions.clone(),
            },
        };
        Http::with_route(&trust, &route).map_err(|error| Problem::from_client(&error, site))
    }
}

/// Stands in the place of a site for what belongs to all of them. No site is called so: theirs are random.
fn program() -> SiteId {
    SiteId("program".to_owned())
}

fn entry(site: &SiteId, which: WayPassword) -> String {
    match which {
        WayPassword::Proxy => format!("{}/proxy-password", site.0),
        WayPassword::Certificate => format!("{}/certificate-password", site.0),
    }
}
