//! Questions to the session bus of a virtual desktop.

use anyhow::{Result, bail};

use super::home::Home;
use crate::process;

/// The keyring's name on the bus.
pub(super) const SECRETS: &str = "org.freedesktop.secrets";

/// Whether somebody answers to the name. The bus itself is asked: a question to a service that is not there
/// yet would make the bus start a second one.
pub(super) fn has_owner(home: &Home, name: &str) -> bool {
    let method = "org.freedesktop.DBus.NameHasOwner";
    let answer = call(home, "org.freedesktop.DBus", "/org/freedesktop/DBus", method, &[name]);
    answer.is_ok_and(|answer| answer.contains("true"))
}

/// Whether a secret can be stored without asking a person.
pub(super) fn is_keyring_unlocked(home: &Home) -> bool {
    let collection = "/org/freedesktop/secrets/aliases/default";
    let locked = property(home, SECRETS, collection, "org.freedesktop.Secret.Collection", "Locked");
    locked.is_ok_and(|answer| answer.contains("false"))
}

/// Whether programs can open the desktop's own file dialogs.
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
