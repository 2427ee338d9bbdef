//! The program without its window: signed in to a site, with dialogs that always mean the same file.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use serde::Deserialize;
use steward_app::steward::Steward;
use steward_client::Endpoint;
use steward_client::listing::{self, Participant};
use steward_core::actions::sign_in::sign_in_as;
use steward_core::files::dialogs::{Choice, Dialogs, Title};
use steward_core::model::ids::{SiteId, Target};
use steward_core::model::problem::Problem;
use steward_core::operations::update_participant::UpdateParticipantForm;
use steward_core::runs::RunRegistry;
use steward_core::sites::{ServerForm, SiteForm};
use steward_vault::{MemoryStore, Secret};

/// What the site is called here; an import wants it typed.
pub(crate) const SITE_NAME: &str = "bench";

/// Where the site is, and who signs in.
#[derive(Deserialize)]
pub(crate) struct Who {
    pub(crate) portal: String,
    pub(crate) server: String,
    pub(crate) ca_certificate: String,
    pub(crate) username: String,
    pub(crate) password: String,
}

/// The program, what it keeps, and the site in it.
pub(crate) struct TestApp {
    pub(crate) steward: Steward,
    pub(crate) site: SiteId,
    /// Server of the site.
    pub(crate) server: Target,
    // Removed when the program has ended.
    _data: tempfile::TempDir,
}

/// A person who always means the same file.
struct Means(PathBuf);

impl Dialogs for Means {
    fn save_file<'a>(&'a self, _title: Title, _suggested: &'a str) -> Choice<'a> {
        Box::pin(std::future::ready(Ok(Some(self.0.clone()))))
    }

    fn open_file(&self, _title: Title) -> Choice<'_> {
        Box::pin(std::future::ready(Ok(Some(self.0.clone()))))
    }

    fn choose_folder(&self, _title: Title) -> Choice<'_> {
        Box::pin(std::future::ready(Ok(None)))
    }

    fn open_page(&self, _page: &url::Url) -> Result<(), Problem> {
        Ok(())
    }
}

impl TestApp {
    pub(crate) async fn signed_in(who: &Who, file: PathBuf) -> Result<Self> {
        Self::open(who, file, Vec::new(), String::new()).await
    }

    /// The same with further servers, at these root URLs.
    pub(crate) async fn signed_in_to_all(who: &Who, others: Vec<String>) -> Result<Self> {
        Self::open(who, "unused".into(), others, String::new()).await
    }

    /// The same with one server, which the portal lists at this address.
    pub(crate) async fn signed_in_beside(who: &Who, services_url: String) -> Result<Self> {
        Self::open(who, "unused".into(), Vec::new(), services_url).await
    }

    async fn open(who: &Who, file: PathBuf, others: Vec<String>, services_url: String) -> Result<Self> {
        let data = tempfile::tempdir()?;
        let runs = RunRegistry::new(Box::new(|_| ()));
        let steward =
            Steward::open(data.path(), Arc::new(MemoryStore::default()), Arc::new(Means(file)), runs)?;
        let mut form = SiteForm::of(SITE_NAME, &who.portal, &who.server);
        form.connection.ca_certificate.clone_from(&who.ca_certificate);
        let first = form.servers.clone();
        let further = others.into_iter().zip(first.into_iter().cycle()).zip(2..);
        form.servers.extend(further.map(|((address, first), number)| {
            let name = format!("server {number}");
            ServerForm { id: None, name, address, ..first }
        }));
        for server in &mut form.servers {
            server.services_url.clone_from(&services_url);
        }
        let site = steward.context.access.sites.save(&form).map_err(said)?;
        sign_in_as(&steward.context, &site.id, &who.username, &Secret::new(who.password.clone()))
            .await
            .map_err(said)?;
        Ok(Self { steward, server: site.current_target(), site: site.id, _data: data })
    }

    /// The portal, and its identifier.
    pub(crate) async fn portal(&self) -> Result<(Endpoint, String)> {
        let portal = Target::portal(self.site.clone());
        let site = self.steward.context.access.sites.at(&portal).map_err(said)?;
        let portal = self.steward.context.access.portal(&site).await.map_err(said)?;
        Ok((portal, self.steward.context.access.known(&site).await.map_err(said)?.portal_id))
    }
}

/// The partner whose contact is corrected.
pub(crate) async fn guest(portal: &Endpoint, portal_id: &str) -> Result<Participant> {
    let all = listing::participants(portal, portal_id).await?;
    all.into_iter().find(|one| one.role == "Guest").context("the site has no guest")
}

/// A contact that is another one for each first name.
pub(crate) fn contact(guest: &Participant, first_name: String) -> UpdateParticipantForm {
    UpdateParticipantForm {
        collaboration_id: guest.collaboration_id.clone(),
        participant_id: guest.portal_id.clone(),
        contact_firstname: first_name,
        contact_lastname: "Harbour".to_owned(),
        contact_email_address: "kim.harbour@example.net".to_owned(),
    }
}

/// What the program says, for a person at a terminal.
pub(crate) fn said(problem: Problem) -> anyhow::Error {
    anyhow::anyhow!("{problem:?}")
}
