//! Contact sheets, and the tables that are saved of what came of them.

use std::path::PathBuf;

use crate::files;
use crate::files::dialogs::Title;
use crate::host::Host;
use crate::listings::participants;
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::model::saved_file::Saving;
use crate::operations::update_participant::contacts_file::{self, SheetReading};

/// The body of [`read_contact_sheet`].
pub async fn read(host: &Host, site: &SiteId, path: Option<PathBuf>) -> Result<SheetReading, Problem> {
    let path = match path {
        Some(path) if host.dropped.knows(&path) => path,
        // Only a person opens a file: otherwise a page could read any.
        Some(path) => {
            let message = format!("{} was not dropped onto the window", path.display());
            return Err(Problem::Unexpected { message });
        }
        None => match host.dialogs.open_file(Title::ChooseContactSheet).await? {
            Some(path) => path,
            None => return Ok(SheetReading::Dismissed),
        },
    };
    // Asked now: the difference must be to what the portal has, not to what the window showed an hour ago.
    let participants = participants(host, site).await?;
    let place = path.clone();
    let reading = tokio::task::spawn_blocking(move || contacts_file::read(&place, &participants)).await;
    let reading = reading.map_err(|error| Problem::Unexpected { message: error.to_string() })?;
    reading.map_err(|error| Problem::file(&path, &error))
}

/// The body of [`save_contact_template`].
pub async fn save_template(host: &Host, site: &SiteId) -> Result<Saving, Problem> {
    let rows = contacts_file::template(&participants(host, site).await?);
    save(host, &format!("Contacts of {}", host.sites.get(site)?.name), &rows).await
}

/// The body of [`save_table`].
pub async fn save(host: &Host, name: &str, rows: &[Vec<String>]) -> Result<Saving, Problem> {
    let suggested = files::safe_name(name, "csv");
    let Some(path) = host.dialogs.save_file(Title::SaveTable, &suggested).await? else {
        return Ok(Saving::Dismissed);
    };
    Ok(match contacts_file::as_csv(rows) {
        Ok(bytes) => files::save(&path, &bytes),
        Err(error) => Saving::Failed { problem: Problem::file(&path, &error) },
    })
}
