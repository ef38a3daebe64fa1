//! Products of two words, whole: 128 bits.

/// Folds the whole product of two words into one: every bit of both reaches every bit of the result. For keys of positions.
///
/// ```
/// let product = 0x0123_4567_89ab_cdef_u128 * 0xfedc_ba98_7654_3210_u128;
/// let fold = search_core::fold(0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210);
/// assert_eq!(fold, product as u64 ^ (product >> 64) as u64);
/// ```
#[inline(always)]
pub const fn fold(left: u64, right: u64) -> u64 {
    let (low, high) = product(left, right);
    low ^ high
}

/// A number below `count`, as far along as the word is among all words: close to uniform if the words are.
#[inline(always)]
pub(crate) const fn share(word: u64, count: u64) -> u64 {
    product(word, count).1
}

/// The low and the high half of a product.
#[cfg(not(target_family = "wasm"))]
#[inline(always)]
const fn product(left: u64, right: u64) -> (u64, u64) {
    let product = left as u128 * right as u128;
    (product as u64, (product >> 64) as u64)
}

/// The low and the high half of a product. WebAssembly has no instruction for the high half and would call a function, which takes
/// longer than what is done here.
#[cfg(target_family = "wasm")]
#[inline(always)]
const fn product(left: u64, right: u64) -> (u64, u64) {
    (left.wrapping_mul(right), by_halves(left, right))
}

/// The high half of a product, from products of halves.
#[cfg(any(target_family = "wasm", test))]
#[inline(always)]
const fn by_halves(left: u64, right: u64) -> u64 {
    const LOW: u64 = u32::MAX as u64;
    let (left_low, left_high) = (left & LOW, left >> 32);
    let (right_low, right_high) = (right & LOW, right >> 32);
    let middle = left_high * right_low + (left_low * right_low >> 32);
    let other = left_low * right_high + (middle & LOW);
    left_high * right_high + (middle >> 32) + (other >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix;

    #[test]
    fn halves_give_the_same_product() {
        let edges = [0, 1, 2, u64::from(u32::MAX), 1 << 32, u64::MAX - 1, u64::MAX];
        let mixed = (0..2000).map(split_mix);
        let words: Vec<u64> = edges.into_iter().chain(mixed).collect();
        for (place, &left) in words.iter().enumerate() {
            for &right in words.iter().skip(place % 7).step_by(7) {
                assert_eq!(by_halves(left, right), product(left, right).1, "{left:#x} {right:#x}");
            }
        }
    }
}
