// @ts-check
/** Pure functions for the speeds of the player, in ticks per second. 0 means maximum speed. */
import { nanoseconds } from "../core/times.js";
import { t } from "../core/texts.js";

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
