//! What is kept, on SQLite. Alone knows SQL
