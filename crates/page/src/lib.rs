//! Bytes to what a page says: decoding, feeds, sitemaps, article lists, article text, words
