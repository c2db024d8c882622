// @ts-check
/**
 * The picture of one lane at an instant, as a pure function of its scene: rings, hands, timers on their way, trails,
 * trays, and what is held in the hand. Go draws the same rest frames for the first paint.
 */
import { CENTRE, FACE_BUCKETS, FACE_BUCKET_HIGH, FACE_BUCKET_WIDE, FACE_HEAT, FACE_NOW, FACE_RIM, FACE_TRAY, FACE_TRAY_TEXT, FACE_TRAY_WIDE, FACE_TRAY_Y, FACE_TURN, FACE_TURNS } from "./dimensions.js";
import { COUNT } from "../core/protocol.js";
import { angle, fix, labelPoint, mix, mod, point } from "./face.js";
import { handSlot } from "../state/lane-state.js";
import { VISIT, originOf, progress } from "./scene.js";

/** @typedef {import("./nodes.js").Node_} Node_ */
/** @typedef {import("./face.js").Spot} Spot */
/** @typedef {import("./form.js").Form} Form */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Timer} Timer */
/** @typedef {{level: number, slot: number, rounds: number}|"rejected"} Answer where the engine would put a timer */
/**
 * @typedef {object} Held a timer that the user is placing
 * @property {number} id the timer whose due tick changes, or 0 for a new one
 * @property {number} colour @property {number} due @property {Answer|null} answer null while it is unknown
 * @property {boolean} out whether it is outside the wheel
 * @property {number} delay @property {string} text the delay with its unit
 * @property {{x: number, y: number}|null} hand where the pointer is, in the lane that it is in
 */
/**
 * @typedef {object} Look what is pointed at
 * @property {number} hot first id of the timer that is lit, or 0
 * @property {{level: number, slot: number}|null} pointed
 * @property {boolean} numbers whether all slots are numbered
 * @property {Held|null} held
 * @property {(key: string) => string} word returns a text
 * @property {number} [zoom] magnification of the picture
 * @property {(id: number) => string} [title] returns the tooltip of a timer
 * @property {Timers|null} [kept] timers as drawn before, if they are not drawn anew
 */
/** @typedef {{id: number, x: number, y: number, r: number}} Dot a timer that can be grabbed */

/** Number of timers that a tray shows. */
const TRAY_SHOWN = 12;
/** Smallest radius of a dot with a label. */
const LABEL_LEAST = 7;
/** Distance of the spiral of a delay from the rim and between its turns, in units, and the number of turns that are drawn. */
const SPIRAL = { gap: 3.5, pitch: 3.5, most: 2.999 };
/** Smallest distance between the numbers of two slots, in degrees. */
const NUMBERS_APART = 8;
/** Number of timers that move one by one where slots are bundles. */
const MOVING_MAX = 40;

/** Returns the height of the picture, which is 400 wide. @param {Form} form */
export const heightOf = (form) => form.high ?? (form.kind === "ring" ? 400 : 440);

/** Returns the label of a timer: its due tick, or a letter where due ticks have four digits. @param {Scene["win"]} win @param {number} id @param {number} due */
function labelOf(win, id, due) {
  if (win.run.until < 1000) return String(due);
  return String.fromCharCode(65 + ((win.first(id) - 1) % 26));
}

/** @typedef {{nodes: Node_[], trails: Node_[], dots: Dot[]}} Timers timers as drawn, and the trails of cascades */

/**
 * Draws a lane.
 * @param {Form} form @param {Scene} scene @param {Look} look
 * @returns {{nodes: Node_[], dots: Dot[], drawn: Timers}} nodes: the elements of the picture
 */
export function frame(form, scene, look) {
  const drawn = look.kept ?? drawTimers(form, scene, look);
  /** @type {Node_[]} */
  const trails = [["g", { class: "trails" }, [...drawn.trails, ...(form.flows?.(scene) ?? [])]], ["g", { class: look.hot && !form.below ? "dots dim" : "dots" }, drawn.nodes]];
  if (form.below && form.above) return { drawn, dots: drawn.dots, nodes: [...form.below(scene), ...trails, ["g", { class: "trays" }, trayWords(form, scene, look)], ["g", { class: "words" }, form.above(scene)]] };
  const hands = form.hands(scene);
  /** @param {number} i 0: the lines of the hands; 1: their knobs @returns {Node_[]} */
  const part = (i) => hands.flatMap(([name, attributes, content]) => {
    if (!Array.isArray(content)) return i === 0 ? [/** @type {Node_} */ ([name, attributes])] : [];
    return [/** @type {Node_} */ (["g", attributes, content.slice(i, i + 1)])];
  });
  return {
    drawn, dots: drawn.dots,
    nodes: [
      ["g", { class: "back" }, form.back(scene, typeof look.held?.answer === "object" && look.held.answer && !look.held.out ? look.held.answer.level : -1)],
      ["g", { class: "pointed" }, look.pointed ? [["path", { class: "hover", d: form.outline(look.pointed.level, look.pointed.slot) }]] : []],
      ["g", { class: "hands" }, part(0)],
      ["g", { class: "delays" }, look.held?.hand && !look.held.out && form.kind === "ring" ? spiral(form, scene, look.held) : []],
      ["g", { class: "numbers" }, numbers(form, scene, look)],
      ["g", { class: "trays" }, trayWords(form, scene, look)],
      ["g", { class: "queue" }, queue(scene, look)],
      ...trails,
      ["g", { class: "knobs" }, part(1)],
      ["g", { class: "ghosts" }, look.held ? ghosts(form, scene, look.held) : []],
    ],
  };
}

/**
 * Returns the timers in a tray up to an event, oldest first. In a run of which a part is known, they are those of the tick.
 * @param {Scene} scene @param {"fired"|"rejected"} how @param {number} seq
 */
function tray(scene, how, seq) {
  const all = scene.win.ended[scene.lane];
  const list = [];
  for (const one of all) {
    if (one.seq > seq) break;
    if (one.how === how && (scene.win.whole || one.tick === scene.tick)) list.push(one);
  }
  return list;
}

/** Returns the position of the timer at `index` of `count` in a tray. @param {Form} form @param {"fired"|"rejected"} how @param {number} index @param {number} count @returns {Spot} */
function traySpot(form, how, index, count) {
  const shown = Math.min(count, TRAY_SHOWN);
  const at = Math.max(0, index - (count - shown));
  const step = Math.min(2.1 * FACE_TRAY, (FACE_TRAY_WIDE - 2 * FACE_TRAY) / Math.max(1, shown - 1));
  const x = how === "fired" ? 400 - FACE_TRAY - 1 - (shown - 1 - at) * step : FACE_TRAY + 1 + at * step;
  return { x, y: FACE_TRAY_Y + heightOf(form) - 400, r: FACE_TRAY };
}

/** Returns the names of the trays that have timers. @param {Form} form @param {Scene} scene @param {Look} look @returns {Node_[]} */
function trayWords(form, scene, look) {
  const y = FACE_TRAY_TEXT + heightOf(form) - 400;
  const text = (/** @type {"fired"|"rejected"} */ how, /** @type {number} */ x, /** @type {string} */ anchor) => {
    const n = (scene.part > 0 ? scene.after : scene.before).counts[how === "fired" ? COUNT.expired : COUNT.rejected];
    if (n === 0 && !(how === "rejected" && look.held?.answer === "rejected")) return [];
    return [["text", { class: `traytext ${how}`, x, y, "text-anchor": anchor }, n > TRAY_SHOWN ? `${look.word(`entry.tray.${how}`)} ${n}` : look.word(`entry.tray.${how}`)]];
  };
  return /** @type {Node_[]} */ ([...text("rejected", 1, "start"), ...text("fired", 399, "end")]);
}

/** Returns the delay queue: the due ticks of its first buckets, the head at the top. @param {Scene} scene @param {Look} look @returns {Node_[]} */
function queue(scene, look) {
  const buckets = (scene.part > 0 ? scene.after : scene.before).queue;
  if (buckets.length === 0) return [];
  const shown = buckets.length > FACE_BUCKETS ? FACE_BUCKETS - 1 : buckets.length;
  const words = buckets.slice(0, shown).map(([, , due]) => String(due));
  if (shown < buckets.length) words.push(`+${buckets.length - shown}`);
  const x = 399 - FACE_BUCKET_WIDE;
  return [["text", { class: "traytext", x: fix(x - 6), y: fix(FACE_BUCKET_HIGH - 4), "text-anchor": "end" }, look.word("entry.queue")], ...words.flatMap((word, i) => /** @type {Node_[]} */ ([
    ["rect", { class: i === 0 ? "bucket next" : "bucket", x: fix(x), y: fix(1 + i * (FACE_BUCKET_HIGH + 3)), width: fix(FACE_BUCKET_WIDE), height: fix(FACE_BUCKET_HIGH), rx: 4 }],
    ["text", { class: "due", x: fix(x + FACE_BUCKET_WIDE / 2), y: fix(1 + i * (FACE_BUCKET_HIGH + 3) + FACE_BUCKET_HIGH / 2), "font-size": fix(Math.min(13, (FACE_BUCKET_WIDE - 4) / (0.6 * word.length))) }, word],
  ]))];
}

/** @typedef {{x: number, y: number, to: (u: number) => [number, number], way: boolean}} Leg a part of a timer's way */

/** Draws the timers of a lane, those in trays, and the trails of cascades. @param {Form} form @param {Scene} scene @param {Look} look @returns {Timers} */
function drawTimers(form, scene, look) {
  const { before, after, win, part } = scene;
  /** @type {Node_[]} */
  const nodes = [];
  /** @type {Node_[]} */
  const trails = [];
  /** @type {Dot[]} */
  const dots = [];
  if (after.crowded || Math.max(before.timers.size, after.timers.size) > FACE_HEAT) return { nodes, trails, dots };
  const bundled = form.many(before) || form.many(after);
  const rest = { id: 0, stops: [], from: 0, to: VISIT, cascade: false };
  const trays = { fired: tray(scene, "fired", scene.last), rejected: tray(scene, "rejected", scene.last) };
  const opened = /** @type {const} */ (["fired", "rejected"]).map((how) => tray(scene, how, before === after ? scene.last : scene.opened).length);
  const u0 = progress(rest, part);

  // timers that ended before
  /** @type {const} */ (["fired", "rejected"]).forEach((how, k) => {
    const list = trays[how];
    const first = Math.max(0, list.length - TRAY_SHOWN);
    for (let i = first; i < opened[k]; i++) {
      const [a, b] = [traySpot(form, how, i, opened[k]), traySpot(form, how, i, list.length)];
      nodes.push(dot(scene, look, `${how} ${i - first}`, list[i].id, list[i].due, { x: mix(a.x, b.x, u0), y: b.y, r: b.r }, how, 0, 0, 1));
    }
  });
  if (bundled) nodes.push(...bundles(form, u0 < 0.5 ? before : after, look.zoom));

  const ids = new Set([...before.timers.keys(), ...after.timers.keys(), ...scene.moves.keys()]);
  const gone = new Set(scene.replaced.values());
  let moving = 0;
  const held = look.held?.out || look.held?.answer === "rejected" ? null : look.held?.answer;
  const inside = (/** @type {Timer|undefined} */ p) => Boolean(held && p && held.level === p.level && held.slot === p.slot);
  const room = inside(after.timers.get(look.held?.id ?? 0)) ? 0 : 1; // beside the timers of its slot, for the one that is held
  for (const id of [...ids].sort((p, q) => win.first(p) - win.first(q) || p - q)) {
    if (gone.has(id)) continue;
    const own = before.timers.get(id);
    const a = own ?? before.timers.get(scene.replaced.get(id) ?? -1);
    const b = after.timers.get(id);
    const move = scene.moves.get(id);
    const u = progress(move ?? rest, part);
    const last = move?.stops[move.stops.length - 1];
    const left = last === "fired" || last === "rejected" ? trays[last].findIndex((e) => e.id === id && e.seq > scene.opened) : -1;
    const trayed = left >= 0 && u >= 1 && trays[/** @type {"fired"} */ (last)].length - left <= TRAY_SHOWN;
    if (bundled && !trayed && !(move && part < move.to && moving++ < MOVING_MAX) && (!b || !form.single(b, after) || (!a && u < 1))) continue;
    if (!a && u <= 0) continue;
    const due = b?.due ?? own?.due ?? win.ended[scene.lane].find((e) => e.id === id)?.due ?? 0;
    const start = a ? form.spot(a, before) : { x: CENTRE, y: form.kind === "ring" ? CENTRE : 36, r: 8 };
    const end = last === "fired" || last === "rejected" ? traySpot(form, last, left, trays[last].length) : b ? form.spot(inside(b) ? { ...b, count: b.count + room } : b, after) : start;
    const way = legs(form, scene, a, move, start, end);
    const leg = Math.min(way.length - 1, Math.floor(u * way.length));
    let [x, y] = way[leg].to(u * way.length - leg);
    let r = mix(a ? start.r : start.r * 0.6, end.r, u);
    let state = last === "fired" && u > 0.3 ? "fired" : last === "rejected" && u > 0.55 ? "rejected" : (b ?? a)?.marked ? "marked" : "pending";
    let opacity = 1;
    if (last === "gone" || (!b && !last && a)) {
      if (u >= 1) continue;
      [x, y, r, opacity] = [start.x, start.y, start.r * (1 - 0.6 * u), 1 - u];
    }
    if (last === "fired" && a) {
      const q = part / 0.5;
      if (q > 0 && q < 1) trails.push(["circle", { class: "burst", cx: fix(start.x), cy: fix(start.y), r: fix(start.r + 26 * q), opacity: fix(1 - q) }]);
    }
    if (move?.cascade && u > 0) trails.push(...trail(way, u, start, end, scene.fade));
    const peel = own && b && own.rounds > b.rounds && u < 1 ? Math.max(0.001, u) : 0;
    nodes.push(dot(scene, look, String(id), id, due, { x, y, r }, state, state === "pending" ? Math.max(0, (b ?? a)?.rounds ?? 0) : 0, peel, opacity));
    if (b && state !== "marked") dots.push({ id, x, y, r });
  }
  for (const move of scene.earlier) {
    const [a, b] = [scene.opening.timers.get(move.id), after.timers.get(move.id)];
    if (!move.cascade || !a || !b) continue;
    const [start, end] = [form.spot(a, scene.opening), form.spot(b, after)];
    trails.push(...trail(legs(form, scene, a, move, start, end), 1, start, end, scene.fade));
  }
  return { nodes, trails, dots };
}

/**
 * Returns the parts of a timer's way, one for each place that it comes to.
 * @param {Form} form @param {Scene} scene @param {Timer|undefined} a @param {import("./scene.js").Move|undefined} move @param {Spot} start @param {Spot} end
 * @returns {Leg[]}
 */
function legs(form, scene, a, move, start, end) {
  const straight = (/** @type {Spot} */ p, /** @type {Spot} */ q) => ({ x: p.x, y: p.y, way: false, to: (/** @type {number} */ u) => /** @type {[number, number]} */ ([mix(p.x, q.x, u), mix(p.y, q.y, u)]) });
  const along = (/** @type {Spot} */ p, /** @type {Spot} */ q) => ({ x: p.x, y: p.y, way: true, to: form.way(p, q) });
  const stops = move?.stops ?? [];
  if (stops.length === 0) return [straight(start, end)];
  let from = start;
  let placed = Boolean(a);
  return stops.map((stop, i) => {
    const final = i === stops.length - 1;
    const p = from;
    if (stop === "gone") return straight(p, p);
    if (stop === "fired" || stop === "rejected") {
      if (!placed || stop === "rejected") return straight(p, end);
      const away = Math.hypot(p.x - CENTRE, p.y - CENTRE) || 1;
      const rim = form.kind === "ring" ? { x: CENTRE + ((p.x - CENTRE) / away) * (FACE_RIM + 20), y: CENTRE + ((p.y - CENTRE) / away) * (FACE_RIM + 20) } : { x: p.x, y: p.y - 30 };
      return { x: p.x, y: p.y, way: false, to: (u) => [(1 - u) ** 2 * p.x + 2 * (1 - u) * u * rim.x + u * u * end.x, (1 - u) ** 2 * p.y + 2 * (1 - u) * u * rim.y + u * u * end.y] };
    }
    from = final ? end : form.spot({ ...stop, index: 0, count: 1 }, scene.after);
    const leg = placed ? along(p, from) : straight(p, from);
    placed = true;
    return leg;
  });
}

/** Returns the trail of a cascade. @param {Leg[]} way @param {number} u @param {Spot} start @param {Spot} end @param {number} fade @returns {Node_[]} */
function trail(way, u, start, end, fade) {
  /** @type {[number, number][]} */
  const points = [];
  for (let i = 0; i <= 40; i++) {
    const v = (u * i) / 40;
    const leg = Math.min(way.length - 1, Math.floor(v * way.length));
    if (!way[leg].way) continue;
    const p = way[leg].to(v * way.length - leg);
    if (Math.hypot(p[0] - end.x, p[1] - end.y) > end.r + 8) points.push(p);
  }
  if (points.length < 2) return [];
  const [ex, ey] = points[points.length - 1];
  const long = Math.hypot(end.x - ex, end.y - ey) || 1;
  const [nx, ny] = [(end.x - ex) / long, (end.y - ey) / long];
  /** @type {Node_[]} */
  const list = [
    ["path", { class: "trail", d: `M${points.map((p) => `${fix(p[0])} ${fix(p[1])}`).join("L")}` }],
    ["circle", { class: "left", cx: fix(start.x), cy: fix(start.y), r: fix(start.r), opacity: fix(u) }],
  ];
  if (u > 0.9) list.push(["path", { class: "trailhead", d: `M${fix(ex + nx * 7)} ${fix(ey + ny * 7)}L${fix(ex - ny * 6)} ${fix(ey + nx * 6)}L${fix(ex + ny * 6)} ${fix(ey - nx * 6)}Z` }]);
  return [["g", { opacity: fade < 0.65 ? 1 : fix((1 - fade) / 0.35) }, list]];
}

/**
 * Returns the element of a timer.
 * @param {Scene} scene @param {Look} look @param {string} key @param {number} id @param {number} due @param {Spot} spot
 * @param {string} state "pending", "marked", "fired" or "rejected" @param {number} rounds @param {number} peel how far the outermost ring has gone, 0 for none
 * @param {number} opacity
 * @returns {Node_}
 */
function dot(scene, look, key, id, due, { x, y, r }, state, rounds, peel, opacity) {
  const { win } = scene;
  const lit = look.hot === win.first(id) ? " hot" : "";
  const held = look.held?.id === id ? " held" : "";
  const z = look.zoom ?? 1;
  const label = r * z > LABEL_LEAST ? labelOf(win, id, due) : "";
  /** @type {Node_[]} */
  const content = turns(r, rounds, peel, z);
  content.push(["circle", { class: "body", r: fix(r, z) }]);
  if (state === "rejected") content.push(["path", { class: "cross", d: `M${fix(-r * 0.72)} ${fix(r * 0.72)}L${fix(r * 0.72)} ${fix(-r * 0.72)}` }]);
  if (label) content.push(["text", { "font-size": fontSize(r, label, z) }, label]);
  if (rounds > FACE_TURNS) content.push(["text", { class: "many", x: fix(r + (FACE_TURN * FACE_TURNS + 4) / z, z), y: fix(-r, z) }, String(rounds)]);
  if (look.title) content.push(["title", {}, look.title(id)]);
  return ["g", { key, class: `dot c${win.colour(id)} ${state}${lit}${held}`, "data-id": id, transform: `translate(${fix(x, z)} ${fix(y, z)})`, opacity: opacity < 1 ? fix(opacity) : undefined }, content];
}

/** @param {number} r @param {string} label @param {number} [z] */
const fontSize = (r, label, z = 1) => fix(r * (label.length > 2 ? (label.length > 3 ? 0.56 : 0.72) : 0.98), z);

/** Returns a ring for each remaining round. @param {number} r @param {number} rounds @param {number} peel @param {number} [z] @returns {Node_[]} */
function turns(r, rounds, peel, z = 1) {
  const shown = Math.min(rounds, FACE_TURNS);
  /** @type {Node_[]} */
  const list = Array.from({ length: shown }, (_, i) => ["circle", { class: "turn", r: fix(r + ((i + 1) * FACE_TURN) / z, z) }]);
  if (peel && rounds < FACE_TURNS) list.push(["circle", { class: "turn", r: fix(r + ((shown + 1) * FACE_TURN + 16 * peel) / z, z), opacity: fix(1 - peel) }]);
  return list;
}

/** Returns discs with the numbers of timers that are not drawn by themselves. @param {Form} form @param {import("./scene.js").Snapshot} state @param {number} [z] magnification @returns {Node_[]} */
function bundles(form, state, z = 1) {
  return form.bunches(state).map((p) => {
    const { x, y, r } = form.spot(form.kind === "list" ? { ...p, count: state.timers.size } : { ...p, count: 1 }, state);
    const label = r * z > LABEL_LEAST ? String(p.count) : "";
    return ["g", { key: `bundle ${p.level} ${p.slot} ${p.index}`, class: "bundle", transform: `translate(${fix(x, z)} ${fix(y, z)})` }, [["circle", { class: "body", r: fix(r, z) }], ...(label ? [/** @type {Node_} */ (["text", { "font-size": fontSize(r, label, z) }, label])] : [])]];
  });
}

/** Returns the slot numbers: the slot of the hand, slots with timers, the slot pointed at, or all. @param {Form} form @param {Scene} scene @param {Look} look @returns {Node_[]} */
function numbers(form, scene, look) {
  const ring = form.ringsIn(scene.after)[0];
  if (!ring || ring.slots < 2) return [];
  const now = handSlot([0, ring.slots, ring.width], Math.floor(scene.clock), originOf(scene.win, scene.lane));
  const has = new Set((scene.part > 0 ? scene.after : scene.before).places.filter((p) => p.level === 0).map((p) => p.slot));
  const away = look.held?.hand && !look.held.out ? SPIRAL.pitch * turnsOf(ring, look.held) : 0;
  const every = ring.slots <= 24 ? 1 : Math.ceil(ring.slots / 16);
  /** @type {Node_[]} */
  const list = [];
  const near = (/** @type {number} */ a, /** @type {number} */ b) => Math.min(mod(a - b, ring.slots), mod(b - a, ring.slots)) * 360 / ring.slots < NUMBERS_APART;
  /** @type {number[]} */
  const occupied = ring.slots > 64 ? [] : [now];
  for (let s = 0; ring.slots <= 64 && s < ring.slots; s++) if (has.has(s) && !occupied.some((o) => near(s, o))) occupied.push(s);
  for (let s = 0; s < ring.slots; s++) {
    const pointed = look.pointed?.level === 0 && look.pointed.slot === s;
    const shown = occupied.includes(s) && has.has(s) && !(look.numbers && every > 1); // during a drag, numbers stay what they are
    if (!(s === now || pointed || shown || (look.numbers && s % every === 0))) continue;
    const [x, y] = labelPoint(s, ring.slots, away + (s === now ? FACE_NOW : 0));
    list.push(["text", { key: s, class: `slotno${s === now ? " now" : shown || pointed ? " has" : ""}`, x: fix(x), y: fix(y) }, String(s)]);
  }
  return list;
}

/** Returns the turns of a spiral. @param {import("./face.js").Ring} ring @param {Held} held */
const turnsOf = ({ slots, width }, held) => Math.min(held.delay / width / slots, SPIRAL.most);

/** Returns the delay as a spiral outside the rim, one turn for each turn of the hand. @param {Form} form @param {Scene} scene @param {Held} held @returns {Node_[]} */
function spiral(form, scene, held) {
  const [ring] = form.ringsIn(scene.after);
  const { slots, width } = ring;
  const to = scene.clock / width - 0.5 + held.delay / width;
  const shown = turnsOf(ring, held);
  const start = to - shown * slots;
  const origin = mod(originOf(scene.win, scene.lane), slots * width) / width;
  const radius = (/** @type {number} */ q) => FACE_RIM + SPIRAL.gap + ((q - start) / slots) * SPIRAL.pitch;
  const steps = Math.max(12, Math.ceil(shown * 120));
  const points = Array.from({ length: steps + 1 }, (_, i) => {
    const q = mix(start, to, i / steps);
    return point(radius(q), q + origin, slots).map((v) => fix(v)).join(" ");
  });
  const [x, y] = point(radius(to), to + origin, slots);
  const turn = ((angle(to + origin, slots) + Math.PI / 2) * 180) / Math.PI;
  return [["path", { class: "delay", d: `M${points.join("L")}` }], ["path", { class: "delayhead", d: "M0 0L-8 -4L-8 4Z", transform: `translate(${fix(x)} ${fix(y)}) rotate(${fix(turn)})` }]];
}

/** Returns the timer where it would be, and under the pointer. @param {Form} form @param {Scene} scene @param {Held} held @returns {Node_[]} */
function ghosts(form, scene, held) {
  /** @type {Node_[]} */
  const list = [];
  const colour = `c${held.colour}`;
  const label = labelOf(scene.win, held.id, held.due);
  if (held.answer && !held.out) {
    const { answer } = held;
    const rejected = answer === "rejected";
    const others = rejected ? tray(scene, "rejected", scene.last).length : [...scene.after.timers.values()].filter((t) => t.id !== held.id && t.level === answer.level && t.slot === answer.slot).length;
    const spot = rejected ? traySpot(form, "rejected", others, others + 1) : form.spot({ ...answer, index: others, count: others + 1 }, scene.after);
    list.push(["g", { class: `ghost ${colour}${rejected ? " rejected" : ""}`, transform: `translate(${fix(spot.x)} ${fix(spot.y)})` }, [
      ...turns(spot.r, rejected ? 0 : answer.rounds, 0),
      ["circle", { class: "body", r: fix(spot.r) }],
      ...(rejected ? [/** @type {Node_} */ (["path", { class: "cross", d: `M${fix(-spot.r * 0.72)} ${fix(spot.r * 0.72)}L${fix(spot.r * 0.72)} ${fix(-spot.r * 0.72)}` }])] : []),
      ...(spot.r > LABEL_LEAST ? [/** @type {Node_} */ (["text", { "font-size": fontSize(spot.r, label) }, label])] : []),
    ]]);
  }
  if (held.hand) {
    const { x, y } = held.hand;
    list.push(["g", { class: `grabbed ${colour}${held.out ? " out" : ""}`, transform: `translate(${fix(x)} ${fix(y)})` }, [
      ["circle", { class: "body", r: 19 }], ["text", { "font-size": fontSize(19, held.out ? "×" : label) }, held.out ? "×" : label],
    ]]);
    const tall = Math.abs(y - CENTRE) > Math.abs(x - CENTRE); // across the slot, where neither its ghost nor its number is
    const [dx, dy, anchor] = tall ? [x < CENTRE ? 25 : -25, 0, x < CENTRE ? "start" : "end"] : [0, y < CENTRE ? 34 : -34, "middle"];
    if (!held.out) list.push(["text", { class: "delaytext", x: fix(x + dx), y: fix(y + dy), "text-anchor": anchor }, `+${held.text}`]);
  }
  return list;
}
