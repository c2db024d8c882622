// @ts-check
/** Formulas of the wheels of operating systems and runtimes: Linux, old Linux, tokio. See formulas.js. */
import { shown } from "./facts.js";
import { t } from "../core/texts.js";

/** @typedef {import("./facts.js").Facts} Facts */

/**
 * Returns the minimum delay, in ticks, for a level of the Linux wheel: 0, 63, 504, … (LVL_START).
 * @param {number} level
 */
function linuxStart(level) {
  return level === 0 ? 0 : 63 * 8 ** (level - 1);
}

/** Formats why the level was chosen, such as "level 2: 504 ≤ 640 − 0 = 640 < 4032". @param {Facts} f */
export function linuxLevel(f) {
  return span(f, linuxStart(f.level), f.level === f.levels.length - 1 ? Infinity : linuxStart(f.level + 1));
}

/** Formats the slot, and the tick at which it is processed. @param {Facts} f @returns {string[]} */
export function linuxSlot(f) {
  const q = Math.floor(f.due / f.width) + 1;
  if (q % f.slots !== f.slot) return [];
  const at = q * f.width;
  return [
    `${t("f.slot")} = (⌊${shown(f, f.due)} / ${f.width}⌋ + 1) & 63 = ${q} & 63 = ${f.slot}`,
    `${t("f.fires")} = ${q} · ${f.width} = ${at - f.start === at ? at : shown(f, at)}`,
  ];
}

/** Returns the minimum delay, in ticks, for a level of the classic Linux wheel: 0, 2^8, 2^14, 2^20, 2^26. @param {number} level */
function classicStart(level) {
  return level === 0 ? 0 : 2 ** (2 + 6 * level);
}

/** Formats why the level was chosen, such as "level 1: 256 ≤ 640 − 0 = 640 < 16384". @param {Facts} f */
export function classicLevel(f) {
  return span(f, classicStart(f.level), f.level === 4 ? Infinity : classicStart(f.level + 1));
}

/** Formats the slot in the classic Linux wheel: slot = (due >> shift) & mask. @param {Facts} f */
export function classicSlot(f) {
  const shift = Math.log2(f.width);
  if (Math.floor(f.due / f.width) % f.slots !== f.slot) return "";
  return `${t("f.slot")} = (${shown(f, f.due)} >> ${shift}) & ${f.slots - 1} = ${f.slot}`;
}

/**
 * Formats the inequality by which the level was chosen, such as "level 2: 504 ≤ 640 − 0 = 640 < 4032". Returns ""
 * if it does not hold.
 * @param {Facts} f @param {number} least minimum delay @param {number} past the delay must be less; may be Infinity
 */
function span(f, least, past) {
  const d = f.due - f.now;
  if (d < least || d >= past) return "";
  const upper = past === Infinity ? "" : ` < ${past}`;
  return `${t("f.level", { level: f.level })}: ${least} ≤ ${f.due - f.start} − ${f.now - f.start} = ${d}${upper}`;
}

/**
 * Formats, for tokio, the level, which is the highest six-bit digit in which the due tick and the clock differ,
 * and the slot.
 * @param {Facts} f @returns {string[]}
 */
export function bitsLine(f) {
  const shift = 6 * f.level;
  if (Math.floor(f.due / f.width) % 64 !== f.slot) return [];
  return [bitsLevel(f), `${t("f.slot")} = (${shown(f, f.due)} >> ${shift}) & 63 = ${f.slot}`];
}

/** Formats, for tokio, the level: the highest bit in which the due tick and the clock differ, div 6. @param {Facts} f */
function bitsLevel(f) {
  const differ = BigInt(f.now) ^ BigInt(f.due); // BigInt, since ^ on numbers would truncate to 32 bits
  const top = (differ | 63n).toString(2).length - 1;
  if (Math.floor(top / 6) !== f.level) return "";
  return `${t("f.level.is")} = ${t("f.topbit")}((${shown(f, f.now)} xor ${shown(f, f.due)}) | 63) div 6 = ${top} div 6 = ${f.level}`;
}
