//! The way to a site, put together from its settings: whom to trust there, who we are, which proxy.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use steward_client::{Http, Identity, Pin, Route, Trust};
use steward_vault::{Secret, SecretStore};
use url::Url;

use crate::preferences::ProgramConnection;
use crate::problem::{Fault, Problem};
use crate::sites::{ConnectionForm, SavedRoute, Site, SiteId, read_certificate};

/// The ways to all sites. Each is prepared once: reading the system's authorities takes a while.
pub(crate) struct Connections {
    vault: Arc<dyn SecretStore>,
    ways: Mutex<HashMap<SiteId, Http>>,
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
        Self { vault, ways: Mutex::default(), program: Mutex::new(program), route_is_locked }
    }

    /// From now on, this is the way to every site that has none of its own.
    pub(crate) fn use_for_all(&self, program: ProgramConnection) {
        *self.program.lock().unwrap_or_else(PoisonError::into_inner) = program;
        self.ways().clear();
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
            Some(typed) if !typed.is_empty() => self.vault.set(&name, Secret::new(typed.to_owned())).await?,
            Some(_) => self.vault.forget(&name).await?,
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
        let general = self.program.lock().unwrap_or_else(PoisonError::into_inner).clone();
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
        if let Some(way) = self.ways().get(&site.id) {
            return Ok(way.clone());
        }
        let (route, authority, whose_proxy) =
            self.completed(&site.id, &site.route, site.ca_certificate.clone());
        let parts = Parts {
            ca_certificate: authority.as_deref(),
            client_certificate: site.client_certificate.as_deref(),
            certificate_password: match site.client_certificate {
                Some(_) => self.password(&site.id, WayPassword::Certificate).await?,
                None => Secret::default(),
            },
            pins: site.pins.clone(),
            route: &route,
            proxy_password: match route {
                SavedRoute::Proxy { .. } => self.password(&whose_proxy, WayPassword::Proxy).await?,
                SavedRoute::System | SavedRoute::Direct => Secret::default(),
            },
        };
        let way = parts.put_together(&site.id)?;
        self.ways().insert(site.id.clone(), way.clone());
        Ok(way)
    }

    /// The way that the program itself takes: to what belongs to no site.
    pub(crate) async fn of_the_program(&self) -> Result<Http, Problem> {
        let (route, authority, whose_proxy) = self.completed(&program(), &SavedRoute::System, None);
        let parts = Parts {
            ca_certificate: authority.as_deref(),
            client_certificate: None,
            certificate_password: Secret::default(),
            pins: Vec::new(),
            proxy_password: match route {
                SavedRoute::Proxy { .. } => self.password(&whose_proxy, WayPassword::Proxy).await?,
                SavedRoute::System | SavedRoute::Direct => Secret::default(),
            },
            route: &route,
        };
        parts.put_together(&SiteId(String::new()))
    }

    /// The way that somebody is filling in, of a new site or of `site`.
    pub(crate) async fn drafted(&self, site: Option<&Site>, form: &ConnectionForm) -> Result<Http, Problem> {
        let is_another = site.map(|site| form.is_through_another_proxy(site)).transpose()?.unwrap_or(false);
        let password = async |typed: &Option<String>, which| match (typed, site) {
            (Some(typed), _) => Ok(Secret::new(typed.clone())),
            (None, Some(_)) if is_another && matches!(which, WayPassword::Proxy) => Ok(Secret::default()),
            (None, Some(site)) => self.password(&site.id, which).await,
            (None, None) => Ok(Secret::default()),
        };
        let (ca_certificate, route) = (form.checked_authority()?, form.checked_route()?);
        let client_certificate = crate::sites::path(&form.client_certificate);
        let nobody = SiteId(String::new());
        let site_id = site.map_or(&nobody, |site| &site.id);
        let (route, ca_certificate, whose_proxy) = self.completed(site_id, &route, ca_certificate);
        let proxy_password = match &route {
            SavedRoute::Proxy { .. } if whose_proxy == program() => {
                self.password(&whose_proxy, WayPassword::Proxy).await?
            }
            _ => password(&form.proxy_password, WayPassword::Proxy).await?,
        };
        let parts = Parts {
            ca_certificate: ca_certificate.as_deref(),
            client_certificate: client_certificate.as_deref(),
            certificate_password: password(&form.client_certificate_password, WayPassword::Certificate)
                .await?,
            pins: form.pins.iter().map(crate::sites::PinView::pin).collect(),
            route: &route,
            proxy_password,
        };
        parts.put_together(site_id)
    }

    /// Keeps the passwords that were typed with a form; an empty one is forgotten.
    pub(crate) async fn keep_passwords(&self, site: &SiteId, form: &ConnectionForm) -> Result<(), Problem> {
        let typed = [
            (WayPassword::Certificate, &form.client_certificate_password),
            (WayPassword::Proxy, &form.proxy_password),
        ];
        for (which, typed) in typed {
            match typed.as_deref() {
                None => {}
                Some("") => self.vault.forget(&entry(site, which)).await?,
                Some(typed) => self.vault.set(&entry(site, which), Secret::new(typed.to_owned())).await?,
            }
        }
        Ok(())
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
        self.ways().remove(site);
    }

    async fn password(&self, site: &SiteId, which: WayPassword) -> Result<Secret<String>, Problem> {
        Ok(self.vault.get(&entry(site, which)).await?.unwrap_or_default())
    }

    fn ways(&self) -> std::sync::MutexGuard<'_, HashMap<SiteId, Http>> {
        // Single inserts and removals; none can be left half done.
        self.ways.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
