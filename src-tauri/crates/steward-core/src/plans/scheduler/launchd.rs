//! The property list of an agent of launchd.

use std::collections::BTreeSet;

use super::{RUN_DUE_PLANS, xml};
use crate::plans::schedule::TimeOfDay;

/// Label of the agent, and the name of its file without the extension.
pub const LABEL: &str = "org.sitesteward.desktop.plans";

/// Identifier of the app, under whose name *Login Items* shows the agent.
const APP: &str = "org.sitesteward.desktop";

/// Returns the property list. `program` is an absolute path.
///
/// `RunAtLoad` starts the runner when the user signs in, after the computer was off; times that passed in sleep are made
/// up for by launchd.
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
}
