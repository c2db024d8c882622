// @ts-check
/**
 * The sentence about an instant: one idea, with the timers in it as chips. It says what happened last. It must agree
 * with templates/entry_story.go, which writes it for the first paint.
 */
import { ROW, cell } from "../core/protocol.js";
import { t } from "../core/texts.js";
import { tickUnit } from "../core/times.js";
import { KIND } from "../state/kinds.js";
import { REST, complete, operationStart } from "./scene.js";

/** @typedef {import("./window.js").Window} Window */
/** @typedef {{text: string, id: number, due: number}} Phrase a part of a sentence: a text or, if id is not 0, a timer */
/** @typedef {{phrases: Phrase[], old: boolean}} Sentence old: whether it is about an earlier tick than the last */
/** @typedef {{lane: number, kind: number, id: number, due: number, level: number, slot: number, rounds: number, late: number, fromLevel: number, operation: boolean, place: number}} Event_ */

/** Maximum number of timers that a sentence names. */
const CHIPS_MAX = 4;
/** Number of ticks with events that are searched for something to say. */
const SEARCHED = 40;
/** Encloses the index of a timer in a text. */
const MARK = "\0";

/** Formats a delay. @param {Window} window @param {number} ticks */
export function delayText(window, ticks) {
  const unit = tickUnit(window.run.tick);
  return unit ? `${ticks}${unit}` : t("entry.ticks", { n: ticks });
}

/** Returns the sentence for T. @param {Window} window @param {number} T @param {import("./scene.js").Pacing} pacing @returns {Sentence} */
export function sentence(window, T, pacing) {
  const now = Math.floor(T);
  const [first, end] = window.range(now);
  const done = first + complete(T - now, end - first, pacing);
  let said = pacing === "event" ? tell(window, eventsIn(window, first, done)) : tell(window, begun(window, eventsIn(window, first, end), T - now));
  if (said) return { phrases: said, old: false };
  let n = first;
  for (let i = 0; n > 0 && i < SEARCHED; i++) {
    const tick = window.tickOf(n - 1);
    const from = window.through(tick - 1);
    said = tell(window, eventsIn(window, from, n));
    if (said) return { phrases: said, old: now - tick > 1 };
    n = from;
  }
  return { phrases: [{ text: t("entry.say.nothing"), id: 0, due: 0 }], old: false };
}

/** Returns how much there is to see in a tick: 2 for operations and cascades, 1 for other events, 0 for none. @param {Window} window @param {number} tick @returns {0|1|2} */
export function interest(window, tick) {
  const [first, end] = window.range(tick);
  let most = /** @type {0|1|2} */ (0);
  for (let i = first; i < end; i++) {
    const kind = cell(window.rows, i * ROW, "kind");
    if (kind === KIND.cascade || kind === KIND.schedule || kind === KIND.cancel) return 2;
    if (kind === KIND.expire || (kind === KIND.hand && cell(window.rows, i * ROW, "before") > 0)) most = 1;
  }
  return most;
}

/** Returns the events of rows [from, to). @param {Window} window @param {number} from @param {number} to @returns {Event_[]} */
function eventsIn(window, from, to) {
  const list = [];
  for (let i = from; i < to; i++) {
    const at = i * ROW;
    const kind = cell(window.rows, at, "kind");
    const rows = window.rows;
    list.push({
      lane: cell(rows, at, "lane"), kind, id: cell(rows, at, "id"), due: cell(rows, at, "due"),
      level: kind === KIND.hand ? cell(rows, at, "fromLevel") : cell(rows, at, "toLevel"), slot: kind === KIND.hand ? cell(rows, at, "fromSlot") : cell(rows, at, "toSlot"),
      rounds: kind === KIND.hand ? cell(rows, at, "before") : cell(rows, at, "x"), late: kind === KIND.expire ? cell(rows, at, "tick") - cell(rows, at, "due") : 0,
      fromLevel: cell(rows, at, "fromLevel"), operation: (kind === KIND.schedule && cell(rows, at, "run") <= 1) || kind === KIND.cancel || kind === KIND.mark, place: i,
    });
  }
  return list;
}

/** Returns the events that have begun to move at a part of a tick. @param {Window} window @param {Event_[]} events @param {number} part */
function begun(window, events, part) {
  if (part >= REST) return events;
  const seen = new Map();
  return events.filter((e) => {
    if (e.operation && !seen.has(window.name(e.id))) seen.set(window.name(e.id), seen.size);
    const order = seen.get(window.name(e.id));
    return order === undefined || part >= operationStart(order);
  });
}

/** Returns the sentence for the events of one tick, or null if there is nothing to say. @param {Window} window @param {Event_[]} events @returns {Phrase[]|null} */
function tell(window, events) {
  const operation = events.findLast((e) => e.operation);
  if (operation) return started(window, operation, events);
  const cascades = events.filter((e) => e.kind === KIND.cascade);
  if (cascades.length) return cascaded(window, cascades);
  const expiries = events.filter((e) => e.kind === KIND.expire);
  if (expiries.length) return fired(window, expiries);
  const hand = events.find((e) => e.kind === KIND.hand && e.rounds > 0);
  return hand ? passed(window, hand) : null;
}

/** @param {Window} window @param {Event_} event @param {Event_[]} events */
function started(window, event, events) {
  if (event.kind !== KIND.schedule) return say(window, [event], "entry.say.cancel", {});
  const said = outcomes(window, events.filter((e) => e.id === event.id && (e.kind === KIND.reject || e.kind === KIND.place))
    .map(({ lane, kind, level, slot, rounds }) => ({ lane, answer: kind === KIND.reject ? "rejected" : { level, slot, rounds } })));
  const delay = delayText(window, event.due - window.tickOf(event.place));
  if (said.words) return say(window, [event], "entry.say.far", { delay, outcomes: said.words });
  if (said.slot >= 0) return say(window, [event], window.run.lanes.length > 1 ? "entry.say.slots" : "entry.say.slot", { delay, slot: said.slot });
  return say(window, [event], "entry.say.start", { delay });
}

/**
 * Returns what becomes of a timer in the lanes: the outcomes as words, or the slot that all lanes put it into; −1 if they differ.
 * @param {Window} window @param {{lane: number, answer: import("./frame.js").Answer}[]} answers
 */
export function outcomes(window, answers) {
  const words = new Set();
  let [slot, everywhere] = [-1, true];
  for (const { lane, answer } of answers) {
    if (answer === "rejected") words.add(t("entry.out.reject"));
    else if (answer.level > 0) words.add(t("entry.out.level", { n: answer.level }));
    else if (answer.rounds > 0) words.add(t("entry.out.rounds", { n: answer.rounds }));
    else {
      if (slot < 0) slot = answer.slot;
      everywhere &&= slot === answer.slot && window.run.lanes[lane].shape === "ring";
    }
  }
  return { words: [...words].join(t("entry.or")), slot: everywhere ? slot : -1 };
}

/** @param {Window} window @param {Event_[]} events */
function cascaded(window, events) {
  const timers = distinct(events);
  if (timers.length > CHIPS_MAX) return say(window, [], "entry.say.cascade.many", { n: timers.length });
  const slots = [...new Set(events.map((e) => e.slot))];
  const key = slots.length > 1 ? "entry.say.cascade.slots" : timers.length > 1 ? "entry.say.cascade.slot" : "entry.say.cascade.one";
  return say(window, timers, key, { slots: slots.join(t("entry.and")) });
}

/** @param {Window} window @param {Event_[]} events */
function fired(window, events) {
  const timers = distinct(events);
  if (timers.length > CHIPS_MAX) return say(window, [], "entry.say.fire.many", { n: timers.length });
  const event = timers[timers.length - 1];
  const same = events.filter((e) => e.id === event.id);
  const late = same.findLast((e) => e.late !== 0)?.late ?? 0;
  const all = window.run.lanes.length;
  const where = all === 1 ? t("entry.in.one") : same.length >= all ? t("entry.in.all", { n: same.length }) : t("entry.in.some", { n: same.length, all });
  return say(window, [event], late > 0 ? "entry.say.fire.late" : late < 0 ? "entry.say.fire.early" : "entry.say.fire", { where, late: delayText(window, Math.abs(late)) });
}

/** @param {Window} window @param {Event_} event */
function passed(window, event) {
  const state = window.after(event.place + 1)[event.lane];
  const timers = [...state.timers.values()].filter((e) => e.level === event.level && e.slot === event.slot).sort((a, b) => a.index - b.index);
  if (timers.length === 0 || timers.length > CHIPS_MAX) return say(window, [], "entry.say.rounds.many", { n: event.rounds });
  return say(window, timers, "entry.say.rounds", {});
}

/** @param {Event_[]} events */
const distinct = (events) => events.filter((e, i) => events.findIndex((o) => o.id === e.id) === i);

/** @param {Window} window @param {{id: number, due: number}[]} timers @param {string} key @param {Record<string, string|number>} values @returns {Phrase[]} */
export function say(window, timers, key, values) {
  const marks = timers.map((_, i) => MARK + i + MARK).join(t("entry.and"));
  const dues = new Map(window.ended.flatMap((list) => list.map((e) => /** @type {[number, number]} */ ([e.id, e.due]))));
  return t(key, { ...values, timers: marks }).split(MARK).flatMap((piece, i) => {
    if (i % 2 === 0) return piece ? [{ text: piece, id: 0, due: 0 }] : [];
    const { id, due } = timers[Number(piece)];
    return [{ text: "", id, due: due || dues.get(id) || 0 }];
  });
}
