//! What a person or a test needs to get in: addresses, the authority's certificate, and sign-ins.

use crate::random;
use crate::sign_in::Role;
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Everything needed to talk to the running site. Holds passwords, so it prints nothing.
#[derive(Clone, Serialize, Deserialize)]
pub struct Ready {
    /// The portal's base address, as in `https://127.0.0.1:4443/portal`.
    pub portal: String,
    /// The server's base address, as in `https://127.0.0.1:4443/server`.
    pub server: String,
    /// The certificate to trust, in PEM. None over plain http.
    pub ca_certificate: Option<PathBuf>,
    /// One sign-in for each role.
    pub users: Vec<ReadyUser>,
    /// The portal's identifier in the sharing API.
    pub portal_id: String,
}

/// A name and password that the site accepts.
#[derive(Clone, Serialize, Deserialize)]
pub struct ReadyUser {
    /// The user name.
    pub username: String,
    /// The password, made at first start.
    pub password: String,
    /// `administrator`, `publisher` or `viewer`, or one that holds a single privilege: `data-updater`,
    /// `feature-editor` or `geoprocessor`.
    pub role: String,
}

impl Ready {
    /// Writes this beside other files: complete or not at all, and readable by this account only.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, file: &Path) -> anyhow::Result<()> {
        write_private(file, serde_json::to_string_pretty(self)?.as_bytes())
    }
}

/// The sign-ins of this site, kept because the database holds only hashes.
#[derive(Serialize, Deserialize)]
pub(crate) struct SignIns {
    pub(crate) users: Vec<ReadyUser>,
    /// The account of the server area that imports must not touch.
    pub(crate) primary_administrator: ReadyUser,
}

impl SignIns {
    /// The sign-ins in `file`. What is not there is made: all of them at first start, and those of roles that a
    /// data folder made by an earlier version does not know.
    pub(crate) fn prepare(file: &Path) -> anyhow::Result<SignIns> {
        let mut sign_ins = if file.exists() {
            let text = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            serde_json::from_slice(&text).with_context(|| format!("{} is damaged", file.display()))?
        } else {
            SignIns { users: Vec::new(), primary_administrator: make("siteadmin", Role::Administrator)? }
        };
        let known = sign_ins.users.len();
        for role in Role::ALL {
            if !sign_ins.users.iter().any(|user| user.role == role.name()) {
                sign_ins.users.push(make(username(role), role)?);
            }
        }
        if sign_ins.users.len() > known {
            write_private(file, serde_json::to_string_pretty(&sign_ins)?.as_bytes())?;
        }
        Ok(sign_ins)
    }
}

fn username(role: Role) -> &'static str {
    match role {
        Role::Administrator => "steward",
        Role::Publisher => "mapmaker",
        Role::DataUpdater => "datakeeper",
        Role::FeatureEditor => "surveyor",
        Role::Geoprocessor => "analyst",
        Role::Viewer => "visitor",
    }
}

fn make(username: &str, role: Role) -> anyhow::Result<ReadyUser> {
    Ok(ReadyUser {
        username: username.to_owned(),
        password: random::hex_secret::<12>()?,
        role: role.name().to_owned(),
    })
}

/// Writes `bytes` to `file` at once and for this account only: temporary files are made with mode 0600.
pub(crate) fn write_private(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", file.display());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut temporary = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    temporary.write_all(bytes).with_context(context)?;
    temporary.as_file().sync_all().with_context(context)?;
    temporary.persist(file).with_context(context)?;
    Ok(())
}
