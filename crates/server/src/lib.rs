//! API and web UI. Alone knows HTML
