//! What the data says: keys nobody declared, references nobody declared, keys with the same values, sample values.

use super::database::{Database, quote};
use super::{ForeignError, ForeignLimits};
use discovery::ontology::relational::{Inclusion, Schema, Table, may_sample, suspected};

/// Columns that are tried as a key by themselves, and in pairs.
const SINGLE: usize = 12;
const PAIRED: usize = 6;
/// Values of a column that become words.
const SAMPLES: usize = 50;
/// Two rows are unique by chance too often.
const LEAST_ROWS: u64 = 3;
/// One value is somewhere by chance too often.
const LEAST_VALUES: u64 = 2;

/// Adds what the data says to a schema; what could not be asked is noted.
pub(super) async fn complete(database: &Database, schema: &mut Schema, limits: &ForeignLimits) {
    let mut look = Look { database, limits, notes: Vec::new() };
    let finished = look.at(schema).await;
    schema.notes.append(&mut look.notes);
    if let Err(error) = finished {
        schema.notes.push(format!("not everything was checked on the data: {error}"));
    }
}

struct Look<'a> {
    database: &'a Database,
    limits: &'a ForeignLimits,
    notes: Vec<String>,
}

impl Look<'_> {
    async fn at(&mut self, schema: &mut Schema) -> Result<(), ForeignError> {
        for table in &mut schema.tables {
            table.rows = self.count(table).await?;
            if table.key.is_empty() && table.rows.is_some_and(|rows| rows >= LEAST_ROWS) {
                table.key = self.key(table).await?.unwrap_or_default();
            }
        }
        for inclusion in &schema.inclusions {
            if self.missing(inclusion).await?.is_some_and(|(_, missing)| missing > 0) {
                let Inclusion { from, columns, to, .. } = inclusion;
                self.notes.push(format!(
                    "{from}({}) is declared to refer to {to}, but has values that are not there",
                    columns.join(", ")
                ));
            }
        }
        for inclusion in suspected(schema) {
            if self
                .missing(&inclusion)
                .await?
                .is_some_and(|(values, missing)| values >= LEAST_VALUES && missing == 0)
            {
                schema.inclusions.push(inclusion);
            }
        }
        for at in 0..schema.inclusions.len() {
            let inclusion = &schema.inclusions[at];
            let is_key = |table: &str, columns: &[String]| {
                schema.table(table).is_some_and(|it| same(&it.key, columns))
            };
            if is_key(&inclusion.from, &inclusion.columns) && is_key(&inclusion.to, &inclusion.to_columns) {
                let back = Inclusion {
                    from: inclusion.to.clone(),
                    columns: inclusion.to_columns.clone(),
                    to: inclusion.from.clone(),
                    to_columns: inclusion.columns.clone(),
                    ..Inclusion::default()
                };
                // Keys tell rows apart: with as many rows on both sides, and none missing among those looked at, the
                // values are the same. Tables too large to count are not decided on.
                let rows = |name: &str| schema.table(name).and_then(|table| table.rows);
                let as_many = rows(&inclusion.from).is_some() && rows(&inclusion.from) == rows(&inclusion.to);
                let answer = if as_many { self.missing(&back).await? } else { None };
                schema.inclusions[at].equal =
                    answer.is_some_and(|(values, missing)| values >= LEAST_VALUES && missing == 0);
            }
        }
        for table in &mut schema.tables {
            self.sample(table).await?;
        }
        Ok(())
    }

    /// How many rows a table has; `None` if they are too many to look at.
    async fn count(&mut self, table: &Table) -> Result<Option<u64>, ForeignError> {
        let limit = self.limits.rows;
        let sql = format!(
            "SELECT count(*) FROM (SELECT 1 FROM {} LIMIT {}) x",
            name(&table.name),
            limit.saturating_add(1)
        );
        let rows = self.numbers(&table.name, &sql).await?.and_then(|found| found.first().copied());
        Ok(rows.filter(|rows| *rows <= limit))
    }

    /// A column, or two, that tell all rows apart.
    async fn key(&mut self, table: &Table) -> Result<Option<Vec<String>>, ForeignError> {
        let names: Vec<&String> = table.columns.iter().map(|column| &column.name).collect();
        let single = names.iter().take(SINGLE).map(|one| vec![(*one).clone()]);
        let few = &names[..names.len().min(PAIRED)];
        let paired = few.iter().enumerate().flat_map(|(at, one)| {
            few[at + 1..].iter().map(move |other| vec![(*one).clone(), (*other).clone()])
        });
        for columns in single.chain(paired) {
            let list = columns.iter().map(|it| quote(it)).collect::<Vec<_>>().join(", ");
            let filled = columns
                .iter()
                .map(|it| format!("{} IS NOT NULL", quote(it)))
                .collect::<Vec<_>>()
                .join(" AND ");
            let sql = format!(
                "SELECT count(*) FROM (SELECT DISTINCT {list} FROM {} WHERE {filled}) x",
                name(&table.name)
            );
            let found = self.numbers(&table.name, &sql).await?.and_then(|found| found.first().copied());
            if found.is_some() && found == table.rows {
                return Ok(Some(columns));
            }
        }
        Ok(None)
    }

    /// How many distinct values a reference has, and how many of them are not where they should be.
    async fn missing(&mut self, it: &Inclusion) -> Result<Option<(u64, u64)>, ForeignError> {
        let columns = it.columns.iter().map(|column| quote(column)).collect::<Vec<_>>();
        let filled =
            columns.iter().map(|column| format!("{column} IS NOT NULL")).collect::<Vec<_>>().join(" AND ");
        let pairs =
            columns.iter().zip(&it.to_columns).map(|(from, to)| format!("y.{} = x.{from}", quote(to)));
        let sql = format!(
            "SELECT count(*), coalesce(sum(CASE WHEN EXISTS (SELECT 1 FROM {} y WHERE {}) THEN 0 ELSE 1 END), 0)
             FROM (SELECT DISTINCT {} FROM {} WHERE {filled} LIMIT {}) x",
            name(&it.to),
            pairs.collect::<Vec<_>>().join(" AND "),
            columns.join(", "),
            name(&it.from),
            self.limits.values,
        );
        let found = self.numbers(&it.from, &sql).await?;
        Ok(found.and_then(|numbers| Some((*numbers.first()?, *numbers.get(1)?))))
    }

    async fn sample(&mut self, table: &mut Table) -> Result<(), ForeignError> {
        for at in 0..table.columns.len() {
            let column = table.columns[at].name.clone();
            if !may_sample(table, &column) {
                continue;
            }
            let quoted = quote(&column);
            let sql = format!(
                "SELECT DISTINCT {quoted} FROM (SELECT {quoted} FROM {} WHERE {quoted} IS NOT NULL LIMIT {}) x ORDER BY {quoted} LIMIT {SAMPLES}",
                name(&table.name),
                self.limits.values,
            );
            if let Some(rows) = self.ask(&table.name, &sql).await? {
                table.columns[at].samples = rows.into_iter().flatten().flatten().collect();
            }
        }
        Ok(())
    }

    async fn numbers(&mut self, table: &str, sql: &str) -> Result<Option<Vec<u64>>, ForeignError> {
        let rows = self.ask(table, sql).await?;
        let number = |value: Option<String>| value.and_then(|text| text.parse().ok()).unwrap_or(0);
        Ok(rows.map(|rows| rows.into_iter().next().unwrap_or_default().into_iter().map(number).collect()))
    }

    /// A table that may not be read is noted and passed over; only time stops everything.
    async fn ask(
        &mut self,
        table: &str,
        sql: &str,
    ) -> Result<Option<Vec<super::database::Row>>, ForeignError> {
        match self.database.rows(sql).await {
            Ok(rows) => Ok(Some(rows)),
            Err(slow @ ForeignError::TooSlow(_)) => Err(slow),
            Err(error) => {
                let note = format!("{table}: {error}");
                if !self.notes.contains(&note) {
                    self.notes.push(note);
                }
                Ok(None)
            }
        }
    }
}

fn same(key: &[String], columns: &[String]) -> bool {
    key.len() == columns.len() && columns.iter().all(|column| key.contains(column))
}

/// The name of a table as SQL wants it; of another schema it is `schema.table`.
fn name(table: &str) -> String {
    table.split('.').map(quote).collect::<Vec<_>>().join(".")
}
