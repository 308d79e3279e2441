//! What the server is told once.

use std::time::Duration;

/// What the server is told once.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Who may come in.
    pub login: Login,
    /// Host header values that are ours, besides the bound address, `localhost` and loopback literals.
    pub allowed_hosts: Vec<String>,
    /// A sentence shown as a banner on every page.
    pub demo: Option<String>,
    /// How often sources without an interval of their own are visited by the plan.
    pub interval: Duration,
}

/// Who may come in.
#[derive(Debug, Clone)]
pub enum Login {
    /// Whoever reaches the address: for loopback without a password.
    Open,
    /// Whoever knows the password, or has an API token.
    Required {
        /// Lets its holder set the first password.
        setup_token: Option<String>,
    },
}
