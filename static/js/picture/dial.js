// @ts-check
/**
 * The laboratory's face of a wheel in rings: rings, hands, slot numbers, the lengths of slots, and the details of a
 * magnified part; and the words in the middle of any picture. templates/picture.templ renders the same for the first paint.
 */
import { CENTRE, LONG_MIN, SPAN_MOST } from "./dimensions.js";
import { bordersPath, clockSize, fix, flushSizes, handPath, holeRadius, leadPath, pointerPath, ringRadii, slotLabels, spanLines, waitingClass, waitingSize, wallSize } from "./geometry.js";
import { ease } from "./face.js";
import { once } from "./nodes.js";
import { REST, originOf } from "./scene.js";
import { handSlot, ringCount } from "../state/lane-state.js";
import { sideOf, spanWords } from "../state/words.js";
import { wallClock } from "../core/times.js";
import { t } from "../core/texts.js";

/** @typedef {import("./nodes.js").Node_} Node_ */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./zoom.js").Zoom} Zoom */
/** @typedef {import("../state/store.js").LaneInfo} LaneInfo */
/** @typedef {{level: number, levels: number, slots: number, turn: number, hand: number, held: (slot: number) => number, zoom: Zoom}} Ring a magnified ring; held returns the number of timers in a slot if they are not drawn, or else 0 */

/** Minimum distance between adjacent slot numbers of a magnified ring, in units without magnification. */
const NUMBER_APART = 76;
/** Minimum distance between adjacent borders, in units without magnification. */
const BORDER_APART = 4;
/** Minimum distance between slots for their numbers of timers to be shown, in units without magnification. */
const COUNT_APART = 30;
/** Font size of a number, in units without magnification. */
const NUMBER_HIGH = 23;
/** Distance from the edge of the ring to the middle of a slot number, in units without magnification. */
const EDGE = 18;
/** Maximum number of slots drawn per level. */
const SLOTS_MAX = 400;

/**
 * Returns what lies behind the timers of a wheel in rings.
 * @param {LaneInfo} info @param {import("./spots.js").Form} form @param {Scene} scene @param {Zoom} zoom @returns {Node_[]}
 */
export function dial(info, form, scene, zoom) {
  const all = scene.after.levels;
  const levels = ringCount(all);
  const origin = originOf(scene.win, scene.lane);
  const now = Math.floor(scene.clock);
  const u = ease((scene.clock - now) / REST);
  const beside = all.some(([level]) => level < 0);
  /** @type {{frame: Node_[], hands: Node_[], pointers: Node_[], spans: Node_[], numbers: Node_[]}} */
  const parts = { frame: [], hands: [], pointers: [], spans: [], numbers: [] };
  /** @type {number[]} */
  const hands = [];
  for (const geometry of all) {
    const [level, slots] = geometry;
    if (level < 0) continue;
    const slot = (hands[level] = handSlot(geometry, now, origin));
    const at = slot === handSlot(geometry, now - 1, origin) ? slot : slot - 1 + u;
    const turn = form.turns?.[level] ?? 0;
    const key = `${info.id}/${level}/${levels}/${geometry}`;
    const how = scene.before.levels.some(([known]) => known === level) ? "" : " new";
    parts.frame.push(...once(`ring/${key}/${turn}/${how}`, () => ring(level, levels, slots, turn, how)));
    parts.hands.push(["path", { class: "hand", "data-level": level, d: handPath(level, levels, form.turns ? 0 : slot, slots, form.zoom) }]);
    parts.pointers.push(["path", { class: `pointer p${Math.min(level, 2)}`, "data-level": level, d: pointerPath(level, levels, form.turns ? 0 : at, slots) }]);
    parts.spans.push(...once(`span/${key}/${info.tick}/${beside}`, () => span(info, geometry, levels, beside)));
    parts.numbers.push(["g", { "data-level": level }, once(`number/${key}/${turn}/${slot}`, () => numbers(level, levels, slots, turn, slot))]);
  }
  if (beside) parts.numbers.push(["text", { class: "note", x: 4, y: 392 }, t(`place.${sideOf(info)}`)], ["text", { class: "note held", x: 4, y: 368 }, besideCount(scene)]);
  return [
    ["g", { class: "frame" }, parts.frame], ["g", { class: "hands" }, parts.hands], ["g", { class: "pointers" }, parts.pointers],
    ["g", { class: "spans", "aria-hidden": "true" }, parts.spans], ["g", { class: "numbers" }, parts.numbers],
    ["g", { class: "close" }, zoom.on ? close(form, scene, hands, zoom) : []],
  ];
}

/** Returns the number of timers in the side list if they are not drawn. @param {Scene} scene */
function besideCount({ after }) {
  const place = after.crowded && after.places.find(({ level, slot }) => level === -1 && slot === 0);
  return place ? String(place.count) : "";
}

/** Returns a ring and its borders. @param {number} level @param {number} levels @param {number} slots @param {number} turn @param {string} how " new" if the step added the level, or "" @returns {Node_[]} */
function ring(level, levels, slots, turn, how) {
  const [inner, outer] = ringRadii(level, levels);
  return [
    ["circle", { class: `ring${how}`, cx: 200, cy: 200, r: fix(outer) }],
    ["circle", { class: "ring hole", cx: 200, cy: 200, r: fix(inner) }],
    ["path", { class: `border${how}`, d: bordersPath(level, levels, slots), transform: turn ? `rotate(${fix((-turn * 180) / Math.PI)} 200 200)` : undefined }],
  ];
}

/** Returns the lengths of a slot and of a turn of a level, beside the rings. @param {LaneInfo} info @param {number[]} geometry @param {number} levels @param {boolean} beside whether the lane has a side list @returns {Node_[]} */
function span(info, geometry, levels, beside) {
  const [level, slots] = geometry;
  const lines = spanLines(level, levels, spanWords(geometry, info.tick), beside);
  if (lines.length === 0) return [];
  return [["path", { d: leadPath(level, levels, slots) }], ...lines.map(({ x, y, side, text, long }) => /** @type {Node_} */ (["text", { x: fix(x), y: fix(y), "text-anchor": side, ...(long ? { textLength: SPAN_MOST, lengthAdjust: "spacingAndGlyphs" } : {}) }, text]))];
}

/** Returns the slot numbers of a level. @param {number} level @param {number} levels @param {number} slots @param {number} turn @param {number} hand slot under the hand @returns {Node_[]} */
function numbers(level, levels, slots, turn, hand) {
  const kind = level > 0 ? "inner" : slots > LONG_MIN ? "long" : "";
  return slotLabels(level, levels, slots, turn).map(({ x, y, slot, side }) => ["text", { x: fix(x), y: fix(y), "text-anchor": side, "data-level": level, "data-slot": slot, class: slot === hand ? `${kind} under` : kind }, String(slot)]);
}

/**
 * Returns the time and the number of pending timers: in the middle of rings, or above another picture.
 * @param {LaneInfo} info @param {string} kind form of the picture
 * @param {{now: number, pending: number, levels: number[][]}} lane @returns {Node_[]}
 */
export function words(info, kind, { now, pending, levels }) {
  const [clock, waiting, wall] = [`t = ${now}`, t("waiting", { n: pending }), kind === "slices" ? "" : wallClock(now, info.start, info.tick)];
  if (kind !== "ring") {
    const [large, small] = flushSizes(clock, waiting);
    return [
      ["text", { class: "clock flush", x: 12, y: 21, "font-size": large }, clock], ["text", { class: "wall flush", x: 12, y: 50, "font-size": 16 }, wall],
      ["text", { class: "waiting flush", x: 334, y: 21, "font-size": small }, waiting],
    ];
  }
  const hole = holeRadius(ringCount(levels));
  return [
    ["circle", { class: "ring hole", cx: 200, cy: 200, r: fix(hole) }],
    ["text", { class: "clock", x: 200, y: fix(200 - hole * 0.24), "font-size": clockSize(hole, clock) }, clock],
    ["text", { class: "wall", x: 200, y: fix(200 + hole * 0.17), "font-size": wallSize(hole, wall) }, wall],
    ["text", { class: waitingClass(hole, waiting), x: 200, y: fix(200 + hole * 0.52), "font-size": waitingSize(hole, waiting) }, waiting],
  ];
}

/**
 * Returns the details of a magnified picture, for which there is no space otherwise: the borders of the visible slots, their
 * numbers and, if timers are not drawn, how many they contain.
 * @param {import("./spots.js").Form} form @param {Scene} scene @param {number[]} hands @param {Zoom} zoom @returns {Node_[]}
 */
function close(form, { after }, hands, zoom) {
  const counts = new Map((after.crowded ? after.places : []).map(({ level, slot, count }) => [`${level}/${slot}`, count]));
  const levels = ringCount(after.levels);
  const rings = hands.map((hand, level) => ({ zoom, levels, level, slots: after.levels[level][1], turn: form.turns?.[level] ?? 0, hand, held: (/** @type {number} */ slot) => counts.get(`${level}/${slot}`) ?? 0 }));
  return [["path", { class: "lines", d: rings.map(closeBorders).join("") }], ["g", {}, rings.flatMap(closeNumbers)]];
}

/** Returns the visible slots as [first, count]. The first may be negative. @param {Ring} ring */
function seen({ zoom, slots, turn }) {
  if (zoom.holds(CENTRE, CENTRE)) return [0, slots];
  const [mx, my] = zoom.at(0.5, 0.5);
  const middle = Math.atan2(my - CENTRE, mx - CENTRE);
  const away = [[0, 0], [0, 1], [1, 0], [1, 1]].map(([left, top]) => {
    const [x, y] = zoom.at(left, top);
    const turned = Math.atan2(y - CENTRE, x - CENTRE) - middle;
    return turned - 2 * Math.PI * Math.round(turned / (2 * Math.PI));
  });
  const each = (2 * Math.PI) / slots;
  const top = middle + Math.PI / 2 + turn;
  const first = Math.floor((top + Math.min(...away)) / each + 0.5);
  const last = Math.ceil((top + Math.max(...away)) / each - 0.5);
  return [first, Math.min(slots, last - first + 1)];
}

/** Returns the distance between adjacent slots on a circle, in units multiplied by the magnification. @param {Ring} ring @param {number} radius in units */
const apart = ({ zoom, slots }, radius) => ((2 * Math.PI * radius) / slots) * zoom.k;

/** Returns the borders of the visible slots as an SVG path. @param {Ring} ring */
function closeBorders(ring) {
  const [inner, outer] = ringRadii(ring.level, ring.levels);
  const [first, count] = seen(ring);
  if (apart(ring, outer) < BORDER_APART || count > SLOTS_MAX || ring.slots < 2) return "";
  let path = "";
  for (let k = first - 1; k < first + count; k++) {
    const [c, s] = direction(ring, k + 0.5);
    path += `M${fine(CENTRE + inner * c)} ${fine(CENTRE + inner * s)}L${fine(CENTRE + outer * c)} ${fine(CENTRE + outer * s)}`;
  }
  return path;
}

/** Returns the cosine and the sine of the angle of a slot's centre. @param {Ring} ring @param {number} slot */
function direction({ slots, turn }, slot) {
  const angle = (2 * Math.PI * slot) / slots - Math.PI / 2 - turn;
  return [Math.cos(angle), Math.sin(angle)];
}

/** Formats a coordinate. In a magnified picture it needs more than one decimal. @param {number} v */
const fine = (v) => String(Math.round(v * 1e4) / 1e4);

/** Returns the numbers of the visible slots and of their timers. @param {Ring} ring @returns {Node_[]} */
function closeNumbers(ring) {
  const { zoom, level, levels, slots, hand, held } = ring;
  const [inner, outer] = ringRadii(level, levels);
  const [mx, my] = zoom.at(0.5, 0.5);
  const far = Math.hypot(mx - CENTRE, my - CENTRE) + zoom.side * 0.45;
  const radius = Math.min(outer, far) - EDGE / zoom.k;
  if (radius < inner) return [];
  const [first, count] = seen(ring);
  const room = apart(ring, radius);
  const every = Math.max(1, Math.ceil(NUMBER_APART / room));
  if (count / every > SLOTS_MAX) return [];
  /** @type {Node_[]} */
  const made = [];
  for (let k = Math.ceil(first / every) * every; k < first + count; k += every) {
    const slot = ((k % slots) + slots) % slots;
    const [c, s] = direction(ring, k);
    const put = (/** @type {string} */ kind, /** @type {number} */ r, /** @type {string} */ text) =>
      made.push(["text", { class: kind, x: fine(CENTRE + r * c), y: fine(CENTRE + r * s), "font-size": fine(NUMBER_HIGH / zoom.k) }, text]);
    put(slot === hand ? "under" : "", radius, String(slot));
    if (held(slot) > 0 && room >= COUNT_APART) put("held", radius - (2 * EDGE) / zoom.k, `×${held(slot)}`);
  }
  return made;
}
