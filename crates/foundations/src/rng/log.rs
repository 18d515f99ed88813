//! The natural logarithm with the bits of the GNU C Library's on x86-64 machines with FMA.
//!
//! glibc (2.28 and later) computes `log` by the algorithm of Arm Optimized Routines
//! (`math/log.c`, © 2018 Arm Limited, MIT OR Apache-2.0 WITH LLVM-exception); the numbers below are
//! that publication's. Its last bit depends on which multiply-adds are fused, so this module
//! follows the FMA build's sequence of operations: `sum` names every multiply-add that is fused
//! there and whose fusing matters.
//!
//! WebAssembly has no fused multiply-add and emulating all of them is slow. A result is a `head`
//! plus a much smaller `tail`, and only the tail's arithmetic is fused: unfused, the tail is off
//! by a few of its own last bits at most. Where that cannot change the rounded sum, which is
//! almost everywhere, the unfused tail does; elsewhere [`libm::fma`], which is exact on every
//! target, decides.

/// `ln(x)` for a positive, finite `x`, the same on every target.
pub(super) fn ln(x: f64) -> f64 {
    debug_assert!(x > 0.0 && x.is_finite(), "ln({x})");
    let SplitLog { head, tail, bound } = split_ln(x, |a, b, c| a * b + c);
    let low = head + (tail - bound);
    let high = head + (tail + bound);
    if low == high { low } else { ln_fused(x) }
}

#[cold]
#[inline(never)]
fn ln_fused(x: f64) -> f64 {
    let SplitLog { head, tail, .. } = split_ln(x, libm::fma);
    head + tail
}

/// A logarithm before the last addition.
struct SplitLog {
    /// The same with any `mul_add`.
    head: f64,
    tail: f64,
    /// How far the tail may be from that of a fused `mul_add`, or further.
    bound: f64,
}

#[inline(always)]
fn split_ln(x: f64, mul_add: impl Fn(f64, f64, f64) -> f64) -> SplitLog {
    // 1 − 2⁻⁴ and 1 + 265 · 2⁻¹²
    if (0.9375..1.064_697_265_625).contains(&x) { ln_near_one(x, mul_add) } else { ln_by_table(x, mul_add) }
}

/// ln(1 + r) = r − r²/2 + r³·p(r).
#[inline(always)]
fn ln_near_one(x: f64, mul_add: impl Fn(f64, f64, f64) -> f64) -> SplitLog {
    let [p0, p1, p2, p3, p4, p5, p6, p7, p8, p9] = NEAR_ONE_COEFFICIENTS;
    let r = x - 1.0;
    let r2 = r * r;
    let r3 = r * r2;
    let p = mul_add(r3, p9, mul_add(r2, p8, mul_add(r, p7, p6)));
    let p = mul_add(p, r3, mul_add(r2, p5, mul_add(r, p4, p3)));
    let p = mul_add(p, r3, mul_add(r2, p2, mul_add(r, p1, p0)));

    // The square of the upper half of r's bits is exact.
    let shift = r * power_of_two(27);
    let r_high = r + shift - shift;
    let r_low = r - r_high;
    let half_square = 0.5 * (r_high * r_high);
    let head = r - half_square;
    let lost = r - head - half_square;
    let tail = mul_add(p, r3, mul_add(-0.5 * r_low, r_high + r, lost));

    // p is close to 1/3. What the roundings on the way to p·r³ and its addition amount to, unfused
    // and fused together, is below 2.7 · 2⁻⁵³ · |r³|; the other summand is below 2⁻²⁸ · |r|, and
    // five roundings of it below 2⁻²⁵ · 2⁻⁵³ · |r|.
    let bound = power_of_two(-53) * r.abs() * (4.0 * r2 + power_of_two(-24));
    SplitLog { head, tail, bound }
}

/// ln(2ᵏ·z) = k·ln 2 + ln c + r − r²/2 + r³·q(r), with c from a table close to z and r = z/c − 1.
#[inline(always)]
fn ln_by_table(x: f64, mul_add: impl Fn(f64, f64, f64) -> f64) -> SplitLog {
    /// z is between this, 0.6875, and its double.
    const TABLE_START_BITS: u64 = 0x3fe6_0000_0000_0000;

    let bits =
        if x < f64::MIN_POSITIVE { (x * power_of_two(52)).to_bits().wrapping_sub(52 << 52) } else { x.to_bits() };
    let offset = bits.wrapping_sub(TABLE_START_BITS);
    let k = (offset.cast_signed() >> 52) as f64;
    let z = bits.wrapping_sub(offset & (0xfff << 52));
    let LnTableEntry { reciprocal, high, low, ln } = TABLE[(offset >> 45) as usize % TABLE.len()];

    // r is z · reciprocal − 1, rounded once: the product's rounding error is exact by halves of 26
    // and 27 bits, and so is the difference of product and 1.
    let z_high = f64::from_bits(z & !0x7ff_ffff);
    let z = f64::from_bits(z);
    let z_low = z - z_high;
    let product = z * reciprocal;
    let error = z_high * high - product + z_high * low + z_low * high + z_low * low;
    let r = product - 1.0 + error;

    let [q0, q1, q2, q3, q4] = TABLE_COEFFICIENTS;
    let r2 = r * r;
    let q = mul_add(mul_add(r, q4, q3), r2, mul_add(r, q2, q1));
    let whole = k * LN_2_HIGH + ln; // the product is exact
    let head = whole + r;
    let lost = mul_add(k, LN_2_LOW, whole - head + r);
    let tail = mul_add(r * r2, q, mul_add(r2, q0, lost));

    // |r| < 1.94 · 2⁻⁹, so the tail is below 2⁻¹⁷ and each of its roundings is off by at most
    // 2⁻⁷¹. There are three unfused ones and two fused ones, and some that are far smaller.
    SplitLog { head, tail, bound: power_of_two(-67) }
}

#[inline(always)]
const fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits((1023 + exponent).cast_unsigned() << 52)
}

/// ln 2 in two parts; the first one's lowest eleven bits are zero.
const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800);
const LN_2_LOW: f64 = f64::from_bits(0x3d2e_f357_93c7_6730);

/// q's coefficients, the lowest first, and the square's.
const TABLE_COEFFICIENTS: [f64; 5] = numbers_from_bits([
    0xbfe0_0000_0000_0001,
    0x3fd5_5555_5551_305b,
    0xbfcf_ffff_ffeb_4590,
    0x3fc9_99b3_24f1_0111,
    0xbfc5_5575_e506_c89f,
]);

/// p's coefficients, the lowest first.
const NEAR_ONE_COEFFICIENTS: [f64; 10] = numbers_from_bits([
    0x3fd5_5555_5555_5577,
    0xbfcf_ffff_ffff_fdcb,
    0x3fc9_9999_9995_dd0c,
    0xbfc5_5555_5567_45a7,
    0x3fc2_4924_a344_de30,
    0xbfbf_ffff_a442_3d65,
    0x3fbc_7184_282a_d6ca,
    0xbfb9_99eb_43b0_68ff,
    0x3fb7_8182_f7af_d085,
    0xbfb5_5213_75d1_45cd,
]);

const fn numbers_from_bits<const N: usize>(bits: [u64; N]) -> [f64; N] {
    let mut numbers = [0.0; N];
    let mut index = 0;
    while index < N {
        numbers[index] = f64::from_bits(bits[index]);
        index += 1;
    }
    numbers
}

#[derive(Clone, Copy)]
struct LnTableEntry {
    /// 1/c, near the middle of the cell.
    reciprocal: f64,
    /// The reciprocal's upper 26 bits, rounded, and what they leave.
    high: f64,
    low: f64,
    /// ln c, to a multiple of 2⁻⁴³ or so.
    ln: f64,
}

static TABLE: [LnTableEntry; 128] = {
    let mut table = [LnTableEntry { reciprocal: 0.0, high: 0.0, low: 0.0, ln: 0.0 }; 128];
    let mut index = 0;
    while index < table.len() {
        let [reciprocal, ln] = numbers_from_bits(LN_TABLE_BITS[index]);
        let shift = reciprocal * (power_of_two(27) + 1.0);
        let high = shift - (shift - reciprocal);
        table[index] = LnTableEntry { reciprocal, high, low: reciprocal - high, ln };
        index += 1;
    }
    table
};

/// 1/c and ln c of 128 equal parts of z's range.
const LN_TABLE_BITS: [[u64; 2]; 128] = [
    [0x3ff7_34f0_c3e0_de9f, 0xbfd7_cc7f_79e6_9000],
    [0x3ff7_1378_6a2c_e91f, 0xbfd7_6fee_c20d_0000],
    [0x3ff6_f260_08fa_b5a0, 0xbfd7_13e3_1351_e000],
    [0x3ff6_d1a6_1f13_8c7d, 0xbfd6_b85b_3828_7800],
    [0x3ff6_b149_0bc5_b4d1, 0xbfd6_5d55_9080_7800],
    [0x3ff6_9147_332f_0cba, 0xbfd6_02d0_7618_0000],
    [0x3ff6_719f_1822_4223, 0xbfd5_a8ca_8690_9000],
    [0x3ff6_524f_99a5_1ed9, 0xbfd5_4f43_5603_5000],
    [0x3ff6_3356_aa8f_24c4, 0xbfd4_f637_c36b_4000],
    [0x3ff6_14b3_6b9d_dc14, 0xbfd4_9da7_fda8_5000],
    [0x3ff5_f664_52c6_5c4c, 0xbfd4_4592_3989_a800],
    [0x3ff5_d867_b591_2c4f, 0xbfd3_edf4_39b0_b800],
    [0x3ff5_babc_cb5b_90de, 0xbfd3_96ce_448f_7000],
    [0x3ff5_9d61_f2d9_1a78, 0xbfd3_401e_17bd_a000],
    [0x3ff5_8056_1246_5687, 0xbfd2_e9e2_ef46_8000],
    [0x3ff5_6397_cee7_6bd3, 0xbfd2_941b_3830_e000],
    [0x3ff5_4725_e2a7_7f93, 0xbfd2_3ec5_8cda_8800],
    [0x3ff5_2aff_4206_4583, 0xbfd1_e9e1_2927_9000],
    [0x3ff5_0f22_dbb2_bddf, 0xbfd1_956d_2b48_f800],
    [0x3ff4_f38f_4734_ded7, 0xbfd1_4167_9ab9_f800],
    [0x3ff4_d843_cfde_2840, 0xbfd0_edd0_94ef_9800],
    [0x3ff4_bd3e_c078_a3c8, 0xbfd0_9aa5_18db_1000],
    [0x3ff4_a27f_c3e0_258a, 0xbfd0_47e6_5263_b800],
    [0x3ff4_8805_24d4_8434, 0xbfcf_eb22_4586_f000],
    [0x3ff4_6dce_1b19_2d0b, 0xbfcf_474a_7517_b000],
    [0x3ff4_53d9_d339_1854, 0xbfce_a444_3d10_3000],
    [0x3ff4_3a27_44b4_845a, 0xbfce_020d_44e9_b000],
    [0x3ff4_20b5_4115_f8fb, 0xbfcd_60a2_2977_f000],
    [0x3ff4_0782_da3e_f4b1, 0xbfcc_c001_0495_9000],
    [0x3ff3_ee8f_5d57_fe8f, 0xbfcc_2029_5689_1000],
    [0x3ff3_d5d9_a00b_4ce9, 0xbfcb_8117_8d81_1000],
    [0x3ff3_bd60_c010_c12b, 0xbfca_e2c9_ccd3_d000],
    [0x3ff3_a524_2b75_dab8, 0xbfca_4540_2e12_9000],
    [0x3ff3_8d22_cd9f_d002, 0xbfc9_a877_681d_f000],
    [0x3ff3_755b_c584_7a1c, 0xbfc9_0c6d_6948_3000],
    [0x3ff3_5dce_49ad_36e2, 0xbfc8_7120_a645_c000],
    [0x3ff3_4679_984d_d440, 0xbfc7_d68f_b414_3000],
    [0x3ff3_2f5c_ceff_cb24, 0xbfc7_3cb8_3c62_7000],
    [0x3ff3_1877_75a1_0d49, 0xbfc6_a39a_9b37_6000],
    [0x3ff3_01c8_373e_3990, 0xbfc6_0b31_54b7_a000],
    [0x3ff2_eb4e_bb95_f841, 0xbfc5_737d_7624_3000],
    [0x3ff2_d50a_0219_a9d1, 0xbfc4_dc7b_8fc2_3000],
    [0x3ff2_bef9_a8b7_fd2a, 0xbfc4_462c_51d2_0000],
    [0x3ff2_a91c_7a0c_1bab, 0xbfc3_b08a_bc83_0000],
    [0x3ff2_9372_6014_b530, 0xbfc3_1b99_6b49_0000],
    [0x3ff2_7dfa_5757_a1f5, 0xbfc2_8754_90a4_4000],
    [0x3ff2_68b3_9b1d_3bbf, 0xbfc1_f3b9_f879_a000],
    [0x3ff2_539d_838f_f5bd, 0xbfc1_60c8_252c_a000],
    [0x3ff2_3eb7_aac9_083b, 0xbfc0_ce7f_57f7_2000],
    [0x3ff2_2a01_2ba9_40b6, 0xbfc0_3cdc_49fe_a000],
    [0x3ff2_1579_96cc_4132, 0xbfbf_57bd_bc4b_8000],
    [0x3ff2_0120_1dd2_fc9b, 0xbfbe_3708_9640_4000],
    [0x3ff1_ecf4_494d_480b, 0xbfbd_1798_3ef9_4000],
    [0x3ff1_d8f5_528f_6569, 0xbfbb_f967_4ed8_a000],
    [0x3ff1_c523_1157_7e7c, 0xbfba_dc79_202f_6000],
    [0x3ff1_b17c_74cb_26e9, 0xbfb9_c0c3_e728_8000],
    [0x3ff1_9e01_0c2c_1ab6, 0xbfb8_a646_b372_c000],
    [0x3ff1_8ab0_7bb6_70bd, 0xbfb7_8d01_b3ac_0000],
    [0x3ff1_778a_25ef_bcb6, 0xbfb6_74f1_4538_0000],
    [0x3ff1_648d_354c_31da, 0xbfb5_5e0e_6d87_8000],
    [0x3ff1_51b9_9027_5fdd, 0xbfb4_485c_dea1_e000],
    [0x3ff1_3f0e_a432_d24c, 0xbfb3_33d9_4d6a_a000],
    [0x3ff1_2c8b_7210_f9da, 0xbfb2_2079_f8c5_6000],
    [0x3ff1_1a30_28ec_b531, 0xbfb1_0e46_9862_2000],
    [0x3ff1_07fb_da84_34af, 0xbfaf_fa6c_6ad2_0000],
    [0x3ff0_f5ee_0f4e_6bb3, 0xbfad_da8d_4a77_4000],
    [0x3ff0_e406_5d2a_9fce, 0xbfab_bcec_e485_0000],
    [0x3ff0_d244_632c_a521, 0xbfa9_a189_4012_c000],
    [0x3ff0_c0a7_7ce2_981a, 0xbfa7_8858_3302_c000],
    [0x3ff0_af2f_83c6_36d1, 0xbfa5_715e_67d6_8000],
    [0x3ff0_9ddb_98a0_1339, 0xbfa3_5c8a_4965_8000],
    [0x3ff0_8cab_af52_e7df, 0xbfa1_49e3_6415_4000],
    [0x3ff0_7b9f_2f4e_28fb, 0xbf9e_72c0_82eb_8000],
    [0x3ff0_6ab5_8c35_8f19, 0xbf9a_55f1_5252_8000],
    [0x3ff0_59ee_a5ec_f92c, 0xbf96_3d62_cf81_8000],
    [0x3ff0_4949_cdd1_2c90, 0xbf92_28fb_8caa_0000],
    [0x3ff0_38c6_c6f0_ada9, 0xbf8c_317b_20f9_0000],
    [0x3ff0_2865_1379_32a9, 0xbf84_1935_5daa_0000],
    [0x3ff0_1824_27ea_7348, 0xbf78_1203_c2ec_0000],
    [0x3ff0_0804_0614_b195, 0xbf60_0409_7924_0000],
    [0x3fef_e01f_f726_fa1a, 0x3f6f_eff3_8490_0000],
    [0x3fef_a11c_c261_ea74, 0x3f87_dc41_353d_0000],
    [0x3fef_6310_b081_992e, 0x3f93_cea3_c4c2_8000],
    [0x3fef_25f6_3cee_adcd, 0x3f9b_9fc1_1489_0000],
    [0x3fee_e9c8_0391_13e7, 0x3fa1_b0d8_ce11_0000],
    [0x3fee_ae80_78cb_b1ab, 0x3fa5_8a5b_d001_c000],
    [0x3fee_741a_a29d_0c9b, 0x3fa9_5c83_40d8_8000],
    [0x3fee_3a91_830a_99b5, 0x3fad_276a_ef57_8000],
    [0x3fee_01e0_0960_9a56, 0x3fb0_7598_e598_c000],
    [0x3fed_ca01_e577_bb98, 0x3fb2_53f5_e30d_2000],
    [0x3fed_92f2_0b7c_9103, 0x3fb4_2edd_8b38_0000],
    [0x3fed_5cac_66fb_5cce, 0x3fb6_0659_8757_c000],
    [0x3fed_272c_aa5e_de9d, 0x3fb7_da76_356a_0000],
    [0x3fec_f26e_3e6b_2ccd, 0x3fb9_ab43_4e1c_6000],
    [0x3fec_be6d_a2a7_7902, 0x3fbb_78c7_bb0d_6000],
    [0x3fec_8b26_6d37_086d, 0x3fbd_4313_32e7_2000],
    [0x3fec_5894_bd5d_5804, 0x3fbf_0a31_71de_6000],
    [0x3fec_26b5_33bb_9f8c, 0x3fc0_6715_2b91_4000],
    [0x3feb_f583_eeec_e73f, 0x3fc1_4785_8292_b000],
    [0x3feb_c4fd_75db_96c1, 0x3fc2_266e_cdca_3000],
    [0x3feb_951e_0c86_4a28, 0x3fc3_03d7_a6c5_5000],
    [0x3feb_65e2_c5ef_3e2c, 0x3fc3_dfc3_3c33_1000],
    [0x3feb_3748_67c9_888b, 0x3fc4_ba36_6b7a_8000],
    [0x3feb_094b_211d_304a, 0x3fc5_9339_28d1_f000],
    [0x3fea_dbe8_85f2_ef7e, 0x3fc6_6acd_2418_f000],
    [0x3fea_af1d_3160_3da2, 0x3fc7_40f8_ec66_9000],
    [0x3fea_82e6_3fd3_58a7, 0x3fc8_15c0_f51a_f000],
    [0x3fea_5740_ef09_738b, 0x3fc8_e929_54f6_8000],
    [0x3fea_2c2a_90ab_4b27, 0x3fc9_bb36_02f8_4000],
    [0x3fea_01a0_1393_f2d1, 0x3fca_8bed_1c2c_0000],
    [0x3fe9_d79f_24db_3c1b, 0x3fcb_5b51_5c01_d000],
    [0x3fe9_ae25_05c7_b190, 0x3fcc_2967_ccbc_c000],
    [0x3fe9_852e_f297_ce2f, 0x3fcc_f635_d548_6000],
    [0x3fe9_5cba_eea4_4b75, 0x3fcd_c1bd_3446_c000],
    [0x3fe9_34c6_9de7_4838, 0x3fce_8c01_b8cf_e000],
    [0x3fe9_0d4f_2f67_52e6, 0x3fcf_5509_c017_9000],
    [0x3fe8_e652_8eff_d79d, 0x3fd0_0e6c_121f_b800],
    [0x3fe8_bfce_9fcc_007c, 0x3fd0_71b8_0e93_d000],
    [0x3fe8_99c0_dabe_c30e, 0x3fd0_d46b_9e86_7000],
    [0x3fe8_7427_aa23_17fb, 0x3fd1_3687_334b_d000],
    [0x3fe8_4f00_acb3_9a08, 0x3fd1_980d_6723_4800],
    [0x3fe8_2a49_e865_3e55, 0x3fd1_f8ff_e0cc_8000],
    [0x3fe8_0601_95f4_0260, 0x3fd2_595f_d763_6800],
    [0x3fe7_e225_63e0_a329, 0x3fd2_b930_0914_a800],
    [0x3fe7_beb3_77dc_b5ad, 0x3fd3_1872_1043_6000],
    [0x3fe7_9baa_6797_25c2, 0x3fd3_7726_6dec_1800],
    [0x3fe7_7907_f217_0657, 0x3fd3_d54f_fbaf_3000],
    [0x3fe7_56ca_dbd6_130c, 0x3fd4_32ee_e32f_e000],
];

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::NumpyRng;

    fn unfused(x: f64) -> SplitLog {
        split_ln(x, |a, b, c| a * b + c)
    }

    fn is_undecided(x: f64) -> bool {
        let SplitLog { head, tail, bound } = unfused(x);
        head + (tail - bound) != head + (tail + bound)
    }

    #[test]
    fn logarithms_equal_glibcs() {
        for (x, expected) in EASY.into_iter().chain(HARD) {
            let x = f64::from_bits(x);
            assert_eq!(ln(x).to_bits(), expected, "ln({x:e})");
            assert_eq!(ln_fused(x).to_bits(), expected, "ln({x:e}), fused");
        }
        assert!(HARD.iter().all(|&(x, _)| is_undecided(f64::from_bits(x))));
    }

    #[test]
    fn rounding_the_unfused_sum_would_not_do() {
        let differs = |&(x, expected): &(u64, u64)| {
            let SplitLog { head, tail, .. } = unfused(f64::from_bits(x));
            (head + tail).to_bits() != expected
        };
        assert_eq!(HARD.iter().filter(|pair| differs(pair)).count(), 100);
    }

    #[test]
    fn both_ways_agree_and_fusing_is_rarely_needed() {
        let mut rng = NumpyRng::new(1);
        let mut undecided = 0;
        for _ in 0..50_000 {
            let uniform = 1.0 - rng.random_sample();
            let near_one = 1.0 - 0.07 * (rng.random_sample() - 0.1);
            let closer = 1.0 - uniform * power_of_two(-5 - i64::from(rng.next_word() % 48));
            let small = uniform * power_of_two(-i64::from(rng.next_word() % 107));
            undecided += usize::from(is_undecided(uniform));
            for x in [uniform, near_one, closer, small] {
                let (plain, exact) = (unfused(x), split_ln(x, libm::fma));
                assert_eq!(plain.head.to_bits(), exact.head.to_bits(), "the head of {x:e}");
                assert!((plain.tail - exact.tail).abs() <= 0.5 * plain.bound, "the tail of {x:e}");
                assert_eq!(ln(x).to_bits(), ln_fused(x).to_bits(), "ln({x:e})");
            }
        }
        assert!((1..150).contains(&undecided), "{undecided} of 50,000 were undecided");
    }

    /// Arguments and logarithms (glibc 2.36 on x86-64 with FMA): from (0, 1), close to 1, tiny, above
    /// 1, subnormal, and where the ways to compute one meet.
    const EASY: [(u64, u64); 133] = [
        (0x3fe3_edb1_fd9f_11dd, 0xbfde_4f38_3373_c9c1),
        (0x3fb8_e430_bb15_11f0, 0xc002_a52f_2757_d2b2),
        (0x3fd3_1bdf_2fd6_36e8, 0xbff3_56f5_832a_3efe),
        (0x3fbd_be69_e0ae_9bb8, 0xc001_386f_9ce0_86c9),
        (0x3fea_9418_2cac_8ec8, 0xbfc7_c2d6_ca03_05c1),
        (0x3fe1_ad6f_6dad_28ab, 0xbfe2_fd7e_e8c4_7436),
        (0x3fc1_8124_e571_b018, 0xbfff_d54b_9413_0bc6),
        (0x3fe3_1540_67d3_3894, 0xbfe0_8ac0_0e6f_8420),
        (0x3fc5_9cf4_702d_d4f0, 0xbffc_75ae_098f_0d59),
        (0x3fdb_519e_e137_0d80, 0xbfeb_3de7_df80_8ffd),
        (0x3fdd_8a21_efd7_4868, 0xbfe8_bda9_4a55_f7b3),
        (0x3fea_c894_7332_d4b9, 0xbfc6_c70b_01ea_8f68),
        (0x3feb_023b_fb6a_aff5, 0xbfc5_b4a9_3d14_ac30),
        (0x3fe5_2ab8_78fb_3a75, 0xbfda_737a_da0a_efdc),
        (0x3fc2_a187_09a4_eaa8, 0xbffe_d5d5_1b6d_aa5f),
        (0x3fe6_0a70_d7e0_c146, 0xbfd7_dca1_e359_ba7b),
        (0x3fef_bc69_6265_eaa0, 0xbf80_f798_de1c_f9e7),
        (0x3fd5_b2b0_89fb_bcfe, 0xbff1_4e7d_8d2b_08f1),
        (0x3fe9_ded0_8163_5224, 0xbfcb_37b5_d21e_17b2),
        (0x3fdc_8fe6_867d_09c8, 0xbfe9_d152_7a6b_754e),
        (0x3fe0_0d1b_f207_314f, 0xbfe6_1415_d2ab_aaee),
        (0x3fe5_31f1_6401_4925, 0xbfda_5da8_3340_e91a),
        (0x3fd1_0c97_e24b_de36, 0xbff5_2a1b_9c45_af70),
        (0x3fdc_466a_62dc_2dde, 0xbfea_2411_9269_8d11),
        (0x3fe7_b59b_e958_4bb7, 0xbfd3_30f8_40c4_b716),
        (0x3fed_341e_c799_8bd1, 0xbfb7_68e1_5af1_ba9d),
        (0x3fd7_1a50_69ca_7fba, 0xbff0_4d89_3eb9_13bb),
        (0x3fed_b6fe_54ac_f474, 0xbfb2_f790_c355_aba9),
        (0x3fc8_c781_0588_def0, 0xbffa_45b7_f3ca_8966),
        (0x3fc8_8ccf_0756_9800, 0xbffa_6bcb_6677_522f),
        (0x3fe2_be39_8f36_2ece, 0xbfe1_1dff_dc9e_dd12),
        (0x3fd2_9b3e_1531_6800, 0xbff3_c41a_4460_ca01),
        (0x3fd6_e471_7f4a_e490, 0xbff0_7304_014a_1710),
        (0x3fc9_6b79_0b4e_d2d0, 0xbff9_dd30_6956_8794),
        (0x3f73_546f_0b80_ef00, 0xc015_6ca9_fdd0_337a),
        (0x3fec_36c0_e3fe_dbea, 0xbfc0_1e34_c8fe_07da),
        (0x3fe6_3b98_b60a_bf55, 0xbfd7_4e84_41c0_4444),
        (0x3fd9_edf3_571a_1f56, 0xbfec_e97c_feeb_e093),
        (0x3fdc_7583_f179_846e, 0xbfe9_eeef_c3c9_9d38),
        (0x3fe3_598e_a53f_3c86, 0xbfe0_1900_c360_a39d),
        (0x3fef_a558_286a_d58c, 0xbf86_ca4d_7abb_9fe9),
        (0x3fef_0836_3c08_b1bb, 0xbf9f_739d_6d70_898d),
        (0x3fee_3e92_9beb_c0f9, 0xbfac_e39c_d79a_e501),
        (0x3fee_bfd3_41b3_702d, 0xbfa4_6997_d508_4107),
        (0x3fee_99a0_b067_f864, 0xbfa6_e728_e4ae_a4b5),
        (0x3fef_3414_7d9b_23e9, 0xbf99_d007_95e3_3027),
        (0x3fef_d371_fa13_dc81, 0xbf76_5693_ac1c_88b1),
        (0x3fee_9499_55ee_23ac, 0xbfa7_3b53_c3d0_57aa),
        (0x3fef_61bf_ce01_3b23, 0xbf93_f993_88c7_91df),
        (0x3fef_573f_2e66_1483, 0xbf95_507f_a315_d380),
        (0x3fee_32c1_0499_0428, 0xbfad_abd7_6b5c_bb6c),
        (0x3fee_79a2_cf14_25a5, 0xbfa8_ff8a_46b9_6134),
        (0x3fef_52bd_eb2c_3beb, 0xbf95_e3ba_d592_356b),
        (0x3fee_4179_3144_36f7, 0xbfac_b284_320a_241c),
        (0x3fef_e7db_b1e3_c00e, 0xbf68_2d6e_0291_4a29),
        (0x3fee_6d88_c42f_18e8, 0xbfa9_cb03_9843_2b84),
        (0x3fef_b54d_2946_ee83, 0xbf82_c2a3_b6ae_f400),
        (0x3fee_369f_28f8_d847, 0xbfad_6a48_2252_a2f5),
        (0x3fef_2a86_72ea_2894, 0xbf9b_09c7_21e1_4183),
        (0x3fef_7adb_47a4_bd40, 0xbf90_c797_db79_d59a),
        (0x3fef_ffff_ffff_ff24, 0xbd1b_8000_0000_005f),
        (0x3fef_ffff_ccfc_d5c9, 0xbe79_8195_2fd4_85cd),
        (0x3fef_fff7_70da_82ab, 0xbed1_1e4d_44bd_7e68),
        (0x3fef_ffff_ffff_fc42, 0xbd3d_f000_0000_01c0),
        (0x3fef_ffff_fbfd_e9da, 0xbe40_0858_9901_0b59),
        (0x3fef_fffc_951b_edbe, 0xbebb_5722_07cf_5d98),
        (0x3fef_ffff_ffff_ffb8, 0xbd02_0000_0000_0014),
        (0x3fef_ffff_92c3_1a60, 0xbe8b_4f39_969c_ea71),
        (0x3fef_ffff_fff4_c009, 0xbdd6_7fee_0003_f47a),
        (0x3fef_ffff_ff3e_775a, 0xbe18_3114_c049_27aa),
        (0x3fe6_3b46_0555_2220, 0xbfd7_4f72_4c5c_411e),
        (0x3fef_fff4_e5bc_572e, 0xbed6_348b_2bc8_f6ab),
        (0x3fef_ff2a_c575_43d6, 0xbf1a_a7aa_264b_e2e0),
        (0x3fef_ffff_ffff_fcfd, 0xbd38_1800_0000_0122),
        (0x3fef_ffff_fff1_3f9c, 0xbddd_80c8_0006_ccdc),
        (0x3fef_fff4_e219_9392, 0xbed6_3bd0_b587_3fa5),
        (0x3fef_ffff_fff2_9aa3, 0xbdda_caba_0005_9b9d),
        (0x3fef_f04d_888b_cbcc, 0xbf5f_6ca4_a146_9a8f),
        (0x3fef_fff8_43b5_6034, 0xbece_f12e_3c99_c125),
        (0x3fef_ffff_ffff_fffe, 0xbcb0_0000_0000_0001),
        (0x3954_f8bd_2400_2731, 0xc052_4cfe_4368_3852),
        (0x3a94_909e_ec40_b8c6, 0xc04d_ae09_50db_7007),
        (0x3ae6_61e2_2f46_72a2, 0xc04b_e795_168e_d22e),
        (0x3bf6_8703_f3a6_9587, 0xc046_0277_a0ba_bbc7),
        (0x3a29_013d_b89c_4fb6, 0xc050_0109_8830_aa2e),
        (0x39f3_92cd_a822_9d3d, 0xc050_95cb_78f0_21e9),
        (0x3a15_d10b_05f2_1015, 0xc050_3620_d433_dc58),
        (0x3c1c_1ca2_9b08_39c0, 0xc045_34ac_c4f3_eb65),
        (0x39bb_731f_41eb_2569, 0xc051_3198_ceff_766a),
        (0x3a80_e67c_9011_7054, 0xc04e_1fe1_3105_3307),
        (0x3a32_7081_72f9_b0a8, 0xc04f_d056_5ccb_dbd3),
        (0x3a44_55d6_39d6_e0cb, 0xc04f_6b16_7d94_de52),
        (0x3aa8_c3c1_9967_057b, 0xc04d_3d86_f3c3_bb08),
        (0x39a3_de46_e8f2_62df, 0xc051_72a5_2692_7dc9),
        (0x3a1f_4e19_ce80_9efc, 0xc050_1f04_6534_0494),
        (0x3ab8_74ed_4df0_65fc, 0xc04c_e667_e69e_054c),
        (0x3ab4_4a1a_c762_6fdc, 0xc04c_fe51_1825_34bb),
        (0x3980_56b9_8da8_e3e7, 0xc051_d7e2_a20c_b659),
        (0x3c58_fbd9_c7da_1a05, 0xc043_e0e2_07d7_3265),
        (0x3bf1_0451_edfb_dcc5, 0xc046_265f_efeb_a8cb),
        (0x3ff1_36cc_e907_3a06, 0x3fb2_b92c_3bbb_6311),
        (0x3ff2_cda9_d10b_6864, 0x3fc4_aa4f_ee8e_14be),
        (0x3ffb_ecda_512f_71ea, 0x3fe1_d275_f348_9cbd),
        (0x3ff6_1373_2e9f_b19c, 0x3fd4_9a07_b294_6f1f),
        (0x3ff5_ddb7_8f6c_dd6a, 0x3fd3_fd82_45ec_db94),
        (0x3ff4_59b1_2aeb_a409, 0x3fce_c906_f18c_5dee),
        (0x3ff6_30b3_2b53_3776, 0x3fd4_ee9b_fad8_c0c8),
        (0x3fff_672d_ec1b_84f3, 0x3fe5_93ff_683d_3a58),
        (0x3ff2_2038_8e2c_a957, 0x3fbf_efaf_f8b9_6075),
        (0x3fff_210d_edb8_bd78, 0x3fe5_4c39_e73d_7074),
        (0x3ffa_8cf3_04b7_334a, 0x3fe0_34f1_df5d_f967),
        (0x3ff9_ffbe_cf2d_8006, 0x3fdf_11ee_e6b8_4ef0),
        (0x3fff_b6aa_b396_23b5, 0x3fe5_e499_2a4a_1c9e),
        (0x3ffa_ee92_9774_4659, 0x3fe0_a9c4_9e75_a162),
        (0x3ff6_4bf7_0a78_ca09, 0x3fd5_3d0e_d4f7_d933),
        (0x3ffc_b39f_b3c0_f222, 0x3fe2_b320_815c_1841),
        (0x0010_0000_0000_0000, 0xc086_232b_dd7a_bcd2),
        (0x7fef_ffff_ffff_ffff, 0x4086_2e42_fefa_39ef),
        (0x0000_0000_0000_0001, 0xc087_4385_446d_71c3),
        (0x0008_0000_0000_0000, 0xc086_28b7_6e3a_7b61),
        (0x000f_ffff_ffff_ffff, 0xc086_232b_dd7a_bcd2),
        (0x3ff0_0000_0000_0000, 0x0000_0000_0000_0000),
        (0x3fef_ffff_ffff_ffff, 0xbca0_0000_0000_0000),
        (0x3ff0_0000_0000_0001, 0x3caf_ffff_ffff_ffff),
        (0x3fe0_0000_0000_0000, 0xbfe6_2e42_fefa_39ef),
        (0x3fd0_0000_0000_0000, 0xbff6_2e42_fefa_39ef),
        (0x4000_0000_0000_0000, 0x3fe6_2e42_fefa_39ef),
        (0x3fed_ffff_ffff_ffff, 0xbfb0_8598_b59e_3a0f),
        (0x3fee_0000_0000_0000, 0xbfb0_8598_b59e_3a07),
        (0x3ff1_0900_0000_0000, 0x3fb0_0c7c_1418_4ec5),
        (0x3ff1_08ff_ffff_ffff, 0x3fb0_0c7c_1418_4eb6),
        (0x3fe6_0000_0000_0000, 0xbfd7_fafa_3bd8_151c),
        (0x3fe5_ffff_ffff_ffff, 0xbfd7_fafa_3bd8_151f),
    ];

    /// The same where the unfused tail does not decide. In 100 of them it would decide wrongly.
    const HARD: [(u64, u64); 160] = [
        (0x3fee_81ff_8665_7135, 0xbfa8_7320_4493_ec43),
        (0x3fee_2275_af2f_5ae3, 0xbfae_c065_6f93_1bfb),
        (0x3fee_1d77_29fd_c152, 0xbfaf_1547_14f2_a2ee),
        (0x3fee_42c2_f945_1a3c, 0xbfac_9cb7_f811_17cd),
        (0x3fee_fda1_54b4_d89d, 0xbfa0_6882_dc43_805b),
        (0x3fee_7694_d07f_30d9, 0xbfa9_32de_cefb_b3f0),
        (0x3fee_2c04_4240_ba60, 0xbfae_1e1e_ce68_f2ca),
        (0x3fee_2165_62b2_a20a, 0xbfae_d278_3a84_61e3),
        (0x3fee_799d_2483_cb62, 0xbfa8_ffe9_7912_4a7f),
        (0x3fee_c693_d34d_c0c2, 0xbfa3_f936_285f_dda8),
        (0x3fee_fb85_336b_0994, 0xbfa0_8b5f_91b6_0228),
        (0x3fef_3ba0_7622_e624, 0xbf98_d87c_3a7b_d726),
        (0x3fee_f3c0_6382_526f, 0xbfa1_0bd1_b4a7_34a3),
        (0x3fee_52bd_dbb4_fdaf, 0xbfab_8e9f_300a_987e),
        (0x3fee_2fd1_e43d_8006, 0xbfad_dd98_e653_2bd0),
        (0x3fee_eb07_0b4f_2fe9, 0xbfa1_9c35_485a_9f16),
        (0x3fef_af1d_e4c9_4e29, 0xbf84_5240_488a_7be8),
        (0x3fee_4338_7427_6b2a, 0xbfac_94f4_508c_7048),
        (0x3fee_3095_92cb_184a, 0xbfad_d0a2_17bb_323d),
        (0x3fef_1929_c89d_c47f, 0xbf9d_44d9_0dec_cdbe),
        (0x3fef_4897_314c_dd05, 0xbf97_2fcc_ae48_3d99),
        (0x3fee_3e9a_a041_0406, 0xbfac_e315_2043_3d6f),
        (0x3fee_1969_9f64_bf00, 0xbfaf_5a33_6a77_fb0d),
        (0x3fee_6d33_6ac5_a2ab, 0xbfa9_d09f_c531_8b28),
        (0x3fee_3a9e_3b28_9029, 0xbfad_2693_8109_95c7),
        (0x3fee_cf87_b203_8663, 0xbfa3_645b_18b4_66ae),
        (0x3fee_15df_0298_a584, 0xbfaf_9674_c8cc_4238),
        (0x3fee_6320_2d67_6fe9, 0xbfaa_7a45_c360_766c),
        (0x3fee_3a20_0193_1463, 0xbfad_2eed_7e47_222d),
        (0x3fee_404e_a4e7_868b, 0xbfac_c640_babd_2490),
        (0x3fee_4df8_c6d6_c3ed, 0xbfab_df2f_3032_81d5),
        (0x3fee_2e21_c847_4495, 0xbfad_fa3a_bad4_55e5),
        (0x3fee_4de3_9241_4e92, 0xbfab_e095_755b_6656),
        (0x3fee_3e2f_84dc_5cf7, 0xbfac_ea2a_5ab4_714c),
        (0x3fee_17d2_e2ee_a221, 0xbfaf_753a_ddce_5d70),
        (0x3fee_252c_1c9b_2be1, 0xbfae_9250_e354_a5d6),
        (0x3fee_2a24_04ab_4301, 0xbfae_3df5_31db_1dcd),
        (0x3fee_cb35_64dc_e721, 0xbfa3_ac30_3bc8_d6fa),
        (0x3fee_4f4c_ba7a_e6ee, 0xbfab_c8c0_260f_2771),
        (0x3fee_1595_bc1a_c68f, 0xbfaf_9b53_d288_aa45),
        (0x3fee_584a_c850_e2bc, 0xbfab_30ef_cd20_87bd),
        (0x3fee_244e_0894_8b9a, 0xbfae_a10c_fa88_94cb),
        (0x3fef_4047_cf47_296c, 0xbf98_3ff4_2417_9814),
        (0x3fee_407f_c010_9004, 0xbfac_c301_9f22_5504),
        (0x3fee_1450_cb00_da2f, 0xbfaf_b0ee_68b1_687c),
        (0x3fee_b2c3_56f7_3b73, 0xbfa5_4344_e42f_6da0),
        (0x3fef_5208_2caa_9aa2, 0xbf95_faf0_9221_022e),
        (0x3fee_658d_1009_2092, 0xbfaa_5169_fa1a_114e),
        (0x3fee_42dc_4b3f_1eef, 0xbfac_9b0b_9067_bf13),
        (0x3fee_2030_ed21_3b46, 0xbfae_e6f2_376d_bc0e),
        (0x3fee_3900_3620_cf0c, 0xbfad_41f8_a64a_230d),
        (0x3fee_9826_67a5_dee2, 0xbfa6_ffe2_ede5_2ac4),
        (0x3fee_12bd_3080_42d4, 0xbfaf_cbc5_1b32_9012),
        (0x3fee_720e_6286_c89d, 0xbfa9_7ef2_5eb8_9a70),
        (0x3fef_0efd_406b_f6ae, 0xbf9e_9411_8b35_0b78),
        (0x3fee_72e9_5641_0bcf, 0xbfa9_7090_7928_522a),
        (0x3fee_29a9_a5b9_e53c, 0xbfae_4612_532b_f441),
        (0x3fee_1d5f_cdc9_9aff, 0xbfaf_16d4_3d9c_cf26),
        (0x3fee_2939_bd8a_2f65, 0xbfae_4d7d_f3f0_646f),
        (0x3fee_2079_a8be_1671, 0xbfae_e21e_1cf1_73f0),
        (0x3fee_1033_3bfd_b6ea, 0xbfaf_f700_7fb4_2f4c),
        (0x3fef_1a22_8ba1_e93d, 0xbf9d_24da_5cfd_a5c1),
        (0x3fee_3b7c_cab0_fced, 0xbfad_17da_1e5d_4151),
        (0x3fee_b2d1_1527_afaa, 0xbfa5_425f_ae6f_8e03),
        (0x3fee_17e9_7b9c_70ae, 0xbfaf_73ba_6a7c_92a0),
        (0x3fee_0f40_4b8e_50f2, 0xbfb0_0395_182b_2822),
        (0x3fee_ac61_2d95_8c22, 0xbfa5_adc7_40b7_cbde),
        (0x3fee_180b_7306_405d, 0xbfaf_7178_86a9_51e7),
        (0x3fee_45c9_0e0e_2d5f, 0xbfac_6991_641a_de99),
        (0x3fef_7253_4959_d38e, 0xbf91_dd3f_ea9e_784b),
        (0x3fee_4bbc_8a28_5ab0, 0xbfac_04f4_9ad2_3315),
        (0x3fef_3bbb_73a5_6bc8, 0xbf98_d507_5552_c88d),
        (0x3fee_3e31_b40b_cc8c, 0xbfac_ea05_5fef_2efc),
        (0x3fef_0fba_1994_5307, 0xbf9e_7bbf_8200_aaf4),
        (0x3fee_3768_09eb_d9d5, 0xbfad_5cfc_3004_d61b),
        (0x3fee_b3d7_8b20_8ab8, 0xbfa5_3146_8e79_a85f),
        (0x3fee_1b70_ad6f_a3da, 0xbfaf_37b7_41bc_3699),
        (0x3fee_b108_e213_e4e1, 0xbfa5_6019_31a1_dcd2),
        (0x3fee_6e8a_fbf8_0881, 0xbfa9_ba0a_ed09_94df),
        (0x3fee_7734_3f08_e727, 0xbfa9_2867_51ec_2c62),
        (0x3fe2_6095_d374_1790, 0xbfe1_bf73_61f1_bd99),
        (0x3fe4_001d_0ab3_6532, 0xbfde_142d_2b5f_c27e),
        (0x3f96_be0c_9b7d_7cf2, 0xc00e_753b_1e7b_7ad9),
        (0x3fe0_e36b_6a90_8296, 0xbfe4_7399_c391_f445),
        (0x3fc3_3f8e_f9aa_547c, 0xbffe_5051_509a_37e6),
        (0x3fe0_bcb5_cf04_1dd0, 0xbfe4_bd47_0417_e4e9),
        (0x3fe0_e3cf_498c_9fb8, 0xbfe4_72dc_8986_3140),
        (0x3fd4_7933_4ccd_a6c7, 0xbff2_3c6f_6b2a_360c),
        (0x3fe5_5d1a_74c0_14a7, 0xbfd9_dbd8_cc2e_d9ba),
        (0x3fe1_01ee_6abb_39d7, 0xbfe4_39fd_7d08_c226),
        (0x3fd8_dea5_ebf9_dedc, 0xbfee_3f57_6aed_5671),
        (0x3fc0_7d40_29f7_7851, 0xc000_6502_668c_a7d7),
        (0x3fe1_085f_83c2_23de, 0xbfe4_2de0_f974_ccae),
        (0x3fe4_1f95_4d22_be21, 0xbfdd_afc8_9c79_7d5d),
        (0x3fe3_60aa_9c3e_e2da, 0xbfe0_0d41_224a_5690),
        (0x3fe1_c268_0d52_db3e, 0xbfe2_d79f_01ea_b415),
        (0x3fde_1958_9c9b_3f6a, 0xbfe8_23f8_4b70_3486),
        (0x3fe4_3f75_cea7_9334, 0xbfdd_4ab7_0e93_1bdd),
        (0x3fe1_5d22_850f_0c40, 0xbfe3_9029_6544_9afd),
        (0x3fe3_9eb7_a2b5_fed0, 0xbfdf_4ed6_e930_f316),
        (0x3fd3_c3c5_51bc_939c, 0xbff2_ccbc_17e4_f6c6),
        (0x3fd4_16a8_6765_ecf8, 0xbff2_8a2d_f012_0995),
        (0x3fe2_c148_1d57_effb, 0xbfe1_18c8_3b72_cff3),
        (0x3fc3_2731_e560_3ef8, 0xbffe_649e_b466_d5ce),
        (0x3fd9_04c4_0b9b_4cf0, 0xbfee_0e71_0679_4098),
        (0x3fd8_bb04_d9d3_d375, 0xbfee_6d50_8297_d645),
        (0x3fe3_d8d3_d06e_63a1, 0xbfde_925f_af9a_060b),
        (0x3fe4_bccb_2a89_21eb, 0xbfdb_c345_99ae_7abd),
        (0x3fe4_4086_a538_847c, 0xbfdd_4758_c0a3_37a0),
        (0x3fc5_196b_d72e_8956, 0xbffc_d83a_a872_eb61),
        (0x3fe0_c1a6_cb94_10ea, 0xbfe4_b3d5_dcfb_7518),
        (0x3fe4_5edf_e8b9_3c12, 0xbfdc_e7b8_1d78_3c4d),
        (0x3fd1_15dd_9bc7_f490, 0xbff5_216a_5365_2004),
        (0x3fbf_1dd4_e257_a82a, 0xc000_dc08_9839_be2d),
        (0x3fe1_5e9e_c73b_f486, 0xbfe3_8d6c_baa2_0e1a),
        (0x3fe2_223d_c785_8498, 0xbfe2_2cbc_12e8_57d4),
        (0x3fe3_9feb_4cf4_24a6, 0xbfdf_4aeb_6f1e_1425),
        (0x3fe4_0182_7574_4800, 0xbfde_0fb5_9dc3_22e0),
        (0x3fe4_5f64_a851_cae1, 0xbfdc_e617_11b9_1be7),
        (0x3fe3_3df4_7f68_df82, 0xbfe0_46c7_2985_a3cf),
        (0x3fdf_23b4_4f8d_a13b, 0xbfe7_0d92_d802_d67a),
        (0x3fe6_1be3_c3e2_a35a, 0xbfd7_aa0b_440b_e108),
        (0x3fec_6abb_9b17_0bbd, 0xbfbe_6676_d5b8_1cb0),
        (0x3fed_a25f_4ff0_7385, 0xbfb3_a976_7a6d_0954),
        (0x3feb_c628_81a5_babf, 0xbfc2_210c_8072_c93c),
        (0x3f8c_d4d1_d71d_5c64, 0xc011_0d78_e26e_ebd7),
        (0x3fec_f4e9_a5c3_19fc, 0xbfb9_9550_e4f0_6be4),
        (0x3fec_fa6d_f8c3_c613, 0xbfb9_648f_7a25_2993),
        (0x3fec_95a7_cdf9_9e82, 0xbfbc_e4ec_29ca_02fc),
        (0x3feb_d880_2eec_81b4, 0xbfc1_cc9f_c9ec_d0e3),
        (0x3fe8_be3f_5325_4808, 0xbfd0_75c0_bf50_c656),
        (0x3fe5_391c_4d33_9af7, 0xbfda_4807_382f_cd00),
        (0x3fc0_4caa_aa8a_5ac3, 0xc000_7cb7_9fc0_7c7a),
        (0x3fde_89e2_5d89_ab7f, 0xbfe7_ad30_7ed3_defb),
        (0x3fd6_fd7c_7359_1b20, 0xbff0_618c_c986_4bd8),
        (0x3fe5_5ac2_4a60_598a, 0xbfd9_e2df_1f23_cb9f),
        (0x3fe0_4fc1_caac_3dc0, 0xbfe5_9047_e645_ca91),
        (0x3fed_9332_791d_3250, 0xbfb4_2caf_d89f_4921),
        (0x3fed_3092_acc4_853b, 0xbfb7_87fb_bb35_4b4e),
        (0x3fd1_478b_4d1b_a599, 0xbff4_f327_b2cb_9ed8),
        (0x3ff0_d591_1426_4afc, 0x3faa_05ed_b227_26c0),
        (0x3ff0_99fc_8032_2e52, 0x3fa2_e532_409d_7029),
        (0x3ff0_b524_0994_0314, 0x3fa6_27fd_9ba1_6e39),
        (0x3ff0_a480_a88f_94fb, 0x3fa4_291f_6027_950c),
        (0x3ff0_d0dd_ae70_7f29, 0x3fa9_76e1_5c40_45fb),
        (0x3ff0_df3d_f0cb_f168, 0x3fab_2bdd_0502_59c5),
        (0x3ff0_df18_4bce_1a22, 0x3fab_2766_a340_86aa),
        (0x3ff0_fede_eb22_a5a8, 0x3fae_e82d_2a75_dc66),
        (0x3ff0_c632_f15a_4741, 0x3fa8_31b2_45d4_61ba),
        (0x3ff1_04f0_0096_a364, 0x3faf_9ecf_f24b_3a19),
        (0x3ff0_8099_8e3c_09e4, 0x3f9f_a7d4_223f_2f76),
        (0x3ff0_c3c7_ed77_cb50, 0x3fa7_e7de_ba34_1cf2),
        (0x3ff0_fc65_450d_3c61, 0x3fae_9d96_c565_f36c),
        (0x3ff0_e409_0827_1dba, 0x3fab_bd3d_c384_2150),
        (0x3ff1_0510_4a98_d9a9, 0x3faf_a29b_4d4c_93ab),
        (0x3ff0_f54e_61a2_a1b6, 0x3fad_c7b8_a737_7036),
        (0x3ff0_ef05_8d39_3e92, 0x3fad_09d7_f08f_d085),
        (0x3ff0_e1cd_5ee2_456e, 0x3fab_7988_d982_ef52),
        (0x3ff0_f9e4_2470_b85a, 0x3fae_5213_f32d_76cc),
        (0x3ff0_ee4b_d949_aabc, 0x3fac_f3e8_a199_7981),
    ];
}
