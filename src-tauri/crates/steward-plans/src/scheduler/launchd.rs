//! The property list of an agent of launchd.

use std::collections::BTreeSet;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use steward_core::files;

use super::{RUN_DUE_PLANS, Registration, output, remove_file, xml};
use crate::schedule::TimeOfDay;

/// Label of the agent, and the name of its file without the extension.
pub const LABEL: &str = "org.sitesteward.desktop.plans";

/// Identifier of the app, under whose name *Login Items* shows the agent.
const APP: &str = "org.sitesteward.desktop";

/// Longest time in which launchd refuses to load an agent, because the former one has not ended.
const UNLOADING: Duration = Duration::from_secs(10);

/// The agents of a user.
#[derive(Debug, Clone)]
pub struct Launchd {
    /// The property list.
    pub file: PathBuf,
    /// Domain of the graphical session, for example `gui/501`: in any other the keychain refuses.
    pub domain: String,
}

impl Launchd {
    /// Returns the agents of the user with a home folder.
    ///
    /// # Errors
    /// An error of the system.
    pub fn of_user(home: &Path) -> Result<Self> {
        let user = output(Command::new("/usr/bin/id").arg("-u"))?;
        let file = home.join("Library/LaunchAgents").join(format!("{LABEL}.plist"));
        Ok(Self { file, domain: format!("gui/{}", user.trim()) })
    }

    /// Returns whether the property list is the one for this program and these times, and is loaded.
    #[must_use]
    pub fn registration(&self, program: &str, times: &BTreeSet<TimeOfDay>) -> Registration {
        match std::fs::read_to_string(&self.file) {
            Err(_) => Registration::Missing,
            Ok(found) if found == agent(program, times) && launchctl(&["print", &self.service()]).is_ok() => {
                Registration::Registered
            }
            Ok(_) => Registration::Differs,
        }
    }

    /// Writes the property list, and loads it.
    ///
    /// # Errors
    /// An error of the disk, or the message of launchctl.
    pub fn register(&self, program: &str, times: &BTreeSet<TimeOfDay>) -> Result<()> {
        self.unload();
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        files::write_whole(&self.file, agent(program, times).as_bytes())?;
        let file = self.file.to_string_lossy();
        let begun = Instant::now();
        loop {
            match launchctl(&["bootstrap", &self.domain, &file]) {
                Err(_) if begun.elapsed() < UNLOADING => std::thread::sleep(Duration::from_millis(500)),
                ended => return ended.map(drop),
            }
        }
    }

    /// Starts the runner now, as launchd does.
    ///
    /// # Errors
    /// The message of launchctl.
    pub fn start_now(&self) -> Result<()> {
        launchctl(&["kickstart", &self.service()]).map(drop)
    }

    /// Unloads the agent, and removes its file.
    ///
    /// # Errors
    /// An error of the disk.
    pub fn remove(&self) -> Result<()> {
        self.unload();
        remove_file(&self.file)
    }

    /// Unloads the agent. A failure is only logged: usually it was not loaded.
    fn unload(&self) {
        if let Err(error) = launchctl(&["bootout", &self.service()]) {
            tracing::debug!(%error, "the agent of backup plans was not unloaded");
        }
    }

    fn service(&self) -> String {
        format!("{}/{LABEL}", self.domain)
    }
}

fn launchctl(arguments: &[&str]) -> Result<String> {
    output(Command::new("/bin/launchctl").args(arguments))
}

/// Returns the property list. `program` is an absolute path.
///
/// `RunAtLoad` starts the runner when the user signs in, after the computer was off; times that passed in sleep are
/// made up for by launchd.
#[must_use]
pub fn agent(program: &str, times: &BTreeSet<TimeOfDay>) -> String {
    let at = |time: &TimeOfDay| {
        format!(
            "\t\t<dict><key>Hour</key><integer>{}</integer><key>Minute</key><integer>{}</integer></dict>\n",
            time.hour, time.minute
        )
    };
    let intervals: String = times.iter().map(at).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n\
         <dict>\n\
         \t<key>Label</key><string>{LABEL}</string>\n\
         \t<key>ProgramArguments</key>\n\
         \t<array><string>{program}</string><string>{RUN_DUE_PLANS}</string></array>\n\
         \t<key>StartCalendarInterval</key>\n\
         \t<array>\n\
         {intervals}\
         \t\t<dict><key>Minute</key><integer>0</integer></dict>\n\
         \t</array>\n\
         \t<key>RunAtLoad</key><true/>\n\
         \t<key>ProcessType</key><string>Background</string>\n\
         \t<key>AssociatedBundleIdentifiers</key><string>{APP}</string>\n\
         </dict>\n\
         </plist>\n",
        program = xml(program),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_starts_the_runner_at_each_time_once_an_hour_and_at_sign_in() {
        let times = [(3, 30)].map(|(hour, minute)| TimeOfDay { hour, minute });
        let program = "/Applications/Site & Steward.app/Contents/MacOS/site-steward";
        assert_eq!(agent(program, &times.into()), include_str!("launchd.plist"));
    }

    #[test]
    fn the_property_list_is_read_as_it_was_meant() {
        let times = [(3, 30), (22, 5)].map(|(hour, minute)| TimeOfDay { hour, minute });
        for program in ["/Applications/Site Steward.app/x", "/a & b/<c>\"d'/ü/x", "/]]>/&amp;/x"] {
            let text = agent(program, &times.into());
            let read = plist::Value::from_reader_xml(text.as_bytes()).unwrap();
            let agent = read.as_dictionary().unwrap();
            let text_of = |key: &str| agent[key].as_string();
            assert_eq!(text_of("Label"), Some(LABEL));
            assert_eq!(text_of("ProcessType"), Some("Background"));
            assert_eq!(text_of("AssociatedBundleIdentifiers"), Some(APP));
            assert_eq!(agent["RunAtLoad"].as_boolean(), Some(true));
            let arguments = agent["ProgramArguments"].as_array().unwrap();
            let arguments: Vec<&str> = arguments.iter().filter_map(plist::Value::as_string).collect();
            assert_eq!(arguments, [program, RUN_DUE_PLANS]);
            let intervals = agent["StartCalendarInterval"].as_array().unwrap().iter().map(|interval| {
                let interval = interval.as_dictionary().unwrap();
                let number = |key| interval.get(key).and_then(plist::Value::as_signed_integer);
                assert_eq!(interval.len(), 1 + usize::from(number("Hour").is_some()));
                (number("Hour"), number("Minute"))
            });
            let expected = [(Some(3), Some(30)), (Some(22), Some(5)), (None, Some(0))];
            assert_eq!(intervals.collect::<Vec<_>>(), expected);
        }
    }
}
