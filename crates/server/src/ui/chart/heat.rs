//! When in the week articles come: seven days of 24 hours.

use crate::words::about;
use maud::{Markup, html};
use store::HourOfWeek;

const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/// Shades beside none at all.
const SHADES: u8 = 5;

/// A table that looks like a map: every cell has its number for whoever cannot see the shade.
pub(crate) fn heat_map(week: &HourOfWeek, zone: &str) -> Markup {
    let most = week.iter().flatten().copied().fold(0.0, f64::max);
    html! {
        figure .heat-map {
            table .heat {
                caption .visually-hidden { "Articles a week in each hour of the week, " (zone) }
                thead {
                    tr {
                        td {}
                        @for hour in (0..24).step_by(3) { th colspan="3" scope="colgroup" { (hour) } }
                    }
                }
                tbody {
                    @for (day, hours) in DAYS.iter().zip(week) {
                        tr {
                            th scope="row" { abbr title=(day) { (day.get(..3).unwrap_or(day)) } }
                            @for (hour, value) in hours.iter().enumerate() {
                                td class={ "h" (shade(*value, most)) }
                                    title={ (day) " " (hour) ":00 to " (hour + 1) ":00: " (about(*value)) " a week" } {
                                    span .visually-hidden { (about(*value)) }
                                }
                            }
                        }
                    }
                }
            }
            figcaption .keys {
                span .key {
                    "none"
                    @for shade in 0..=SHADES { span class={ "sample h" (shade) } {} }
                    (about(most)) " a week"
                }
                span { "Hours of " (zone) ". " (busiest(week)) }
            }
        }
    }
}

fn shade(value: f64, most: f64) -> u8 {
    if value <= 0.0 || most <= 0.0 {
        return 0;
    }
    // Square roots: what is between little and much stays apart.
    let share = (value / most).clamp(0.0, 1.0).sqrt() * f64::from(SHADES);
    (1..SHADES).find(|shade| share <= f64::from(*shade)).unwrap_or(SHADES)
}

fn busiest(week: &HourOfWeek) -> String {
    let cells = week
        .iter()
        .zip(DAYS)
        .flat_map(|(hours, day)| hours.iter().enumerate().map(move |(hour, value)| (*value, day, hour)));
    match cells.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((value, day, hour)) if value > 0.0 => {
            format!("Busiest: {day}s from {hour}:00 to {}:00.", hour + 1)
        }
        _ => "Nothing came yet.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_tell_little_from_much() {
        let shades = [0.0, 0.01, 0.1, 0.5, 1.0].map(|value| shade(value, 1.0));
        assert_eq!(shades, [0, 1, 2, 4, 5]);
        assert_eq!(shade(1.0, 0.0), 0);
        let mut week = HourOfWeek::default();
        assert_eq!(busiest(&week), "Nothing came yet.");
        week[1][9] = 2.0;
        assert_eq!(busiest(&week), "Busiest: Tuesdays from 9:00 to 10:00.");
    }
}
