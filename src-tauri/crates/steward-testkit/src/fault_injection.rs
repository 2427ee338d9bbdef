//! Orders at a practice site what goes wrong there.

use anyhow::ensure;

/// Something that goes wrong with the next requests of an operation.
#[derive(Debug, Clone, Copy)]
pub struct InjectedFault<'a> {
    /// Key of the operation.
    pub operation: &'a str,
    /// What goes wrong, as in `expired-token`.
    pub name: &'a str,
    /// How many requests it happens to.
    pub times: &'a str,
    /// What else the order says, as in `after` and `seconds`.
    pub more: &'a [(&'a str, &'a str)],
}

impl InjectedFault<'_> {
    /// Orders it at the practice site at `origin`, with the token of an administrator.
    ///
    /// # Errors
    /// When the site does not know it, or the token.
    pub async fn order(self, origin: &str, token: &str) -> anyhow::Result<()> {
        let mut form = vec![
            ("operation", self.operation),
            ("fault", self.name),
            ("times", self.times),
            ("token", token),
            ("f", "json"),
        ];
        form.extend(self.more);
        let request = reqwest::Client::new().post(format!("{origin}/practice/faults")).form(&form);
        // Tokens are bound to this one.
        let answer: serde_json::Value =
            request.header("referer", "site-steward").send().await?.json().await?;
        ensure!(answer["status"] == "success", "{answer}");
        Ok(())
    }
}
