//! Real storage servers on this machine: [`Garage`] speaks S3 and checks signature and region, [`Azurite`] speaks
//! Azure's blobs. `cargo xtask test --only storage-servers` installs both.

mod azurite;
mod contents;
mod garage;
mod server;
mod tools;

pub use azurite::Azurite;
pub use garage::Garage;
