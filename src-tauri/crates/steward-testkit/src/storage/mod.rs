//! Real storage servers on this machine: [`S3`] is rclone, or garage where the region matters, and [`Azurite`] speaks
//! Azure's blobs. `cargo xtask test --only storage-servers` installs rclone and azurite.

mod azurite;
mod contents;
mod s3;
mod server;
mod tools;

pub use azurite::Azurite;
pub use s3::S3;
