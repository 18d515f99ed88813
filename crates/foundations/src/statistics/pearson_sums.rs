/// Running sums of a Pearson correlation, about a first guess of both means so that nothing cancels.
#[derive(Clone, Copy, Debug)]
pub struct PearsonSums {
    about: [f64; 2],
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl PearsonSums {
    /// Of no pairs yet; `x` and `y` are a guess of the means.
    pub fn new(x: f64, y: f64) -> Self {
        Self { about: [x, y], n: 0.0, x: 0.0, y: 0.0, xx: 0.0, yy: 0.0, xy: 0.0 }
    }

    /// Takes a pair.
    #[inline]
    pub fn add(&mut self, x: f64, y: f64) {
        let (x, y) = (x - self.about[0], y - self.about[1]);
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    /// The correlation; 0 when either side does not vary beyond rounding.
    pub fn correlation(&self) -> f64 {
        let covariance = self.xy - self.x * self.y / self.n;
        let (vx, vy) = (self.xx - self.x * self.x / self.n, self.yy - self.y * self.y / self.n);
        let rounding = f64::EPSILON * 4.0;
        if vx <= rounding * self.xx || vy <= rounding * self.yy {
            return 0.0;
        }
        (covariance / (f64::sqrt(vx) * f64::sqrt(vy))).clamp(-1.0, 1.0)
    }
}
