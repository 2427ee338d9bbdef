//! Deletion of server uploads: an unfinished one, and a stored one.

use steward_client::{ClientError, Endpoint, NO_CODE, uploads};
use steward_journal::Outcome;

use super::record::{self, uploads_of};
use super::{DELETE_UPLOAD, DISCARD, UploadId, UploadStore, may_upload, not_begun, upload_name};
use crate::history::record::{Details, masked};
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::site_context::SiteContext;
use crate::sites::{Site, confirmation};

/// Deletes an unfinished upload, here and on the server.
///
/// # Errors
/// - [`Problem::ReadOnly`], [`Problem::TooOld`], [`Problem::NoAddress`] or [`Problem::NotOffered`], as with
///   [`upload`](super::upload).
/// - [`Problem::Busy`] if an operation runs on the site.
/// - [`Problem::Unexpected`] if the site is not saved, there is no such upload, or the history cannot be written.
/// - An error of the client if the server cannot be reached.
/// - Those of [`Access::known`](crate::access::Access::known) and [`Access::server`](crate::access::Access::server).
pub async fn discard(
    context: &SiteContext,
    store: &UploadStore,
    site: &SiteId,
    item: &UploadId,
) -> Result<(), Problem> {
    let saved = context.access.sites.get(site)?;
    may_upload(context, &saved).await?;
    // Other server uploads might be safety backups.
    let begun = store.find(&saved, item).ok_or_else(|| not_begun(item))?;
    context.runs.none_on(site)?;
    let server = context.access.server(&saved).await?;
    let name = upload_name(&begun.path);
    delete(context, &saved, &server, DISCARD, item, (begun.path.display().to_string(), name)).await?;
    store.forget(item);
    Ok(())
}

/// Deletes a stored file from the server: an export, or a file uploaded for an import. It cannot be restored.
///
/// # Errors
/// - [`Problem::Form`] if the site name is not confirmed.
/// - [`Problem::ReadOnly`], [`Problem::TooOld`], [`Problem::NoAddress`] or [`Problem::NotOffered`], as with
///   [`upload`](super::upload).
/// - [`Problem::Busy`] if an operation runs on the site.
/// - [`Problem::Rejected`] if the server does not have the file, or does not delete it.
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be written.
/// - An error of the client if the server cannot be reached.
/// - Those of [`Access::known`](crate::access::Access::known) and [`Access::server`](crate::access::Access::server).
pub async fn delete_stored(
    context: &SiteContext,
    site: &SiteId,
    item: &UploadId,
    typed: &str,
) -> Result<(), Problem> {
    let saved = context.access.sites.get(site)?;
    confirmation::check(typed, confirmation::for_import(&saved))?;
    may_upload(context, &saved).await?;
    // An import might be reading the file.
    context.runs.none_on(site)?;
    let server = context.access.server(&saved).await?;
    let stored = uploads::item(&server, &item.0).await.map_err(|error| Problem::from_client(&error, site))?;
    delete(context, &saved, &server, DELETE_UPLOAD, item, (stored.name.clone(), stored.name)).await
}

/// Deletes an upload from the server, and records it. `file` is the file in the parameters and in the note.
async fn delete(
    context: &SiteContext,
    site: &Site,
    server: &Endpoint,
    action: &str,
    item: &UploadId,
    (file, name): (String, String),
) -> Result<(), Problem> {
    let mut parameters = vec![("file".to_owned(), file), ("item".to_owned(), item.0.clone())];
    parameters.extend(site.server().map(|server| ("origin".to_owned(), uploads_of(server))));
    let requests = vec![masked(&uploads::deletion(&item.0), server)];
    let record = record::begin(context, site, action, parameters, requests).await?;
    match uploads::delete(server, &item.0).await {
        Ok(()) => {
            record.conclude(Outcome::Succeeded, name, Details::default()).await;
        }
        // A server that no longer has it has nothing to delete.
        Err(rejected @ ClientError::Rejected { code: NO_CODE | 400 | 404 | 500, .. }) => {
            record.conclude(Outcome::Failed, rejected.to_string(), Details::default()).await;
            if !is_gone(server, item).await {
                return Err(Problem::from_client(&rejected, &site.id));
            }
        }
        Err(error) => {
            let lost = error.may_have_taken_effect();
            let outcome = if lost { Outcome::Unknown } else { Outcome::Failed };
            record.conclude(outcome, error.to_string(), Details::default()).await;
            return Err(Problem::from_client(&error, &site.id));
        }
    }
    Ok(())
}

/// Returns whether a server rejects the request for an upload, because it does not have it.
async fn is_gone(server: &Endpoint, item: &UploadId) -> bool {
    let rejected = uploads::item(server, &item.0).await;
    matches!(rejected, Err(ClientError::Rejected { code: NO_CODE | 400 | 404 | 500, .. }))
}
