//! When a site publishes: its hours of the week.

/// The hours of a week, Monday 00:00 first.
pub(crate) const WEEK_HOURS: usize = 7 * 24;

/// A newsroom's habits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rhythm {
    /// Weekdays from nine to six, hardly anything else: ministries, agencies.
    OfficeHours,
    /// A heap at dawn, a trickle all day: daily papers.
    MorningPaper,
    /// A wire that never sleeps.
    RoundTheClock,
    /// Evenings, nights and weekends, when matches are played.
    NightGames,
    /// One day of the week brings nearly all: magazines.
    Weekly,
    /// After work: blogs and communities.
    Evening,
}

impl Rhythm {
    /// How busy each hour of the week is, in local time; the mean *day* sums to one.
    pub fn profile(self) -> [f64; WEEK_HOURS] {
        let mut profile = std::array::from_fn(|hour| self.weight(hour / 24, hour % 24));
        let sum: f64 = profile.iter().sum();
        for weight in &mut profile {
            *weight *= 7.0 / sum;
        }
        profile
    }

    /// Relative weight of an hour; weekday 0 is Monday.
    fn weight(self, weekday: usize, hour: usize) -> f64 {
        let weekend = weekday >= 5;
        match self {
            Self::OfficeHours => match hour {
                9..=11 if !weekend => 12.0,
                12..=17 if !weekend => 8.0,
                7..=19 if !weekend => 2.0,
                _ => 0.15,
            },
            Self::MorningPaper => {
                let day = match hour {
                    5..=7 => 9.0,
                    8..=18 => 3.5,
                    19..=22 => 2.0,
                    _ => 0.5,
                };
                if weekend { day * 0.6 } else { day }
            }
            Self::RoundTheClock => match hour {
                7..=20 if !weekend => 1.5,
                7..=20 => 1.1,
                _ => 0.8,
            },
            Self::NightGames => match hour {
                19..=23 if weekend => 11.0,
                13..=18 if weekend => 7.0,
                19..=23 => 7.0,
                0..=1 => 5.0,
                2..=8 => 0.3,
                _ => 1.2,
            },
            Self::Weekly => match (weekday, hour) {
                (3, 6..=11) => 20.0,
                (3, 12..=18) => 8.0,
                (_, 8..=18) if !weekend => 1.0,
                _ => 0.1,
            },
            Self::Evening => match hour {
                18..=22 => 6.0,
                12..=17 if weekend => 4.0,
                8..=17 => 1.5,
                _ => 0.4,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_day_sums_to_one() {
        for rhythm in [Rhythm::OfficeHours, Rhythm::NightGames, Rhythm::Weekly] {
            assert!((rhythm.profile().iter().sum::<f64>() - 7.0).abs() < 1e-9);
        }
    }

    #[test]
    fn ministries_sleep_at_night_and_sports_desks_do_not() {
        let monday = |rhythm: Rhythm, hour: usize| rhythm.profile()[hour];
        assert!(monday(Rhythm::OfficeHours, 10) > 20.0 * monday(Rhythm::OfficeHours, 3));
        assert!(monday(Rhythm::NightGames, 22) > 3.0 * monday(Rhythm::NightGames, 10));
    }
}
