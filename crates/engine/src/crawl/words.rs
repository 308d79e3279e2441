//! Why a crawl does nothing right now, in words.

use discovery::crawl::Idle;
use jiff::Timestamp;

pub(super) fn idle(idle: &Idle, now: Timestamp) -> String {
    match idle {
        Idle::Budget => "as many pages were read as were asked for".into(),
        Idle::Exhausted => "every known URL has been asked for".into(),
        Idle::Asked { urls: 1 } => "the last URL has been asked for; its answer is awaited".into(),
        Idle::Asked { urls } => format!("all known URLs have been asked for; {urls} answers are awaited"),
        Idle::Hosts { hosts, until } => {
            let hosts = if *hosts == 1 {
                "the only host left rests".into()
            } else {
                format!("all {hosts} hosts rest")
            };
            let wait = until.map(|at| at.duration_since(now).as_secs_f64()).filter(|wait| *wait > 0.0);
            let wait =
                wait.map_or_else(String::new, |wait| format!("; the next may be asked in {}", span(wait)));
            format!("{hosts} between requests{wait}")
        }
    }
}

fn span(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.1} s") } else { format!("{:.0} min", seconds / 60.0) }
}
