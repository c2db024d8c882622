// @ts-check
/** Pure functions that return texts for places, timers and the geometry of lanes. */
import { WIDTHS_SHOWN } from "../core/limits.js";
import { lasting, secondName, ticksLast } from "../core/times.js";
import { ringCount } from "./lane-state.js";
import { t } from "../core/texts.js";
import { traitsOf } from "./traits.js";

/** @typedef {{id: string, algorithm: string, shape: string, arity: number}} LaneInfo the properties of a lane that texts depend on */

/** Maximum number of characters of a timer's name in a sentence. */
const NAME_MAX = 40;
/** Matches the characters that change the direction of the text after them. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Returns a timer's name as a part of a sentence: a long one is cut, and one that changes the direction of text is isolated. @param {string} name */
export function nameInText(name) {
  const letters = [...name];
  const short = letters.length > NAME_MAX ? `${letters.slice(0, NAME_MAX - 1).join("")}…` : name;
  return DIRECTION.test(short) ? `\u2068${short.replace(/[\u2066-\u2069]/g, "")}\u2069` : short;
}

/** Returns what a place of a lane is called, as a suffix for keys of texts: "slot" for a ring of one level, or else the shape. @param {LaneInfo} info @param {number[][]} levels */
export function tableHead(info, levels) {
  return info.shape === "ring" && ringCount(levels) === 1 ? "slot" : info.shape;
}

/** Returns what level −1 of a lane is: "pending" for a queue of timers not yet placed, or "side" for a list beside the wheel. @param {{algorithm?: string}} info */
export function sideOf({ algorithm }) {
  return traitsOf(algorithm).side ?? "side";
}

/** Returns the name of a place in a sentence. @param {LaneInfo} info @param {number[][]} levels @param {number} level @param {number} slot */
export function placeName(info, levels, level, slot) {
  if (info.shape === "slices") return level < 0 ? t(`redis.place.${slot}`) : t("place.slices", { time: secondName(slot) });
  if (level < 0) return t(`place.${sideOf(info)}`);
  return t(`place.${tableHead(info, levels)}`, { level, slot });
}

/** Returns the name of a place in the table's first column. @param {LaneInfo} info @param {number[][]} levels @param {number} level @param {number} slot */
export function placeCell(info, levels, level, slot) {
  if (info.shape === "slices") return level < 0 ? t(`redis.beside.${slot}`) : secondName(slot);
  if (level < 0) return t(`cell.${sideOf(info)}`);
  if (info.shape === "list") return t("cell.list");
  return tableHead(info, levels) === "ring" ? `${level} · ${slot}` : String(slot);
}

/** Returns a description of a timer: its name, due tick and rounds, its key if that is stale, and whether it is marked. @param {string} name @param {import("./lane-state.js").Entry} entry */
export function timerTitle(name, { due, rounds, marked, stale, key }) {
  const title = t(rounds >= 0 ? "timer.rounds" : "timer.due", { name, due, rounds });
  return [title, ...(stale ? [t("timer.stale", { key })] : []), ...(marked ? [t("timer.marked")] : [])].join(" · ");
}

/**
 * Returns a description of a lane's geometry: the number of levels and slots of a ring, or else the shape. It
 * must agree with geometryWords in web/view/geometry.go.
 * @param {LaneInfo} info @param {number[][]} levels
 */
export function geometryWords(info, levels) {
  if (info.algorithm === "list") return t("geometry.unordered");
  if (info.shape !== "ring") return t(`geometry.${info.shape}`, { arity: info.arity });
  const ring = levels.filter(([level]) => level >= 0);
  const sizes = ring.map(([, slots]) => slots);
  const slots = sizes.every((n) => n === sizes[0]) ? String(sizes[0]) : sizes.join(" / ");
  const words = t(ring.length === 1 ? "geometry.slots" : "geometry.levels", { levels: ring.length, slots });
  return `${words}${ring.length < levels.length ? ` · ${t(`place.${sideOf(info)}`)}` : ""}`;
}

/**
 * Returns a description of the durations of a slot and of a turn, for all levels of a ring. Returns "" for other
 * shapes. It must agree with turnWords in web/view/geometry.go.
 * @param {LaneInfo} info @param {number[][]} levels @param {string} tick length of a base tick
 */
export function turnWords(info, levels, tick) {
  if (info.shape !== "ring") return "";
  const all = levels.filter(([level]) => level >= 0).map((level) => spans(level, tick) ?? [`${level[2]} × ${tick}`, `${level[1]} × ${level[2]} × ${tick}`]);
  return t("ring.span", { slot: joinUnits(all.map(([slot]) => slot)), turn: joinUnits(all.map(([, turn]) => turn)) });
}

/** Joins durations: "1 ms", "3 ms" and "9 ms" become "1 / 3 / 9 ms". @param {string[]} widths */
function joinUnits(widths) {
  if (widths.length > WIDTHS_SHOWN) widths = [widths[0], widths[1], "…", widths[widths.length - 1]];
  const cut = widths.map((w) => w.split(" "));
  const same = cut.every(([number, unit]) => unit === cut[0][1] && !Number.isNaN(Number(number)));
  return same ? `${cut.map(([number]) => number).join(" / ")} ${cut[0][1]}` : widths.join(" / ");
}

/** Longest duration of a slot or a turn that is shown, in nanoseconds. */
const SPAN_MAX = 2 ** 62;

/**
 * Formats the durations of a slot and of a turn of a level. Returns null if the level has no slots or a duration
 * exceeds SPAN_MAX. It must agree with spans in web/view/geometry.go.
 * @param {number[]} level [level, slots, width] @param {string} tick
 */
function spans([, slots, width], tick) {
  const slot = ticksLast(width, tick, SPAN_MAX);
  return slots > 0 && slot * slots <= SPAN_MAX ? [lasting(slot), lasting(slot * slots)] : null;
}

/**
 * Returns a description of the durations of a slot and of a turn of a level, or "" if it is level −1, has no
 * slots, or a duration exceeds SPAN_MAX. It must agree with spanWords in web/view/geometry.go.
 * @param {number[]} level [level, slots, width] @param {string} tick
 */
export function spanWords(level, tick) {
  const both = level[0] < 0 ? null : spans(level, tick);
  return both ? t("ring.span", { slot: both[0], turn: both[1] }) : "";
}
