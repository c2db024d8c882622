// @ts-check
/**
 * One line below a picture: what this lane did in this step. Made from the lane's
 * events alone; the story tells more. Pure.
 */
import { CODES, COL, COUNT, KIND, ROW } from "../protocol.js";
import { duration, placeName } from "../words.js";
import { t } from "../texts.js";

/** @typedef {import("../lane-state.js").Lane} Lane */
/** @typedef {{text: string, tone: "idle"|"place"|"visit"|"move"|"fire"|"bad", mark: string}} Caption */
/** @typedef {Record<keyof typeof COL, number>} Row */
/**
 * @typedef {object} Context what a sentence needs besides the events
 * @property {import("../words.js").LaneInfo} info
 * @property {Lane} lane
 * @property {(id: number) => string} name
 * @property {string} tick length of a base tick
 */

/** A mark for each tone, so that colour is not alone in telling it. */
const MARKS = { idle: "", place: "+", visit: "○", move: "▼", fire: "●", bad: "✕" };

/** The rows of one lane, each with its columns by name. @param {number[]} rows @param {number} lane @returns {Row[]} */
export function rowsOf(rows, lane) {
  const names = /** @type {(keyof typeof COL)[]} */ (Object.keys(COL));
  const own = [];
  for (let at = 0; at + ROW <= rows.length; at += ROW) {
    if (rows[at + COL.lane] !== lane) continue;
    own.push(/** @type {Row} */ (Object.fromEntries(names.map((name) => [name, rows[at + COL[name]]]))));
  }
  return own;
}

/** What a lane did. @param {Row[]} rows of the step, of that lane @param {Context} context @returns {Caption} */
export function captionOf(rows, context) {
  if (rows.length === 0 && context.lane.mode === "counts") {
    return caption("idle", t("lane.caption.fast", { n: context.lane.counts[COUNT.expired] }));
  }
  if (rows.length === 0 && context.lane.counts[COUNT.scheduled] === 0) return caption("idle", t("lane.caption.none"));
  const fault = rows.find((r) => r.kind === KIND.finding);
  if (fault) return caption("bad", findingWords(fault, context));
  const resize = rows.find((r) => r.kind === KIND.resize);
  if (resize) return caption("move", t("lane.caption.resize", { slots: resize.fromSlot, width: duration(resize.x, context.tick) }));
  const visits = rows.filter((r) => r.kind === KIND.hand || r.kind === KIND.dequeue);
  const armings = rows.filter((r) => r.kind === KIND.schedule);
  if (visits.length === 1 && armings.length === 0) return visitCaption(visits[0], rows, context);
  if (visits.length === 0 && armings.length <= 1) return singleCaption(rows, context);
  return sumCaption(rows, visits.length, context);
}

/** @param {Caption["tone"]} tone @param {string} text @returns {Caption} */
function caption(tone, text) {
  return { tone, text, mark: MARKS[tone] };
}

/** @param {Row} r @param {Context} context */
function findingWords(r, { name }) {
  const what = t(`lane.finding.${CODES[r.code]}`, { name: r.id ? name(r.id) : "", n: Math.abs(r.x - r.due) });
  return t("lane.caption.finding", { what });
}

/** One slot was visited or opened. @param {Row} visit @param {Row[]} rows @param {Context} context */
function visitCaption(visit, rows, context) {
  const place = placeOf(visit.fromLevel, visit.fromSlot, context);
  const fired = rows.filter((r) => r.kind === KIND.expire);
  const moved = rows.filter((r) => r.kind === KIND.cascade);
  if (moved.length === 1 && fired.length === 0) {
    const [one] = moved;
    return caption("move", t("lane.caption.open", { place, name: context.name(one.id), to: placeOf(one.toLevel, one.toSlot, context) }));
  }
  if (moved.length > 0) return caption("move", t("lane.caption.opens", { place, n: moved.length, fired: fired.length }));
  const touched = (visit.kind === KIND.hand ? visit.before : 0) + fired.length + rows.filter((r) => r.kind === KIND.sweep).length;
  return caption(fired.length > 0 ? "fire" : "visit", t("lane.caption.visit", { place, touched, fired: fired.length }));
}

/** One operation, or one timer by itself. @param {Row[]} rows @param {Context} context */
function singleCaption(rows, context) {
  const has = (/** @type {string} */ kind) => rows.filter((r) => r.kind === KIND[kind]);
  const fired = has("expire");
  if (fired.length > 1) return sumCaption(rows, 0, context);
  const reject = has("reject")[0];
  if (reject) {
    const delay = duration(reject.due - reject.tick, context.tick);
    return caption("bad", t(`lane.caption.reject.${CODES[reject.code]}`, { name: context.name(reject.id), delay }));
  }
  if (fired.length === 1) return caption("fire", fireWords(fired[0], context));
  const [placed] = [...has("place"), ...has("pend")];
  if (placed) return caption("place", placeWords(placed, has("move").length, context));
  const gone = rows.find((r) => [KIND.cancel, KIND.mark, KIND.sweep, KIND.miss].includes(r.kind));
  return gone ? caption("visit", goneWords(gone, context)) : restCaption(rows, context);
}

/** What is told when no timer came or went. @param {Row[]} rows @param {Context} context */
function restCaption(rows, context) {
  const grow = rows.find((r) => r.kind === KIND.grow);
  if (grow) return caption("place", t("lane.caption.grow", { level: grow.fromLevel }));
  const entered = rows.find((r) => r.kind === KIND.enqueue);
  if (entered) return caption("place", t("lane.caption.enqueue", { place: placeOf(entered.fromLevel, entered.fromSlot, context), due: entered.due }));
  const moves = rows.filter((r) => r.kind === KIND.move);
  if (moves.length > 0) return caption("move", t("lane.caption.moves", { name: context.name(moves[0].id), n: moves.length }));
  const moved = rows.filter((r) => r.kind === KIND.cascade);
  return moved.length > 0 ? sumCaption(rows, 0, context) : caption("idle", t("lane.caption.idle"));
}

/** @param {Row} r @param {Context} context */
function fireWords(r, { name }) {
  const away = r.tick - r.due;
  const how = away > 0 ? "late" : away < 0 ? "early" : "on";
  return t(`lane.fired.${how}`, { name: name(r.id), n: Math.abs(away) });
}

/** @param {Row} r a place or a pend @param {number} swaps that followed, in a heap @param {Context} context */
function placeWords(r, swaps, context) {
  const name = context.name(r.id);
  if (r.kind === KIND.pend) return t("lane.caption.pend", { name });
  const at = swaps > 0 ? context.lane.index.get(r.id)?.place : null;
  const place = placeOf(at?.level ?? r.toLevel, at?.slot ?? r.toSlot, context);
  if (r.x > 0) return t("lane.caption.rounds", { name, place, rounds: r.x });
  return t("lane.caption.place", { name, place });
}

/** @param {Row} r a cancel, mark, sweep or miss @param {Context} context */
function goneWords(r, { name }) {
  if (r.kind === KIND.miss) return t("lane.caption.miss", { op: t(`lane.caption.op.${CODES[r.code]}`) });
  const what = r.kind === KIND.cancel ? "cancel" : r.kind === KIND.mark ? "mark" : "sweep";
  return t(`lane.caption.${what}`, { name: name(r.id) });
}

/** What happened more than once, and what else. @param {Row[]} rows @param {number} visited slots @param {Context} context */
function sumCaption(rows, visited, context) {
  const of = (/** @type {string[]} */ ...kinds) => rows.filter((r) => kinds.some((kind) => r.kind === KIND[kind]));
  const sums = [
    { what: "fired", tone: "fire", all: of("expire") }, { what: "rejected", tone: "bad", all: of("reject") },
    { what: "moved", tone: "move", all: of("cascade") }, { what: "cancelled", tone: "visit", all: of("cancel", "mark") },
    { what: "placed", tone: "place", all: of("place", "pend") },
  ].filter(({ all }) => all.length > 0);
  if (sums.length === 0) return visited > 0 ? caption("visit", t("lane.sum.visited", { n: visited })) : caption("idle", t("lane.caption.idle"));
  const { tone } = sums.find(({ what }) => what === "rejected") ?? sums[0];
  const words = sums.map(({ what, all }) => (all.length === 1 ? t(`lane.one.${what}`, { name: context.name(all[0].id) }) : t(`lane.sum.${what}`, { n: all.length })));
  return caption(/** @type {Caption["tone"]} */ (tone), words.join(" · "));
}

/** @param {number} level @param {number} slot @param {Context} context */
function placeOf(level, slot, { info, lane }) {
  return placeName(info, lane.levels, level, slot);
}
