//! Files between a site and this disk: downloads and uploads.

pub(crate) mod export_download;
pub mod upload;
