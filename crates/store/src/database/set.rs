//! Many rows in one statement.
//!
//! A statement about rows is written once, with `{name}` where a value of the row goes; what changes rows also says with
//! `{rows}` where they are read from. Into a file it is done row by row, which is quicker there; to a server all rows go in
//! one message, as a table called `new`.

use super::value::{Params, ToValue, ValueRef};
use super::{Connection, Dialect, Result, Row, sqlite};
use std::fmt::Write as _;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    Real,
    Text,
}

/// The columns of a set, by name.
pub(crate) type Columns = &'static [(&'static str, Kind)];

/// Rows that a statement is about.
#[derive(Debug, Clone)]
pub(crate) struct Set {
    columns: Columns,
    values: Vec<Column>,
    rows: usize,
}

/// The values of one column.
#[derive(Debug, Clone)]
pub(super) enum Column {
    Numbers(Vec<Option<i64>>),
    Reals(Vec<Option<f64>>),
    Texts(Vec<Option<String>>),
}

impl Column {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Number => Self::Numbers(Vec::new()),
            Kind::Real => Self::Reals(Vec::new()),
            Kind::Text => Self::Texts(Vec::new()),
        }
    }

    fn push(&mut self, value: ValueRef<'_>) {
        match (self, value) {
            (Self::Numbers(all), ValueRef::Integer(number)) => all.push(Some(number)),
            (Self::Reals(all), ValueRef::Real(number)) => all.push(Some(number)),
            (Self::Texts(all), ValueRef::Text(text)) => all.push(Some(text.to_owned())),
            (Self::Numbers(all), _) => all.push(None),
            (Self::Reals(all), _) => all.push(None),
            (Self::Texts(all), _) => all.push(None),
        }
    }

    fn get(&self, row: usize) -> ValueRef<'_> {
        let value = match self {
            Self::Numbers(all) => all.get(row).copied().flatten().map(ValueRef::Integer),
            Self::Reals(all) => all.get(row).copied().flatten().map(ValueRef::Real),
            Self::Texts(all) => all.get(row).and_then(Option::as_deref).map(ValueRef::Text),
        };
        value.unwrap_or(ValueRef::Null)
    }
}

impl Set {
    pub(crate) fn new(columns: Columns) -> Self {
        Self { columns, values: columns.iter().map(|(_, kind)| Column::of(*kind)).collect(), rows: 0 }
    }

    /// Rows of one number.
    pub(crate) fn of_numbers(columns: Columns, numbers: impl IntoIterator<Item = i64>) -> Self {
        let mut set = Self::new(columns);
        for number in numbers {
            set.push(&[&number]);
        }
        set
    }

    /// Adds a row: a value for each column.
    pub(crate) fn push(&mut self, row: &[&dyn ToValue]) {
        debug_assert_eq!(row.len(), self.columns.len(), "a value for each column");
        let mut row = row.iter();
        for column in &mut self.values {
            column.push(row.next().map_or(ValueRef::Null, |value| value.to_value()));
        }
        self.rows += 1;
    }

    /// Changes a number of a row.
    pub(crate) fn put(&mut self, row: usize, column: usize, number: i64) {
        if let Some(Column::Numbers(all)) = self.values.get_mut(column)
            && let Some(value) = all.get_mut(row)
        {
            *value = Some(number);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Takes all rows out.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new(self.columns))
    }

    /// A statement as the database wants it.
    fn sql(&self, dialect: Dialect, template: &str) -> String {
        match dialect {
            Dialect::Sqlite => self.fill(&template.replace("{rows}", ""), |place, _| format!("?{place}")),
            Dialect::Postgres => {
                let table = self.table();
                let template = if template.contains("{rows}") {
                    template.replace("{rows}", &format!("FROM {table}"))
                } else if let Some((before, values, after)) = values_of(template) {
                    format!("{before}SELECT {values} FROM {table}{after}")
                } else {
                    format!("SELECT answer.* FROM {table} CROSS JOIN LATERAL ({template}) AS answer")
                };
                self.fill(&template, |_, name| format!("new.{name}"))
            }
        }
    }

    /// Puts something in the place of each name.
    fn fill(&self, template: &str, value: impl Fn(usize, &str) -> String) -> String {
        let mut out = String::with_capacity(template.len() + 32 * self.columns.len());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            let place = self.columns.iter().position(|(column, _)| *column == name).map_or(0, |at| at + 1);
            out.push_str(before);
            out.push_str(&value(place, name));
            rest = after;
        }
        out.push_str(rest);
        out
    }

    /// The rows as a table.
    fn table(&self) -> String {
        let mut table = "unnest(".to_owned();
        for (place, (_, kind)) in self.columns.iter().enumerate() {
            let between = if place > 0 { ", " } else { "" };
            let kind = match kind {
                Kind::Number => "BIGINT[]",
                Kind::Real => "DOUBLE PRECISION[]",
                Kind::Text => "TEXT[]",
            };
            let _ = write!(table, "{between}CAST(?{} AS {kind})", place + 1);
        }
        let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
        let _ = write!(table, ") AS new ({})", names.join(", "));
        table
    }
}

/// What comes before the values of an insertion, the values, and what comes after them.
fn values_of(template: &str) -> Option<(&str, &str, &str)> {
    let (before, values) = template.split_once("VALUES (")?;
    let mut depth = 1;
    let end = values.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })?;
    Some((before, &values[..end], &values[end + 1..]))
}

impl Connection {
    /// Does something with all rows; nobody waits for a server. Should it fail, the deed fails with the next statement that is
    /// waited for, or at its end.
    pub(crate) fn send_set(&self, template: &str, set: Set) -> Result<()> {
        if set.is_empty() {
            return Ok(());
        }
        let sql = set.sql(self.dialect(), template);
        match self {
            Self::Sqlite(file) => {
                let mut statement = file.prepare_cached(&sql)?;
                for row in 0..set.rows {
                    sqlite::execute(&mut statement, &RowOf { set: &set, row })?;
                }
                Ok(())
            }
            Self::Postgres(link) => link.send_columns(&link.prepare(&sql)?, set.values),
        }
    }

    /// The same, and waits; how many rows it touched.
    pub(crate) fn execute_set(&self, template: &str, set: &Set) -> Result<usize> {
        if set.is_empty() {
            return Ok(0);
        }
        let sql = set.sql(self.dialect(), template);
        match self {
            Self::Sqlite(file) => {
                let (mut statement, mut touched) = (file.prepare_cached(&sql)?, 0);
                for row in 0..set.rows {
                    touched += sqlite::execute(&mut statement, &RowOf { set, row })?;
                }
                Ok(touched)
            }
            Self::Postgres(link) => link.execute_columns(&link.prepare(&sql)?, &set.values),
        }
    }

    /// Numbers for new rows of a table.
    pub(crate) fn next_numbers(&self, table: &str, count: usize) -> Result<std::vec::IntoIter<i64>> {
        if count == 0 {
            return Ok(Vec::new().into_iter());
        }
        let mut statement = self.prepare_cached(&self.dialect().next_numbers(table))?;
        let numbers = statement.query_map([count as i64], |row| row.get(0))?;
        Ok(numbers.collect::<Result<Vec<i64>>>()?.into_iter())
    }

    /// Asks about each row; the answers in any order. What is written with `{rows}` may also do something.
    pub(crate) fn ask_set<T>(
        &self,
        template: &str,
        set: &Set,
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut answers = Vec::new();
        if set.is_empty() {
            return Ok(answers);
        }
        let sql = set.sql(self.dialect(), template);
        match self {
            Self::Sqlite(file) => {
                let mut statement = file.prepare_cached(&sql)?;
                for row in 0..set.rows {
                    let mut rows = sqlite::query(&mut statement, &RowOf { set, row })?;
                    while let Some(row) = rows.next()? {
                        answers.push(read(&row)?);
                    }
                }
            }
            Self::Postgres(link) => {
                let rows = link.query_columns(&link.prepare(&sql)?, &set.values)?;
                answers.reserve(rows.len());
                for row in rows {
                    answers.push(read(&Row::Postgres(row))?);
                }
            }
        }
        Ok(answers)
    }
}

/// One row of a set.
struct RowOf<'s> {
    set: &'s Set,
    row: usize,
}

impl Params for RowOf<'_> {
    fn for_each<'a>(&'a self, take: &mut dyn FnMut(ValueRef<'a>) -> Result<()>) -> Result<()> {
        self.set.values.iter().try_for_each(|column| take(column.get(self.row)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Kind, Set};

    const COLUMNS: super::Columns = &[("source", Kind::Number), ("address", Kind::Text)];

    #[test]
    fn a_statement_is_about_a_row_in_a_file_and_about_a_table_on_a_server() {
        let write = "UPDATE source SET url = {address} {rows} WHERE id = {source}";
        let ask = "SELECT id FROM source WHERE url = {address} AND id > {source} LIMIT 1";
        let add =
            "INSERT INTO source (id, url) VALUES ({source}, lower({address})) ON CONFLICT (url) DO NOTHING";
        let set = Set::new(COLUMNS);
        assert_eq!(
            set.sql(Dialect::Sqlite, add),
            "INSERT INTO source (id, url) VALUES (?1, lower(?2)) ON CONFLICT (url) DO NOTHING"
        );
        assert_eq!(set.sql(Dialect::Sqlite, write), "UPDATE source SET url = ?2  WHERE id = ?1");
        assert_eq!(set.sql(Dialect::Sqlite, ask), "SELECT id FROM source WHERE url = ?2 AND id > ?1 LIMIT 1");
        let table = "unnest(CAST(?1 AS BIGINT[]), CAST(?2 AS TEXT[])) AS new (source, address)";
        assert_eq!(
            set.sql(Dialect::Postgres, add),
            format!(
                "INSERT INTO source (id, url) SELECT new.source, lower(new.address) FROM {table} ON CONFLICT (url) DO NOTHING"
            )
        );
        assert_eq!(
            set.sql(Dialect::Postgres, write),
            format!("UPDATE source SET url = new.address FROM {table} WHERE id = new.source")
        );
        assert_eq!(
            set.sql(Dialect::Postgres, ask),
            format!(
                "SELECT answer.* FROM {table} CROSS JOIN LATERAL \
                 (SELECT id FROM source WHERE url = new.address AND id > new.source LIMIT 1) AS answer"
            )
        );
    }
}
