//! The receipt of a rehearsal as a file: an `html` page, or `json` with all fields.

use std::fmt::Write;

use anyhow::Context;
use serde::Serialize;
use steward_core::files::dialogs::Title;
use steward_core::files::selected_paths::SelectedPaths;
use steward_core::files::{self, in_background};
use steward_core::history::ReportFormat;
use steward_core::history::record::History;
use steward_core::history::report_file::html_text;
use steward_core::model::ids::RecordId;
use steward_core::model::localized_text::{Texts, UiLanguage};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use steward_core::model::site_proof::{OpenPart, SiteProof, WhyOpen};
use steward_journal::trail::Event;

use super::receipt::{Receipt, ReceiptPart, ReceiptView, view};

/// Exports a receipt to a file that the user chooses.
///
/// # Errors
/// - Those of [`view`].
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
pub async fn save(
    history: &History,
    dialogs: &SelectedPaths,
    language: &UiLanguage,
    record: RecordId,
    format: ReportFormat,
) -> Result<SaveResult, Problem> {
    let shown = view(history, record.clone()).await?;
    let what = format!("{} rehearsal receipt", shown.receipt.site_name);
    let name = files::dated_name(&what, shown.receipt.ended, format.extension());
    let Some(path) = dialogs.save_file(Title::SaveReceipt, &name).await? else {
        return Ok(SaveResult::Dismissed);
    };
    let head = history.trail_head().await?;
    let content = match format {
        ReportFormat::Html => html(&shown, &record, &head, &language.texts()),
        ReportFormat::Csv | ReportFormat::Json => json(&shown, &record, &head)?,
    };
    let saved = in_background(move || files::save(&path, content.as_bytes())).await?;
    if let SaveResult::Saved { file } = &saved {
        let (what, sha256) = ("rehearsal_receipt".to_owned(), file.sha256.clone());
        history.append(Event::HistoryExported { what, about: record.0, sha256 }).await;
    }
    Ok(saved)
}

/// Returns a receipt as JSON, with its entry and the head of the audit trail.
fn json(shown: &ReceiptView, record: &RecordId, head: &str) -> anyhow::Result<String> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct WithHead<'a> {
        #[serde(flatten)]
        shown: &'a ReceiptView,
        record: &'a RecordId,
        audit_trail_head: &'a str,
    }
    let file = WithHead { shown, record, audit_trail_head: head };
    serde_json::to_string_pretty(&file).context("the receipt could not be written down")
}

/// Returns a receipt as an HTML page in the language of `words`. Its texts come from sites, and are escaped.
fn html(shown: &ReceiptView, record: &RecordId, head: &str, words: &Texts) -> String {
    let say = |name: &str| html_text(&words.say(&format!("receipt.{name}"), &[]));
    let Receipt { verdict, differences, parts, not_tried, .. } = &shown.receipt;
    let title = say("title");
    let mut page = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>{title}</title>\
         <style>body{{font:14px system-ui;margin:2em}}td,th{{border:1px solid #ccc;padding:4px 8px;\
         text-align:left;vertical-align:top}}table{{border-collapse:collapse}}code{{word-break:break-all}}</style>\
         <h1>{title}</h1><h2>{}</h2><table>",
        say(&format!("verdict.{}", named(verdict))),
        language = words.language(),
    );
    // Writing to a string cannot fail.
    for (name, value) in facts(shown, record) {
        let _ = write!(page, "<tr><th>{}<td>{}", say(&format!("fact.{name}")), html_text(&value));
    }
    let _ = write!(page, "</table><h2>{}</h2><table><tr>", say("imports"));
    for column in ["part", "file", "onto", "outcome", "found", "entry"] {
        let _ = write!(page, "<th>{}", say(&format!("column.{column}")));
    }
    for part in parts {
        page.push_str("<tr>");
        for cell in cells(part, words) {
            let _ = write!(page, "<td>{cell}");
        }
    }
    let _ = write!(page, "</table><h2>{}</h2><ul>", say("differences"));
    for one in differences {
        let given = [("part", one.part.as_str()), ("set", one.set.as_str()), ("test", one.test.as_str())];
        let text = words.say(&format!("receipt.difference.{}", named(&one.about)), &given);
        let _ = write!(page, "<li>{}", html_text(&text));
    }
    if differences.is_empty() {
        let _ = write!(page, "<li>{}", say("noDifferences"));
    }
    let _ = write!(page, "</ul><h2>{}</h2><ul>", say("notTriedTitle"));
    for one in not_tried {
        let _ = write!(page, "<li>{}", say(&format!("notTried.{}", named(one))));
    }
    let _ = writeln!(page, "</ul><p>{}<br><code>{}</code></html>", say("head"), html_text(head));
    page
}

fn facts(shown: &ReceiptView, RecordId(record): &RecordId) -> Vec<(&'static str, String)> {
    let Receipt {
        site_name,
        plan_name,
        set,
        set_sha256,
        test_site_name,
        began,
        ended,
        recovery_time,
        head,
        ..
    } = &shown.receipt;
    let recovery = recovery_time.map(|took| format!("{:#}", jiff::SignedDuration::from_secs(took.0 / 1000)));
    let who = [shown.username.as_str(), shown.computer.as_str()];
    let who: Vec<_> = who.into_iter().filter(|one| !one.is_empty()).collect();
    vec![
        ("set", format!("{site_name}, {plan_name}, {set}")),
        ("setSha256", set_sha256.clone()),
        ("onto", test_site_name.clone()),
        ("began", time(*began)),
        ("ended", time(*ended)),
        ("who", who.join(", ")),
        ("recoveryTime", recovery.unwrap_or_else(|| "–".to_owned())),
        ("record", record.clone()),
        ("headBefore", head.clone()),
    ]
}

fn cells(part: &ReceiptPart, words: &Texts) -> [String; 6] {
    let say = |name: &str| html_text(&words.say(&format!("receipt.{name}"), &[]));
    let sha256 =
        part.sha256.clone().map_or_else(|| say("noSha256"), |sha256| format!("<code>{sha256}</code>"));
    let entry = part.import.as_ref().map(|import| html_text(&import.record.0)).unwrap_or_default();
    [
        html_text(&part.name),
        format!("{}<br>{sha256}", html_text(&part.file)),
        html_text(&part.onto_url),
        say(&format!("step.{}", named(&part.state))),
        part.back.as_ref().map_or_else(|| say("notChecked"), |back| found(back, words)),
        entry,
    ]
}

/// Returns what a check found: the numbers of each line, and what is not as it should be, by name.
fn found(back: &SiteProof, words: &Texts) -> String {
    let mut text = html_text(&time(back.checked_at));
    for line in &back.lines {
        let about = words.say(&format!("receipt.line.{}", named(&line.about)), &[]);
        let state = words.say(&format!("receipt.proof.{}", named(&line.state)), &[]);
        let line_text = format!("{about}: {} / {}, {state}", line.done, line.of);
        let _ = write!(text, "<br>{}", html_text(&line_text));
        for open in &line.open {
            let _ = write!(text, "<br>· {}", html_text(&open_text(open)));
        }
        if line.more > 0 {
            let _ = write!(text, "<br>· + {}", line.more);
        }
    }
    text
}

/// Returns the name of something that is not as it should be, with the message of the site.
fn open_text(OpenPart { server, name, why, .. }: &OpenPart) -> String {
    let said = match why {
        WhyOpen::NotReturned { message, .. } | WhyOpen::Invalid { message } | WhyOpen::Warned { message } => {
            message.clone()
        }
        WhyOpen::NotRunning { state } => state.clone(),
        WhyOpen::OtherVersion { before, now } => format!("{before} → {now}"),
        WhyOpen::Behind { indexed, total, .. } | WhyOpen::StandsStill { indexed, total, .. } => {
            format!("{indexed} / {total}")
        }
        WhyOpen::StatesUnknown { count }
        | WhyOpen::ServersMissing { count }
        | WhyOpen::NotValidated { count } => count.to_string(),
        WhyOpen::Counted { found, expected } => format!("{found} / {expected}"),
        WhyOpen::NoService { item } => item.clone(),
        WhyOpen::SameServer { other } => format!("= {other}"),
        WhyOpen::SignIn
        | WhyOpen::NoRenewal
        | WhyOpen::FolderUnlisted
        | WhyOpen::NotFederated
        | WhyOpen::WaitsFor { .. }
        | WhyOpen::NotImported
        | WhyOpen::NoItem => String::new(),
    };
    let parts = [server.as_deref().unwrap_or_default(), name, &said];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// Returns the name of a value as it is in JSON, which is its key in the catalogs, too.
fn named(value: &impl Serialize) -> String {
    let name = serde_json::to_value(value).ok();
    name.and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

fn time(at: Millis) -> String {
    at.timestamp().strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}
