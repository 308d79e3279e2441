//! Small drawings, on a grid of 20. Always beside words or with a label: never alone.

use maud::{Markup, PreEscaped, html};

/// Which drawing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Icon {
    Check,
    Clock,
    Cross,
    Dot,
    Feed,
    Leave,
    Pause,
    Plus,
    Search,
    Star,
    Warning,
}

pub(crate) fn icon(icon: Icon) -> Markup {
    let drawing = match icon {
        Icon::Check => r#"<path d="M4 10.5 8.2 15 16 6"/>"#,
        Icon::Clock => r#"<circle cx="10" cy="10" r="7"/><path d="M10 6v4.3l3 1.7"/>"#,
        Icon::Cross => r#"<path d="m5.5 5.5 9 9m0-9-9 9"/>"#,
        Icon::Dot => r#"<circle cx="10" cy="10" r="3.5" fill="currentColor"/>"#,
        Icon::Feed => {
            r#"<path d="M4.5 10a5.5 5.5 0 0 1 5.5 5.5M4.5 5A10.5 10.5 0 0 1 15 15.5"/><circle cx="5.5" cy="14.5" r="1" fill="currentColor"/>"#
        }
        Icon::Leave => r#"<path d="M8 5H5v10h10v-3M11 4.5h4.5v4.5M15 5l-6 6"/>"#,
        Icon::Pause => r#"<path d="M7 5v10m6-10v10"/>"#,
        Icon::Plus => r#"<path d="M10 4.5v11m-5.5-5.5h11"/>"#,
        Icon::Search => r#"<circle cx="9" cy="9" r="5"/><path d="m13 13 3.5 3.5"/>"#,
        Icon::Star => {
            r#"<path d="m10 3.2 2.1 4.3 4.700.7-3.400 3.3.8 4.700L10 14l-4.2 2.2.8-4.700L3.2 8.2l4.700-.7z"/>"#
        }
        Icon::Warning => r#"<path d="M10 3.5 17.2 16H2.8zM10 8.5v3.3m0 2.1v.2"/>"#,
    };
    html! {
        svg .icon viewBox="0 0 20 20" aria-hidden="true" focusable="false" { (PreEscaped(drawing)) }
    }
}
