//! What an operation may ask of the program around it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use steward_client::{Area, Http, Trust};
use steward_journal::{Journal, JournalError};
use steward_vault::{Secret, SecretStore};
use url::Url;

use crate::dialogs::Dialogs;
use crate::gate::Known;
use crate::operations;
use crate::problem::Problem;
use crate::runs::RunRegistry;
use crate::sites::{Site, SiteId, Sites};

/// The program around an operation. The desktop fills it once; a test fills it with a temporary folder, a
/// store in memory and dialogs that answer by themselves.
pub struct Host {
    /// The saved sites.
    pub sites: Sites,
    /// What is running.
    pub runs: RunRegistry,
    /// The system's dialogs.
    pub dialogs: Arc<dyn Dialogs>,
    /// Where this program keeps its files.
    pub data_folder: PathBuf,
    vault: Arc<dyn SecretStore>,
    journal: Journal,
    known: Mutex<HashMap<SiteId, Known>>,
    kept: Mutex<HashMap<String, KeptInvitation>>,
}

/// A refreshed invitation that is in hand until it is saved. The portal extended it already, so it must not be
/// lost to a closed dialog or a full disk.
#[derive(Clone)]
pub struct KeptInvitation {
    /// The name to suggest, made safe.
    pub file_name: String,
    /// The file's content.
    pub content: Arc<Vec<u8>>,
}

/// A token as it lies in the keyring.
#[derive(Serialize, Deserialize)]
pub struct StoredToken {
    /// The token.
    pub token: String,
    /// When it ends, in milliseconds since 1970.
    pub expires_at: Option<i64>,
}

/// The area a token was issued for.
#[derive(Debug, Clone, Copy)]
pub enum TokenFor {
    /// The portal, and the servers federated with it.
    Portal,
    /// A server that stands alone.
    Server,
}

impl Host {
    /// Opens what is kept in `data_folder`, making it when it is not there.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be read or written.
    pub fn open(
        data_folder: &Path,
        vault: Arc<dyn SecretStore>,
        dialogs: Arc<dyn Dialogs>,
        runs: RunRegistry,
    ) -> anyhow::Result<Self> {
        std::fs::create_dir_all(data_folder)?;
        Ok(Self {
            sites: Sites::open(&data_folder.join("sites.json"))?,
            journal: Journal::open(&data_folder.join("journal.db"))?,
            runs,
            dialogs,
            data_folder: data_folder.to_owned(),
            vault,
            known: Mutex::default(),
            kept: Mutex::default(),
        })
    }

    /// The portal of a site, without a token.
    pub fn portal_address(&self, site: &Site) -> Result<Area, Problem> {
        area(site, operations::Area::Portal, site.portal.as_ref())
    }

    /// The server of a site, without a token.
    pub fn server_address(&self, site: &Site) -> Result<Area, Problem> {
        area(site, operations::Area::Server, site.server.as_ref())
    }

    /// The portal of a site, with the stored token.
    pub async fn portal(&self, site: &Site) -> Result<Area, Problem> {
        let area = self.portal_address(site)?;
        match self.token(&site.id, TokenFor::Portal).await? {
            Some(token) => Ok(area.with_token(Secret::new(token.token))),
            None => Err(Problem::SignIn { site: site.id.clone() }),
        }
    }

    /// The server of a site, with its own token or, where it is federated, the portal's.
    pub async fn server(&self, site: &Site) -> Result<Area, Problem> {
        let area = self.server_address(site)?;
        let token = match self.token(&site.id, TokenFor::Server).await? {
            Some(token) => Some(token),
            None => self.token(&site.id, TokenFor::Portal).await?,
        };
        match token {
            Some(token) => Ok(area.with_token(Secret::new(token.token))),
            None => Err(Problem::SignIn { site: site.id.clone() }),
        }
    }

    /// The stored token.
    pub async fn token(&self, site: &SiteId, area: TokenFor) -> Result<Option<StoredToken>, Problem> {
        let stored = self.vault.get(&entry(site, area)).await?;
        // An entry that cannot be read was written by something else; it is as good as none.
        Ok(stored.and_then(|secret| serde_json::from_str(secret.expose()).ok()))
    }

    /// Keeps a token in the keyring.
    pub async fn keep_token(
        &self,
        site: &SiteId,
        area: TokenFor,
        token: &StoredToken,
    ) -> Result<(), Problem> {
        let secret = serde_json::to_string(token)
            .map_err(|_| Problem::Unexpected { message: "the token cannot be written down".to_owned() })?;
        Ok(self.vault.set(&entry(site, area), Secret::new(secret)).await?)
    }

    /// Takes a token out of the keyring.
    pub async fn forget_token(&self, site: &SiteId, area: TokenFor) -> Result<(), Problem> {
        Ok(self.vault.forget(&entry(site, area)).await?)
    }

    /// Where secrets are kept.
    pub(crate) fn vault(&self) -> &dyn SecretStore {
        &*self.vault
    }

    /// What is known of a site. After a restart it is asked again, with the stored token.
    pub async fn known(&self, site: &Site) -> Result<Known, Problem> {
        if let Some(known) = locked(&self.known).get(&site.id) {
            return Ok(known.clone());
        }
        self.ask_who(site).await
    }

    /// Asks the site who it is and who we are.
    pub async fn ask_who(&self, site: &Site) -> Result<Known, Problem> {
        let refused = |error| Problem::from_client(&error, &site.id);
        let mut known = Known { username: site.username.clone().unwrap_or_default(), ..Known::default() };
        if site.portal.is_some() {
            let facts = steward_client::describe_portal(&self.portal(site).await?).await.map_err(refused)?;
            known.portal_id = facts.id;
            known.username = facts.username;
            known.role = facts.role;
            known.portal_version = facts.version;
        }
        if site.server.is_some() {
            match steward_client::describe_server(&self.server(site).await?).await {
                Ok(facts) => known.server_version = facts.version,
                // A person without rights on the server may still have work to do on the portal.
                Err(_) if site.portal.is_some() => {}
                Err(error) => return Err(refused(error)),
            }
        }
        locked(&self.known).insert(site.id.clone(), known.clone());
        Ok(known)
    }

    /// Forgets what is known of a site: it changed, or somebody signed out.
    pub fn forget_known(&self, site: &SiteId) {
        locked(&self.known).remove(site);
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

    /// Keeps a refreshed invitation in hand and returns the handle to it.
    pub fn keep_invitation(&self, invitation: KeptInvitation) -> String {
        let handle = uuid::Uuid::new_v4().to_string();
        locked(&self.kept).insert(handle.clone(), invitation);
        handle
    }

    /// The invitation kept under a handle.
    pub fn kept_invitation(&self, handle: &str) -> Option<KeptInvitation> {
        locked(&self.kept).get(handle).cloned()
    }
}

fn area(site: &Site, area: operations::Area, address: Option<&Url>) -> Result<Area, Problem> {
    let address = address.ok_or(Problem::NoAddress { area })?;
    let ca_pem = match &site.ca_certificate {
        Some(path) => Some(std::fs::read(path).map_err(|error| Problem::file(path, &error))?),
        None => None,
    };
    let http = Http::new(&Trust { ca_pem, ..Trust::default() })
        .map_err(|error| Problem::from_client(&error, &site.id))?;
    Ok(Area::new(http, address.clone()))
}

fn entry(site: &SiteId, area: TokenFor) -> String {
    match area {
        TokenFor::Portal => format!("{}/portal", site.0),
        TokenFor::Server => format!("{}/server", site.0),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Both maps are changed by single inserts and removals; none can be left half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
