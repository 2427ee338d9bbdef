//! The program without its window: signed in to a site, with dialogs that always mean the same file.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use serde::Deserialize;
use site_steward::commands::sign_in::sign_in_as;
use site_steward::dialogs::{Choice, Dialogs, Title};
use site_steward::host::Host;
use site_steward::problem::Problem;
use site_steward::runs::RunRegistry;
use site_steward::sites::{SiteForm, SiteId};
use steward_vault::{MemoryStore, Secret};

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
pub(crate) struct Desk {
    pub(crate) host: Host,
    pub(crate) site: SiteId,
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

impl Desk {
    pub(crate) async fn signed_in(who: &Who, file: PathBuf) -> Result<Self> {
        let data = tempfile::tempdir()?;
        let runs = RunRegistry::new(Box::new(|_| ()));
        let host = Host::open(data.path(), Arc::new(MemoryStore::default()), Arc::new(Means(file)), runs)?;
        let mut form = SiteForm::of("bench", &who.portal, &who.server);
        form.connection.ca_certificate.clone_from(&who.ca_certificate);
        let site = host.sites.save(&form).map_err(said)?;
        sign_in_as(&host, &site.id, &who.username, &Secret::new(who.password.clone())).await.map_err(said)?;
        Ok(Self { host, site: site.id, _data: data })
    }
}

/// What the program says, for a person at a terminal.
pub(crate) fn said(problem: Problem) -> anyhow::Error {
    anyhow::anyhow!("{problem:?}")
}
