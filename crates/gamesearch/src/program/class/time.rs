//! Dates without a library: seconds since 1970 and back, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, in seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// A date with its time and zone in seconds since 1970; `None` without one of them.
pub(crate) fn seconds_of(given: &toml::value::Datetime) -> Option<u64> {
    let (date, time) = (given.date?, given.time?);
    let offset = match given.offset? {
        toml::value::Offset::Z => 0,
        toml::value::Offset::Custom { minutes } => i64::from(minutes) * 60,
    };
    let days = days_from_civil(i64::from(date.year), i64::from(date.month), i64::from(date.day));
    let clock = i64::from(time.hour) * 3600 + i64::from(time.minute) * 60;
    let seconds = days * 86_400 + clock + time.second.map_or(0, i64::from) - offset;
    u64::try_from(seconds).ok()
}

/// Days since 1970 of a date: years begin in March, so that the day that some have more stands at the end.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A moment as people in many countries write it.
pub(crate) fn text(seconds: u64) -> String {
    let days = (seconds / 86_400) as i64 + 719_468;
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = days.div_euclid(146_097) * 400 + year_of_era + i64::from(month <= 2);
    let clock = seconds % 86_400;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", clock / 3600, clock / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_come_back() {
        let seconds = |text: &str| seconds_of(&text.parse().unwrap());
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2000-02-29T12:30:00Z"), Some(951_827_400));
        assert_eq!(seconds("2026-12-01T18:00:00+02:00"), Some(1_796_140_800));
        assert_eq!(seconds("2026-12-01"), None);
        assert_eq!(seconds("2026-12-01T18:00:00"), None);
        for moment in [0, 951_827_400, 1_796_140_800, 4_107_542_340] {
            let text = text(moment);
            let back = format!("{}T{}:00Z", &text[..10], &text[11..16]);
            assert_eq!(seconds(&back), Some(moment / 60 * 60), "{text}");
        }
    }
}
