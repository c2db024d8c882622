// @ts-check
/** Durations and times of day as text. Pure. */

/** Returns the unit of ticks if a base tick is exactly one of it: " ms" for "1ms"; else "". @param {string} tick */
export function tickUnit(tick) {
  const unit = /^1(ns|us|µs|ms|s)$/.exec(tick)?.[1] ?? "";
  return unit ? ` ${unit === "us" ? "µs" : unit}` : "";
}

/** Nanoseconds per unit of a duration. @type {Record<string, number>} */
const UNITS = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

/** Converts a scenario's duration to nanoseconds; NaN if it is invalid. @param {string} text */
export function nanoseconds(text) {
  const parts = [...text.matchAll(/([0-9.]+)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([p]) => p).join("") !== text) return NaN;
  return parts.reduce((sum, [, n, unit]) => sum + Number(n) * UNITS[unit], 0);
}

const NAMES = /** @type {const} */ ([[86400e9, "d"], [3600e9, "h"], [60e9, "min"], [1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]]);

/** Formats ticks as a duration in the largest unit that gives an integer. @param {number} ticks @param {string} tick */
export function duration(ticks, tick) {
  const ns = ticks * nanoseconds(tick);
  if (!Number.isSafeInteger(ns)) return `${ticks} × ${tick}`;
  const [size, name] = NAMES.find(([unit]) => ns % unit === 0) ?? [1, "ns"];
  return `${ns / size} ${name}`;
}

/** Returns a number with at least two digits. @param {number} n */
export const twoDigits = (n) => String(n).padStart(2, "0");

/** Formats a minute since 1970 as UTC time of day. @param {number} minute */
export function minuteName(minute) {
  return `${twoDigits(Math.floor(minute / 60) % 24)}:${twoDigits(minute % 60)}`;
}

/** Formats a Unix second, a slot of the wheel on Redis, as UTC time of day. @param {number} second */
export function secondName(second) {
  return `${minuteName(Math.floor(second / 60))}:${twoDigits(second % 60)}`;
}
