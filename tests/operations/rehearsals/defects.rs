//! Defects that are planted in a set or in the test site, against a real one: the receipt names each, and none ends green.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use steward_plans::set::SetPart;

use super::*;

/// What is done with a part.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Act {
    /// It is imported, and the rehearsal goes on before the test site is back.
    Import,
    /// It is imported, and the test site is checked.
    ImportAndCheck,
    /// It is imported, and the user ends the wait after the first check.
    ImportAndStop,
    /// It is imported, and that is undone.
    ImportAndUndo,
    /// Its import ends without a result.
    Fail,
    /// The same, and the user skips it.
    FailAndSkip,
    /// It cannot be opened: nothing is sent.
    Refused,
    Skip,
    Leave,
}

/// What is planted.
#[derive(Debug, Clone, Copy)]
enum Defect {
    None,
    /// The file of the portal or of the server is not there.
    NoFile(bool),
    /// One byte of the file is another one.
    Byte(bool),
    /// The file ends in its middle.
    Short(bool),
    /// Another file has its name.
    Other(bool),
    /// A folder that the export names is not there.
    NoFolder,
    /// A simulated fault of the test site.
    Fault(Operation, InjectedFault, bool),
}

/// What is planted, what is done with portal and server, and how the receipt names them.
type Planted = (&'static str, Defect, [Act; 2], [StepState; 2]);

/// A set of a site on which everything runs, and such a test site, so that nothing but the defect is wrong.
async fn without_a_defect() -> Rehearsing {
    let app = TestApp::new().await;
    everything_runs(&app.practice_folder());
    Box::pin(Rehearsing::of(app, Release::default())).await
}

fn everything_runs(site: &Path) {
    let server = Connection::open(site.join("server/server.db")).unwrap();
    server
        .execute_batch(
            "DELETE FROM data_items; UPDATE services SET real_time_state = configured_state,
             data_path = (SELECT data_path FROM services WHERE name = 'Hydrants' LIMIT 1);",
        )
        .unwrap();
}

impl Rehearsing {
    /// The file of the portal or of the server.
    fn file(&self, of_portal: bool) -> PathBuf {
        let is_it = |part: &&SetPart| part.server.is_none() == of_portal;
        let part = self.stored.set.parts.iter().find(is_it).unwrap();
        if of_portal {
            return self.app.folder("portal").join(&part.portal_file.as_ref().unwrap().name);
        }
        let file = part.files.iter().find(|file| file.name.ends_with(".agssite")).unwrap();
        self.stored.folder.join(&file.name)
    }

    fn directories(&self) -> PathBuf {
        self.app.practice_folder().join("server/directories")
    }

    fn plant(&self, defect: Defect) {
        match defect {
            Defect::None => {}
            Defect::NoFile(of_portal) => fs::remove_file(self.file(of_portal)).unwrap(),
            Defect::Byte(of_portal) => {
                let mut bytes = fs::read(self.file(of_portal)).unwrap();
                bytes[700] ^= 1;
                fs::write(self.file(of_portal), bytes).unwrap();
            }
            Defect::Short(of_portal) => {
                let file = fs::File::options().write(true).open(self.file(of_portal)).unwrap();
                file.set_len(file.metadata().unwrap().len() / 2).unwrap();
            }
            Defect::Other(of_portal) => {
                fs::copy(self.file(!of_portal), self.file(of_portal)).unwrap();
            }
            Defect::NoFolder => {
                fs::rename(self.directories(), self.directories().with_extension("gone")).unwrap();
            }
            Defect::Fault(operation, fault, after) => {
                self.test.add_fault(FaultRule { operation, fault, times: 10_000, seconds: 1, after });
            }
        }
    }

    async fn act(&self, act: Act, is_portal: bool) {
        let steward = &self.app.steward;
        let server = self.app.server.server.clone().filter(|_| !is_portal);
        let send = async || -> Result<RecordId, String> {
            let record = if is_portal {
                let sent = self.send_portal().await.map_err(|problem| format!("{problem:?}"))?;
                if let RunResult::Done { record, .. } = sent { record } else { None }
            } else {
                let sent = self.send_server().await.map_err(|problem| format!("{problem:?}"))?;
                if let RunResult::Done { record, .. } = sent { record } else { None }
            };
            record.ok_or_else(|| "it ended without a result".to_owned())
        };
        match act {
            Act::Leave => {}
            Act::Skip => steward.rehearsals.skip(&self.site, server.as_ref(), true).unwrap(),
            Act::Refused => {
                let sent = self.imports().await;
                assert!(self.open(is_portal).await.is_err());
                assert_eq!(self.imports().await, sent);
            }
            Act::Fail => assert!(send().await.is_err()),
            Act::FailAndSkip => {
                assert!(send().await.is_err());
                steward.rehearsals.skip(&self.site, server.as_ref(), true).unwrap();
            }
            Act::Import => {
                send().await.unwrap();
                steward.proofs.stop(&self.site);
            }
            Act::ImportAndCheck => {
                send().await.unwrap();
                self.checked(|_| false).await;
            }
            Act::ImportAndStop => {
                send().await.unwrap();
                self.checked(|this| {
                    let now = this.app.steward.proofs.of(&this.app.steward.context, &this.site);
                    now.is_some_and(|now| now.proof.is_some())
                })
                .await;
                steward.proofs.stop(&self.site);
            }
            Act::ImportAndUndo => {
                let record = send().await.unwrap();
                let options = UndoOptions { secure: false, ..UndoOptions::default() };
                let (context, run) = (&steward.context, self.app.run());
                let undo =
                    import_server::undo(context, &steward.transfers, &self.site, run, record, NAME, options);
                Box::pin(undo).await.unwrap();
                steward.proofs.stop(&self.site);
            }
        }
    }

    /// Rehearses with a defect, and takes it away again. Returns the receipt.
    async fn rehearsed_with(&self, (_, defect, acts, _): Planted) -> receipt::Receipt {
        let kept =
            [true, false].map(|of_portal| (self.file(of_portal), fs::read(self.file(of_portal)).unwrap()));
        everything_runs(&self.app.folder("second").join("site"));
        // An import replaces what its server accepts, too.
        self.test.accept_site_files(true).await.unwrap();
        self.begin().await.unwrap();
        self.plant(defect);
        self.act(acts[0], true).await;
        self.act(acts[1], false).await;
        let record = self.end().await.unwrap().unwrap();
        for (file, bytes) in kept {
            fs::write(file, bytes).unwrap();
        }
        if matches!(defect, Defect::NoFolder) {
            fs::rename(self.directories().with_extension("gone"), self.directories()).unwrap();
        }
        self.test.clear_faults();
        self.sign_in().await;
        self.keep_password().await;
        receipt::view(&self.app.steward.context.history, record).await.unwrap().receipt
    }

    async fn none_is_green(&self, all: &[Planted]) {
        let mut wrong = Vec::new();
        for planted in all {
            let receipt = Box::pin(self.rehearsed_with(*planted)).await;
            let found: Vec<_> = receipt.parts.iter().map(|part| part.state).collect();
            if found != planted.3 || receipt.verdict == RehearsalVerdict::Back {
                wrong.push((planted.0, found, receipt));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        let receipts = self.receipts().await;
        let green = receipts.iter().filter(|one| one.outcome == Outcome::Succeeded).count();
        assert_eq!((receipts.len(), green), (all.len(), 0));
    }
}

#[tokio::test]
async fn a_set_with_a_defect_never_ends_green_and_its_receipt_names_the_part() {
    use Act::{Import, ImportAndUndo, Leave, Refused, Skip};
    use StepState::{Changed, ComingBack, NotPossible, Open, Skipped, Undone};
    let this = without_a_defect().await;
    this.none_is_green(&[
        ("no file of the server", Defect::NoFile(false), [Import, Refused], [ComingBack, NotPossible]),
        ("a byte of the server", Defect::Byte(false), [Import, Refused], [ComingBack, Changed]),
        ("half a file of the server", Defect::Short(false), [Import, Refused], [ComingBack, NotPossible]),
        ("another file of the server", Defect::Other(false), [Import, Refused], [ComingBack, NotPossible]),
        ("no file of the portal", Defect::NoFile(true), [Skip, Import], [Changed, ComingBack]),
        ("a byte of the portal", Defect::Byte(true), [Skip, Import], [Changed, ComingBack]),
        ("half a file of the portal", Defect::Short(true), [Skip, Import], [NotPossible, ComingBack]),
        ("another file of the portal", Defect::Other(true), [Skip, Import], [NotPossible, ComingBack]),
        ("the server was skipped", Defect::None, [Import, Skip], [ComingBack, Skipped]),
        ("the server was not imported", Defect::None, [Import, Leave], [ComingBack, Open]),
        ("the server was put back", Defect::None, [Skip, ImportAndUndo], [Skipped, Undone]),
    ])
    .await;
}

#[tokio::test]
async fn a_test_site_with_a_defect_never_ends_green_and_its_receipt_names_the_part() {
    use Act::{Fail, FailAndSkip, Import, ImportAndCheck, ImportAndStop, Skip};
    use InjectedFault::{
        AbsentFolder, BadGateway, Html, InvalidServer, Orphan, OtherVersion, Reset, ServiceWillNotStart,
        UnwritableFolder,
    };
    use Operation::{ExportServer, ImportPortal, ImportServer, ReadIndex, ReadVersion, ValidateServers};
    use StepState::{Back, BackBut, ComingBack, Failed, NotBack, NotKnown, Open, Skipped, Unknown};
    let this = without_a_defect().await;
    let fault = |operation, fault, after| Defect::Fault(operation, fault, after);
    let (portal, both, fails) = ([ImportAndCheck, Skip], [ImportAndCheck; 2], [Skip, Fail]);
    let stopped = [ImportAndStop, Skip];
    this.none_is_green(&[
        ("the index is not returned", fault(ReadIndex, Html, false), stopped, [NotKnown, Skipped]),
        ("a server is not valid", fault(ValidateServers, InvalidServer, false), stopped, [NotBack, Skipped]),
        ("a service has no item", fault(ImportPortal, Orphan, false), portal, [BackBut, Skipped]),
        ("a service does not start", fault(ImportServer, ServiceWillNotStart, false), both, [Back, BackBut]),
        ("a gateway failed", fault(ImportServer, BadGateway, false), fails, [Skipped, Unknown]),
        ("a page instead of a response", fault(ImportServer, Html, true), fails, [Skipped, Unknown]),
        ("the response was lost", fault(ImportServer, Reset, true), fails, [Skipped, Unknown]),
        (
            "no safety backup",
            fault(ExportServer, UnwritableFolder, false),
            [ImportAndCheck, Fail],
            [Back, Open],
        ),
        ("a folder of the export is absent", Defect::NoFolder, fails, [Skipped, Failed]),
        (
            "a folder is simulated as absent",
            fault(ImportServer, AbsentFolder, false),
            fails,
            [Skipped, Failed],
        ),
        (
            "the portal has another version",
            fault(ReadVersion, OtherVersion, false),
            [FailAndSkip, Import],
            [Skipped, ComingBack],
        ),
        ("an item has no service", fault(ImportServer, Orphan, false), both, [Back, BackBut]),
    ])
    .await;
}

#[tokio::test]
async fn a_rehearsal_without_a_defect_ends_green() {
    let this = without_a_defect().await;
    let whole = ("no defect", Defect::None, [Act::ImportAndCheck; 2], [StepState::Back; 2]);
    let receipt = Box::pin(this.rehearsed_with(whole)).await;
    assert_eq!(receipt.verdict, RehearsalVerdict::Back, "{receipt:#?}");
    assert!(receipt.recovery_time.is_some());
    assert_eq!(this.receipts().await[0].outcome, Outcome::Succeeded);
}

#[tokio::test]
async fn a_test_site_of_another_version_is_named_and_is_never_green() {
    let this = Box::pin(Rehearsing::of(TestApp::new().await, Release::new(11, 3))).await;
    this.begin().await.unwrap();
    let refused = this.send_portal().await;
    assert!(matches!(refused, Err(Problem::PreconditionFailed { .. })), "{refused:?}");
    this.app.steward.rehearsals.skip(&this.site, None, true).unwrap();
    this.import_server().await;
    this.app.steward.proofs.stop(&this.site);
    let record = this.end().await.unwrap().unwrap();
    let receipt = receipt::view(&this.app.steward.context.history, record).await.unwrap().receipt;
    assert!(receipt.differences.iter().any(|one| one.about == DifferenceAbout::Version), "{receipt:#?}");
    assert_eq!(receipt.parts[0].state, StepState::Skipped);
    assert_ne!(receipt.verdict, RehearsalVerdict::Back);
}
