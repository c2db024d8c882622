// @ts-check
/**
 * Pure functions that create the story of a step, or of all events of a tick: a headline, the reason, and the
 * events of each lane. They take rows and the data of the lanes, and return text, which view.js displays.
 */
import { COUNT, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { placesOf, rowStarts, why } from "./why.js";
import { duration } from "../core/times.js";
import { formulas } from "./formulas.js";
import { eventSentence } from "./event.js";
import { t } from "../core/texts.js";

/**
 * @typedef {import("./event.js").Context} Context
 *
 * @typedef {object} Part the part of a story about one lane
 * @property {number} lane @property {string} id
 * @property {number} at offset of the row whose formula and code are shown
 * @property {string[]} lines descriptions of the events
 * @property {number} hidden number of further events
 * @property {string[]} formulas @property {string} why
 *
 * @typedef {object} Story
 * @property {string} where position, such as "t = 3 · kafka" @property {string} headline @property {string} why
 * @property {number} lead index, in parts, of the lane in the headline
 * @property {Part[]} parts
 */

/** Maximum number of events of a lane that are described. */
const LINES_MAX = 4;

/**
 * Kinds of events, the most important first. If a lane has several events, the formula and the code of the most
 * important one are shown.
 */
const PRIORITY = [KIND.finding, KIND.cascade, KIND.reject, KIND.expire, KIND.sweep, KIND.mark, KIND.cancel, KIND.place, KIND.pend, KIND.miss,
  KIND.grow, KIND.resize, KIND.rekey, KIND.move, KIND.hand, KIND.dequeue, KIND.enqueue, KIND.schedule];

/** Event kinds that begin an operation. */
const CAUSES = new Set([KIND.schedule, KIND.cancel, KIND.mark, KIND.miss]);

/**
 * Returns the story of the events of a step or a tick.
 * @param {number[]} rows rows of the events, at least one @param {Context} context @returns {Story}
 */
export function describe(rows, context) {
  const starts = rowStarts(rows);
  const parts = partsOf(rows, starts, context);
  const own = starts.filter((at) => cell(rows, at, "lane") === context.first);
  const head = headRow(rows, own.length > 0 ? own : starts);
  const lead = Math.max(0, parts.findIndex(({ lane }) => lane === cell(rows, head, "lane")));
  const common = sameEverywhere(rows, starts, head);
  const alone = context.infos.length === 1;
  const where = [`t = ${cell(rows, head, "tick")}`, ...(common > 1 || alone ? [] : [parts[lead].id])].join(" · ");
  return { where, headline: headline(rows, head, common, context), why: reason(rows, head, common, context), lead, parts };
}

/**
 * Returns the offset of the row for the headline: the row of an operation, unless there is a more important
 * event.
 * @param {number[]} rows @param {number[]} starts
 */
function headRow(rows, starts) {
  const kind = (/** @type {number} */ at) => cell(rows, at, "kind");
  const grave = GRAVE.map((k) => starts.find((at) => kind(at) === k)).find((at) => at !== undefined);
  if (grave !== undefined) return grave;
  const cause = starts.find((at) => CAUSES.has(kind(at)) && !(kind(at) === KIND.schedule && cell(rows, at, "run") > 1));
  return cause ?? mainRow(rows, starts);
}

/** Kinds of events that are in the headline rather than the operation that caused them, in order of precedence. */
const GRAVE = [KIND.finding, KIND.cascade, KIND.expire];

/** Returns the offset of the most important row. @param {number[]} rows @param {number[]} starts */
function mainRow(rows, starts) {
  return PRIORITY.map((k) => starts.find((at) => cell(rows, at, "kind") === k)).find((at) => at !== undefined) ?? starts[0];
}

/**
 * Returns the number of lanes in which the event of the headline happened to the same timer at the same tick.
 * Returns 1 for the kinds in OWN.
 * @param {number[]} rows @param {number[]} starts offsets of all rows
 * @param {number} head offset of the row in the headline
 */
function sameEverywhere(rows, starts, head) {
  const same = (/** @type {keyof typeof import("../core/protocol.js").COL} */ column, /** @type {number} */ at) => cell(rows, at, column) === cell(rows, head, column);
  if (OWN.has(cell(rows, head, "kind"))) return 1;
  return new Set(starts.filter((at) => same("kind", at) && same("id", at) && same("tick", at) && same("run", at)).map((at) => cell(rows, at, "lane"))).size;
}

/** Kinds of events that are described for one lane, even if other lanes have the same event. */
const OWN = new Set([KIND.finding, KIND.hand, KIND.cascade]);

/**
 * Returns the part of the story for each lane that has events.
 * @param {number[]} rows @param {number[]} starts @param {Context} context @returns {Part[]}
 */
function partsOf(rows, starts, context) {
  const lanes = [...new Set(starts.map((at) => cell(rows, at, "lane")))].sort((a, b) => a - b);
  return lanes.map((lane) => {
    const mine = starts.filter((at) => cell(rows, at, "lane") === lane);
    const at = mainRow(rows, mine);
    const order = [at, ...mine.filter((row) => row !== at && !SILENT.has(cell(rows, row, "kind")) && !repeated(rows, row, at))];
    const lines = order.slice(0, LINES_MAX).sort((a, b) => a - b).map((row) => eventSentence(rows, row, context));
    const hidden = order.length - lines.length + unsent(rows, mine, context.activities?.[lane]);
    return { lane, id: context.infos[lane].id, at, lines, hidden, formulas: formulas(rows, at, context), why: why(rows, at, context) };
  });
}

/**
 * Returns the number of events of a lane that the server counted but did not send. Kinds in SILENT do not count.
 * @param {number[]} rows @param {number[]} mine offsets of the lane's rows
 * @param {import("../state/activity.js").Activity} [activity] activity of the lane; if it is missing, all events were sent
 */
function unsent(rows, mine, activity) {
  if (!activity) return 0;
  const received = mine.filter((at) => !SILENT.has(cell(rows, at, "kind"))).length;
  return [...activity.kinds].reduce((n, [kind, count]) => n + (SILENT.has(kind) ? 0 : count), 0) - received;
}

/** Kinds of events that have a line only if a step has no other events. */
const SILENT = new Set([KIND.move, KIND.enqueue, KIND.dequeue, KIND.hand]);

/** Reports whether a row is redundant, since it schedules the timer whose placement is described. @param {number[]} rows @param {number} row @param {number} at */
function repeated(rows, row, at) {
  return cell(rows, row, "kind") === KIND.schedule && cell(rows, row, "id") === cell(rows, at, "id");
}

/**
 * Returns the headline for the event at `at`.
 * @param {number[]} rows @param {number} at @param {number} common number of lanes with the same event
 * @param {Context} context
 */
function headline(rows, at, common, context) {
  const kind = cell(rows, at, "kind");
  const name = context.name(cell(rows, at, "id"));
  const { from, to } = placesOf(rows, at, context);
  switch (kind) {
    case KIND.cancel: case KIND.mark: return t("event.op.cancel", { name });
    case KIND.cascade: return cascadeHeadline(rows, at, context);
    case KIND.expire: return expireHeadline(rows, at, common, context);
    case KIND.hand: return t("head.hand", { place: from });
    case KIND.place: return t("event.place.plain", { name, place: to });
    case KIND.finding: return t("head.finding", { lane: context.infos[cell(rows, at, "lane")].id });
    default: return eventSentence(rows, at, context);
  }
}

/** Returns the headline of a cascade. @param {number[]} rows @param {number} at @param {Context} context */
function cascadeHeadline(rows, at, context) {
  if (context.infos[cell(rows, at, "lane")].shape === "slices") return t("head.cascade.redis", { name: context.name(cell(rows, at, "id")) });
  const down = cell(rows, at, "fromLevel") - cell(rows, at, "toLevel");
  const values = { name: context.name(cell(rows, at, "id")), n: down, ...placesOf(rows, at, context) };
  return t(cell(rows, at, "fromLevel") < 0 ? "head.cascade.side" : down > 1 ? "head.cascade.down" : down === 1 ? "head.cascade" : "head.cascade.same", values);
}

/** Returns the headline of a timer that fired. @param {number[]} rows @param {number} at @param {number} common @param {Context} context */
function expireHeadline(rows, at, common, context) {
  const off = cell(rows, at, "tick") - cell(rows, at, "due");
  const late = duration(Math.abs(off), context.length);
  const key = common > 1 ? "head.expire.lanes" : off === 0 ? "head.expire" : off > 0 ? "head.expire.late" : "head.expire.early";
  return t(key, { name: context.name(cell(rows, at, "id")), late, n: common, lanes: context.infos.length });
}

/** Returns the reason for the event in the headline. @param {number[]} rows @param {number} at @param {number} common @param {Context} context */
function reason(rows, at, common, context) {
  const [due, tick] = [cell(rows, at, "due"), cell(rows, at, "tick")];
  if (common > 1 && cell(rows, at, "kind") === KIND.expire) return t(due === tick ? "why.expire.lanes" : "why.expire.lanes.off", { due, tick });
  return why(rows, at, context);
}

/**
 * Summarises many events by their counts, for fast playback.
 * @param {number[][]} before counts of each lane before the events @param {number[][]} after counts after them
 */
export function summary(before, after) {
  const sum = (/** @type {number} */ place) => after.reduce((n, counts, lane) => n + counts[place] - (before[lane]?.[place] ?? 0), 0);
  return [["started", sum(COUNT.scheduled)], ["fired", sum(COUNT.expired)], ["cancelled", sum(COUNT.cancelled)], ["rejected", sum(COUNT.rejected)]]
    .filter(([, n]) => Number(n) > 0).map(([what, n]) => t(`sum.${what}`, { n }));
}

/** Describes the first events of the next step in a few words. @param {number[]} rows @param {Context} context */
export function nextWords(rows, context) {
  const starts = rowStarts(rows);
  const head = headRow(rows, starts);
  const first = starts.find((at) => cell(rows, at, "kind") === KIND.hand) ?? head;
  const lane = context.infos[cell(rows, first, "lane")].id;
  const hand = cell(rows, first, "kind") === KIND.hand;
  const words = hand ? t("next.hand", { lane, place: placesOf(rows, first, context).from }) : headline(rows, head, sameEverywhere(rows, starts, head), context);
  const everywhere = context.infos.length === 1 || CAUSES.has(cell(rows, first, "kind"));
  const full = hand || everywhere ? words : `${lane}: ${words}`;
  return { tick: cell(rows, first, "tick"), words: full, then: hand && head !== first ? headline(rows, head, 1, context) : "" };
}
