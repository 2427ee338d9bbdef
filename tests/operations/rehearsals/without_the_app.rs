//! A receipt and its audit package on a machine without the app: nothing but their files, and the set.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use steward_core::history::save_audit_package;

use super::*;

/// Files that were taken to another machine.
struct Taken {
    folder: tempfile::TempDir,
    receipt: Value,
    /// Path of the file of the portal.
    portal_file: PathBuf,
}

impl Taken {
    fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a program of the system with nothing of this one: no variable, no folder of the app.
    fn run(&self, within: &str, command: &[&str]) -> (bool, String) {
        let mut program = Command::new(command[0]);
        program.args(&command[1..]).env_clear().env("PATH", "/usr/bin:/bin").current_dir(self.place(within));
        let output = program.output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }

    /// Has each script verify the package with a head.
    fn verified(&self, head: &str) -> Vec<(bool, String)> {
        let scripts = [["python3", "verify.py"], ["sh", "verify.sh"]];
        scripts.into_iter().map(|[program, script]| self.run("package", &[program, script, head])).collect()
    }

    /// The receipt in the package, as the scripts verify it.
    fn in_package(&self) -> PathBuf {
        find(&self.place("package"), "report.json").unwrap()
    }

    /// What `sha256sum --check` reads: the hash that the receipt has of each file of the set.
    fn sums(&self) -> String {
        let of_receipt = &self.receipt["receipt"];
        let mut sums = format!("{}  set.json\n", of_receipt["setSha256"].as_str().unwrap());
        for part in of_receipt["parts"].as_array().unwrap() {
            let (sha256, file) = (part["sha256"].as_str().unwrap(), part["file"].as_str().unwrap());
            sums += &format!("{sha256}  {}\n", Path::new(file).file_name().unwrap().to_str().unwrap());
        }
        sums
    }
}

/// Rehearses a set, saves its receipt and the audit package as the page of the receipt does, and takes both and the set away. Of the
/// app, nothing is left.
async fn taken_away() -> Taken {
    let this = Rehearsing::new().await;
    this.begin().await.unwrap();
    let portal = this.import_portal().await;
    this.checked(|_| false).await;
    let server = this.import_server().await;
    this.checked(|_| false).await;
    let record = this.end().await.unwrap().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let steward = &this.app.steward;
    let history = &steward.context.history;
    for (format, name) in [(ReportFormat::Json, "receipt.json"), (ReportFormat::Html, "receipt.html")] {
        this.app.dialogs.will_choose(&folder.path().join(name));
        receipt_file::save(history, &steward.dialogs, &steward.language, record.clone(), format)
            .await
            .unwrap();
    }
    let package = folder.path().join("package.zip");
    this.app.dialogs.will_choose(&package);
    let records = vec![record, portal, server];
    save_audit_package(history, &steward.dialogs, &steward.language, &steward.tour, records).await.unwrap();
    let unpacked = folder.path().join("package");
    zip::ZipArchive::new(std::fs::File::open(package).unwrap()).unwrap().extract(unpacked).unwrap();
    let receipt = std::fs::read(folder.path().join("receipt.json")).unwrap();
    let receipt: Value = serde_json::from_slice(&receipt).unwrap();
    // The set, and the file that the portal wrote.
    let set = folder.path().join("set");
    std::fs::create_dir(&set).unwrap();
    for file in std::fs::read_dir(&this.stored.folder).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), set.join(file.file_name())).unwrap();
    }
    let portal_file = receipt["receipt"]["parts"][0]["file"].as_str().unwrap();
    let portal_file = PathBuf::from(portal_file);
    let taken = set.join(portal_file.file_name().unwrap());
    std::fs::copy(&portal_file, &taken).unwrap();
    let data_folder = this.app.steward.data_folder.clone();
    drop(this);
    assert!(!data_folder.exists(), "the app is gone");
    Taken { folder, receipt, portal_file: taken }
}

#[tokio::test]
async fn a_receipt_and_its_audit_package_are_verified_where_there_is_no_app() {
    let taken = Box::pin(taken_away()).await;
    let receipt = &taken.receipt["receipt"];

    // The package holds, and has the heads that the receipt names: of before it was written, and of when it was saved.
    for head in [&receipt["head"], &taken.receipt["auditTrailHead"]] {
        for (is_verified, said) in taken.verified(head.as_str().unwrap()) {
            assert!(is_verified && said.contains("The head that you kept is entry"), "{said}");
            assert!(said.contains("History entries as they were recorded: 3"), "{said}");
        }
    }
    // What the package has of the entry is the saved receipt.
    let in_package = std::fs::read_to_string(taken.in_package()).unwrap();
    assert_eq!(&serde_json::from_str::<Value>(&in_package).unwrap(), receipt);
    let page = std::fs::read_to_string(taken.place("receipt.html")).unwrap();
    for sum in taken.sums().lines() {
        assert!(page.contains(&sum[..64]), "{sum}");
    }
    // Its hashes are those of the set.
    std::fs::write(taken.place("set/sums"), taken.sums()).unwrap();
    let (is_set, said) = taken.run("set", &["sha256sum", "--check", "--strict", "sums"]);
    assert!(is_set && said.lines().count() == 3, "{said}");
}

#[tokio::test]
async fn a_receipt_or_a_set_that_somebody_changed_is_not_verified_where_there_is_no_app() {
    let taken = Box::pin(taken_away()).await;
    let head = taken.receipt["auditTrailHead"].as_str().unwrap().to_owned();
    let file = taken.in_package();
    let whole = std::fs::read_to_string(&file).unwrap();
    let set_sha256 = taken.receipt["receipt"]["setSha256"].as_str().unwrap();
    let other = format!("{}{}", if set_sha256.starts_with('0') { '1' } else { '0' }, &set_sha256[1..]);
    let verdict = format!("\"verdict\":{}", taken.receipt["receipt"]["verdict"]);
    for (was, becomes) in [(set_sha256, other.as_str()), (verdict.as_str(), "\"verdict\":\"back\"")] {
        assert!(whole.contains(was), "{was} in {whole}");
        std::fs::write(&file, whole.replacen(was, becomes, 1)).unwrap();
        for (is_verified, said) in taken.verified(&head) {
            assert!(!is_verified && said.contains("BROKEN: the report of history entry"), "{said}");
        }
    }
    std::fs::write(&file, &whole).unwrap();
    assert!(taken.verified(&head).iter().all(|(is_verified, _)| *is_verified));

    std::fs::write(taken.place("set/sums"), taken.sums()).unwrap();
    let mut bytes = std::fs::read(&taken.portal_file).unwrap();
    bytes[700] ^= 1;
    std::fs::write(&taken.portal_file, bytes).unwrap();
    let (is_set, said) = taken.run("set", &["sha256sum", "--check", "sums"]);
    assert!(!is_set && said.lines().filter(|line| line.ends_with(": FAILED")).count() == 1, "{said}");
}
