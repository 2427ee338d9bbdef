//! Matches the rows of a contacts file with participants.

use std::collections::HashMap;

use super::csv_rows::{Column, Row, short};
use super::row::{Contact, ContactsFileRow, RowVerdict};
use crate::listings::ParticipantView;
use crate::model::problem::{FieldError, Problem};
use crate::operations::update_participant::form::UpdateParticipantForm;

/// Limit of a cell, in characters.
const LONGEST: usize = 256;

/// Limit of the listed lines of a repeated participant.
const MOST_LINES: usize = 20;

const CONTACT: [(Column, &str); 3] = [
    (Column::Firstname, "contactFirstname"),
    (Column::Lastname, "contactLastname"),
    (Column::Email, "contactEmailAddress"),
];

/// Columns that identify a participant.
const NAMING: [Column; 3] = [Column::ParticipantId, Column::PortalUrl, Column::Portal];

/// Participants, indexed by the columns that the rows fill in: a portal can be in every collaboration, and comparing
/// every row with each of its participants would take minutes.
struct Directory<'a> {
    participants: &'a [ParticipantView],
    by: HashMap<Vec<Column>, HashMap<Vec<String>, Vec<usize>>>,
}

/// Returns the change of each row.
pub(super) fn matched(rows: &[Row], participants: &[ParticipantView]) -> Vec<ContactsFileRow> {
    let mut directory = Directory { participants, by: HashMap::new() };
    let found: Vec<_> = rows.iter().map(|row| directory.find(row)).collect();
    let mut lines: HashMap<usize, Vec<u32>> = HashMap::new();
    for (row, found) in rows.iter().zip(&found) {
        if let Ok(at) = found {
            lines.entry(*at).or_default().push(row.line);
        }
    }
    let judged = rows.iter().zip(found).map(|(row, found)| {
        let named = [Column::Portal, Column::PortalUrl, Column::ParticipantId, Column::Collaboration];
        let named = named.map(|column| row.cell(column)).into_iter().find(|cell| !cell.is_empty());
        let participant = found.as_ref().ok().map(|at| &participants[*at]);
        let contact = contact(row, participant);
        let verdict = match found {
            _ if row.has_more => RowVerdict::TooManyCells,
            Err(verdict) => verdict,
            Ok(at) if lines[&at].len() > 1 => {
                RowVerdict::Repeated { lines: lines[&at].iter().copied().take(MOST_LINES).collect() }
            }
            Ok(at) => verdict(row, &contact, &participants[at]),
        };
        ContactsFileRow {
            line: row.line,
            named: short(named.unwrap_or_default()),
            participant: participant.cloned(),
            // The window sends the contact of a row that changes one, so that contact stays complete.
            contact: match verdict {
                RowVerdict::Changes => contact,
                _ => Contact {
                    contact_firstname: short(&contact.contact_firstname),
                    contact_lastname: short(&contact.contact_lastname),
                    contact_email_address: short(&contact.contact_email_address),
                },
            },
            verdict,
        }
    });
    judged.collect()
}

/// Returns the new contact. An empty cell keeps the present value.
fn contact(row: &Row, participant: Option<&ParticipantView>) -> Contact {
    let or = |column, present: fn(&ParticipantView) -> &String| match row.cell(column) {
        "" => participant.map(|one| present(one).clone()).unwrap_or_default(),
        cell => cell.to_owned(),
    };
    Contact {
        contact_firstname: or(Column::Firstname, |one| &one.contact_firstname),
        contact_lastname: or(Column::Lastname, |one| &one.contact_lastname),
        contact_email_address: or(Column::Email, |one| &one.contact_email_address),
    }
}

fn verdict(row: &Row, contact: &Contact, participant: &ParticipantView) -> RowVerdict {
    let faulty = |field: &str, fault| RowVerdict::Faulty { field: field.to_owned(), fault };
    for (column, field) in CONTACT {
        let cell = row.cell(column);
        // The app saves the present contacts to such a file: what the portal has already is not sent.
        if cell == said(participant, column) {
            continue;
        }
        if cell.chars().count() > LONGEST {
            return faulty(field, FieldError::TooManyLetters);
        }
        if cell.chars().any(char::is_control) {
            return faulty(field, FieldError::NotOneLine);
        }
        if cell.starts_with(['=', '+', '-', '@']) {
            return faulty(field, FieldError::Formula);
        }
    }
    let Contact { contact_firstname, contact_lastname, contact_email_address } = contact.clone();
    let present =
        (&participant.contact_firstname, &participant.contact_lastname, &participant.contact_email_address);
    if present == (&contact_firstname, &contact_lastname, &contact_email_address) {
        return RowVerdict::Same;
    }
    if let Some(portal) = participant.hosted_elsewhere.clone() {
        return RowVerdict::HostedElsewhere { portal };
    }
    let form = UpdateParticipantForm {
        collaboration_id: participant.collaboration_id.clone(),
        participant_id: participant.participant_id.clone(),
        contact_firstname,
        contact_lastname,
        contact_email_address,
    };
    match form.check() {
        Err(Problem::Form { field, fault }) => RowVerdict::Faulty { field, fault },
        _ => RowVerdict::Changes,
    }
}

impl Directory<'_> {
    /// Finds the participant that matches all identifying cells of a row.
    fn find(&mut self, row: &Row) -> Result<usize, RowVerdict> {
        let given = |column: &Column| !row.cell(*column).is_empty();
        if !NAMING.iter().any(given) {
            return Err(RowVerdict::Nameless);
        }
        let all = NAMING.into_iter().chain([Column::CollaborationId, Column::Collaboration]);
        let columns: Vec<_> = all.filter(given).collect();
        let wanted: Vec<_> = columns.iter().map(|column| key(*column, row.cell(*column))).collect();
        let index = self.by.entry(columns).or_insert_with_key(|columns| index(self.participants, columns));
        match index.get(&wanted).map(Vec::as_slice) {
            Some([at]) => Ok(*at),
            Some(_) => Err(RowVerdict::Ambiguous),
            None => Err(RowVerdict::Unmatched),
        }
    }
}

fn index(participants: &[ParticipantView], columns: &[Column]) -> HashMap<Vec<String>, Vec<usize>> {
    let mut index: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, participant) in participants.iter().enumerate() {
        let keys = columns.iter().map(|column| key(*column, said(participant, *column)));
        index.entry(keys.collect()).or_default().push(at);
    }
    index
}

fn said(participant: &ParticipantView, column: Column) -> &str {
    match column {
        Column::Collaboration => &participant.collaboration_name,
        Column::CollaborationId => &participant.collaboration_id,
        Column::Portal => &participant.portal_name,
        Column::PortalUrl => &participant.portal_url,
        Column::ParticipantId => &participant.participant_id,
        Column::Firstname => &participant.contact_firstname,
        Column::Lastname => &participant.contact_lastname,
        Column::Email => &participant.contact_email_address,
    }
}

/// Returns a value for comparison, ignoring case and the trailing slash of a URL.
fn key(column: Column, text: &str) -> String {
    let text = text.trim();
    let text = if column == Column::PortalUrl { text.trim_end_matches('/') } else { text };
    text.to_lowercase()
}
