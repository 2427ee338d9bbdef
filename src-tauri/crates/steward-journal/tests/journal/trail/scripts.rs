//! The scripts of a package, run by the system's own programs.

use std::path::Path;
use std::process::Command;

use steward_journal::trail::export::SCRIPTS;
use steward_journal::trail::{Event, Head};

use super::Desk;
use super::attacks::{ATTACKS, Attack};
use super::formats::hostile;

/// Scripts that every system of this kind can run.
pub(crate) const HERE: &[&str] = if cfg!(windows) { &["verify.ps1"] } else { &["verify.py", "verify.sh"] };

/// What a script said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) is_unbroken: bool,
    pub(crate) has_head: bool,
    pub(crate) exit: i32,
    pub(crate) words: String,
}

/// Runs a script with a head; an empty one for none.
pub(crate) fn verified_by(script: &str, folder: &Path, head: &str) -> Verdict {
    let mut command = match script.rsplit_once('.').unwrap().1 {
        "sh" => Command::new("sh"),
        "py" => Command::new("python3"),
        _ => {
            let mut shell = Command::new("powershell");
            shell.args(["-NoProfile", "-ExecutionPolicy", "Bypass", "-File"]);
            shell
        }
    };
    command.arg(folder.join(script));
    // One word, as it is copied.
    let output = if head.is_empty() { command.output() } else { command.arg(head).output() }.unwrap();
    let words =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Verdict {
        is_unbroken: words.contains("Unbroken up to entry "),
        has_head: words.contains("The head that you kept is entry "),
        exit: output.status.code().unwrap(),
        words,
    }
}

#[test]
fn each_script_finds_what_a_verification_finds_and_without_a_kept_head_nothing_else() {
    for Attack { name, run, found_at } in ATTACKS {
        let desk = Desk::new();
        let kept = desk.head().to_string();
        run(&desk);
        let folder = desk.exported();
        for script in HERE {
            let found = verified_by(script, &folder, "");
            assert_eq!(found.is_unbroken, found_at.is_none(), "{name}: {found:?}");
            assert_eq!(found.exit, i32::from(found_at.is_some()), "{name}: {found:?}");
            let found = verified_by(script, &folder, &kept);
            assert!(found.exit == 1, "{name}: {found:?}");
        }
    }
}

#[test]
fn a_kept_head_is_there_as_long_as_nothing_before_it_was_changed() {
    let desk = Desk::new();
    let kept = desk.head();
    desk.journal().append(&Event::AppEnded).unwrap();
    let other = Head { hash: kept.hash.replace(|one| one != '0', "1"), ..kept.clone() };

    for script in HERE {
        let found = verified_by(script, &desk.exported(), &kept.to_string());
        assert!(found.is_unbroken && found.has_head && found.exit == 0, "{script}: {found:?}");
        let found = verified_by(script, &desk.exported(), &other.to_string());
        assert!(found.is_unbroken && !found.has_head && found.exit == 1, "{script}: {found:?}");
    }
}

#[test]
fn names_from_a_site_do_not_confuse_a_script() {
    let (desk, _) = hostile();
    for script in HERE {
        let found = verified_by(script, &desk.exported(), &desk.head().to_string());
        assert!(found.is_unbroken && found.has_head, "{script}: {found:?}");
    }
}

#[test]
fn without_a_head_a_script_says_what_it_cannot_know() {
    let desk = Desk::new();
    for script in HERE {
        let found = verified_by(script, &desk.exported(), "");

        assert_eq!(found.exit, 0, "{script}");
        let head = desk.head();
        assert_eq!(
            found.words.replace("\r\n", "\n"),
            format!(
                "Unbroken up to entry {}: {}\nWhether this is all, only a head that you kept can tell.\n",
                head.entry, head.hash
            ),
            "{script}"
        );
    }
}

/// Where there is no PowerShell, at least nobody changes the script without seeing that it was not run.
#[test]
fn the_script_for_powershell_is_the_one_of_the_golden_file() {
    let (_, script) = SCRIPTS.iter().find(|(name, _)| *name == "verify.ps1").unwrap();
    let golden = include_str!("verify.ps1.golden");
    assert_eq!(*script, golden, "run it on Windows, and copy it to the golden file");
}
