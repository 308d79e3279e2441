//! What can go wrong before the first request. How a request ends is a `model::Outcome`, never an error.

/// A fetcher could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The user agent does not fit into a header.
    #[error("the user agent {0:?} cannot be sent: use visible ASCII characters only")]
    UserAgent(String),
    /// TLS could not be set up.
    #[error("TLS could not be set up: {0}; check the extra root certificates")]
    Tls(#[from] rustls::Error),
}
