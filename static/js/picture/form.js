// @ts-check
/**
 * The form in which a lane is drawn: rings, rows of cells, a list, a heap, or the slices of the wheel on Redis. A form
 * gives the position of a timer and what lies behind the timers.
 */
import { FACE_BUNCHES, FACE_DOTS, FACE_HEAT, LIST_ROOMY, RING_IN } from "./dimensions.js";
import { edgesPath, sideSpot, slotAt, spotsOf } from "./spots.js";
import { cellPath, formOf, rowAt, rowsShown } from "./rows.js";
import { handSlot } from "../state/lane-state.js";
import { originOf } from "./scene.js";
import { alongRings, annulus, fix, mix, mod, point, ringAt, ringsOf, sector, slotSpot, spokes } from "./face.js";

/** @typedef {import("./face.js").Spot} Spot */
/** @typedef {import("./nodes.js").Node_} Node_ */
/** @typedef {import("./scene.js").Snapshot} Snapshot */
/** @typedef {import("./scene.js").Scene} Scene */
/**
 * @typedef {object} Form
 * @property {string} kind "ring", "rows", "list", "heap" or "slices"
 * @property {number} [high] height of the picture, if it does not follow from the kind
 * @property {import("./face.js").Ring[]} rings those drawn last; empty for other forms
 * @property {(state: Snapshot) => import("./face.js").Ring[]} ringsIn
 * @property {(place: {level: number, slot: number, count: number, index: number}, state: Snapshot) => Spot} spot
 * @property {(state: Snapshot) => boolean} many whether there are too many timers to draw each by itself
 * @property {(timer: {slot: number, count: number, index: number}, state: Snapshot) => boolean} single whether a timer is drawn by itself if there are many
 * @property {(state: Snapshot) => {level: number, slot: number, index: number, count: number}[]} bunches discs that stand for the other timers if there are many
 * @property {(a: Spot, b: Spot) => (u: number) => [number, number]} way
 * @property {(scene: Scene, wanted: number) => Node_[]} back what lies behind the timers; wanted is a level that a timer would need, or −1
 * @property {(scene: Scene) => Node_[]} hands
 * @property {(x: number, y: number) => {level: number, slot: number, part: number}|null} at the slot at a point
 * @property {(level: number, slot: number) => string} outline the outline of a slot
 * @property {(scene: Scene) => Node_[]} [below] what lies behind the timers in the laboratory, instead of back, hands and numbers
 * @property {(scene: Scene) => Node_[]} [above] what lies above the timers in the laboratory
 * @property {(scene: Scene) => Node_[]} [flows] arrows of cascades whose timers are not drawn
 */

/** Returns the number of rings of a lane: those in use in the events, and those that an algorithm that grows may need. @param {import("./scene.js").Source} win @param {number} lane */
function ringsShown(win, lane) {
  const { algorithm, params } = win.run.lanes[lane];
  const grows = algorithm === "hierarchical" && !(Number(params.levels) > 0);
  return Math.max(win.levels[lane], grows ? 3 : 1);
}

/** Returns the form of a lane. @param {import("./scene.js").Source} win @param {number} lane @returns {Form} */
export function formFor(win, lane) {
  const info = win.run.lanes[lane];
  const kind = formOf(info);
  return kind === "ring" ? ringForm(win, lane) : boxForm(win, lane, kind);
}

/** Returns the position of a level's hand in slots, at the middle of the slot at a rest frame. @param {{slots: number, width: number}} ring @param {number} clock @param {number} origin */
export function handPosition({ slots, width }, clock, origin) {
  return mod(mod(origin, slots * width) / width + clock / width - 0.5, slots);
}

/** @param {import("./scene.js").Source} win @param {number} lane @returns {Form} */
function ringForm(win, lane) {
  const info = win.run.lanes[lane];
  const count = ringsShown(win, lane);
  const ringsIn = (/** @type {Snapshot} */ state) => ringsOf(state.levels, count);
  let rings = ringsOf(info.levels, count);
  const origin = originOf(win, lane);
  const used = (/** @type {Scene} */ scene, /** @type {number} */ level) => level === 0 || scene.after.levels.some(([l]) => l === level);
  return {
    kind: "ring",
    get rings() { return rings; },
    ringsIn,
    spot({ level, slot, index, count: many }, state) {
      if (level < 0) return sideSpot(index, many);
      return slotSpot(ringsIn(state)[Math.min(level, count - 1)], slot, index, many);
    },
    ...bySlot,
    way: alongRings,
    back: (scene, wanted) => (rings = ringsIn(scene.after)).flatMap((ring, level) => {
      const ghost = used(scene, level) || level === wanted ? "" : " ghost";
      return /** @type {Node_[]} */ ([
        ["path", { class: `ring${ghost}`, d: annulus(ring.inner, ring.outer), "fill-rule": "evenodd" }],
        ["path", { class: `spoke${ghost}`, d: spokes(ring) }],
        ...heat(scene, (l, s) => sector(ringsIn(scene.after)[l], s), level),
        ["path", { class: "wedge", d: sector(ring, handSlot([level, ring.slots, ring.width], Math.floor(scene.clock), origin)), visibility: used(scene, level) ? undefined : "hidden" }],
      ]);
    }),
    hands: (scene) => ringsIn(scene.after).map((ring, level) => {
      const p = handPosition(ring, scene.clock, origin);
      const end = level ? ring.outer - RING_IN : ring.outer;
      const [[x1, y1], [x2, y2]] = [point(ring.inner + 1, p, ring.slots), point(end, p, ring.slots)];
      return ["g", { class: "grip", visibility: used(scene, level) ? undefined : "hidden" }, [
        ["line", { class: "hand", x1: fix(x1), y1: fix(y1), x2: fix(x2), y2: fix(y2) }],
        ["circle", { class: "knob", cx: fix(x2), cy: fix(y2), r: level ? 6 : 7.5 }],
      ]];
    }),
    at: (x, y) => ringAt(rings, x, y),
    outline: (level, slot) => (rings[level] ? sector(rings[level], slot) : ""),
  };
}

/** One disc for each slot with several timers. @type {Pick<Form, "many"|"single"|"bunches">} */
const bySlot = {
  many: ({ timers }) => timers.size > FACE_DOTS,
  single: ({ count }) => count === 1,
  bunches: ({ places }) => places.filter((p) => p.count > 1).sort((p, q) => p.level - q.level || p.slot - q.slot).map((p) => ({ ...p, index: 0 })),
};

/** The timers of a list after the first ones are one disc. @type {Pick<Form, "many"|"single"|"bunches">} */
const byOrder = {
  many: bySlot.many,
  single: ({ index, count }) => count <= FACE_DOTS || index < LIST_ROOMY - 1,
  bunches: ({ places }) => places.filter((p) => p.count > FACE_DOTS).map((p) => ({ ...p, index: LIST_ROOMY - 1, count: p.count - LIST_ROOMY + 1 })),
};

/** A node in the last row of a heap that is drawn is one disc with its descendants. @param {number} arity @returns {Pick<Form, "many"|"single"|"bunches">} */
function byNode(arity) {
  const { last, nodes } = heapShown(arity);
  return {
    many: (state) => heapSize(state) > nodes,
    single: ({ slot }, state) => slot < last || (slot < nodes && slot * arity + 1 >= heapSize(state)),
    bunches(state) {
      const counts = new Map();
      for (let slot = last; slot < heapSize(state); slot++) {
        const node = ancestor(slot, arity, nodes);
        counts.set(node, (counts.get(node) ?? 0) + 1);
      }
      return [...counts].filter(([, count]) => count > 1).map(([slot, count]) => ({ level: 0, slot, index: 0, count }));
    },
  };
}

/** Returns the number of nodes of a heap or of timers of a list between which edges are drawn. @param {string} kind @param {number} size @param {number} arity */
export function edgeCount(kind, size, arity) {
  if (kind === "heap") return Math.min(size, heapShown(Math.max(arity, 2)).nodes);
  return size > FACE_DOTS ? LIST_ROOMY : size;
}

/** Returns the number of nodes of a heap. @param {Snapshot} state */
export const heapSize = ({ places }) => places.reduce((n, p) => Math.max(n, p.slot + 1), 0);

/** Returns the node of a heap's first ones that stands for a node. @param {number} slot @param {number} arity @param {number} nodes */
function ancestor(slot, arity, nodes) {
  while (slot >= nodes) slot = Math.floor((slot - 1) / arity);
  return slot;
}

/** Returns the shaded slots of a level if the lane has too many timers to draw. @param {Scene} scene @param {(level: number, slot: number) => string} outline @param {number} level @returns {Node_[]} */
function heat(scene, outline, level) {
  if (scene.after.timers.size <= FACE_HEAT) return [];
  const most = Math.max(1, ...scene.after.places.map((p) => p.count));
  return scene.after.places.filter((p) => p.level === level).map((p) => ["path", { class: "heat", d: outline(p.level, p.slot), opacity: fix(0.12 + 0.88 * (Math.log1p(p.count) / Math.log1p(most))) }]);
}

/**
 * Returns the first node of the last row of a heap that is drawn, and the number of nodes that are. A node of the last row
 * stands for its descendants, too.
 * @param {number} arity
 */
function heapShown(arity) {
  let [last, row] = [0, 1];
  while (row * arity <= FACE_BUNCHES) [last, row] = [last + row, row * arity];
  return { last, nodes: last + row };
}

/**
 * Returns the form of a lane that is not drawn as rings, or whose positions are given by `shapeIn`.
 * @param {import("./scene.js").Source} win @param {number} lane @param {string} kind
 * @param {(state: Snapshot) => import("./spots.js").Form} [shapeIn] returns the values on which positions in a state depend
 * @returns {Form}
 */
export function boxForm(win, lane, kind, shapeIn) {
  const info = win.run.lanes[lane];
  const origin = originOf(win, lane);
  const arity = Math.max(info.arity, 2);
  const { nodes } = heapShown(arity);
  const rows = (/** @type {Snapshot} */ state) => rowsShown(info.algorithm, state, win.run.until);
  const form = shapeIn ?? ((/** @type {Snapshot} */ state) => ({ shape: kind, arity: info.arity, levels: state.levels, size: kind === "heap" ? Math.min(nodes, heapSize(state)) : state.timers.size, rows: kind === "rows" ? rows(state) : undefined, slices: kind === "slices" ? slices(win, state) : undefined }));
  let last = /** @type {ReturnType<typeof form>|null} */ (null);
  return {
    kind, rings: [], ringsIn: () => [],
    ...(kind === "heap" ? byNode(arity) : kind === "list" ? byOrder : bySlot),
    spot(place, state) {
      const at = { ...place };
      if (kind === "heap") at.slot = ancestor(at.slot, arity, nodes);
      if (kind === "list" && at.count > FACE_DOTS) [at.index, at.count] = [Math.min(at.index, LIST_ROOMY - 1), LIST_ROOMY];
      return spotsOf(form(state), at)(at.index);
    },
    way: kind === "ring" ? alongRings : (a, b) => (u) => [mix(a.x, b.x, u), mix(a.y, b.y, u)],
    back(scene) {
      const f = (last = form(scene.after));
      if (kind === "rows") {
        return scene.after.levels.slice(0, f.rows).flatMap(([level, slots, width]) => {
          const { top, high, wide } = rowAt(level, f.rows ?? 1, slots);
          let d = "";
          for (let s = 1; s < slots; s += slots > 64 ? 8 : 1) d += `M${fix(8 + wide * s)} ${fix(top)}v${fix(high)}`;
          return /** @type {Node_[]} */ ([
            ["rect", { class: "ring", x: 8, y: fix(top), width: 384, height: fix(high) }], ["path", { class: "spoke", d }],
            ...heat(scene, (l, s) => cellPath(f, l, s), level),
            ["path", { class: "wedge", d: cellPath(f, level, handSlot([level, slots, width], Math.floor(scene.clock), origin)) }],
          ]);
        });
      }
      if (kind === "slices" && f.slices) return f.slices.minutes.map((_, i, all) => ["rect", { class: "ring", x: fix(44 + Math.min(84, 350 / all.length) * i), y: 66, width: fix(Math.min(84, 350 / all.length)), height: 240 }]);
      return [["path", { class: "edge", d: edgesPath(kind, edgeCount(kind, f.size, info.arity), info.arity) }]];
    },
    hands(scene) {
      if (kind !== "rows") return [];
      const f = form(scene.after);
      return scene.after.levels.slice(0, f.rows).map(([level, slots, width]) => {
        const { top, high, wide } = rowAt(level, f.rows ?? 1, slots);
        const x = fix(8 + wide * (handPosition({ slots, width }, scene.clock, origin) + 0.5));
        return ["line", { class: "hand", x1: x, y1: fix(top), x2: x, y2: fix(top + high) }];
      });
    },
    at: (x, y) => {
      const found = last && kind === "rows" ? slotAt(last, x, y) : null;
      return found ? { ...found, part: 0.5 } : null;
    },
    outline: (level, slot) => (last && kind === "rows" ? cellPath(last, level, slot) : ""),
  };
}

/** Returns the minutes that have a column in the picture of the wheel on Redis, and its boxes. @param {import("./scene.js").Source} win @param {Snapshot} state */
function slices(win, state) {
  const minutes = new Set(state.places.filter((p) => p.level === 0).map((p) => Math.floor(p.slot / 60)));
  if (minutes.size === 0) minutes.add(Math.floor(win.run.start / 60));
  const boxes = [...new Set([0, ...state.places.filter((p) => p.level < 0).map((p) => p.slot)])].sort((a, b) => a - b);
  return { minutes: [...minutes].sort((a, b) => a - b).slice(0, 12), boxes };
}
