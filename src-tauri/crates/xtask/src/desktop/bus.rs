//! Queries to the session bus of a virtual desktop.

use anyhow::{Result, bail};

use super::home::Home;
use crate::process;

/// Bus name of the keyring.
pub(super) const SECRETS: &str = "org.freedesktop.secrets";

/// Returns whether a bus name has an owner. Queries the bus, not the service: a call to a service that has not started
/// yet would make the bus start a second one.
pub(super) fn has_owner(home: &Home, name: &str) -> bool {
    let method = "org.freedesktop.DBus.NameHasOwner";
    let answer = call(home, "org.freedesktop.DBus", "/org/freedesktop/DBus", method, &[name]);
    answer.is_ok_and(|answer| answer.contains("true"))
}

/// Returns whether a secret can be stored without a prompt.
pub(super) fn is_keyring_unlocked(home: &Home) -> bool {
    let collection = "/org/freedesktop/secrets/aliases/default";
    let locked = property(home, SECRETS, collection, "org.freedesktop.Secret.Collection", "Locked");
    locked.is_ok_and(|answer| answer.contains("false"))
}

/// Checks that programs can open the desktop's file dialogs.
pub(super) fn file_dialogs(home: &Home) -> Result<()> {
    let object = "/org/freedesktop/portal/desktop";
    let interface = "org.freedesktop.portal.FileChooser";
    let answer = property(home, "org.freedesktop.portal.Desktop", object, interface, "version")?;
    if !answer.contains("uint32") {
        bail!("the portal has no file dialogs: {}", answer.trim());
    }
    Ok(())
}

fn property(home: &Home, service: &str, object: &str, interface: &str, name: &str) -> Result<String> {
    call(home, service, object, "org.freedesktop.DBus.Properties.Get", &[interface, name])
}

fn call(home: &Home, service: &str, object: &str, method: &str, texts: &[&str]) -> Result<String> {
    let mut command = home.command("dbus-send");
    command.args(["--session", "--print-reply"]).arg(format!("--dest={service}")).args([object, method]);
    process::output(command.args(texts.iter().map(|text| format!("string:{text}"))))
}
