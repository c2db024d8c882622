// @ts-check
/**
 * Draws a wheel as straight rows of cells, the finest level at the top. It is used for algorithms with the
 * trait `rows`, which have so many levels that rings would be too thin. It must agree with templates/rows.go.
 */
import { CELL_TALL, DOT_MIN, ROW_PHASES, ROWS_BOTTOM as BOTTOM, ROWS_HEAD as HEAD, ROWS_LEFT as LEFT, ROWS_TOP as TOP, ROWS_WIDE as WIDE } from "./dimensions.js";
import { fix } from "./face.js";
import { originOf } from "./scene.js";
import { handSlot, ringCount } from "../state/lane-state.js";
import { t } from "../core/texts.js";
import { spanWords } from "../state/words.js";
import { traitsOf } from "../state/traits.js";

/** @typedef {import("./nodes.js").Node_} Node_ */
/** @typedef {import("./face.js").Spot} Spot */

/** Number of shades of cells: for 1 timer, 2 to 7, 8 to 63, and more. */
const SHADES = 4;
/** Distance from a cell to the middle of a number below it, in units. */
const BELOW = 9;

/**
 * Returns the form of a lane's picture: "rows", or the shape of the lane.
 * @param {{algorithm: string, shape: string}} info
 */
export function formOf({ algorithm, shape }) {
  return traitsOf(algorithm).rows ? "rows" : shape;
}

/**
 * Returns the number of levels to draw: up to the highest level that a delay within the run can reach or that
 * contains timers. The rows of all other levels would be empty.
 * @param {string} algorithm @param {{levels: number[][], places: {level: number}[]}} state @param {number} until last tick of the scenario
 */
export function rowsShown(algorithm, { levels, places }, until) {
  const reach = algorithm === "linux" ? 63 / 8 : 1; // linux: level l begins at a delay of 63/8 of its width
  let shown = 1;
  for (const [level, , width] of levels) if (width * reach <= until) shown = Math.max(shown, level + 1);
  for (const { level } of places) shown = Math.max(shown, level + 1);
  return Math.min(shown, ringCount(levels));
}

/** Returns the top and the height of a row, and the width of a cell. @param {number} level @param {number} levels @param {number} slots */
export function rowAt(level, levels, slots) {
  const pitch = (BOTTOM - TOP) / Math.max(levels, 1);
  const room = pitch - HEAD - 4;
  const high = Math.min(CELL_TALL, room);
  return { top: TOP + level * pitch + HEAD + (room - high) / 2, high, wide: WIDE / slots };
}

/**
 * Returns the radius of a dot in a lane with the given number of timers.
 * @param {number} timers @param {number} high height of a row
 */
function dotRadius(timers, high) {
  return Math.min(high / 2 + 2, timers <= 24 ? 11 : timers <= 120 ? 6 : 2.7);
}

/**
 * Returns the position of the timer at `index` of `count` in a cell. Timers are stacked vertically. A single
 * timer is at one of ROW_PHASES heights, depending on the slot, if there is room.
 * @param {import("./spots.js").Form} form @param {number} level @param {number} slot @param {number} count
 * @param {number} index
 * @returns {Spot}
 */
export function rowSpot(form, level, slot, count, index) {
  const { top, high, wide } = rowAt(level, form.rows ?? 1, form.levels[level][1]);
  const r = dotRadius(form.size, high) / (count > 1 ? 1.4 : 1);
  const [order, of] = count === 1 && high >= 2 * r * ROW_PHASES ? [slot % ROW_PHASES, ROW_PHASES] : [index, count];
  return { x: LEFT + wide * (slot + 0.5), y: top + (high * (order + 0.5)) / of, r: Math.max(DOT_MIN, r) };
}

/** Returns the point below a cell at which a number is written. @param {import("./spots.js").Form} form @param {number} level @param {number} slot */
export function belowCell(form, level, slot) {
  const { top, high, wide } = rowAt(level, form.rows ?? 1, form.levels[level][1]);
  return { x: LEFT + wide * (slot + 0.5), y: top + high + BELOW };
}

/** Returns the outline of a cell, as an SVG path. @param {import("./spots.js").Form} form @param {number} level @param {number} slot */
export function cellPath(form, level, slot) {
  const { top, high, wide } = rowAt(level, form.rows ?? 1, form.levels[level][1]);
  return `M${fix(LEFT + wide * slot)} ${fix(top)}h${fix(wide)}v${fix(high)}h${fix(-wide)}z`;
}

/** Returns the cell at a point of the picture, or null if there is none. @param {import("./spots.js").Form} form @param {number} x @param {number} y */
export function cellAt({ levels, rows: count = 1 }, x, y) {
  for (let level = 0; level < count; level++) {
    const { top, high, wide } = rowAt(level, count, levels[level][1]);
    if (y >= top - 3 && y <= top + high + 3 && x >= LEFT && x < LEFT + WIDE) return { level, slot: Math.floor((x - LEFT) / wide) };
  }
  return null;
}

/**
 * Returns what lies behind the timers of a wheel in rows.
 * @param {import("../state/store.js").LaneInfo} info @param {import("./spots.js").Form} form @param {import("./scene.js").Scene} scene @returns {Node_[]}
 */
export function rows(info, { rows: count = 1 }, scene) {
  const { after } = scene;
  const origin = originOf(scene.win, scene.lane);
  const shown = after.levels.slice(0, count);
  const frame = shown.flatMap((geometry) => {
    const [level, slots] = geometry;
    const { top, high, wide } = rowAt(level, count, slots);
    const shades = Array.from({ length: SHADES }, () => "");
    for (const place of after.places) if (place.level === level) shades[shadeOf(place.count)] += box(LEFT + wide * place.slot, top, wide, high);
    return /** @type {Node_[]} */ ([
      ["rect", { class: "ring", x: LEFT, y: fix(top), width: WIDE, height: fix(high) }], ...shades.map((d, k) => ["path", { class: `shade s${k}`, d }]),
      ["path", { class: "border", d: borders(top, high, wide, slots) }],
    ]);
  });
  const hands = shown.map((geometry) => {
    const [level, slots] = geometry;
    const { top, high, wide } = rowAt(level, count, slots);
    return /** @type {Node_} */ (["path", { class: "hand", "data-level": level, d: box(LEFT + wide * handSlot(geometry, Math.floor(scene.clock), origin), top, Math.max(wide, 3), high) }]);
  });
  if (info.algorithm === "linux") {
    const late = [...after.timers.values()].filter(({ level }) => level >= 0 && level < count).map(({ level, slot, due }) => {
      const { top, high, wide } = rowAt(level, count, after.levels[level][1]);
      return whisker(origin + due, slot, after.levels[level][2], wide, top + high);
    });
    hands.push(["path", { class: "late", d: late.join("") }]);
  }
  const words = shown.flatMap((geometry) => {
    const { top } = rowAt(geometry[0], count, geometry[1]);
    const [text, turn] = label(geometry, info.tick);
    return /** @type {Node_[]} */ ([
      ["text", { class: "row", x: LEFT, y: fix(top - 11) }, [["tspan", {}, text], ["tspan", { class: "turn" }, turn]]],
      ["text", { class: "row word", x: LEFT + WIDE, y: fix(top - 11) }, wordOf(info.algorithm, geometry, after.places)],
    ]);
  });
  return [["g", { class: "frame" }, frame], ["g", { class: "hands" }, hands], ["g", { class: "numbers" }, words]];
}

/** Returns the text at the right of a row: the occupancy word of tokio, or the maximum lateness of linux. @param {string} algorithm @param {number[]} geometry @param {{level: number, slot: number}[]} places */
function wordOf(algorithm, [level, , width], places) {
  if (algorithm === "linux") return t("lane.rows.late", { n: width });
  if (algorithm !== "tokio") return "";
  return places.reduce((word, place) => (place.level === level ? word | (1n << BigInt(place.slot)) : word), 0n).toString(16).padStart(16, "0");
}

/**
 * Returns the two texts beside a row: the level with the length of a slot, and the length of a turn. It must
 * agree with rowLabel in templates/rows.go.
 * @param {number[]} geometry [level, slots, width] @param {string} tick
 */
function label(geometry, tick) {
  const [level, , width] = geometry;
  const [, span, turn] = /^([^,，]+)(.*)$/u.exec(spanWords(geometry, tick)) ?? [];
  return span ? [t("lane.rows.span", { level, span }), turn] : [t("lane.rows.level", { level, width }), ""];
}

/**
 * Returns the outline of a cell as an SVG path.
 * @param {number} x @param {number} y @param {number} wide @param {number} high
 */
function box(x, y, wide, high) {
  return `M${fix(x)} ${fix(y)}h${fix(wide)}v${fix(high)}h${fix(-wide)}z`;
}

/** Returns the index of the shade of a cell with the given number of timers. @param {number} count */
function shadeOf(count) {
  return count < 2 ? 0 : count < 8 ? 1 : count < 64 ? 2 : 3;
}

/**
 * Returns the borders between the cells of a row, or every eighth border if there are more than 64 cells.
 * @param {number} top @param {number} high @param {number} wide @param {number} slots
 */
function borders(top, high, wide, slots) {
  let path = "";
  const step = slots > 64 ? 8 : 1;
  for (let s = step; s < slots; s += step) path += `M${fix(LEFT + wide * s)} ${fix(top)}v${fix(high)}`;
  return path;
}

/**
 * Returns a line, as an SVG path, from the due tick of a timer to the start of the timer's cell, since the timer
 * fires when the hand reaches the cell. Returns "" if there is nothing to draw.
 * @param {number} due absolute due tick @param {number} slot slot of the cell @param {number} width ticks per slot
 * @param {number} wide width of a cell, in units @param {number} y
 */
function whisker(due, slot, width, wide, y) {
  if (width <= 1) return "";
  const from = LEFT + wide * ((due / width) % 64);
  const to = LEFT + (slot === 0 ? WIDE : wide * slot);
  return from < to ? `M${fix(from)} ${fix(y - 3)}v6M${fix(from)} ${fix(y)}H${fix(to)}` : "";
}
