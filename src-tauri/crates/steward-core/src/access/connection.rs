//! HTTP connections to sites: trusted certificates, client certificate, and proxy.
//!
//! [`Connections::to`] returns the connection of a saved site. Passwords of connections are in the keyring.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use steward_client::{ClientCertificate, Http, Route, Trust, TrustedCertificate};
use steward_vault::{Secret, SecretStore};
use url::Url;

use crate::model::ids::SiteId;
use crate::model::problem::{FieldError, Problem};
use crate::settings::preferences::{LogServer, ProgramConnection};
use crate::sites::{ConnectionForm, ConnectionRoute, Site, read_certificate};

/// Connections to all sites. Each is built once: reading the certificate authorities of the system is slow.
pub struct Connections {
    vault: Arc<dyn SecretStore>,
    known: Mutex<HashMap<SiteId, KeptConnection>>,
    /// Number of changes to the connection of each site, and to that of the program.
    revisions: Mutex<HashMap<SiteId, u64>>,
    /// Connection settings for sites without their own.
    program: Mutex<ProgramConnection>,
    /// Whether the policy locks the proxy settings. Sites then have none of their own.
    route_is_locked: bool,
}

/// A password of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ConnectionPassword {
    /// Password of the proxy.
    Proxy,
    /// Password of the client certificate file.
    Certificate,
}

/// A connection and the settings that it was built from. It is not used after they change.
struct KeptConnection {
    made_of: MadeOf,
    http: Http,
}

/// Settings that a session depends on: the route to a site, and its trusted certificates.
#[derive(PartialEq, Eq)]
struct RouteAndTrust {
    route: ConnectionRoute,
    ca_certificate: Option<PathBuf>,
    client_certificate: Option<PathBuf>,
    trusted_certificates: BTreeSet<(String, String)>,
}

#[derive(PartialEq, Eq)]
struct MadeOf {
    ca_certificate: Option<PathBuf>,
    client_certificate: Option<PathBuf>,
    trusted_certificates: Vec<TrustedCertificate>,
    route: ConnectionRoute,
    whose_proxy: SiteId,
    /// Revisions of the site and of the program, which also count changes of secrets and files.
    revisions: (u64, u64),
}

/// Password of a proxy as stored in the keyring, with the address of the proxy.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProxyPassword {
    proxy: String,
    password: String,
}

/// Parts of a connection.
struct Parts<'a> {
    /// Files with certificates of authorities, all of which are trusted.
    ca_certificates: Vec<&'a Path>,
    client_certificate: Option<&'a Path>,
    certificate_password: Secret<String>,
    trusted_certificates: Vec<TrustedCertificate>,
    route: &'a ConnectionRoute,
    proxy_password: Secret<String>,
}

impl Connections {
    pub(crate) fn new(
        vault: Arc<dyn SecretStore>,
        program: ProgramConnection,
        route_is_locked: bool,
    ) -> Self {
        let (known, revisions, program) = (Mutex::default(), Mutex::default(), Mutex::new(program));
        Self { vault, known, revisions, program, route_is_locked }
    }

    /// Sets the connection settings for sites without their own.
    pub(crate) fn use_for_all(&self, program: ProgramConnection) {
        *locked(&self.program) = program;
        *locked(&self.revisions).entry(self::program()).or_default() += 1;
        locked(&self.known).clear();
    }

    /// Stores the password of the program's proxy. Deletes the stored one if the proxy changed.
    pub(crate) async fn keep_program_password(
        &self,
        before: &ProgramConnection,
        now: &ProgramConnection,
        typed: Option<&str>,
    ) -> Result<(), Problem> {
        let name = entry(&program(), ConnectionPassword::Proxy);
        let proxy = |connection: &ProgramConnection| match &connection.route {
            ConnectionRoute::Proxy { address, .. } => Some(address.clone()),
            ConnectionRoute::System | ConnectionRoute::Direct => None,
        };
        match typed {
            Some("") => {
                self.vault.forget(&name).await?;
            }
            Some(typed) => self.keep_for_proxy(&program(), &now.route, typed).await?,
            None if proxy(before).is_some() && proxy(before) != proxy(now) => {
                self.vault.forget(&name).await?;
            }
            None => {}
        }
        Ok(())
    }

    /// Returns the settings of a site, completed with those of the program, and the owner of the proxy password.
    fn completed(
        &self,
        site: &SiteId,
        route: &ConnectionRoute,
        authority: Option<PathBuf>,
    ) -> (ConnectionRoute, Option<PathBuf>, SiteId) {
        self.completed_by(&locked(&self.program), site, route, authority)
    }

    fn completed_by(
        &self,
        general: &ProgramConnection,
        site: &SiteId,
        route: &ConnectionRoute,
        authority: Option<PathBuf>,
    ) -> (ConnectionRoute, Option<PathBuf>, SiteId) {
        let authority = authority.or_else(|| crate::sites::path(&general.ca_certificate));
        match route {
            own if *own != ConnectionRoute::System && !self.route_is_locked => {
                (own.clone(), authority, site.clone())
            }
            _ => (general.route.clone(), authority, program()),
        }
    }

    /// Returns whether a site has a route of its own although the policy locks the proxy settings.
    pub(crate) fn is_refused_route(&self, site: &Site) -> bool {
        self.route_is_locked && site.route != ConnectionRoute::System
    }

    /// Returns the route to a site: its own, or that of the program.
    pub(crate) fn route_to(&self, site: &Site) -> ConnectionRoute {
        self.completed(&site.id, &site.route, None).0
    }

    /// Returns whether the route or the trust of a site changes to those of `after`. Its sessions end then: their tokens
    /// and stored passwords were given for the earlier ones.
    pub(crate) fn is_rerouted(&self, before: &Site, after: &Site) -> bool {
        let program = locked(&self.program);
        self.route_and_trust(&program, before) != self.route_and_trust(&program, after)
    }

    /// Returns whether the route or the trust of a site changes with the connection settings for sites without their own.
    pub(crate) fn is_rerouted_by(&self, program: &ProgramConnection, site: &Site) -> bool {
        self.route_and_trust(&locked(&self.program), site) != self.route_and_trust(program, site)
    }

    fn route_and_trust(&self, program: &ProgramConnection, site: &Site) -> RouteAndTrust {
        let (route, ca_certificate, _) =
            self.completed_by(program, &site.id, &site.route, site.ca_certificate.clone());
        let trusted = site.trusted_certificates.iter();
        RouteAndTrust {
            route,
            ca_certificate,
            client_certificate: site.client_certificate.clone(),
            trusted_certificates: trusted.map(|one| (one.origin.clone(), one.fingerprint.clone())).collect(),
        }
    }

    /// Returns the connection to a saved site.
    pub(crate) async fn to(&self, site: &Site) -> Result<Http, Problem> {
        // Take the settings before secrets are read: a secret that changes meanwhile makes this connection obsolete.
        let made_of = self.made_of(site);
        if let Some(known) = self.known(&site.id, &made_of) {
            return Ok(known);
        }
        let parts = Parts {
            ca_certificates: made_of.ca_certificate.as_deref().into_iter().collect(),
            client_certificate: made_of.client_certificate.as_deref(),
            certificate_password: match made_of.client_certificate {
                Some(_) => self.certificate_password(&site.id).await?,
                None => Secret::default(),
            },
            trusted_certificates: made_of.trusted_certificates.clone(),
            route: &made_of.route,
            proxy_password: self.proxy_password(&made_of.whose_proxy, &made_of.route).await?,
        };
        let http = parts.put_together(&site.id)?;
        // Concurrent requests share one connection.
        if let Some(known) = self.known(&site.id, &made_of) {
            return Ok(known);
        }
        locked(&self.known).insert(site.id.clone(), KeptConnection { made_of, http: http.clone() });
        Ok(http)
    }

    /// Returns whether `http` is the current connection to a site.
    pub(crate) fn is_connection_to(&self, site: &Site, http: &Http) -> bool {
        self.known(&site.id, &self.made_of(site)).is_some_and(|known| known.is_same(http))
    }

    fn known(&self, site: &SiteId, made_of: &MadeOf) -> Option<Http> {
        let known = locked(&self.known);
        known.get(site).filter(|known| known.made_of == *made_of).map(|known| known.http.clone())
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
            trusted_certificates: site.trusted_certificates.clone(),
            route,
            whose_proxy,
            revisions,
        }
    }

    /// Returns the connection for requests that do not belong to a site.
    ///
    /// # Errors
    /// - [`Problem::Keyring`] if the password of the proxy cannot be read.
    /// - Another one if the proxy or the CA certificate of the settings cannot be used.
    pub async fn of_the_program(&self) -> Result<Http, Problem> {
        let (route, authority, whose_proxy) = self.completed(&program(), &ConnectionRoute::System, None);
        let parts = Parts {
            ca_certificates: authority.as_deref().into_iter().collect(),
            client_certificate: None,
            certificate_password: Secret::default(),
            trusted_certificates: Vec::new(),
            proxy_password: self.proxy_password(&whose_proxy, &route).await?,
            route: &route,
        };
        parts.put_together(&SiteId(String::new()))
    }

    /// Returns the connection to a log server: with the proxy and the authorities of the program, and with nothing of a site.
    /// `typed`: the password of its client certificate; `None` for the stored one.
    pub(crate) async fn to_log_server(
        &self,
        log_server: &LogServer,
        typed: Option<&str>,
    ) -> Result<Http, Problem> {
        let (route, authority, whose_proxy) = self.completed(&program(), &ConnectionRoute::System, None);
        let client_certificate = crate::sites::path(&log_server.client_certificate);
        let certificate_password = match (&client_certificate, typed) {
            (None, _) => Secret::default(),
            (Some(_), Some(typed)) => Secret::new(typed.to_owned()),
            (Some(_), None) => self.certificate_password(&self::log_server()).await?,
        };
        let own_authority = crate::sites::path(&log_server.ca_certificate);
        let parts = Parts {
            ca_certificates: [authority.as_deref(), own_authority.as_deref()].into_iter().flatten().collect(),
            client_certificate: client_certificate.as_deref(),
            certificate_password,
            trusted_certificates: Vec::new(),
            proxy_password: self.proxy_password(&whose_proxy, &route).await?,
            route: &route,
        };
        parts.put_together(&SiteId(String::new()))
    }

    /// Stores the password of the client certificate for a log server. An empty one is deleted, and `None` leaves the stored
    /// one of a certificate.
    pub(crate) async fn keep_log_server_password(
        &self,
        log_server: &LogServer,
        typed: Option<&str>,
    ) -> Result<(), Problem> {
        let name = entry(&self::log_server(), ConnectionPassword::Certificate);
        match typed {
            Some(typed) if !typed.is_empty() && !log_server.client_certificate.is_empty() => {
                self.vault.set(&name, Secret::new(typed.to_owned())).await?;
            }
            None if !log_server.client_certificate.is_empty() => {}
            _ => {
                self.vault.forget(&name).await?;
            }
        }
        Ok(())
    }

    /// Returns the connection of a form that is not saved, of a new site or of `site`.
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
            ca_certificates: ca_certificate.as_deref().into_iter().collect(),
            client_certificate: client_certificate.as_deref(),
            certificate_password,
            trusted_certificates: form
                .trusted_certificates
                .iter()
                .map(crate::sites::TrustedCertificateView::certificate)
                .collect(),
            route: &route,
            proxy_password,
        };
        parts.put_together(site_id)
    }

    /// Stores the passwords entered in a form. An empty one is deleted, and `None` leaves the stored one.
    pub(crate) async fn keep_passwords(&self, site: &SiteId, form: &ConnectionForm) -> Result<(), Problem> {
        let name = entry(site, ConnectionPassword::Certificate);
        match form.client_certificate_password.as_deref() {
            None => {}
            Some("") => {
                self.vault.forget(&name).await?;
            }
            Some(typed) => self.vault.set(&name, Secret::new(typed.to_owned())).await?,
        }
        match form.proxy_password.as_deref() {
            None => Ok(()),
            Some("") => {
                self.vault.forget(&entry(site, ConnectionPassword::Proxy)).await?;
                Ok(())
            }
            Some(typed) => self.keep_for_proxy(site, &form.checked_route()?, typed).await,
        }
    }

    /// Stores a password with the address of the proxy that it is for. Does nothing if the route has no proxy.
    async fn keep_for_proxy(
        &self,
        site: &SiteId,
        route: &ConnectionRoute,
        typed: &str,
    ) -> Result<(), Problem> {
        let ConnectionRoute::Proxy { address, .. } = route else { return Ok(()) };
        let kept = ProxyPassword { proxy: address.clone(), password: typed.to_owned() };
        let text = serde_json::to_string(&kept).context("the password of a proxy cannot be written down")?;
        Ok(self.vault.set(&entry(site, ConnectionPassword::Proxy), Secret::new(text)).await?)
    }

    /// Deletes the stored proxy password if the form names another proxy.
    pub(crate) async fn keep_to_its_proxy(&self, site: &Site, form: &ConnectionForm) -> Result<(), Problem> {
        if form.is_through_another_proxy(site)? {
            self.vault.forget(&entry(&site.id, ConnectionPassword::Proxy)).await?;
        }
        Ok(())
    }

    /// Deletes the passwords of a site's connection.
    pub(crate) async fn forget_passwords(&self, site: &SiteId) -> Result<(), Problem> {
        for which in [ConnectionPassword::Certificate, ConnectionPassword::Proxy] {
            self.vault.forget(&entry(site, which)).await?;
        }
        Ok(())
    }

    /// Drops the connection to a site, whose settings changed.
    pub(crate) fn forget(&self, site: &SiteId) {
        *locked(&self.revisions).entry(site.clone()).or_default() += 1;
        locked(&self.known).remove(site);
    }

    /// Returns the files with the certificate authorities and the client certificate of a site.
    pub(super) fn certificate_files(&self, site: &Site) -> (Option<PathBuf>, Option<PathBuf>) {
        let (_, authority, _) = self.completed(&site.id, &site.route, site.ca_certificate.clone());
        (authority, site.client_certificate.clone())
    }

    pub(super) async fn certificate_password(&self, site: &SiteId) -> Result<Secret<String>, Problem> {
        Ok(self.vault.get(&entry(site, ConnectionPassword::Certificate)).await?.unwrap_or_default())
    }

    /// Returns the password for the proxy of a route; empty if it was entered for another proxy.
    async fn proxy_password(
        &self,
        whose: &SiteId,
        route: &ConnectionRoute,
    ) -> Result<Secret<String>, Problem> {
        let ConnectionRoute::Proxy { address, .. } = route else { return Ok(Secret::default()) };
        let kept = self.vault.get(&entry(whose, ConnectionPassword::Proxy)).await?.unwrap_or_default();
        Ok(match serde_json::from_str::<ProxyPassword>(kept.expose()) {
            Ok(kept) if kept.proxy == *address => Secret::new(kept.password),
            _ => Secret::default(),
        })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Changed by single inserts and removals, so that a panic leaves it consistent.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Parts<'_> {
    fn put_together(self, site: &SiteId) -> Result<Http, Problem> {
        let identity = match self.client_certificate.map(read_certificate).transpose()? {
            Some(file) if file.windows(10).any(|text| text == b"-----BEGIN") => {
                Some(ClientCertificate::Pem(Secret::new(file)))
            }
            Some(file) => Some(ClientCertificate::Pkcs12 {
                file: Secret::new(file),
                password: self.certificate_password,
            }),
            None => None,
        };
        let trust = Trust {
            ca_pem: authorities(&self.ca_certificates)?,
            identity,
            trusted_certificates: self.trusted_certificates,
        };
        let route = match self.route {
            ConnectionRoute::System => Route::System,
            ConnectionRoute::Direct => Route::Direct,
            ConnectionRoute::Proxy { address, user, exceptions } => Route::Proxy {
                url: Url::parse(address)
                    .map_err(|_| Problem::form("connection.route.address", FieldError::NotAnAddress))?,
                user: user.clone(),
                password: self.proxy_password,
                exceptions: exceptions.clone(),
            },
        };
        Http::with_route(&trust, &route).map_err(|error| Problem::from_client(&error, site))
    }
}

/// Reads files with certificates in PEM as one; `None` without files.
fn authorities(files: &[&Path]) -> Result<Option<Vec<u8>>, Problem> {
    let read = files.iter().map(|file| read_certificate(file)).collect::<Result<Vec<_>, _>>()?;
    // A file might not end with a line break.
    Ok((!read.is_empty()).then(|| read.join(&b'\n')))
}

/// Returns the identifier for the keyring entries of the connection that all sites share. Identifiers of sites are
/// random.
fn program() -> SiteId {
    SiteId("program".to_owned())
}

/// Returns the same for the connection to a log server.
fn log_server() -> SiteId {
    SiteId("log-server".to_owned())
}

fn entry(site: &SiteId, which: ConnectionPassword) -> String {
    match which {
        ConnectionPassword::Proxy => format!("{}/proxy-password", site.0),
        ConnectionPassword::Certificate => format!("{}/certificate-password", site.0),
    }
}
