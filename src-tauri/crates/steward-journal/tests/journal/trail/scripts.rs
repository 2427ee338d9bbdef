//! The scripts of a package, run by the system's own programs.

use std::path::Path;
use std::process::Command;

use steward_journal::trail::export::SCRIPTS;

use super::Desk;

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
        "py" => Command::new(if cfg!(windows) { "python" } else { "python3" }),
        _ => {
            let mut shell = Command::new(if cfg!(windows) { "powershell" } else { "pwsh" });
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
fn without_a_head_a_script_says_what_it_cannot_know() {
    let desk = Desk::new();
    for script in ["verify.py", "verify.sh"] {
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

/// PowerShell is not part of every system: on Windows it always is.
#[cfg(windows)]
#[test]
fn the_script_for_powershell_says_what_the_others_say() {
    for attack in
        ["SELECT 1", "DELETE FROM trail WHERE sequence = 3", "UPDATE trail SET body = 'x' WHERE sequence = 3"]
    {
        let desk = Desk::new();
        let head = desk.head();
        desk.attack(attack);
        for kept in [String::new(), head.to_string(), head.to_string().replace(" seq ", " seq 1")] {
            let folder = desk.exported();
            let (ours, python) =
                (verified_by("verify.ps1", &folder, &kept), verified_by("verify.py", &folder, &kept));
            assert_eq!(ours.words, python.words, "{attack} {kept}");
            assert_eq!(ours.exit, python.exit, "{attack} {kept}");
        }
    }
}

/// Where there is no PowerShell, at least nobody changes the script without seeing that it was not run.
#[test]
fn the_script_for_powershell_is_the_one_that_ran_on_windows() {
    let (_, script) = SCRIPTS.iter().find(|(name, _)| *name == "verify.ps1").unwrap();
    let golden = include_str!("verify.ps1.golden");
    assert_eq!(*script, golden, "run it on Windows, and copy it to the golden file");
}
