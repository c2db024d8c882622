// @ts-check
/** Binary search in sorted lists. */

/** @typedef {ArrayLike<number>} Sorted numbers in ascending order */

/** Returns the first index whose value is at least n, or the length if there is none. @param {Sorted} list @param {number} n */
export function atLeast(list, n) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle] < n) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the prefix sums of steps: element k is the sum of steps 0 to k. @param {number[]} steps */
export function sums(steps) {
  const out = new Float64Array(steps.length);
  let sum = 0;
  for (let k = 0; k < steps.length; k++) out[k] = sum += steps[k];
  return out;
}
