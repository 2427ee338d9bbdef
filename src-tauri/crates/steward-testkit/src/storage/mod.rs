//! Real storage servers on this computer: [`S3`] is rclone, or garage where the region matters, and [`Azurite`] is a
//! blob server. `cargo xtask test --only storage-servers` installs rclone and azurite.

mod azurite;
mod contents;
mod s3;
mod server;
pub(crate) mod tools;

pub use azurite::Azurite;
pub use s3::S3;
