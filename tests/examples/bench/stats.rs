//! Medians and percentiles of measured times, and what the processor did.

use std::time::Duration;

/// The value below which the share `part` (0 to 1) of `times` lies, in microseconds. 0 without
/// times.
pub(crate) fn percentile_us(times: &[Duration], part: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().saturating_sub(1);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an index between 0 and last"
    )]
    let index = (last as f64 * part).round() as usize;
    sorted.get(index).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

/// The median in microseconds.
pub(crate) fn median_us(times: &[Duration]) -> f64 {
    percentile_us(times, 0.5)
}

/// The median of figures; 0 without any.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}

/// Two digits behind the point: more would claim too much.
pub(crate) fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

/// What the threads of this process have had the processor do.
pub(crate) fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let (seconds, nanos) = (time.tv_sec.try_into(), time.tv_nsec.try_into());
    Duration::new(seconds.unwrap_or_default(), nanos.unwrap_or_default())
}
