// @ts-check
/**
 * The laboratory's face of a wheel in rings: rings, hands, slot numbers, the lengths of slots, and the details of a
 * magnified part; and the words in the middle of any picture. templates/picture.templ renders the same for the first paint.
 */
import * as D from "./dimensions.js";
import { CENTRE, LONG_MIN, SPAN_MOST } from "./dimensions.js";
import { TAU, angle, clamp, ease, fix, hubRadius, labelPoint, mod, point, ringsOf, sector, spokes } from "./face.js";
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
/** @typedef {import("./face.js").Ring} Ring */
/** @typedef {Ring & {turn: number, hand: number, held: (slot: number) => number, zoom: Zoom}} Magnified a magnified ring; turn: the slot at the top; held returns the number of timers in a slot if they are not drawn, or else 0 */

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
  const rings = ringsOf(all);
  const origin = originOf(scene.win, scene.lane);
  const now = Math.floor(scene.clock);
  const u = ease((scene.clock - now) / REST);
  const beside = all.some(([level]) => level < 0);
  /** @type {{frame: Node_[], hands: Node_[], pointers: Node_[], spans: Node_[], numbers: Node_[]}} */
  const parts = { frame: [], hands: [], pointers: [], spans: [], numbers: [] };
  /** @type {number[]} */
  const hands = [];
  for (const geometry of all) {
    const [level] = geometry;
    if (level < 0) continue;
    const slot = (hands[level] = handSlot(geometry, now, origin));
    const at = slot === handSlot(geometry, now - 1, origin) ? slot : slot - 1 + u;
    const turn = form.turns?.[level] ?? 0;
    const key = `${info.id}/${level}/${rings.length}/${geometry}`;
    const how = scene.before.levels.some(([known]) => known === level) ? "" : " new";
    parts.frame.push(...once(`ring/${key}/${turn}/${how}`, () => ringLines(rings[level], turn, how)));
    parts.hands.push(["path", { class: "hand", "data-level": level, d: sector(rings[level], form.turns ? 0 : slot, form.zoom) }]);
    parts.pointers.push(["path", { class: `pointer p${Math.min(level, 2)}`, "data-level": level, d: pointerPath(rings, level, form.turns ? 0 : at) }]);
    parts.spans.push(...once(`span/${key}/${info.tick}/${beside}`, () => span(info, geometry, rings, beside)));
    parts.numbers.push(["g", { "data-level": level }, once(`number/${key}/${turn}/${slot}`, () => numbers(rings[level], level, turn, slot))]);
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

/** Returns a ring and its borders. @param {Ring} ring @param {number} turn slot at the top @param {string} how " new" if the step added the level, or "" @returns {Node_[]} */
function ringLines(ring, turn, how) {
  return [
    ["circle", { class: `ring${how}`, cx: 200, cy: 200, r: fix(ring.outer) }],
    ["circle", { class: "ring hole", cx: 200, cy: 200, r: fix(ring.inner) }],
    ["path", { class: `border${how}`, d: spokes(ring), transform: turn ? `rotate(${fix((-turn * 360) / ring.slots)} 200 200)` : undefined }],
  ];
}

/** Returns the lengths of a slot and of a turn of a level, beside the rings. @param {LaneInfo} info @param {number[]} geometry @param {Ring[]} rings @param {boolean} beside whether the lane has a side list @returns {Node_[]} */
function span(info, geometry, rings, beside) {
  const [level] = geometry;
  const lines = spanLines(level, spanWords(geometry, info.tick), beside);
  if (lines.length === 0) return [];
  return [["path", { d: leadPath(rings[level], level) }], ...lines.map(({ x, y, side, text, long }) => /** @type {Node_} */ (["text", { x: fix(x), y: fix(y), "text-anchor": side, ...(long ? { textLength: SPAN_MOST, lengthAdjust: "spacingAndGlyphs" } : {}) }, text]))];
}

/** Returns the slot numbers of a level. @param {Ring} ring @param {number} level @param {number} turn slot at the top @param {number} hand slot under the hand @returns {Node_[]} */
function numbers(ring, level, turn, hand) {
  const kind = level > 0 ? "inner" : ring.slots > LONG_MIN ? "long" : "";
  return slotLabels(ring, level, turn).map(({ x, y, slot, side }) => ["text", { x: fix(x), y: fix(y), "text-anchor": side, "data-level": level, "data-slot": slot, class: slot === hand ? `${kind} under` : kind }, String(slot)]);
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
  const hole = hubRadius(ringCount(levels));
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
  const rings = ringsOf(after.levels).map((ring, level) => ({ ...ring, zoom, turn: form.turns?.[level] ?? 0, hand: hands[level], held: (/** @type {number} */ slot) => counts.get(`${level}/${slot}`) ?? 0 }));
  return [["path", { class: "lines", d: rings.map(closeBorders).join("") }], ["g", {}, rings.flatMap(closeNumbers)]];
}

/** Returns the visible slots as [first, count]. The first may be negative. @param {Magnified} ring */
function seen({ zoom, slots, turn }) {
  if (zoom.holds(CENTRE, CENTRE)) return [0, slots];
  const [mx, my] = zoom.at(0.5, 0.5);
  const middle = Math.atan2(my - CENTRE, mx - CENTRE);
  const away = [[0, 0], [0, 1], [1, 0], [1, 1]].map(([left, top]) => {
    const [x, y] = zoom.at(left, top);
    const turned = Math.atan2(y - CENTRE, x - CENTRE) - middle;
    return turned - 2 * Math.PI * Math.round(turned / (2 * Math.PI));
  });
  const each = TAU / slots;
  const top = middle + TAU / 4 + turn * each;
  const first = Math.floor((top + Math.min(...away)) / each + 0.5);
  const last = Math.ceil((top + Math.max(...away)) / each - 0.5);
  return [first, Math.min(slots, last - first + 1)];
}

/** Returns the distance between adjacent slots on a circle, in units multiplied by the magnification. @param {Magnified} ring @param {number} radius in units */
const apart = ({ zoom, slots }, radius) => ((2 * Math.PI * radius) / slots) * zoom.k;

/** Returns the borders of the visible slots as an SVG path. @param {Magnified} ring */
function closeBorders(ring) {
  const { inner, outer } = ring;
  const [first, count] = seen(ring);
  if (apart(ring, outer) < BORDER_APART || count > SLOTS_MAX || ring.slots < 2) return "";
  let path = "";
  for (let k = first - 1; k < first + count; k++) {
    path += `M${fine(point(inner, k + 0.5 - ring.turn, ring.slots))}L${fine(point(outer, k + 0.5 - ring.turn, ring.slots))}`;
  }
  return path;
}

/** Formats the coordinates of a point of a magnified picture. @param {number[]} p */
const fine = (p) => p.map((v) => fix(v, 100)).join(" ");

/** Returns the numbers of the visible slots and of their timers. @param {Magnified} ring @returns {Node_[]} */
function closeNumbers(ring) {
  const { zoom, slots, turn, hand, held, inner, outer } = ring;
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
    const slot = mod(k, slots);
    const put = (/** @type {string} */ kind, /** @type {number} */ r, /** @type {string} */ text) => {
      const [x, y] = point(r, k - turn, slots);
      made.push(["text", { class: kind, x: fix(x, 100), y: fix(y, 100), "font-size": fix(NUMBER_HIGH / zoom.k, 100) }, text]);
    };
    put(slot === hand ? "under" : "", radius, String(slot));
    if (held(slot) > 0 && room >= COUNT_APART) put("held", radius - (2 * EDGE) / zoom.k, `×${held(slot)}`);
  }
  return made;
}

/** Returns the slot numbers of a level and their positions; those of inner rings are on the border. @param {Ring} ring @param {number} level @param {number} turn slot at the top */
export function slotLabels({ outer, slots }, level, turn) {
  if (level === 0 && slots > LONG_MIN) return longLabels(slots, turn);
  let every = slots > D.LABELS_MAX ? labelStep(slots) : 1;
  if (level > 0 && Math.floor(slots / every) > D.INNER_MAX && slots % (2 * every) === 0) every *= 2;
  const labels = [];
  for (let slot = 0; slot < slots && (every === 1 || slot + every <= slots); slot += every) {
    const [x, y] = level > 0 ? point(outer, slot - turn, slots) : labelPoint(slot - turn, slots);
    labels.push({ x, y, slot, side: "middle" });
  }
  return labels;
}

/**
 * Splits the text about a level's slots into lines, and returns their positions in a corner of the picture, where
 * no hand is drawn: those of levels 0, 1 and 2 at the upper left, the upper right and the lower left. The lower right is that
 * of the timers that fired. Returns no lines for other levels, and for level 2 beside a side list.
 * @param {number} level @param {string} text lengths of a slot and of a turn, see spanWords
 * @param {boolean} beside whether a side list occupies the lower left corner
 */
export function spanLines(level, text, beside) {
  if (text === "" || level > 2 || (beside && level === 2)) return [];
  const cut = text.search(/[,，]/u);
  const parts = cut < 0 ? [text] : [text.slice(0, cut), text.slice(cut + 1).trim()];
  const right = level === 1;
  return parts.map((part, k) => ({
    x: right ? 2 * CENTRE - D.SPAN_LEFT : D.SPAN_LEFT,
    y: level === 2 ? 2 * CENTRE - D.SPAN_TOP - D.SPAN_HIGH * (parts.length - 1 - k) : D.SPAN_TOP + D.SPAN_HIGH * k,
    side: right ? "end" : "start",
    text: part,
    long: ems(part) * D.BAND_FONT > D.SPAN_MOST,
  }));
}

/** Returns the line that connects the text about the slots of a level with the ring of the level. @param {Ring} ring @param {number} level */
export function leadPath({ outer, slots }, level) {
  const [right, below] = [level === 1, level === 2];
  const eighth = [7, 1, 5][level];
  const at = (slots * eighth) / 8; // the slot on the diagonal
  const border = right !== below ? Math.ceil(at) - 0.5 : Math.floor(at) + 0.5; // between two numbers; if two are equally near, the one towards the vertical axis
  const most = (D.LEAD_MOST * slots) / TAU;
  const far = right !== below ? -most : most;
  const away = slots > LONG_MIN ? far : clamp(border - at, -most, most); // because a long number is on the diagonal
  const [x, y] = [right ? 2 * CENTRE - D.LEAD_LEFT : D.LEAD_LEFT, below ? 2 * CENTRE - D.LEAD_TOP : D.LEAD_TOP];
  const [toX, toY] = point(outer - D.RING_IN, at + away, slots);
  return `M${fix(x)} ${fix(y)}L${fix(toX)} ${fix(toY)}`;
}

/** Returns the hand of a level as an SVG path: a line from the middle through the slot. @param {Ring[]} rings @param {number} level @param {number} slot */
export function pointerPath(rings, level, slot) {
  const { outer, slots } = rings[level];
  const [[x1, y1], [x2, y2]] = [point(hubRadius(rings.length), slot, slots), point(outer - D.RING_IN, slot, slots)];
  return `M${fix(x1)} ${fix(y1)}L${fix(x2)} ${fix(y2)}`;
}

/**
 * Returns a few large slot numbers for a ring of many slots. They are at the top, at the bottom, and in the
 * corners of the square, where there is room beside the ring. If the ring is rotated, other slots are at
 * these positions.
 * @param {number} slots @param {number} turn
 */
function longLabels(slots, turn) {
  return [0, 1, 3, 4, 5, 7].map((eighth) => {
    const slot = mod(Math.floor((slots * eighth) / 8) + turn, slots);
    const a = angle(slot - turn, slots);
    const upright = eighth % 4 === 0;
    const side = upright ? "middle" : eighth < 4 ? "start" : "end"; // the near end is beside the rim
    return { x: CENTRE + (D.FACE_RIM + D.LONG_ROOM) * Math.cos(a), y: CENTRE + (D.FACE_RIM + D.LONG_ABOVE) * Math.sin(a), slot, side };
  });
}

/**
 * Returns how many slots apart slot numbers are drawn: the smallest divisor of `slots` that results in at most
 * twelve numbers.
 * @param {number} slots
 */
function labelStep(slots) {
  for (let step = Math.ceil(slots / 12); step <= slots / 4; step++) if (slots % step === 0) return step;
  return Math.max(Math.floor(slots / 8), 1);
}

/** Returns the font size at which the time fits into the middle of the rings. @param {number} hole radius of the middle @param {string} text */
export function clockSize(hole, text) {
  return fix(Math.min(44, (2 * hole * 0.78) / (0.62 * text.length)));
}

/** Returns the font size of the wall-clock time, which is below the tick in the middle of the rings. @param {number} hole radius of the middle @param {string} text */
export function wallSize(hole, text) {
  return fix(Math.min(0.34 * hole, (2 * hole * 0.86) / ems(text)));
}

/**
 * Returns the font size of the number of pending timers, the last line in the middle of the rings.
 * @param {number} hole radius of the middle @param {string} text
 */
export function waitingSize(hole, text) {
  return fix(waitingUnits(hole, text));
}

/**
 * Returns the font size of the number of pending timers, the last line in the middle of the rings, in units.
 * @param {number} hole radius of the middle @param {string} text
 */
function waitingUnits(hole, text) { return Math.min(22, (2 * hole * 0.68) / ems(text)); }

/**
 * Returns the style classes of the number of pending timers, which depend on its font size. css/pictures.css hides
 * the number where it would be illegible.
 * @param {number} hole radius of the middle of the rings @param {string} text
 */
function waitingClass(hole, text) {
  const size = waitingUnits(hole, text);
  return size < 12 ? "waiting finest" : size < 16 ? "waiting fine" : size < 19 ? "waiting small" : "waiting";
}

/** Returns the font sizes at which the time and the number of pending timers fit on one line. @param {string} clock @param {string} waiting */
export function flushSizes(clock, waiting) {
  const scale = Math.min(1, 306 / (D.FLUSH_FONT * 0.61 * clock.length + 24 * ems(waiting)));
  return [fix(D.FLUSH_FONT * scale), fix(24 * scale)];
}

/** Returns the approximate width of a text, in units of its font size. @param {string} text */
function ems(text) {
  let width = 0;
  for (const c of text) width += /** @type {number} */ (c.codePointAt(0)) > 0x2e80 ? 1 : 0.55;
  return width;
}
