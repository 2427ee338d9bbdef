//! Connection data of a running site for users and tests: URLs, CA certificate, and sign-ins.

use crate::random;
use crate::regular_file;
use crate::sign_in::Role;
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Connection data of a running site. Contains passwords, so it does not implement `Debug`.
#[derive(Clone, Serialize, Deserialize)]
pub struct Ready {
    /// URL of the portal, for example `https://127.0.0.1:4443/portal`.
    pub portal: String,
    /// URL of the first server, for example `https://127.0.0.1:4443/server`.
    pub server: String,
    /// URLs of all servers, in order. The first one is [`server`](Self::server).
    pub servers: Vec<String>,
    /// PEM file with the CA certificate to trust. `None` for HTTP.
    pub ca_certificate: Option<PathBuf>,
    /// SHA-256 fingerprint of the server certificate, for example `AB:CD:…`. `None` for HTTP.
    pub fingerprint: Option<String>,
    /// Sign-ins, one per role.
    pub users: Vec<ReadyUser>,
    /// ID of the portal in the sharing API.
    pub portal_id: String,
}

/// User name and password of a user.
#[derive(Clone, Serialize, Deserialize)]
pub struct ReadyUser {
    /// User name.
    pub username: String,
    /// Password, generated at first startup.
    pub password: String,
    /// Role: `administrator`, `publisher` or `viewer`, or a role with a single privilege: `data-updater`,
    /// `feature-editor` or `geoprocessor`.
    pub role: String,
}

impl Ready {
    /// Writes the data to a JSON file, atomically and readable only by the current user.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, file: &Path) -> anyhow::Result<()> {
        write_private(file, serde_json::to_string_pretty(self)?.as_bytes())
    }
}

/// Sign-ins of this site. Stored in a file, because the database contains only hashes.
#[derive(Serialize, Deserialize)]
pub(crate) struct SignIns {
    pub(crate) users: Vec<ReadyUser>,
    /// Account of the server that imports do not change.
    pub(crate) primary_administrator: ReadyUser,
}

impl SignIns {
    /// Reads the sign-ins from `file`, or creates them and the file.
    pub(crate) fn prepare(file: &Path) -> anyhow::Result<SignIns> {
        if file.exists() {
            let text = regular_file::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            return serde_json::from_str(&text).with_context(|| format!("{} is damaged", file.display()));
        }
        let users = Role::ALL.into_iter().map(|role| make(username(role), role));
        let sign_ins = SignIns {
            users: users.collect::<Result<_, _>>()?,
            primary_administrator: make("siteadmin", Role::Administrator)?,
        };
        write_private(file, serde_json::to_string_pretty(&sign_ins)?.as_bytes())?;
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

/// Writes `bytes` to `file` atomically, readable only by the current user (temporary files have mode 0600).
pub(crate) fn write_private(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", file.display());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut temporary = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    temporary.write_all(bytes).with_context(context)?;
    temporary.as_file().sync_all().with_context(context)?;
    temporary.persist(file).with_context(context)?;
    Ok(())
}
