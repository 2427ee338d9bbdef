//! What an operation may ask of the program around it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use steward_client::finding::{self, ListedServer};
use steward_client::{Area, ClientError, Renewal, Session};
use steward_journal::{Journal, JournalError};
use steward_vault::{Secret, SecretStore};
use url::Url;

use crate::access::admin_url;
use crate::access::connection::Connections;
use crate::access::sessions::{InMemory, Sessions};
use crate::actions::browser_sign_in::Browser;
use crate::files::data_folder::DataFolder;
use crate::files::dialogs::Dialogs;
use crate::files::dropped::Dropped;
use crate::files::selected_paths::Places;
use crate::history::guided_tour::Lap;
use crate::model::deployment::SiteFlavour;
use crate::model::ids::SiteId;
use crate::model::ids::TokenFor;
use crate::model::localized_text::Spoken;
use crate::model::numbers::Millis;
use crate::model::operation;
use crate::model::problem::Problem;
use crate::model::retry_policy::Persistence;
use crate::operations::find_items::item_search::{ItemSearches, RecentFilters};
use crate::operations::refresh_invitation::unsaved_invitations::KeptInvitations;
use crate::operations::update_participant::contacts_file::ContactRuns;
use crate::runs::RunRegistry;
use crate::settings::policy::Policy;
use crate::settings::preferences::PreferencesBook;
use crate::sites::availability::Known;
use crate::sites::read_only::Locks;
use crate::sites::{SavedServer, Seen, Site, Sites, is_same_host, origin};
use crate::transfers::upload::UploadBook;

/// The program around an operation. The desktop fills it once; a test fills it with a temporary folder, a
/// store in memory and dialogs that answer by themselves.
pub struct Host {
    /// The saved sites.
    pub sites: Sites,
    /// How this person wants the program.
    pub preferences: PreferencesBook,
    /// What is running.
    pub runs: RunRegistry,
    /// The system's dialogs, and what was chosen in them.
    pub dialogs: Places,
    /// The unlocks of read-only sites.
    pub locks: Locks,
    /// Where this program keeps its files.
    pub data_folder: PathBuf,
    /// The ways to the sites.
    pub(crate) connections: Connections,
    /// Who is signed in to them.
    pub(crate) sessions: Sessions,
    /// Sign-ins that the browser has not come back from.
    pub(crate) browser: Browser,
    /// Files that were dropped onto the window.
    pub dropped: Dropped,
    vault: Arc<dyn SecretStore>,
    journal: Journal,
    known: Mutex<HashMap<SiteId, Known>>,
    /// Refreshed invitations that are not saved yet.
    pub kept: Arc<KeptInvitations>,
    /// Uploads that were begun.
    pub uploads: Arc<UploadBook>,
    /// How long transfers are kept up on a bad line.
    pub persistence: Persistence,
    /// What was found of data store items.
    pub item_searches: ItemSearches,
    /// What was asked for of them.
    pub recent_filters: RecentFilters,
    /// The guided lap on the practice site.
    pub lap: Lap,
    /// What came of the last contact sheets.
    pub contact_runs: ContactRuns,
    /// The language of the window.
    pub spoken: Spoken,
    /// Last, so that everything above is written when another copy of the program may begin.
    _held: DataFolder,
}

impl Host {
    /// Opens what is kept in `data_folder`, making it when it is not there.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be read or written, or another copy of the program uses it.
    pub fn open(
        data_folder: &Path,
        vault: Arc<dyn SecretStore>,
        dialogs: Arc<dyn Dialogs>,
        runs: RunRegistry,
    ) -> anyhow::Result<Self> {
        Self::open_under(Policy::default(), DataFolder::take(data_folder)?, vault, dialogs, runs)
    }

    /// The same where an organisation decides something.
    ///
    /// # Errors
    /// See [`open`](Self::open).
    pub fn open_under(
        policy: Policy,
        held: DataFolder,
        vault: Arc<dyn SecretStore>,
        dialogs: Arc<dyn Dialogs>,
        runs: RunRegistry,
    ) -> anyhow::Result<Self> {
        let data_folder = held.path().to_owned();
        let preferences = PreferencesBook::open(&data_folder.join("preferences.json"), policy);
        Ok(Self {
            sites: Sites::open(&data_folder.join("sites.json"))?,
            journal: Journal::open(&data_folder.join("journal.db"))?,
            runs,
            dialogs: Places::new(dialogs),
            locks: Locks::default(),
            connections: Connections::new(
                vault.clone(),
                preferences.get().connection,
                preferences.policy.locked.route.is_some(),
            ),
            preferences,
            sessions: Sessions::new(vault.clone()),
            vault,
            browser: Browser::default(),
            dropped: Dropped::default(),
            known: Mutex::default(),
            kept: Arc::new(KeptInvitations::open(data_folder.join("kept-invitations"))),
            uploads: Arc::new(UploadBook::open(data_folder.join("uploads.json"))),
            persistence: Persistence::default(),
            item_searches: ItemSearches::default(),
            recent_filters: RecentFilters::open(data_folder.join("item-filters.json")),
            lap: Lap::open(data_folder.join("lap.json")),
            contact_runs: ContactRuns::default(),
            spoken: Spoken::default(),
            data_folder,
            _held: held,
        })
    }

    /// The portal of a site, without a token.
    pub async fn portal_address(&self, site: &Site) -> Result<Area, Problem> {
        let portal = site.portal.as_ref().ok_or(Problem::NoAddress { area: operation::Area::Portal })?;
        Ok(Area::new(self.connections.to(site).await?, portal.address.clone()))
    }

    /// The server of a site that is worked with, without a token.
    pub async fn server_address(&self, site: &Site) -> Result<Area, Problem> {
        let server = site.server().ok_or(Problem::NoAddress { area: operation::Area::Server })?;
        self.address_of(site, server).await
    }

    /// A server of a site, without a token.
    pub(crate) async fn address_of(&self, site: &Site, server: &SavedServer) -> Result<Area, Problem> {
        Ok(Area::new(self.connections.to(site).await?, server.address.clone()))
    }

    /// An area of a site, as whom signed in.
    pub async fn area(&self, site: &Site, area: operation::Area) -> Result<Area, Problem> {
        match area {
            operation::Area::Portal => self.portal(site).await,
            operation::Area::Server => self.server(site).await,
        }
    }

    /// The portal of a site, as whom signed in.
    pub async fn portal(&self, site: &Site) -> Result<Area, Problem> {
        let portal = self.portal_address(site).await?;
        let portal = self.sessions.take_up(portal, &site.id, TokenFor::Portal).await?;
        self.is_still_there(site)?;
        portal.ok_or_else(|| Problem::sign_in(&site.id))
    }

    /// The server of a site that is worked with: with a token that it issued itself, with one that the portal issued
    /// for it, or, as the administration of a Kubernetes deployment, with the token of the portal that it is part of.
    pub async fn server(&self, site: &Site) -> Result<Area, Problem> {
        let server = self.server_address(site).await?;
        let saved = site.server().ok_or(Problem::NoAddress { area: operation::Area::Server })?;
        if site.has_own_administration() {
            return Ok(self.portal(site).await?.moved_to(server.root().clone()));
        }
        let whose = TokenFor::Server(saved.id.clone());
        let begun = self.sessions.turn(&site.id, &whose);
        if site.portal.is_none() && site.servers.len() == 1 {
            self.sessions.adopt_password(&site.id, &whose).await?;
        }
        let open = self.sessions.take_up(server.clone(), &site.id, whose.clone()).await?;
        self.is_still_there(site)?;
        match open {
            Some(server) => Ok(server),
            None if site.portal.is_some() => {
                let server = self.federated(site, saved, server).await?;
                self.sessions.remember(&site.id, whose, &server, begun);
                Ok(server)
            }
            None => Err(Problem::sign_in_to_server(&site.id, saved.sign_in())),
        }
    }

    /// Refuses the token of a site to whoever began when it had other addresses: it may have been issued at the new
    /// ones.
    fn is_still_there(&self, site: &Site) -> Result<(), Problem> {
        match site.is_within(&self.sites.get(&site.id)?) {
            true => Ok(()),
            false => Err(Problem::sign_in(&site.id)),
        }
    }

    /// A server that the portal lists as federated, with a token that the portal issued for it.
    ///
    /// Nothing that the server says counts here: it could claim any owner. One that the portal does not list requires
    /// an account of its own. The portal's own token goes to no server at all.
    async fn federated(&self, site: &Site, saved: &SavedServer, server: Area) -> Result<Area, Problem> {
        let portal = self.portal(site).await?;
        let session = portal.session().cloned().ok_or_else(|| Problem::sign_in(&site.id))?;
        let is_ours = |listed: &ListedServer| {
            listed.is_at(&saved.address) || saved.public.as_ref().is_some_and(|public| listed.is_at(public))
        };
        let listed = match finding::listed_servers(&portal).await {
            Ok(servers) => servers.into_iter().find(is_ours),
            // This account is not shown the list, and nothing else proves that the server is the portal's.
            Err(ClientError::Refused { code: 401 | 403, .. }) => None,
            Err(error) => return Err(Problem::from_client(&error, &site.id)),
        };
        // What is matched by its public address alone may be reached at any other.
        if let Some(listed) = &listed
            && !listed.addresses().any(|own| is_same_host(own, &saved.address))
            && !site.confirmed.contains(&origin(&saved.address))
        {
            let addresses = vec![saved.address.to_string()];
            return Err(Problem::UnconfirmedAddress { site: site.id.clone(), addresses });
        }
        let mut problem = Problem::sign_in_to_server(&site.id, saved.sign_in());
        // A portal may issue tokens for one of the two addresses only.
        for address in listed.iter().flat_map(ListedServer::addresses) {
            match steward_client::exchange_for_server(&portal, address).await {
                Ok(token) => {
                    let renewal = Renewal::Portal { portal: session, server: address.clone() };
                    return Ok(Arc::new(Session::new(server, token, renewal, Box::new(InMemory))).area());
                }
                Err(error) => {
                    let is_final =
                        !matches!(&error, ClientError::Refused { code, .. } if ![498, 499].contains(code));
                    problem = Problem::from_client(&error, &site.id);
                    if is_final {
                        break;
                    }
                }
            }
        }
        Err(problem)
    }

    /// What a failed request at an area of a site means for the window. For a rejected token of a server that issued
    /// it itself, the sign-in form of that server is named.
    pub(crate) async fn problem_at(&self, area: &Area, site: &Site, error: &ClientError) -> Problem {
        let problem = Problem::from_client(error, &site.id);
        let server = site.server().filter(|server| {
            let roots = [Some(&server.address), server.direct.as_ref()];
            roots.contains(&Some(area.root()))
        });
        let (Problem::SignIn { server: None, .. }, Some(server)) = (&problem, server) else { return problem };
        match self.sessions.stored(&site.id, &TokenFor::Server(server.id.clone())).await {
            Ok(Some(_)) => Problem::sign_in_to_server(&site.id, server.sign_in()),
            _ => problem,
        }
    }

    /// Where secrets are kept.
    pub(crate) fn vault(&self) -> &dyn SecretStore {
        &*self.vault
    }

    /// How often somebody signed in or out where work at an area of a site has its token from.
    pub(crate) fn turn(&self, site: &Site, area: operation::Area) -> u64 {
        let whose = match (area, site.server()) {
            (operation::Area::Server, Some(server)) => TokenFor::Server(server.id.clone()),
            _ => TokenFor::Portal,
        };
        self.sessions.turn(&site.id, &whose)
    }

    /// Refuses what one person began at an area of a site when another has signed in there meanwhile, or nobody is any
    /// more: it would be sent in a name that is not theirs. `begun` is the turn in which it was begun.
    ///
    /// # Errors
    /// [`Problem::SignIn`].
    pub(crate) fn is_still_signed_in(
        &self,
        site: &Site,
        area: operation::Area,
        begun: u64,
    ) -> Result<(), Problem> {
        match self.turn(site, area) == begun {
            true => Ok(()),
            false => Err(Problem::sign_in(&site.id)),
        }
    }

    /// What is known of a site. After a restart it is asked again, with the stored token.
    pub async fn known(&self, site: &Site) -> Result<Known, Problem> {
        if let Some(known) = locked(&self.known).get(&site.id) {
            return Ok(known.clone());
        }
        self.ask_who(site).await
    }

    /// What is known of a site without asking it.
    pub(crate) fn remembered(&self, site: &Site) -> Known {
        let unknown = || Known { username: site.username.clone().unwrap_or_default(), ..Known::default() };
        locked(&self.known).get(&site.id).cloned().unwrap_or_else(unknown)
    }

    /// Asks the site who it is and who we are.
    pub async fn ask_who(&self, site: &Site) -> Result<Known, Problem> {
        let refused = |error| Problem::from_client(&error, &site.id);
        let begun = self.turn(site, operation::Area::Server);
        let way = self.connections.to(site).await?;
        let mut known = Known { username: site.username.clone().unwrap_or_default(), ..Known::default() };
        if site.portal.is_some() {
            let facts = steward_client::describe_portal(&self.portal(site).await?).await.map_err(refused)?;
            known.portal_id = facts.id;
            known.username = facts.username;
            known.role = facts.role;
            known.privileges = facts.privileges;
            known.portal_version = facts.version;
        }
        if let Some(server) = site.server() {
            known.listed_as_own = admin_url::is_listed_as_own(self, site, server).await;
            let described = match self.server(site).await {
                Ok(server) => steward_client::describe_server(&server).await.map_err(refused),
                Err(problem) => Err(problem),
            };
            match described {
                Ok(facts) => {
                    known.server_version = facts.version;
                    if known.username.is_empty() {
                        known.username = facts.username;
                    }
                }
                // A person without rights on the server may still have work to do on the portal.
                Err(_) if site.portal.is_some() => {}
                Err(problem) => return Err(problem),
            }
        }
        // A deployment on Kubernetes has one version, which its portal tells from 11.3 on.
        if site.flavour == SiteFlavour::Kubernetes {
            known.portal_version = known.portal_version.or(known.server_version);
        }
        // What was asked before somebody signed in or out, or before the site or the way there was changed, is nobody's
        // knowledge now.
        let is_same = |now: &Site| {
            now.is_where(site)
                && now.chosen_server == site.chosen_server
                && self.connections.is_way_to(now, &way)
        };
        let is_still_so = self.sites.get(&site.id).is_ok_and(|now| is_same(&now));
        if is_still_so && self.turn(site, operation::Area::Server) == begun {
            locked(&self.known).insert(site.id.clone(), known.clone());
            self.note_versions(site, &known);
        }
        Ok(known)
    }

    /// Keeps the versions for when nobody is signed in. Whoever asked the site needs them no more than that.
    fn note_versions(&self, site: &Site, known: &Known) {
        let version = |version: Option<steward_client::Version>| version.map(|version| version.to_string());
        let seen = Seen {
            portal_version: version(known.portal_version),
            server_version: version(known.server_version),
            at: Millis::now(),
        };
        if let Err(problem) = self.sites.seen(&site.id, seen) {
            tracing::warn!(?problem, "the versions of a site could not be kept");
        }
    }

    /// Forgets what is known of a site, and the way there: it changed, or somebody signed in or out.
    pub fn forget_known(&self, site: &SiteId) {
        locked(&self.known).remove(site);
        self.item_searches.forget(site);
        self.contact_runs.forget(site);
        self.forget_way(site);
    }

    /// Forgets the way to a site and its sessions; they are put together again at the next question.
    pub fn forget_way(&self, site: &SiteId) {
        self.connections.forget(site);
        self.sessions.close(site);
    }

    /// Reads or writes the journal, off the threads that answer the window: every record waits for the disk.
    pub async fn journal<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, Problem> {
        let journal = self.journal.clone();
        let done = tokio::task::spawn_blocking(move || work(&journal)).await;
        Ok(done.map_err(|error| Problem::Unexpected { message: error.to_string() })??)
    }

    /// Keeps the password that somebody signed in with, to renew tokens with. Only when the person asks for it.
    pub async fn keep_password(
        &self,
        site: &SiteId,
        username: &str,
        password: &Secret<String>,
    ) -> Result<(), Problem> {
        let whose = self.sites.get(site)?.signs_in_at(None)?;
        self.keep_password_for(site, &whose, username, password).await
    }

    /// Keeps the password of one area of a site. It renews tokens there and nowhere else.
    pub(crate) async fn keep_password_for(
        &self,
        site: &SiteId,
        whose: &TokenFor,
        username: &str,
        password: &Secret<String>,
    ) -> Result<(), Problem> {
        self.sessions.keep_password(site, whose, username, password).await?;
        // Who is signed in already shall know of it.
        self.sessions.close(site);
        Ok(())
    }

    /// Opens a link that a site has sent in the system's browser.
    ///
    /// # Errors
    /// Returns [`Problem::Unexpected`] if it is no web address, and whatever [`open_page`](Self::open_page) returns.
    pub fn open_link(&self, site: &SiteId, address: &str) -> Result<(), Problem> {
        let site = self.sites.get(site)?;
        let page = Url::parse(address)
            .map_err(|_| Problem::Unexpected { message: format!("{address} is not a web address") })?;
        self.open_page(&site, &page)
    }

    /// Opens a page of a site in the system's browser. A link from a server may lead to the site's own hosts and
    /// nowhere else, nor to anything that is no page. Another port is another program.
    pub fn open_page(&self, site: &Site, page: &Url) -> Result<(), Problem> {
        let is_ours = site.addresses().any(|address| address.origin() == page.origin());
        if !matches!(page.scheme(), "https" | "http") || !is_ours {
            let place = page.origin().ascii_serialization();
            return Err(Problem::Unexpected { message: format!("{place} is not part of this site") });
        }
        self.dialogs.open_page(page)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The map is changed by single inserts and removals; it cannot be left half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
