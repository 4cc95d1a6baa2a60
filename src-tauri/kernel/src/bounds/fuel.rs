//! Work whose size cannot be told beforehand.

/// Steps that are left of a piece of work. Each step takes about as long as a short comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fuel(Option<u64>);

/// There was more to do than there was fuel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it takes too many steps")]
pub struct Exhausted;

impl Fuel {
    /// So many steps.
    pub const fn new(steps: u64) -> Self {
        Self(Some(steps))
    }

    /// Takes `steps`. When there are not so many left, there are none from then on.
    ///
    /// # Errors
    /// [`Exhausted`] when there are fewer than `steps` left, and from then on.
    pub const fn spend(&mut self, steps: usize) -> Result<(), Exhausted> {
        let Some(left) = self.0 else { return Err(Exhausted) };
        self.0 = left.checked_sub(steps as u64);
        if self.0.is_none() { Err(Exhausted) } else { Ok(()) }
    }

    /// Whether more was wanted than there was.
    pub const fn is_exhausted(&self) -> bool {
        self.0.is_none()
    }
}
