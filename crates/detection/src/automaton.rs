//! stub until merged

#[derive(Default, Clone, Copy)]
pub(crate) struct Settings;

pub(crate) fn states(counts: &[(u64, u64)], _settings: Settings) -> Vec<u8> {
    vec![0; counts.len()]
}
