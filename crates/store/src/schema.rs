//! Opening the data and bringing its schema forward. Forward only; a newer schema is refused.
//!
//! Both databases have one history: step n is `sqlite/n.sql` and `postgres/n.sql`. PostgreSQL came with step 6 and begins
//! there.

mod postgres;
mod sqlite;

pub use sqlite::SCHEMA_VERSION;

pub(crate) use postgres::open as open_server;
pub(crate) use sqlite::{APPLICATION_ID, blueprint, newest, objects, open, open_reader, open_untrusted};
