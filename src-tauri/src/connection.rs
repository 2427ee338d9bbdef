//! The way to a site, put together from its settings: whom to trust there, who we are, which proxy.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use steward_client::{Http, Identity, Pin, Route, Trust};
use steward_vault::{Secret, SecretStore};
use url::Url;

use crate::problem::{Fault, Problem};
use crate::sites::{ConnectionForm, SavedRoute, Site, SiteId, read_certificate};

/// The ways to all sites. Each is prepared once: reading the system's authorities takes a while.
pub(crate) struct Connections {
    vault: Arc<dyn SecretStore>,
    ways: Mutex<HashMap<SiteId, Http>>,
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
    pub(crate) fn new(vault: Arc<dyn SecretStore>) -> Self {
        Self { vault, ways: Mutex::default() }
    }

    /// The way to a saved site.
    pub(crate) async fn to(&self, site: &Site) -> Result<Http, Problem> {
        if let Some(way) = self.ways().get(&site.id) {
            return Ok(way.clone());
        }
        let parts = Parts {
            ca_certificate: site.ca_certificate.as_deref(),
            client_certificate: site.client_certificate.as_deref(),
            certificate_password: match site.client_certificate {
                Some(_) => self.password(&site.id, WayPassword::Certificate).await?,
                None => Secret::default(),
            },
            pins: site.pins.clone(),
            route: &site.route,
            proxy_password: match site.route {
                SavedRoute::Proxy { .. } => self.password(&site.id, WayPassword::Proxy).await?,
                SavedRoute::System | SavedRoute::Direct => Secret::default(),
            },
        };
        let way = parts.put_together(&site.id)?;
        self.ways().insert(site.id.clone(), way.clone());
        Ok(way)
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
        let parts = Parts {
            ca_certificate: ca_certificate.as_deref(),
            client_certificate: client_certificate.as_deref(),
            certificate_password: password(&form.client_certificate_password, WayPassword::Certificate)
                .await?,
            pins: form.pins.iter().map(crate::sites::PinView::pin).collect(),
            route: &route,
            proxy_password: password(&form.proxy_password, WayPassword::Proxy).await?,
        };
        let nobody = SiteId(String::new());
        parts.put_together(site.map_or(&nobody, |site| &site.id))
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

fn entry(site: &SiteId, which: WayPassword) -> String {
    match which {
        WayPassword::Proxy => format!("{}/proxy-password", site.0),
        WayPassword::Certificate => format!("{}/certificate-password", site.0),
    }
}
