//! Access to sites: connections, sessions, and the properties that a site returns.
//!
//! [`Access::endpoint`] connects to a site with a token. [`Access::ask_who`] requests the version, the user and the
//! role.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use steward_client::discovery::{self, ListedServer};
use steward_client::{ClientError, Endpoint, Renewal, Session};
use steward_vault::{Secret, SecretStore};

use crate::access::checked_facts::CheckedFacts;
use crate::access::connection::Connections;
use crate::access::listed::{Listed, ListedInvitation, ListedParticipant};
use crate::access::listed_server::{is_listed_as_own, is_unclear, listed_as};
use crate::access::pending_sign_ins::PendingSignIns;
use crate::access::sessions::{InMemory, Sessions, StoredSession};
use crate::model::checked::ComponentChecks;
use crate::model::deployment::DeploymentType;
use crate::model::ids::{SiteId, Target, TokenFor};
use crate::model::numbers::Millis;
use crate::model::operation::Component;
use crate::model::person::known_as;
use crate::model::problem::Problem;
use crate::settings::preferences::PreferencesStore;
use crate::sites::availability::SiteFacts;
use crate::sites::endpoints::NormalizedEndpoint;
use crate::sites::site_data::SiteData;
use crate::sites::{SavedServer, Seen, Site, Sites, TargetSite, is_same_host, origin};

/// Access to the saved sites.
pub struct Access {
    /// The saved sites.
    pub sites: Sites,
    /// HTTP connections to the sites.
    pub connections: Connections,
    /// Sessions of the sites.
    pub sessions: Sessions,
    /// Sign-ins that are pending in the browser.
    pub pending_sign_ins: PendingSignIns,
    /// Participants of the last list of each site.
    pub(crate) listed_participants: Listed<ListedParticipant>,
    /// Invitations of the last list of each site.
    pub(crate) listed_invitations: Listed<ListedInvitation>,
    /// Responses of the components to their last check.
    pub checked: CheckedFacts,
    /// Client IDs of the organization, by portal.
    client_ids: BTreeMap<NormalizedEndpoint, String>,
    vault: Arc<dyn SecretStore>,
    known: Mutex<HashMap<Target, SiteFacts>>,
    /// Endpoints that the portal of each site listed for its servers, in addition to the saved ones.
    learned: Mutex<HashMap<SiteId, BTreeSet<NormalizedEndpoint>>>,
    site_data: Vec<Arc<dyn SiteData>>,
}

impl Access {
    /// Creates the access to saved sites. `site_data` is notified when a session changes or a site is removed.
    pub fn new(
        sites: Sites,
        vault: Arc<dyn SecretStore>,
        preferences: &PreferencesStore,
        checked: CheckedFacts,
        site_data: Vec<Arc<dyn SiteData>>,
    ) -> Self {
        let set = preferences.policy.client_ids.iter();
        let route_is_locked = preferences.policy.locked.route.is_some();
        Self {
            sites,
            connections: Connections::new(vault.clone(), preferences.get().connection, route_is_locked),
            sessions: Sessions::new(vault.clone()),
            pending_sign_ins: PendingSignIns::default(),
            listed_participants: Listed::default(),
            listed_invitations: Listed::default(),
            checked,
            client_ids: set.map(|(portal, id)| (NormalizedEndpoint::of(portal), id.clone())).collect(),
            vault,
            known: Mutex::default(),
            learned: Mutex::default(),
            site_data,
        }
    }

    /// Returns the portal of a site, without a token.
    ///
    /// # Errors
    /// - [`Problem::NoAddress`] if the site has no portal.
    /// - [`Problem::Form`] if the proxy address or a certificate of its connection is invalid.
    /// - [`Problem::File`] if a certificate file cannot be read.
    /// - [`Problem::Keyring`] if the passwords of its connection cannot be read.
    /// - [`Problem::Unexpected`] for any other fault of the connection settings.
    pub async fn portal_address(&self, site: &Site) -> Result<Endpoint, Problem> {
        let portal = site.portal.as_ref().ok_or(Problem::NoAddress { component: Component::Portal })?;
        Ok(Endpoint::new(self.connections.to(site).await?, portal.address.clone()))
    }

    /// Returns the client ID that the organization set for the portal of a site; `None` if it set none.
    pub(crate) fn client_id_of_organization(&self, site: &Site) -> Option<&str> {
        let portal = NormalizedEndpoint::of(&site.portal.as_ref()?.address);
        self.client_ids.get(&portal).map(String::as_str)
    }

    /// Returns a server of a site, without a token.
    pub(crate) async fn address_of(&self, site: &Site, server: &SavedServer) -> Result<Endpoint, Problem> {
        Ok(Endpoint::new(self.connections.to(site).await?, server.address.clone()))
    }

    /// Returns a component of a site, with a token.
    ///
    /// # Errors
    /// Those of [`portal`](Self::portal) or [`server`](Self::server).
    pub async fn endpoint(&self, site: &TargetSite, component: Component) -> Result<Endpoint, Problem> {
        match component {
            Component::Portal => self.portal(site).await,
            Component::Server => self.server(site).await,
        }
    }

    /// Returns the portal of a site, with a token.
    ///
    /// # Errors
    /// - [`Problem::SignIn`] if there is no stored token, or the addresses of the site changed meanwhile.
    /// - [`Problem::Keyring`] if the keyring cannot be read.
    /// - [`Problem::Unexpected`] if the site was removed meanwhile.
    /// - Those of [`portal_address`](Self::portal_address).
    pub async fn portal(&self, site: &Site) -> Result<Endpoint, Problem> {
        let portal = self.portal_address(site).await?;
        let portal = self.sessions.with_stored_session(portal, &site.id, TokenFor::Portal).await?;
        self.check_still_there(site)?;
        match portal {
            StoredSession::Open(portal) => Ok(portal),
            StoredSession::Missing => Err(Problem::sign_in(&site.id)),
            StoredSession::Elsewhere(origin) => Err(Problem::sign_in(&site.id).with_session_at(origin)),
        }
    }

    /// Returns a server of a site, with a token.
    ///
    /// The token was issued by the server itself or by the portal for this server. The administration of a Kubernetes
    /// deployment uses the token of its portal.
    ///
    /// # Errors
    /// - [`Problem::SignIn`] if there is no token for the server, or the addresses of the site changed meanwhile.
    /// - [`Problem::UnconfirmedAddress`] if the portal lists the server at another host, and the user has not confirmed
    ///   its address.
    /// - [`Problem::Keyring`] if the keyring cannot be read or written.
    /// - [`Problem::Rejected`] or another error of the client if the portal issues no token for the server.
    /// - [`Problem::NoAddress`] if the target is the portal.
    /// - Those of [`portal`](Self::portal).
    pub async fn server(&self, site: &TargetSite) -> Result<Endpoint, Problem> {
        let saved = site.must_be_server()?;
        let server = self.address_of(site, saved).await?;
        if site.has_own_administration() {
            return Ok(self.portal(site).await?.moved_to(server.root().clone()));
        }
        let whose = site.token();
        let begun = self.sessions.turn(&site.id, &whose);
        let open = self.sessions.with_stored_session(server.clone(), &site.id, whose.clone()).await?;
        self.check_still_there(site)?;
        let elsewhere = match open {
            StoredSession::Open(server) => return Ok(server),
            StoredSession::Missing => None,
            StoredSession::Elsewhere(origin) => Some(origin),
        };
        let issued = match site.portal {
            Some(_) => self.federated(site, saved, server).await,
            None => Err(Problem::sign_in_to_server(&site.id, site.sign_in_to(saved))),
        };
        match (issued, elsewhere) {
            (Ok(server), _) => {
                self.sessions.remember(&site.id, whose, &server, begun);
                Ok(server)
            }
            (Err(problem), Some(origin)) => Err(problem.with_session_at(origin)),
            (Err(problem), None) => Err(problem),
        }
    }

    /// Rejects a request that began when the site had other addresses: its token may have been issued at the new ones.
    fn check_still_there(&self, site: &Site) -> Result<(), Problem> {
        match site.is_within(&self.sites.get(&site.id)?) {
            true => Ok(()),
            false => Err(Problem::sign_in(&site.id)),
        }
    }

    /// Returns a server that the portal lists as federated, with a token that the portal issued for it.
    ///
    /// The response of the server is not trusted here: it could claim any owner. A server that the portal does not list
    /// requires its own account. The portal's own token is not sent to it: only the
    /// administration of Kubernetes, which is below the portal, gets that.
    async fn federated(
        &self,
        site: &Site,
        saved: &SavedServer,
        server: Endpoint,
    ) -> Result<Endpoint, Problem> {
        let portal = self.portal(site).await?;
        // The token that the portal issues is bound to the same web app URL as its own.
        let server = server.with_referer(portal.referer().clone());
        let listed = match discovery::listed_servers(&portal).await {
            Ok(servers) => {
                self.learn(site, &servers);
                listed_as(saved, servers)
            }
            // The account cannot read the list, and nothing else proves that the server belongs to the portal.
            Err(ClientError::Rejected { code: 401 | 403, .. }) => None,
            Err(error) => return Err(Problem::from_client(&error, &site.id)),
        };
        // A server that matches by its public URL alone can be at any address.
        if let Some(listed) = &listed
            && !listed.addresses().any(|own| is_same_host(own, &saved.address))
            && !site.confirmed.contains(&origin(&saved.address))
        {
            let addresses = vec![saved.address.to_string()];
            return Err(Problem::UnconfirmedAddress { site: site.id.clone(), addresses });
        }
        let mut problem = Problem::sign_in_to_server(&site.id, site.sign_in_to(saved));
        // A portal can be limited to tokens for one of the two addresses.
        for address in listed.iter().flat_map(ListedServer::addresses) {
            match steward_client::exchange_for_server(&portal, address).await {
                Ok(token) => {
                    let renewal = Renewal::Portal { portal: portal.clone(), server: address.clone() };
                    return Ok(Arc::new(Session::new(server, token, renewal, Box::new(InMemory))).endpoint());
                }
                Err(error) => {
                    let is_final =
                        !matches!(&error, ClientError::Rejected { code, .. } if ![498, 499].contains(code));
                    problem = Problem::from_client(&error, &site.id);
                    if is_final {
                        break;
                    }
                }
            }
        }
        Err(problem)
    }

    /// Converts the error of a request at an endpoint of a site. If the server issued the rejected token itself, the
    /// problem names the sign-in form of that server.
    pub(crate) async fn problem_at(
        &self,
        endpoint: &Endpoint,
        site: &TargetSite,
        error: &ClientError,
    ) -> Problem {
        let problem = Problem::from_client(error, &site.id);
        let server = site.server().filter(|server| {
            let roots = [Some(&server.address), server.admin_url.as_ref()];
            roots.contains(&Some(endpoint.root()))
        });
        let (Problem::SignIn { server: None, .. }, Some(server)) = (&problem, server) else { return problem };
        match self.sessions.stored(site, &TokenFor::Server(server.id.clone())).await {
            Ok(Some(_)) => Problem::sign_in_to_server(&site.id, site.sign_in_to(server)),
            _ => problem,
        }
    }

    /// Returns the keyring.
    pub fn vault(&self) -> &dyn SecretStore {
        &*self.vault
    }

    /// Returns the number of sign-ins and sign-outs that affect the token of a component.
    pub(crate) fn turn(&self, site: &TargetSite) -> u64 {
        self.sessions.turn(&site.id, &site.token())
    }

    /// Rejects a request if the user of a component signed in or out since `begun`, a result of [`turn`](Self::turn):
    /// it would be sent with another account.
    pub(crate) fn check_still_signed_in(&self, site: &TargetSite, begun: u64) -> Result<(), Problem> {
        match self.turn(site) == begun {
            true => Ok(()),
            false => Err(Problem::sign_in(&site.id)),
        }
    }

    /// Returns the user who is signed in at the portal of a site, or at a server of a site without one; empty if no
    /// user is signed in. The name itself remains after a sign-out, for the next sign-in.
    pub(crate) async fn signed_in_user(&self, site: &Site) -> String {
        let Some(username) = &site.username else { return String::new() };
        let servers = site.servers.iter().map(|server| TokenFor::Server(server.id.clone()));
        let components = match &site.portal {
            Some(_) => vec![TokenFor::Portal],
            None => servers.collect(),
        };
        for whose in components {
            if self.sessions.is_there(site, &whose).await {
                return username.clone();
            }
        }
        String::new()
    }

    /// Returns the facts of a component: version, user, and role. Requests them after a restart, with the stored token.
    ///
    /// # Errors
    /// Those of [`ask_who`](Self::ask_who), if the facts are not in memory.
    pub async fn known(&self, site: &TargetSite) -> Result<SiteFacts, Problem> {
        match self.in_memory(site) {
            Some(known) => Ok(known),
            None => self.ask_who(site).await,
        }
    }

    /// Returns the servers that the portal lists; none if it rejects the request.
    pub(super) async fn listed(&self, site: &Site) -> Vec<ListedServer> {
        if site.portal.is_none() {
            return Vec::new();
        }
        let Ok(portal) = self.portal(site).await else { return Vec::new() };
        let servers = discovery::listed_servers(&portal).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the portal does not say which servers are its own");
            Vec::new()
        });
        self.learn(site, &servers);
        servers
    }

    /// Requests the servers that the portal of a site lists, by which two saved sites are recognized as one. Does
    /// nothing without a response.
    pub async fn ask_for_servers(&self, site: &Site) {
        self.listed(site).await;
    }

    /// Keeps the endpoints that the portal of a site lists for the servers of the site.
    fn learn(&self, site: &Site, listed: &[ListedServer]) {
        let is_ours = |one: &&ListedServer| {
            site.servers.iter().any(|server| server.addresses().any(|own| one.is_at(own)))
        };
        let addresses = listed.iter().filter(is_ours).flat_map(ListedServer::addresses);
        let endpoints = addresses.map(NormalizedEndpoint::of);
        locked(&self.learned).entry(site.id.clone()).or_default().extend(endpoints);
    }

    /// Returns the endpoints that were [learned](Self::learn) of a site since its last change or sign-in.
    pub(crate) fn learned_endpoints(&self, site: &SiteId) -> BTreeSet<NormalizedEndpoint> {
        locked(&self.learned).get(site).cloned().unwrap_or_default()
    }

    /// Returns the facts of a component that are in memory, without a request.
    pub(crate) fn remembered(&self, site: &TargetSite) -> SiteFacts {
        let unknown =
            || SiteFacts { username: site.username.clone().unwrap_or_default(), ..SiteFacts::default() };
        self.in_memory(site).unwrap_or_else(unknown)
    }

    fn in_memory(&self, site: &TargetSite) -> Option<SiteFacts> {
        let known = locked(&self.known);
        // The facts of each server contain those of the portal.
        let with_portal = |(of, _): &(&Target, _)| site.server().is_none() && of.site == site.id;
        let found =
            known.get(&site.target()).or_else(|| known.iter().find(with_portal).map(|(_, known)| known));
        found.cloned()
    }

    /// Requests the facts of a component: the versions of the portal and the server, and the user and role of the session.
    /// Without a server, those of the portal alone.
    ///
    /// An error of the server is ignored if the site has a portal. If the server has a session of its own, its user is
    /// then not named, and the facts are requested again next time.
    ///
    /// # Errors
    /// - [`Problem::Rejected`] or another error of the client if the site does not return its facts.
    /// - Those of [`portal`](Self::portal) and, for a site without a portal, of [`server`](Self::server).
    pub async fn ask_who(&self, site: &TargetSite) -> Result<SiteFacts, Problem> {
        let rejected = |error| Problem::from_client(&error, &site.id);
        let begun = self.turn(site);
        let http = self.connections.to(site).await?;
        let mut known =
            SiteFacts { username: site.username.clone().unwrap_or_default(), ..SiteFacts::default() };
        let mut is_complete = true;
        let (mut at_portal, mut at_server) = (None, None);
        if site.portal.is_some() {
            let portal = self.portal(site).await?;
            let described = steward_client::describe_portal(&portal).await.map_err(rejected);
            if let Err(problem @ Problem::SignIn { .. }) = &described
                && self.turn(site) == begun
            {
                let target = Target::portal(site.id.clone());
                self.note_failure(&TargetSite::of((**site).clone(), &target)?, problem);
            }
            let facts = described?;
            at_portal = Some(SessionFacts::of(&portal).await);
            known.portal_id = facts.id;
            known.username = known_as(site.username.as_deref(), facts.username);
            known.role = facts.role;
            known.privileges = facts.privileges;
            known.portal_version = facts.version;
        }
        if let Some(server) = site.server() {
            known.listed_as_own = is_unclear(server) && is_listed_as_own(server, &self.listed(site).await);
            let described = match self.server(site).await {
                Ok(server) => match steward_client::describe_server(&server).await {
                    Ok(facts) => Ok((facts, SessionFacts::of(&server).await)),
                    Err(error) => Err(rejected(error)),
                },
                Err(problem) => Err(problem),
            };
            at_server = Some(described.as_ref().map(|(_, facts)| *facts).map_err(Clone::clone));
            match described {
                Ok((facts, _)) => {
                    known.server_version = facts.version;
                    let own = TokenFor::Server(server.id.clone());
                    // If the only server does not return the user, the name of the sign-in is used.
                    let is_alone = site.portal.is_none() && site.servers.len() == 1;
                    if (!facts.username.is_empty() || !is_alone)
                        && self.sessions.stored(site, &own).await?.is_some()
                    {
                        known.server_username =
                            Some(known_as(site.username.as_deref(), facts.username.clone()));
                    }
                    if known.username.is_empty() {
                        known.username = facts.username;
                    }
                }
                // A user without privileges on the server might have tasks on the portal.
                Err(_) if site.portal.is_some() => {
                    // The user who signed in at the server itself might be another one than at the portal.
                    let own = TokenFor::Server(server.id.clone());
                    if !matches!(self.sessions.stored(site, &own).await, Ok(None)) {
                        known.server_username = Some(String::new());
                        is_complete = false;
                    }
                }
                Err(problem) => return Err(problem),
            }
        }
        // A deployment on Kubernetes has one version, which its portal returns since 11.3.
        if site.deployment_type == DeploymentType::Kubernetes {
            known.portal_version = known.portal_version.or(known.server_version);
        }
        // Do not store facts from before a sign-in, a sign-out, or a change of the site or its connection.
        let is_same = |now: &Site| now.is_where(site) && self.connections.is_connection_to(now, &http);
        let is_still_so = self.sites.get(&site.id).is_ok_and(|now| is_same(&now));
        if is_still_so && self.turn(site) == begun {
            self.note(site, &known, at_portal, at_server);
            if is_complete {
                locked(&self.known).insert(site.target(), known.clone());
            }
            // Of several servers, the list of all sites shows the version of the current one.
            if site.target() == site.current_target() {
                self.note_versions(site, &known);
            }
        }
        Ok(known)
    }

    /// Stores what a portal, and a server if it was requested, returned about the session.
    fn note(
        &self,
        site: &TargetSite,
        known: &SiteFacts,
        at_portal: Option<SessionFacts>,
        at_server: Option<Result<SessionFacts, Problem>>,
    ) {
        let noted = |component| {
            move |facts: SessionFacts, checks: &mut ComponentChecks| {
                checks
                    .version
                    .returned(Some(known.version_at(component)).filter(|version| !version.is_empty()));
                let username = known.username_at(component).to_owned();
                checks.note_session(Some(username), facts.expires_at);
                checks.note_session_end(facts.session_ends_at);
                checks.certificate.returned(facts.certificate);
            }
        };
        let portal = TargetSite::of((**site).clone(), &Target::portal(site.id.clone()));
        if let (Some(facts), Ok(portal)) = (at_portal, portal) {
            self.note_checked(&portal, |checks| noted(Component::Portal)(facts, checks));
        }
        match at_server {
            Some(Ok(facts)) => self.note_checked(site, |checks| noted(Component::Server)(facts, checks)),
            Some(Err(problem)) => self.note_failure(site, &problem),
            None => {}
        }
    }

    /// Changes the stored results of the checks of a component.
    pub fn note_checked(&self, site: &TargetSite, note: impl FnOnce(&mut ComponentChecks)) {
        self.checked.note(&self.sites, site, note);
    }

    /// Notes that a component did not return its version, or that no user is signed in there.
    pub fn note_failure(&self, site: &TargetSite, problem: &Problem) {
        self.note_checked(site, |checks| {
            checks.version.failed();
            checks.certificate.failed();
            if matches!(problem, Problem::SignIn { .. }) {
                checks.note_session(None, None);
            } else {
                checks.session.failed();
            }
        });
    }

    /// Stores the versions for display without a session. A failure is only logged.
    fn note_versions(&self, site: &Site, known: &SiteFacts) {
        let version = |version: Option<steward_client::Version>| version.map(|version| version.to_string());
        let seen = Seen {
            portal_version: version(known.portal_version),
            server_version: version(known.server_version),
            at: Millis::now(),
        };
        if let Err(problem) = self.sites.note_seen(&site.id, seen) {
            tracing::warn!(?problem, "the versions of a site could not be kept");
        }
    }

    /// Removes all facts, results, and connections of a site from memory, after a change or a sign-in or sign-out.
    pub fn forget_known(&self, site: &SiteId) {
        locked(&self.known).retain(|target, _| target.site != *site);
        locked(&self.learned).remove(site);
        self.listed_participants.forget(site);
        self.listed_invitations.forget(site);
        for data in &self.site_data {
            data.session_changed(site);
        }
        self.forget_connection(site);
    }

    /// Removes what is kept for a site that was removed.
    pub(crate) fn forget_site(&self, site: &SiteId) {
        self.forget_known(site);
        self.checked.forget(site);
        for data in &self.site_data {
            data.site_removed(site);
        }
    }

    /// Closes the connection and the sessions of a site. The next request opens them again.
    pub fn forget_connection(&self, site: &SiteId) {
        self.connections.forget(site);
        self.sessions.close(site);
    }

    /// Stores the password of a session in the keyring, to renew tokens. Only if the user chooses to.
    ///
    /// # Errors
    /// - [`Problem::NoAddress`] if the site has no portal and no server.
    /// - [`Problem::Keyring`] if the keyring cannot be written.
    /// - [`Problem::Unexpected`] if the site is not saved.
    pub async fn keep_password(
        &self,
        site: &SiteId,
        username: &str,
        password: &Secret<String>,
    ) -> Result<(), Problem> {
        let site = self.sites.get(site)?;
        let whose = site.signs_in_at(None)?;
        let begun_as = self.sessions.turn(&site.id, &whose);
        self.keep_password_for(&site, &whose, username, password, begun_as).await
    }

    /// Stores the password of one component of a site, unless a user signed in or out there since the generation
    /// `begun_as`. It renews tokens of this component only.
    pub(crate) async fn keep_password_for(
        &self,
        site: &Site,
        whose: &TokenFor,
        username: &str,
        password: &Secret<String>,
        begun_as: u64,
    ) -> Result<(), Problem> {
        self.sessions.keep_password(site, whose, username, password, begun_as).await?;
        // Open sessions must use the new password.
        self.sessions.close(&site.id);
        Ok(())
    }
}

/// Facts of the session at a component.
#[derive(Clone, Copy)]
struct SessionFacts {
    /// Time when the token expires.
    expires_at: Option<Millis>,
    /// Time when a user has to sign in again.
    session_ends_at: Option<Millis>,
    /// Time when the certificate expires.
    certificate: Option<Millis>,
}

impl SessionFacts {
    async fn of(endpoint: &Endpoint) -> Self {
        let expires_at = endpoint.token_ends_at().await.map(Millis);
        let session_ends_at = endpoint.session_ends_at().await.map(Millis);
        Self { expires_at, session_ends_at, certificate: endpoint.certificate_expires_at().map(Millis) }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Changed by single inserts and removals, so that a panic leaves it consistent.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
