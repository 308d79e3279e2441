//! What one page may cost.

/// Limits on one page. The defaults fit any page a person would read and stop every bomb early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Bytes after decompression.
    pub decoded_bytes: usize,
    /// Decompressed bytes for one compressed byte; only asked above 1 MiB, because small repetitive pages
    /// honestly compress that well.
    pub ratio: usize,
    /// Nesting of elements. Real pages stay under 40.
    pub depth: usize,
    /// Nodes of an HTML tree. The longest real pages have some 50,000.
    pub nodes: usize,
    /// Articles of one listing. Sitemaps may have [`Caps::SITEMAP_ITEMS`].
    pub items: usize,
    /// Bytes of an article's main text.
    pub text_bytes: usize,
}

impl Caps {
    /// The sitemap protocol allows this many addresses in one file.
    pub const SITEMAP_ITEMS: usize = 50_000;
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            decoded_bytes: 32 << 20,
            ratio: 200,
            depth: 256,
            nodes: 200_000,
            items: 2_000,
            text_bytes: 1 << 20,
        }
    }
}
