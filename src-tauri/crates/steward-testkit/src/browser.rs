//! Plays the person at the sign-in page: opens it, types, and goes where the page leads.

use anyhow::{Context, bail};
use reqwest::{Client, redirect};
use url::Url;

/// A browser without a window, and the person before it.
pub struct Browser(Client);

/// Where the page leads after the sign-in.
pub enum Led {
    /// To an address.
    Away(Url),
    /// Nowhere: it shows this text.
    Page(String),
}

impl Browser {
    /// A browser that goes nowhere by itself.
    ///
    /// # Errors
    /// When the library refuses.
    pub fn new() -> anyhow::Result<Self> {
        Ok(Self(Client::builder().redirect(redirect::Policy::none()).build()?))
    }

    /// Opens the sign-in page, types, and says where that leads.
    ///
    /// # Errors
    /// When the page is no sign-in page.
    pub async fn sign_in(&self, page: &Url, username: &str, password: &str) -> anyhow::Result<Led> {
        let response = self.0.get(page.clone()).send().await?.error_for_status()?;
        let text = response.text().await?;
        let after = |mark: &str| {
            let (_, rest) = text.split_once(mark).with_context(|| format!("no {mark} in {text}"))?;
            rest.split_once('"').map(|(value, _)| value).context("the page is cut")
        };
        let state = after("name=\"oauth_state\" value=\"")?;
        let action = page.join(after("action=\"")?)?;
        let form = [("oauth_state", state), ("username", username), ("password", password)];
        let response = self.0.post(action).form(&form).send().await?;
        Ok(match response.headers().get("location") {
            Some(location) => Led::Away(Url::parse(location.to_str()?)?),
            None => Led::Page(response.text().await?),
        })
    }

    /// Status and text of an address.
    ///
    /// # Errors
    /// When nobody answers.
    pub async fn visit(&self, url: &str) -> anyhow::Result<(u16, String)> {
        let response = self.0.get(url).send().await?;
        Ok((response.status().as_u16(), response.text().await?))
    }
}

impl Led {
    /// The address it led to.
    ///
    /// # Errors
    /// When it showed a page.
    pub fn away(self) -> anyhow::Result<Url> {
        match self {
            Self::Away(url) => Ok(url),
            Self::Page(text) => bail!("led nowhere: {text}"),
        }
    }

    /// The page it showed.
    ///
    /// # Errors
    /// When it led away.
    pub fn page(self) -> anyhow::Result<String> {
        match self {
            Self::Page(text) => Ok(text),
            Self::Away(url) => bail!("led to {url}"),
        }
    }
}
