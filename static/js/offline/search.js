// @ts-check
/** Binary search in lists that grow. */

/** @typedef {ArrayLike<number>} Sorted in ascending order */

/** The first index whose value is n or more; the length where there is none. @param {Sorted} list @param {number} n */
export function atLeast(list, n) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle] < n) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last index whose value is n or less; −1 where there is none. @param {Sorted} list @param {number} n */
export function atMost(list, n) {
  return atLeast(list, n + 1) - 1;
}

/** Sums from the first to each. @param {number[]} steps */
export function sums(steps) {
  const out = new Float64Array(steps.length);
  let sum = 0;
  for (let k = 0; k < steps.length; k++) out[k] = sum += steps[k];
  return out;
}
