//! Pages of a site in the system's browser.

use url::Url;

use crate::files::selected_paths::SelectedPaths;
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::sites::{Site, Sites};

/// Opens a link that a site returned in the system's browser.
///
/// # Errors
/// - [`Problem::Unexpected`] if it is not a URL, or the site is not saved.
/// - Those of [`open_page`].
pub fn open_link(
    sites: &Sites,
    dialogs: &SelectedPaths,
    site: &SiteId,
    address: &str,
) -> Result<(), Problem> {
    let site = sites.get(site)?;
    let page = Url::parse(address)
        .map_err(|_| Problem::Unexpected { message: format!("{address} is not a web address") })?;
    open_page(dialogs, &site, &page)
}

/// Opens a page of a site in the system's browser.
///
/// Only HTTP URLs at an origin of the site are opened. Another port is another origin.
///
/// # Errors
/// - [`Problem::Unexpected`] if the page is not part of the site.
/// - [`Problem::NoDialog`] if no browser can be opened.
pub fn open_page(dialogs: &SelectedPaths, site: &Site, page: &Url) -> Result<(), Problem> {
    let is_ours = site.addresses().any(|address| address.origin() == page.origin());
    if !matches!(page.scheme(), "https" | "http") || !is_ours {
        let place = page.origin().ascii_serialization();
        return Err(Problem::Unexpected { message: format!("{place} is not part of this site") });
    }
    dialogs.open_page(page)
}
