//! The standard normal distribution.

use std::f64::consts::FRAC_1_SQRT_2;

use super::StatisticsError;
use super::error::check_share;

/// The probability that a standard normal is at most `z`.
///
/// # Formula
/// Φ(z) = ½ erfc(−z/√2), as `scipy.stats.norm.cdf`; accurate to a few last digits in the far tail
/// too. NaN of NaN.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::normal_cdf;
/// assert_eq!(normal_cdf(0.0), 0.5);
/// assert!((normal_cdf(-1.96) - 0.025).abs() < 1e-5);
/// ```
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// The probability that a standard normal is above `z`.
///
/// # Formula
/// 1 − Φ(z) = Φ(−z), as `scipy.stats.norm.sf`.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::normal_survival;
/// assert!((normal_survival(10.0) / 7.619853024160527e-24 - 1.0).abs() < 1e-14);
/// ```
#[must_use]
pub fn normal_survival(z: f64) -> f64 {
    normal_cdf(-z)
}

/// The number that a standard normal is below with probability `p`.
///
/// # Formula
/// Φ⁻¹(p), as `scipy.stats.norm.ppf`, by the rational approximations of Wichura, "Algorithm AS 241:
/// The Percentage Points of the Normal Distribution" (1988), accurate to about 1 part in 10¹⁶. It is
/// −∞ at 0 and ∞ at 1.
///
/// # Errors
/// [`StatisticsError::Share`] unless `p` is from 0 to 1.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// # use sfc_bench::statistics::normal_quantile;
/// assert!((normal_quantile(0.975)? - 1.959963984540054).abs() < 1e-15);
/// # Ok::<(), sfc_bench::statistics::StatisticsError>(())
/// ```
pub fn normal_quantile(p: f64) -> Result<f64, StatisticsError> {
    check_share("probability", p)?;
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return Ok(q * rational_polynomial(0.180_625 - q * q, &CENTRE_COEFFICIENTS));
    }
    let tail = p.min(1.0 - p);
    let size = if tail == 0.0 {
        f64::INFINITY
    } else {
        let r = f64::sqrt(-libm::log(tail));
        if r <= 5.0 {
            rational_polynomial(r - 1.6, &MIDDLE_COEFFICIENTS)
        } else {
            rational_polynomial(r - 5.0, &TAIL_COEFFICIENTS)
        }
    };
    Ok(size.copysign(q))
}

/// A polynomial over another one, coefficients from the constant on.
fn rational_polynomial(x: f64, [above, below]: &[[f64; 8]; 2]) -> f64 {
    let polynomial = |of: &[f64; 8]| of.iter().rev().fold(0.0, |sum, term| sum * x + term);
    polynomial(above) / polynomial(below)
}

/// |p − ½| ≤ 0.425.
const CENTRE_COEFFICIENTS: [[f64; 8]; 2] = [
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_545,
    ],
];

/// √(−ln tail) ≤ 5.
const MIDDLE_COEFFICIENTS: [[f64; 8]; 2] = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
];

/// Beyond.
const TAIL_COEFFICIENTS: [[f64; 8]; 2] = [
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_7e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
];
