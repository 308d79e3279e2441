//! The Host header must name us. Otherwise a website could give its own name our address and read us through the
//! user's browser (DNS rebinding).

use crate::app::App;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::HOST;
use http::{StatusCode, Uri};
use std::net::IpAddr;

/// Refuses requests for other hosts.
pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let host = host.or_else(|| request.uri().authority().map(http::uri::Authority::as_str));
    if host.is_some_and(|host| is_ours(host, app.bound.ip(), &app.settings.allowed_hosts)) {
        return next.run(request).await;
    }
    let text = "This is Ripplewatch, but not under this name.\n\
        Open it by its address, or add the name to the allowed hosts in its configuration.\n";
    (StatusCode::MISDIRECTED_REQUEST, text).into_response()
}

fn is_ours(host: &str, bound: IpAddr, allowed: &[String]) -> bool {
    let Ok(uri) = host.parse::<Uri>() else {
        return false;
    };
    let Some(name) = uri.host().filter(|_| !host.contains('@')) else {
        return false;
    };
    if allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(host) || allowed.eq_ignore_ascii_case(name))
    {
        return true;
    }
    match name.trim_matches(['[', ']']).parse::<IpAddr>() {
        // Rebinding needs a name; bound to every address, any literal that reached us is one of ours.
        Ok(literal) => literal.is_loopback() || literal == bound || bound.is_unspecified(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_not_ours_are_refused() {
        let allowed = ["watch.example".to_owned(), "other.example:8443".to_owned()];
        let ours = |host: &str| is_ours(host, "192.0.2.7".parse().unwrap(), &allowed);
        for host in
            ["localhost:8080", "LOCALHOST", "127.0.0.1:1", "[::1]:8080", "192.0.2.7:80", "watch.example:9"]
        {
            assert!(ours(host), "{host}");
        }
        assert!(ours("other.example:8443"));
        for host in
            ["evil.example", "localhost.evil.example", "192.0.2.8", "other.example", "x@localhost", "", "a b"]
        {
            assert!(!ours(host), "{host}");
        }
        assert!(is_ours("192.0.2.8:80", "0.0.0.0".parse().unwrap(), &[]));
        assert!(!is_ours("evil.example", "0.0.0.0".parse().unwrap(), &[]));
    }
}
