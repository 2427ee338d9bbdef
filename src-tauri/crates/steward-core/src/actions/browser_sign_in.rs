//! Signing in through the portal's own page, in the system's browser.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use steward_client::oauth::{self, Authorization, Grant, Loopback, NoCode, Pages, Redirect};
use steward_client::{Area, ClientError};
use steward_vault::Secret;
use tokio::sync::Notify;

use super::sign_in::{Issued, SessionView, begin};
use crate::access::sessions::StoredToken;
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::ids::TokenFor;
use crate::model::localized_text::Words;
use crate::model::problem::{Fault, Problem};
use crate::sites::Site;

/// A person may have to find a telephone first.
const PATIENCE: Duration = Duration::from_secs(10 * 60);

/// How a sign-in in the browser ended.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BrowserSignIn {
    /// Somebody is signed in.
    SignedIn {
        /// Who.
        session: Box<SessionView>,
    },
    /// The portal, or the person at its page, said no.
    Declined {
        /// In the portal's words.
        reason: String,
    },
    /// The person stopped waiting.
    Stopped,
    /// Nobody came back from the browser in time.
    TooLate,
}

/// Stops waiting; says whether anybody was.
pub fn stop(host: &Host, site: &SiteId) -> bool {
    host.browser.stop(site)
}

/// The whole of it, with a port of this computer that waits for the browser.
pub async fn through_loopback(host: &Host, id: &SiteId) -> Result<BrowserSignIn, Problem> {
    let (site, portal, client_id) = portal_of(host, id).await?;
    let cannot = |error: oauth::CannotBegin| Problem::from(anyhow::Error::from(error));
    let loopback = Loopback::listen(None).await.map_err(cannot)?.showing(pages(&host.spoken.words()));
    let authorization = oauth::begin(&portal, &client_id, &Redirect::Loopback(&loopback)).map_err(cannot)?;
    host.open_page(&site, &authorization.url)?;
    let stop = host.browser.wait(id);
    let code = tokio::select! {
        code = loopback.code(&authorization, PATIENCE) => code,
        () = stop.notified() => return Ok(BrowserSignIn::Stopped),
    };
    let code = match code {
        Ok(code) => code,
        Err(NoCode::Declined { reason }) => return Ok(BrowserSignIn::Declined { reason }),
        Err(NoCode::TooLate) => return Ok(BrowserSignIn::TooLate),
        Err(error @ NoCode::Port(_)) => return Err(anyhow::Error::from(error).into()),
    };
    let session = Box::new(finish(host, site, &portal, &authorization, &code).await?);
    Ok(BrowserSignIn::SignedIn { session })
}

/// What the browser shows when it comes back.
fn pages(words: &Words) -> Pages {
    let page = |name: &str| {
        let say = |part| words.say(&format!("browserPage.{name}.{part}"), &[]);
        (say("title"), say("body"))
    };
    Pages {
        language: words.language().to_owned(),
        welcome: page("welcome"),
        declined: page("declined"),
        stranger: page("stranger"),
    }
}

/// The first half of it, where the person brings the code.
pub async fn open_page(host: &Host, id: &SiteId) -> Result<(), Problem> {
    let (site, portal, client_id) = portal_of(host, id).await?;
    let authorization = oauth::begin(&portal, &client_id, &Redirect::OutOfBand)
        .map_err(|error| Problem::from(anyhow::Error::from(error)))?;
    host.open_page(&site, &authorization.url)?;
    host.browser.keep(id, authorization);
    Ok(())
}

/// The second half of it.
pub async fn with_code(host: &Host, id: &SiteId, pasted: &str) -> Result<SessionView, Problem> {
    let code = oauth::code_from(pasted).ok_or_else(|| Problem::form("code", Fault::NotAToken))?;
    let (site, portal, _) = portal_of(host, id).await?;
    // A code is good once, and so is what was kept for it.
    let authorization = host.browser.take(id).ok_or_else(|| Problem::form("code", Fault::Required))?;
    finish(host, site, &portal, &authorization, &code).await
}

async fn portal_of(host: &Host, id: &SiteId) -> Result<(Site, Area, String), Problem> {
    let site = host.sites.get(id)?;
    let client_id = site.client_id.clone().ok_or_else(|| Problem::form("clientId", Fault::NoClientId))?;
    let portal = host.portal_address(&site).await?;
    Ok((site, portal, client_id))
}

async fn finish(
    host: &Host,
    site: Site,
    portal: &Area,
    authorization: &Authorization,
    code: &Secret<String>,
) -> Result<SessionView, Problem> {
    let granted: Result<Grant, ClientError> = oauth::finish(portal, authorization, code).await;
    let grant = granted.map_err(|error| Problem::from_client(&error, &site.id))?;
    let token = StoredToken::of(&grant.token, grant.refresh.as_ref());
    begin(host, site, Issued { whose: TokenFor::Portal, token, username: grant.username, way: "browser" })
        .await
}

/// The sign-ins that a browser has not come back from.
#[derive(Default)]
pub(crate) struct Browser {
    waiting: std::sync::Mutex<std::collections::HashMap<SiteId, Arc<Notify>>>,
    pages: std::sync::Mutex<std::collections::HashMap<SiteId, Authorization>>,
}

impl Browser {
    /// Waits in place of whoever waited for this site before.
    fn wait(&self, site: &SiteId) -> Arc<Notify> {
        let stop = Arc::new(Notify::new());
        let before = locked(&self.waiting).insert(site.clone(), stop.clone());
        if let Some(before) = before {
            before.notify_one();
        }
        stop
    }

    fn stop(&self, site: &SiteId) -> bool {
        let waiting = locked(&self.waiting).remove(site);
        if let Some(stop) = &waiting {
            stop.notify_one();
        }
        waiting.is_some()
    }

    /// Nobody waits any more, and no code is good any more.
    pub(crate) fn forget(&self, site: &SiteId) {
        self.stop(site);
        self.take(site);
    }

    fn keep(&self, site: &SiteId, page: Authorization) {
        locked(&self.pages).insert(site.clone(), page);
    }

    fn take(&self, site: &SiteId) -> Option<Authorization> {
        locked(&self.pages).remove(site)
    }
}

fn locked<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Single inserts and removals; none can be left half done.
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
