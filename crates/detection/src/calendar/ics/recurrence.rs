//! Repeating events: the plain rules that calendars of matches, holidays and meetings use.

use super::value::{Moment, moment, short};
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

/// Dates of one event.
const INSTANCES: usize = 1000;
/// Dates looked at for one file: half a second at worst.
const STEPS: usize = 1_000_000;
/// Dates looked at for one event.
const STEPS_OF_EVENT: usize = 50_000;

/// How often an event takes place again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Recurrence {
    every: Every,
    interval: i64,
    count: Option<usize>,
    until: Option<Moment>,
    /// Days of the week; those of the beginning if none.
    days: Vec<Weekday>,
    /// Month and day of the month, where the rule says again what the beginning says.
    month: Option<i8>,
    month_day: Option<i8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Every {
    Day,
    Week,
    Month,
    Year,
}

/// What may still be spent on one file.
#[derive(Debug)]
pub(super) struct Budget {
    steps: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: STEPS }
    }
}

impl Recurrence {
    /// FREQ=WEEKLY;INTERVAL=2;COUNT=10;BYDAY=MO,TH
    pub(super) fn read(text: &str, zone: &TimeZone) -> Result<Self, String> {
        let (mut every, mut interval, mut count, mut until, mut days) = (None, 1, None, None, Vec::new());
        let (mut month, mut month_day) = (None, None);
        for piece in text.split(';').filter(|piece| !piece.trim().is_empty()) {
            let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
            let value = value.trim();
            let broken = || format!("“{}” cannot be read", short(piece));
            match name.trim().to_ascii_uppercase().as_str() {
                "FREQ" => {
                    every = Some(Every::read(value).ok_or_else(|| {
                        format!("“{}” is not read: only DAILY, WEEKLY, MONTHLY and YEARLY are", short(piece))
                    })?);
                }
                "INTERVAL" => {
                    let number = value.parse::<i64>().ok().filter(|n| (1..=10_000).contains(n));
                    interval = number.ok_or_else(broken)?;
                }
                "COUNT" => count = Some(value.parse::<usize>().ok().filter(|n| *n > 0).ok_or_else(broken)?),
                "UNTIL" => until = Some(moment(value, zone).ok_or_else(broken)?),
                "BYDAY" => {
                    let named: Option<Vec<_>> = value.split(',').take(50).map(weekday).collect();
                    days = named.ok_or_else(|| {
                        format!("“{}” is not read: days in it are MO, TU, WE, TH, FR, SA, SU", short(piece))
                    })?;
                }
                // Weeks that begin elsewhere matter only for every second week with several days.
                "WKST" => {}
                "BYMONTH" => month = Some(value.parse().map_err(|_| broken())?),
                "BYMONTHDAY" => month_day = Some(value.parse().map_err(|_| broken())?),
                _ => return Err(format!("“{}” is not read", short(piece))),
            }
        }
        let every = every.ok_or("a rule without FREQ cannot be read")?;
        if !days.is_empty() && !matches!(every, Every::Week | Every::Day) {
            return Err("BYDAY is read only with WEEKLY and DAILY".into());
        }
        days.sort_by_key(|day| day.to_monday_zero_offset());
        days.dedup();
        Ok(Self { every, interval, count, until, days, month, month_day })
    }

    /// Whether the rule's month and day are those of the beginning, as in most calendars of holidays.
    pub(super) fn fits(&self, first: &Moment) -> bool {
        let is_yearly = self.every == Every::Year;
        let date = first.at.date();
        self.month.is_none_or(|month| is_yearly && month == date.month())
            && self
                .month_day
                .is_none_or(|day| matches!(self.every, Every::Year | Every::Month) && day == date.day())
    }

    /// The beginnings that may touch the horizon, and whether those are all.
    pub(super) fn starts(
        &self,
        first: &Moment,
        (from, to): (Timestamp, Timestamp),
        budget: &mut Budget,
    ) -> (Vec<Moment>, bool) {
        let until = self.until.as_ref().and_then(|until| {
            // A date as an end includes that day.
            let day = if until.is_date { until.at.date().tomorrow().ok()? } else { until.at.date() };
            if until.is_date { until.on(day).timestamp() } else { until.timestamp() }
        });
        let is_past_end = |at: Timestamp| match (&self.until, until) {
            (Some(end), Some(until)) => {
                if end.is_date {
                    at >= until
                } else {
                    at > until
                }
            }
            _ => false,
        };
        let mut starts = Vec::new();
        let mut counted = 0;
        let mut period = if self.count.is_some() { 0 } else { self.periods_before(first, from) };
        let most = STEPS_OF_EVENT.min(budget.steps);
        let mut steps = 0;
        loop {
            let Some(dates) = self.dates(first.at.date(), period) else { return (starts, true) };
            period += 1;
            for date in dates {
                steps += 1;
                budget.steps = budget.steps.saturating_sub(1);
                if steps > most {
                    return (starts, false);
                }
                let Some(date) = date.filter(|date| *date >= first.at.date()) else { continue };
                let start = first.on(date);
                let Some(at) = start.timestamp() else { return (starts, true) };
                if is_past_end(at) || at >= to || self.count.is_some_and(|count| counted >= count) {
                    return (starts, true);
                }
                counted += 1;
                // An event that began up to a year before the horizon may still go on in it.
                if at >= from.saturating_sub(super::BACK).unwrap_or(from) {
                    if starts.len() >= INSTANCES {
                        return (starts, false);
                    }
                    starts.push(start);
                }
            }
        }
    }

    /// Whole periods that lie so far before the horizon that nothing of them can touch it.
    fn periods_before(&self, first: &Moment, from: Timestamp) -> i64 {
        let Some(begins) = first.timestamp() else { return 0 };
        let days = from.duration_since(begins).as_hours() / 24 - 2 * 366;
        let days_of_period = match self.every {
            Every::Day => 1,
            Every::Week => 7,
            // At their longest, so that too few are skipped rather than too many.
            Every::Month => 31,
            Every::Year => 366,
        };
        (days / (days_of_period * self.interval)).max(0)
    }

    /// The dates of one period from the first; none at all where time ends. A date that does not exist in it (30
    /// February) is nothing.
    fn dates(&self, first: Date, period: i64) -> Option<Vec<Option<Date>>> {
        let number = period.checked_mul(self.interval)?;
        let plus = |span: Span| first.checked_add(span).ok();
        match self.every {
            Every::Day => {
                let date = plus(Span::new().try_days(number).ok()?)?;
                let is_named = self.days.is_empty() || self.days.contains(&date.weekday());
                Some(vec![is_named.then_some(date)])
            }
            Every::Week if self.days.is_empty() => {
                Some(vec![Some(plus(Span::new().try_weeks(number).ok()?)?)])
            }
            Every::Week => {
                let monday = i64::from(first.weekday().to_monday_zero_offset());
                let days = self.days.iter().map(|day| {
                    let days = number.checked_mul(7)? - monday + i64::from(day.to_monday_zero_offset());
                    plus(Span::new().try_days(days).ok()?)
                });
                let days: Vec<_> = days.collect();
                days.iter().any(Option::is_some).then_some(days)
            }
            Every::Month => {
                let date = plus(Span::new().try_months(number).ok()?)?;
                Some(vec![(date.day() == first.day()).then_some(date)])
            }
            Every::Year => {
                let date = plus(Span::new().try_years(number).ok()?)?;
                Some(vec![(date.day() == first.day()).then_some(date)])
            }
        }
    }
}

impl Every {
    fn read(text: &str) -> Option<Self> {
        Some(match text.to_ascii_uppercase().as_str() {
            "DAILY" => Self::Day,
            "WEEKLY" => Self::Week,
            "MONTHLY" => Self::Month,
            "YEARLY" => Self::Year,
            _ => return None,
        })
    }
}

fn weekday(text: &str) -> Option<Weekday> {
    Some(match text.trim().to_ascii_uppercase().as_str() {
        "MO" => Weekday::Monday,
        "TU" => Weekday::Tuesday,
        "WE" => Weekday::Wednesday,
        "TH" => Weekday::Thursday,
        "FR" => Weekday::Friday,
        "SA" => Weekday::Saturday,
        "SU" => Weekday::Sunday,
        _ => return None,
    })
}
