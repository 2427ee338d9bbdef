//! What a fresh machine lacks, apart from Rust and Node.

pub(crate) mod front_end;
pub(crate) mod packages;
