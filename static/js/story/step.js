// @ts-check
/**
 * Pure functions that create the story of a step, or of all events of a tick: a headline, the reason, and the
 * events of each lane. They take rows and the data of the lanes, and return text, which view.js displays.
 */
import { COUNT } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { duration } from "../core/times.js";
import { eventsOf } from "./event.js";
import { formulas } from "./formulas.js";
import { eventSentence } from "./sentence.js";
import { why } from "./why.js";
import { t } from "../core/texts.js";

/**
 * @typedef {import("./event.js").Context} Context
 * @typedef {import("./event.js").StoryEvent} StoryEvent
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
  const events = eventsOf(rows, context);
  const parts = partsOf(events);
  const own = events.filter(({ lane }) => lane === context.first);
  const head = headOf(own.length > 0 ? own : events);
  const lead = Math.max(0, parts.findIndex(({ lane }) => lane === head.lane));
  const common = sameEverywhere(events, head);
  const where = [`t = ${head.tick}`, ...(common > 1 || context.infos.length === 1 ? [] : [parts[lead].id])].join(" · ");
  return { where, headline: headline(head, common), why: reason(head, common), lead, parts };
}

/** Returns the event for the headline: that of an operation, unless there is a more important event. @param {StoryEvent[]} events */
function headOf(events) {
  const cause = events.find(({ kind, operation }) => operation || kind === KIND.miss);
  return firstOf(GRAVE, events) ?? cause ?? mainOf(events);
}

/** Kinds of events that are in the headline rather than the operation that caused them, in order of precedence. */
const GRAVE = [KIND.finding, KIND.cascade, KIND.expire];

/** Returns the first event of the first of the kinds that occur. @param {number[]} kinds @param {StoryEvent[]} events */
const firstOf = (kinds, events) => kinds.map((kind) => events.find((e) => e.kind === kind)).find(Boolean);

/** Returns the most important event. @param {StoryEvent[]} events */
const mainOf = (events) => firstOf(PRIORITY, events) ?? events[0];

/**
 * Returns the number of lanes in which the event of the headline happened to the same timer at the same tick.
 * Returns 1 for the kinds in OWN.
 * @param {StoryEvent[]} events @param {StoryEvent} head event in the headline
 */
function sameEverywhere(events, { kind, id, tick, run }) {
  if (OWN.has(kind)) return 1;
  return new Set(events.filter((e) => e.kind === kind && e.id === id && e.tick === tick && e.run === run).map(({ lane }) => lane)).size;
}

/** Kinds of events that are described for one lane, even if other lanes have the same event. */
const OWN = new Set([KIND.finding, KIND.hand, KIND.cascade]);

/** Returns the part of the story for each lane that has events. @param {StoryEvent[]} events @returns {Part[]} */
function partsOf(events) {
  const lanes = [...new Set(events.map(({ lane }) => lane))].sort((a, b) => a - b);
  return lanes.map((lane) => {
    const mine = events.filter((e) => e.lane === lane);
    const main = mainOf(mine);
    const order = [main, ...mine.filter((e) => e !== main && !SILENT.has(e.kind) && !(e.kind === KIND.schedule && e.id === main.id))]; // the placement says that the timer is scheduled
    const lines = order.slice(0, LINES_MAX).sort((a, b) => a.at - b.at).map(eventSentence);
    const hidden = order.length - lines.length + unsent(mine, main.context.activities?.[lane]);
    return { lane, id: main.info.id, at: main.at, lines, hidden, formulas: formulas(main), why: why(main) };
  });
}

/**
 * Returns the number of events of a lane that the server counted but did not send. Kinds in SILENT do not count.
 * @param {StoryEvent[]} mine events of the lane
 * @param {import("../state/activity.js").Activity} [activity] activity of the lane; if it is missing, all events were sent
 */
function unsent(mine, activity) {
  if (!activity) return 0;
  const received = mine.filter(({ kind }) => !SILENT.has(kind)).length;
  return [...activity.kinds].reduce((n, [kind, count]) => n + (SILENT.has(kind) ? 0 : count), 0) - received;
}

/** Kinds of events that have a line only if a step has no other events. */
const SILENT = new Set([KIND.move, KIND.enqueue, KIND.dequeue, KIND.hand]);

/** Returns the headline for an event. @param {StoryEvent} e @param {number} common number of lanes with the same event */
function headline(e, common) {
  const { kind, name } = e;
  switch (kind) {
    case KIND.cancel: case KIND.mark: return t("event.op.cancel", { name });
    case KIND.cascade: return cascadeHeadline(e);
    case KIND.expire: return expireHeadline(e, common);
    case KIND.hand: return t("head.hand", { place: e.from });
    case KIND.place: return t("event.place.plain", { name, place: e.to });
    case KIND.finding: return t("head.finding", { lane: e.info.id });
    default: return eventSentence(e);
  }
}

/** Returns the headline of a cascade. @param {StoryEvent} e */
function cascadeHeadline(e) {
  const { name, from, to, fromLevel } = e;
  if (e.info.shape === "slices") return t("head.cascade.redis", { name });
  const n = fromLevel - e.toLevel;
  return t(fromLevel < 0 ? "head.cascade.side" : n > 1 ? "head.cascade.down" : n === 1 ? "head.cascade" : "head.cascade.same", { name, n, from, to });
}

/** Returns the headline of a timer that fired. @param {StoryEvent} e @param {number} common */
function expireHeadline({ name, left, context }, common) {
  const key = common > 1 ? "head.expire.lanes" : left === 0 ? "head.expire" : left < 0 ? "head.expire.late" : "head.expire.early";
  return t(key, { name, late: duration(Math.abs(left), context.length), n: common, lanes: context.infos.length });
}

/** Returns the reason for the event in the headline. @param {StoryEvent} e @param {number} common */
function reason(e, common) {
  const { kind, due, tick } = e;
  if (common > 1 && kind === KIND.expire) return t(due === tick ? "why.expire.lanes" : "why.expire.lanes.off", { due, tick });
  return why(e);
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
  const events = eventsOf(rows, context);
  const head = headOf(events);
  const hand = events.find(({ kind }) => kind === KIND.hand);
  if (hand) return { tick: hand.tick, words: t("next.hand", { lane: hand.info.id, place: hand.from }), then: head === hand ? "" : headline(head, 1) };
  const words = headline(head, sameEverywhere(events, head));
  return { tick: head.tick, words: context.infos.length === 1 || CAUSES.has(head.kind) ? words : `${head.info.id}: ${words}`, then: "" };
}
