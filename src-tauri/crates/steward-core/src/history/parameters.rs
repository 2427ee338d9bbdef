//! Parameters of records with a meaning of their own.

/// File on this computer that the user chose before an export. The facts of the record name it once it was saved.
pub(crate) const DESTINATION: &str = "destination";

/// Identifier of the collaboration.
pub const COLLABORATION: &str = "collaborationId";
/// Identifier of the participating portal whose contact is changed.
pub(crate) const PARTICIPANT: &str = "participantId";
/// Identifier of the invitation.
pub const INVITATION: &str = "invitationId";
/// Name of the participating portal whose contact is changed.
pub(crate) const PARTICIPANT_NAME: &str = "participantName";
/// Name of the collaboration.
pub const COLLABORATION_NAME: &str = "collaborationName";
/// First name, last name and email address of the contact of a participant, as listed before its change.
pub(crate) const PREVIOUS_CONTACT: [&str; 3] =
    ["previousContactFirstname", "previousContactLastname", "previousContactEmailAddress"];
/// URL of the invited portal.
pub const GUEST_PORTAL: &str = "guestPortal";

/// Returns a contact person in one line; empty if there is none.
pub(crate) fn contact(firstname: &str, lastname: &str, email_address: &str) -> String {
    let name = [firstname, lastname].map(str::trim).join(" ");
    let parts = [name.trim(), email_address.trim()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Returns the value of a parameter; `None` if there is none with this name.
pub(crate) fn given<'a>(parameters: &'a [(String, String)], name: &str) -> Option<&'a str> {
    parameters.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
}

/// Returns the value of a parameter, or of another one if it is missing or empty; empty if both are.
pub(crate) fn given_or(parameters: &[(String, String)], name: &str, other: &str) -> String {
    let values = [name, other].into_iter().filter_map(|name| given(parameters, name));
    values.into_iter().find(|value| !value.is_empty()).unwrap_or_default().to_owned()
}

/// Returns the values of all parameters with a name.
pub(crate) fn several<'a>(
    parameters: &'a [(String, String)],
    name: &'a str,
) -> impl Iterator<Item = &'a str> {
    parameters.iter().filter(move |(given, _)| given == name).map(|(_, value)| value.as_str())
}
