// @ts-check
/**
 * Pure functions that create the caption of a picture, a line that describes the lane's activity at the
 * cursor. They use the activity that the server counts, so that the caption does not depend on which events
 * were sent.
 */
import { COUNT } from "../core/protocol.js";
import { CODES, KIND } from "../state/kinds.js";
import { placeKey } from "../state/lane-state.js";
import { traitsOf } from "../state/traits.js";
import { placeName } from "../state/words.js";
import { duration } from "../core/times.js";
import { t } from "../core/texts.js";

/** @typedef {import("../state/lane-state.js").Lane} Lane */
/** @typedef {{text: string, tone: "idle"|"place"|"visit"|"move"|"fire"|"bad", mark: string}} Caption text of the line, its tone, and the mark of the tone */
/** @typedef {import("../state/activity.js").Row} Row */
/** @typedef {import("../state/activity.js").Activity} Activity */
/**
 * @typedef {object} Context the data, in addition to the events, that a sentence needs
 * @property {import("../state/words.js").LaneInfo} info
 * @property {Lane} lane
 * @property {(id: number) => string} name
 * @property {string} tick length of a base tick
 */

/** The mark of each tone, so that a tone is not indicated by colour alone. */
const MARKS = { idle: "", place: "+", visit: "○", move: "▼", fire: "●", bad: "✕" };

/** Returns the number of events of the given kinds. @param {Activity} activity @param {...string} kinds */
function count(activity, ...kinds) {
  return kinds.reduce((sum, kind) => sum + (activity.kinds.get(KIND[kind]) ?? 0), 0);
}

/** Returns the first event of the given kinds. @param {Activity} activity @param {...string} kinds @returns {Row|undefined} */
function first(activity, ...kinds) {
  const rows = kinds.flatMap((kind) => activity.first.get(KIND[kind]) ?? []);
  return rows.sort((a, b) => a.seq - b.seq)[0];
}

/**
 * Describes a lane's activity.
 * @param {Activity|null} activity activity, or null if it is unknown, as during playback or if there are too many events
 * @param {Context} context @returns {Caption}
 */
export function captionOf(activity, context) {
  const { counts, mode } = context.lane;
  if (!activity || (activity.events === 0 && mode === "counts")) return caption("idle", t("lane.caption.fast", { n: counts[COUNT.expired] }));
  if (activity.events === 0 && counts[COUNT.scheduled] === 0) return caption("idle", t("lane.caption.none"));
  const fault = first(activity, "finding");
  if (fault) return caption("bad", findingWords(fault, context));
  const resize = first(activity, "resize");
  if (resize) return caption("move", t("lane.caption.resize", { slots: resize.fromSlot, width: duration(resize.x, context.tick) }));
  const visits = count(activity, "hand", "dequeue");
  const visit = first(activity, "hand", "dequeue");
  const armings = count(activity, "schedule");
  if (visits === 1 && visit && armings === 0) return visitCaption(visit, activity, context);
  if (visits === 0 && armings <= 1) return singleCaption(activity, context);
  return sumCaption(activity, visits, context);
}

/** Returns a caption with the mark of its tone. @param {Caption["tone"]} tone @param {string} text @returns {Caption} */
function caption(tone, text) {
  return { tone, text, mark: MARKS[tone] };
}

/** Describes a finding. @param {Row} r @param {Context} context */
function findingWords(r, { name }) {
  const what = t(`lane.finding.${CODES[r.code]}`, { name: r.id ? name(r.id) : "", n: Math.abs(r.x - r.due) });
  return t("lane.caption.finding", { what });
}

/**
 * Describes activity in which one slot was visited, or one bucket taken from the delay queue.
 * @param {Row} visit @param {Activity} activity @param {Context} context
 */
function visitCaption(visit, activity, context) {
  const place = placeOf(visit.fromLevel, visit.fromSlot, context);
  const [fired, moved] = [count(activity, "expire"), count(activity, "cascade")];
  const one = first(activity, "cascade");
  if (one && moved === 1 && fired === 0) {
    return caption("move", t("lane.caption.open", { place, name: context.name(one.id), to: placeOf(one.toLevel, one.toSlot, context) }));
  }
  if (moved > 0) return caption("move", t("lane.caption.opens", { place, n: moved, fired }));
  const touched = (visit.kind === KIND.hand ? visit.before : 0) + fired + count(activity, "sweep") + stayed(visit, context);
  return caption(fired > 0 ? "fire" : "visit", t("lane.caption.visit", { place, touched, fired }));
}

/**
 * Returns the number of timers that a visit examined without changing them.
 * @param {Row} visit @param {Context} context
 */
function stayed({ fromLevel, fromSlot }, { info, lane }) {
  return traitsOf(info.algorithm).compares ? lane.places.get(placeKey(fromLevel, fromSlot))?.count ?? 0 : 0;
}

/**
 * Describes activity that consists of one operation or concerns one timer.
 * @param {Activity} activity @param {Context} context
 */
function singleCaption(activity, context) {
  if (count(activity, "expire") > 1) return sumCaption(activity, 0, context);
  const reject = first(activity, "reject");
  if (reject) {
    const delay = duration(reject.due - reject.tick, context.tick);
    return caption("bad", t(`lane.caption.reject.${CODES[reject.code]}`, { name: context.name(reject.id), delay }));
  }
  const fired = first(activity, "expire");
  if (fired) return caption("fire", fireWords(fired, context));
  const placed = first(activity, "place") ?? first(activity, "pend");
  if (placed) return caption("place", placeWords(placed, count(activity, "move"), context));
  const gone = first(activity, "cancel", "mark", "sweep", "miss");
  if (gone && count(activity, "cancel", "mark") > 1) return sumCaption(activity, 0, context);
  return gone ? caption("visit", goneWords(gone, context)) : restCaption(activity, context);
}

/** Describes activity that neither added nor removed a timer. @param {Activity} activity @param {Context} context */
function restCaption(activity, context) {
  const grow = first(activity, "grow");
  if (grow) return caption("place", t("lane.caption.grow", { level: grow.fromLevel }));
  const entered = first(activity, "enqueue");
  if (entered) return caption("place", t("lane.caption.enqueue", { place: placeOf(entered.fromLevel, entered.fromSlot, context), due: entered.due }));
  const keys = count(activity, "rekey");
  if (keys > 0) return caption("visit", t("lane.caption.rekeys", { n: keys }));
  const move = first(activity, "move");
  if (move) return caption("move", t("lane.caption.moves", { name: context.name(move.id), n: count(activity, "move") }));
  return count(activity, "cascade") > 0 ? sumCaption(activity, 0, context) : caption("idle", t("lane.caption.idle"));
}

/** Describes a timer that fired. @param {Row} r @param {Context} context */
function fireWords(r, { name }) {
  const away = r.tick - r.due;
  const how = away > 0 ? "late" : away < 0 ? "early" : "on";
  return t(`lane.fired.${how}`, { name: name(r.id), n: Math.abs(away) });
}

/**
 * Describes where a timer was placed.
 * @param {Row} r a place or pend event @param {number} swaps number of moves that followed in a heap
 * @param {Context} context
 */
function placeWords(r, swaps, context) {
  const name = context.name(r.id);
  if (r.kind === KIND.pend) return t("lane.caption.pend", { name });
  const at = swaps > 0 ? context.lane.index.get(r.id)?.place : null;
  const place = placeOf(at?.level ?? r.toLevel, at?.slot ?? r.toSlot, context);
  if (CODES[r.code] === "stale") return t("lane.caption.stale", { name, place, key: r.x });
  if (r.x > 0) return t("lane.caption.rounds", { name, place, rounds: r.x });
  return t("lane.caption.place", { name, place });
}

/**
 * Describes a timer that was cancelled, marked or swept, or a cancel or reset that found no timer.
 * @param {Row} r a cancel, mark, sweep or miss event @param {Context} context
 */
function goneWords(r, { name }) {
  if (r.kind === KIND.miss) return t("lane.caption.miss", { op: t(`lane.caption.op.${CODES[r.code]}`) });
  const what = r.kind === KIND.cancel ? "cancel" : r.kind === KIND.mark ? "mark" : "sweep";
  return t(`lane.caption.${what}`, { name: name(r.id) });
}

/**
 * The kinds of events that are summarised in a caption, in order.
 * @type {{what: string, tone: Caption["tone"], kinds: string[]}[]}
 */
const SUMS = [
  { what: "fired", tone: "fire", kinds: ["expire"] }, { what: "rejected", tone: "bad", kinds: ["reject"] },
  { what: "moved", tone: "move", kinds: ["cascade"] }, { what: "cancelled", tone: "visit", kinds: ["cancel", "mark"] },
  { what: "placed", tone: "place", kinds: ["place", "pend"] },
];

/** Summarises activity with several events. @param {Activity} activity @param {number} visited slots @param {Context} context */
function sumCaption(activity, visited, context) {
  const sums = SUMS.filter(({ kinds }) => count(activity, ...kinds) > 0);
  if (sums.length === 0) return visited > 0 ? caption("visit", t("lane.sum.visited", { n: visited })) : caption("idle", t("lane.caption.idle"));
  const { tone } = sums.find(({ what }) => what === "rejected") ?? sums[0];
  const words = sums.map(({ what, kinds }) => {
    const n = count(activity, ...kinds);
    return n === 1 ? t(`lane.one.${what}`, { name: context.name(/** @type {Row} */ (first(activity, ...kinds)).id) }) : t(`lane.sum.${what}`, { n });
  });
  return caption(tone, words.join(" · "));
}

/** Returns the name of a place. @param {number} level @param {number} slot @param {Context} context */
function placeOf(level, slot, { info, lane }) {
  return placeName(info, lane.levels, level, slot);
}
