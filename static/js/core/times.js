// @ts-check
/** Pure functions that format durations and times of day. */
import { t } from "./texts.js";

/**
 * Returns the unit to show after a number of ticks, such as " ms" if a tick is 1 ms long. Returns "" if the
 * length of a tick is not exactly one unit.
 * @param {string} tick length of a base tick, such as "1ms"
 */
export function tickUnit(tick) {
  const unit = /^1(ns|us|µs|ms|s)$/.exec(tick)?.[1] ?? "";
  return unit ? ` ${unit === "us" ? "µs" : unit}` : "";
}

/** Nanoseconds per unit of a duration. @type {Record<string, number>} */
const UNITS = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

/**
 * Converts a duration, as written in a scenario, to nanoseconds. Returns NaN if it is invalid.
 * @param {string} text
 */
export function nanoseconds(text) {
  const parts = [...text.matchAll(/([0-9.]+)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([p]) => p).join("") !== text) return NaN;
  return parts.reduce((sum, [, n, unit]) => sum + Number(n) * UNITS[unit], 0);
}

const NAMES = /** @type {const} */ ([[86400e9, "d"], [3600e9, "h"], [60e9, "min"], [1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]]);

/**
 * Formats a number of ticks as a duration in the largest unit of which it is an integer multiple. Returns a
 * product, such as "5 × 1h", if the duration can't be represented exactly in nanoseconds.
 * @param {number} ticks @param {string} tick length of a base tick
 */
export function duration(ticks, tick) {
  const ns = ticks * nanoseconds(tick);
  if (!Number.isSafeInteger(ns)) return `${ticks} × ${tick}`;
  const [size, name] = NAMES.find(([unit]) => ns % unit === 0) ?? [1, "ns"];
  return `${ns / size} ${name}`;
}

/** Formats a number with at least two digits. @param {number} n */
export const twoDigits = (n) => String(n).padStart(2, "0");

/** Formats a minute, counted from 1970, as the time of day in UTC. @param {number} minute */
export function minuteName(minute) {
  return `${twoDigits(Math.floor(minute / 60) % 24)}:${twoDigits(minute % 60)}`;
}

/**
 * Formats a Unix time in seconds as the time of day in UTC. The slots of the wheel on Redis are such times.
 * @param {number} second
 */
export function secondName(second) {
  return `${minuteName(Math.floor(second / 60))}:${twoDigits(second % 60)}`;
}

/**
 * Formats a duration in the largest unit that does not exceed it, rounded to three decimals. A rounded value
 * begins with "≈", such as "≈ 1.667 min". To avoid rounding, the next smaller unit is used if it gives an exact
 * value below 1000, such as "100 s". It must agree with the function lasting in web/view/geometry.go.
 * @param {number} ns
 */
export function lasting(ns) {
  if (ns === 0) return "0";
  const exact = (/** @type {number} */ unit) => (ns * 1000) % unit === 0;
  const largest = NAMES.findIndex(([unit]) => ns >= unit);
  const smaller = NAMES[largest + 1]?.[0] ?? 0;
  const [size, name] = NAMES[!exact(NAMES[largest][0]) && exact(smaller) && ns < 1000 * smaller ? largest + 1 : largest];
  const text = `${Math.round((ns * 1000) / size) / 1000} ${name}`;
  return exact(size) ? text : `≈ ${text}`;
}

/**
 * Returns the duration of a number of ticks, in nanoseconds. Returns NaN if it is not an integer from 0 to
 * `most`.
 * @param {number} ticks @param {string} tick length of a base tick @param {number} [most]
 */
export function ticksLast(ticks, tick, most = Number.MAX_SAFE_INTEGER) {
  const ns = ticks * nanoseconds(tick);
  return Number.isInteger(ns) && ns <= most && ns >= 0 ? ns : NaN;
}

/** Earliest start of a scenario, in nanoseconds since 1970, for which ticks are shown as times of day. */
const CALENDAR_FROM = 1e17;

/**
 * Formats the time of a tick: the time of day in UTC if the scenario's start is at least CALENDAR_FROM, and
 * otherwise the time since the start. Returns "" if the time is not known exactly. It must agree with
 * wallClock in web/view/geometry.go.
 * @param {number} now ticks since the start @param {number} start absolute tick @param {string} tick
 */
export function wallClock(now, start, tick) {
  const one = nanoseconds(tick);
  if (start >= Math.floor(CALENDAR_FROM / one)) return secondName(Number((BigInt(start + now) * BigInt(one)) / 1_000_000_000n));
  const ns = ticksLast(now, tick);
  if (ns === 0) return lasting(one).replace(/^.* /, "0 ");
  if (!(ns >= 60e9)) return Number.isNaN(ns) ? "" : lasting(ns);
  const seconds = Math.floor(ns / 1e9);
  const rest = ns % 1e9 ? (Math.floor((ns % 1e9) / 1e6) / 1e3).toFixed(3).slice(1) : "";
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${twoDigits(m)}:${twoDigits(s)}${rest}` : `${m}:${twoDigits(s)}${rest}`;
}

const RATE_MIN = 0.1;
const RATE_MAX = 1e9;
/**
 * Maximum rate, in ticks per second, for multiples of real time above 1000. They are offered if ticks are so long
 * that 1000 times real time is slow.
 */
const TICKS_S = 1000;
/** Maximum duration of playback at the initial speed, in seconds. */
const FIRST_PLAY_S = 40;

/** Returns the rate of real time, in ticks per second. @param {string} tick length of a base tick */
function realRate(tick) {
  return 1e9 / nanoseconds(tick);
}

/**
 * Returns the available speeds: 1, 2, 5, 10 … ticks per second up to real time, multiples of real time by
 * powers of ten, and maximum speed.
 * @param {string} tick
 */
export function ladder(tick) {
  const real = realRate(tick);
  const rates = [];
  for (let power = 1; power < Math.min(real, 1e6); power *= 10) {
    for (const n of [1, 2, 5]) if (n * power < real) rates.push(n * power);
  }
  for (let times = 1; times <= 1000 || real * times <= TICKS_S; times *= 10) rates.push(real * times);
  return [...rates.filter((rate) => rate >= RATE_MIN && rate <= RATE_MAX), 0];
}

/**
 * Returns the initial speed: the slowest at which playing the run takes at most FIRST_PLAY_S or, if there is
 * none, the fastest one below maximum speed.
 * @param {string} tick @param {number} until
 */
export function firstRate(tick, until) {
  const rates = ladder(tick);
  return rates.find((rate) => rate >= until / FIRST_PLAY_S) ?? rates[rates.length - 2];
}

/** Returns a description of a speed. @param {number} rate @param {string} tick */
export function speedWords(rate, tick) {
  if (rate === 0) return t("speed.max");
  const times = rate / realRate(tick);
  if (Math.abs(times - 1) < 1e-9) return t("speed.real");
  if (times > 1) return t("speed.times", { n: Math.round(times) });
  return rate === 1 ? t("speed.tick") : t("speed.ticks", { n: rate });
}
