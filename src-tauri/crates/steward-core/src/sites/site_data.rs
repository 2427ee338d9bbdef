//! Data that other modules keep for a site, which ends with its session or with the site.

use crate::model::ids::SiteId;

/// Data that another part of the program keeps for each site.
pub trait SiteData: Send + Sync {
    /// Removes what was read with a session that ended, or before a change of the site.
    fn session_changed(&self, _site: &SiteId) {}

    /// Removes everything of a site that was removed.
    fn site_removed(&self, _site: &SiteId) {}
}
