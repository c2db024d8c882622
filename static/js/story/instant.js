// @ts-check
/**
 * The sentence about an instant: one idea, with the timers in it as chips. It says what happened last. It must agree
 * with templates/entry_story.go, which writes it for the first paint.
 */
import { ROW, cell } from "../core/protocol.js";
import { t } from "../core/texts.js";
import { tickUnit } from "../core/times.js";
import { KIND } from "../state/kinds.js";
import { StoryEvent } from "./event.js";
import { REST, complete, operationStart } from "../picture/scene.js";

/** @typedef {import("../picture/window.js").Window} Window */
/** @typedef {{text: string, id: number, due: number}} Phrase a part of a sentence: a text or, if id is not 0, a timer */
/** @typedef {{phrases: Phrase[], old: boolean, lane: number}} Sentence old: whether it is about an earlier tick than the last; lane: the first lane in which it happens */
/** @typedef {{phrases: Phrase[], lane: number}} Told */

/** Maximum number of timers that a sentence names. */
const CHIPS_MAX = 4;
/** Number of ticks with events that are searched for something to say. */
const SEARCHED = 40;
/** Encloses the index of a timer in a text. */
const MARK = "\0";

/** Formats a delay. @param {Window} win @param {number} ticks */
export function delayText(win, ticks) {
  const unit = tickUnit(win.run.tick);
  return unit ? `${ticks}${unit}` : t("entry.ticks", { n: ticks });
}

/** Returns the sentence for T. @param {Window} win @param {number} T @param {import("../picture/scene.js").Pacing} pacing @returns {Sentence} */
export function sentence(win, T, pacing) {
  const now = Math.floor(T);
  const [first, end] = win.rowsOf(now);
  const done = first + complete(T - now, end - first, pacing);
  let said = pacing === "event" ? tell(win, eventsIn(win, first, done)) : tell(win, begun(eventsIn(win, first, end), T - now));
  if (said) return { ...said, old: false };
  let n = first;
  for (let i = 0; n > 0 && i < SEARCHED; i++) {
    const tick = win.tickOf(n - 1);
    const from = win.through(tick - 1);
    said = tell(win, eventsIn(win, from, n));
    if (said) return { ...said, old: now - tick > 1 };
    n = from;
  }
  return { phrases: [{ text: t(win.from.tick < 0 ? "entry.say.nothing" : "entry.say.quiet"), id: 0, due: 0 }], old: false, lane: 0 };
}

/** Returns how much there is to see in a tick: 2 for operations and cascades, 1 for other events, 0 for none. @param {Window} win @param {number} tick @returns {0|1|2} */
export function interest(win, tick) {
  const [first, end] = win.rowsOf(tick);
  let most = /** @type {0|1|2} */ (0);
  for (let i = first; i < end; i++) {
    const kind = cell(win.rows, i * ROW, "kind");
    if (kind === KIND.cascade || kind === KIND.schedule || kind === KIND.cancel) return 2;
    if (kind === KIND.expire || (kind === KIND.hand && cell(win.rows, i * ROW, "before") > 0)) most = 1;
  }
  return most;
}

/** Returns the events of rows [from, to). @param {Window} win @param {number} from @param {number} to */
function eventsIn(win, from, to) {
  const { lanes, start, tick } = win.run;
  const context = { infos: /** @type {any} */ (lanes), lanes: [], start, length: tick, name: (/** @type {number} */ id) => win.name(id) };
  return Array.from({ length: to - from }, (_, i) => new StoryEvent(win.rows, (from + i) * ROW, context));
}

/** Returns the events that have begun to move at a part of a tick. @param {StoryEvent[]} events @param {number} part */
function begun(events, part) {
  if (part >= REST) return events;
  const seen = new Map();
  return events.filter((e) => {
    if (e.operation && !seen.has(e.name)) seen.set(e.name, seen.size);
    const order = seen.get(e.name);
    return order === undefined || part >= operationStart(order);
  });
}

/** Returns the sentence for the events of one tick, or null if there is nothing to say. @param {Window} win @param {StoryEvent[]} events @returns {Told|null} */
function tell(win, events) {
  const operation = events.findLast((e) => e.operation);
  if (operation) return { phrases: started(win, operation, events), lane: events.find((e) => e.operation)?.lane ?? 0 };
  const cascades = events.filter((e) => e.kind === KIND.cascade);
  if (cascades.length) return { phrases: cascaded(win, cascades), lane: cascades[0].lane };
  const expiries = events.filter((e) => e.kind === KIND.expire);
  if (expiries.length) return { phrases: fired(win, expiries), lane: expiries[0].lane };
  const hand = events.find((e) => e.kind === KIND.hand && e.before > 0);
  return hand ? { phrases: passed(win, hand), lane: hand.lane } : null;
}

/** @param {Window} win @param {StoryEvent} event @param {StoryEvent[]} events */
function started(win, event, events) {
  if (event.kind !== KIND.schedule) return say(win, [event], "entry.say.cancel", {});
  const before = events.find((e) => e.operation && e.kind !== KIND.schedule && e.id !== event.id && e.name === event.name);
  const old = before ? win.dueOf(before.id) : 0;
  if (before && old) {
    const key = event.due > old ? "entry.say.later" : event.due < old ? "entry.say.sooner" : "entry.say.same";
    return say(win, [{ id: before.id, due: old }], key, { at: delayText(win, event.due) });
  }
  const said = outcomes(win, events.filter((e) => e.id === event.id && (e.kind === KIND.reject || e.kind === KIND.place))
    .map(({ lane, kind, toLevel: level, toSlot: slot, code, x }) => ({ lane, answer: kind === KIND.reject ? "rejected" : { level, slot, rounds: code === "stale" ? -1 : x } })));
  const delay = delayText(win, event.left);
  if (said.words) return say(win, [event], "entry.say.far", { delay, outcomes: said.words });
  if (said.slot >= 0) return say(win, [event], win.run.lanes.length > 1 ? "entry.say.slots" : "entry.say.slot", { delay, slot: said.slot });
  return say(win, [event], "entry.say.start", { delay });
}

/**
 * Returns what becomes of a timer in the lanes: the outcomes as words, or the slot that all lanes put it into; −1 if they differ.
 * @param {Window} win @param {{lane: number, answer: import("../picture/frame.js").Answer}[]} answers
 */
export function outcomes(win, answers) {
  const words = new Set();
  let [slot, everywhere] = [-1, true];
  for (const { lane, answer } of answers) {
    if (answer === "rejected") words.add(t("entry.out.reject"));
    else if (win.run.lanes[lane].shape !== "ring") everywhere = false;
    else if (answer.level > 0) words.add(t(answer.level === 1 ? "entry.out.level.one" : "entry.out.level", { n: answer.level }));
    else if (answer.rounds > 0) words.add(t(answer.rounds === 1 ? "entry.out.round.one" : "entry.out.rounds", { n: answer.rounds }));
    else {
      if (slot < 0) slot = answer.slot;
      everywhere &&= slot === answer.slot;
    }
  }
  return { words: alternatives([...words]), slot: everywhere ? slot : -1 };
}

/** Joins alternatives. @param {string[]} words */
const alternatives = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(t("entry.comma"))}${t("entry.or")}${words[words.length - 1]}`);

/** @param {Window} win @param {StoryEvent[]} events */
function cascaded(win, events) {
  const timers = distinct(events);
  if (events.some((e) => win.run.lanes[e.lane].shape !== "ring")) {
    const many = timers.length > CHIPS_MAX;
    return say(win, many ? [] : timers, many ? "entry.say.moved.many" : timers.length > 1 ? "entry.say.moved" : "entry.say.moved.one", { n: timers.length });
  }
  if (timers.length > CHIPS_MAX) return say(win, [], "entry.say.cascade.many", { n: timers.length });
  const slots = [...new Set(events.map((e) => e.toSlot))];
  const key = slots.length > 1 ? "entry.say.cascade.slots" : timers.length > 1 ? "entry.say.cascade.slot" : "entry.say.cascade.one";
  return say(win, timers, key, { slots: slots.join(t("entry.and")) });
}

/** @param {Window} win @param {StoryEvent[]} events */
function fired(win, events) {
  const timers = distinct(events);
  if (timers.length > CHIPS_MAX) return say(win, [], "entry.say.fire.many", { n: timers.length });
  const event = timers[timers.length - 1];
  const same = events.filter((e) => e.id === event.id);
  const late = -(same.findLast((e) => e.left !== 0)?.left ?? 0);
  const all = win.run.lanes.length;
  const [every, some] = win.run.lanes.every((lane) => lane.shape === "ring") ? ["entry.in.all", "entry.in.some"] : ["entry.in.all.lanes", "entry.in.some.lanes"];
  const where = all === 1 ? "" : same.length >= all ? t(every, { n: same.length }) : t(some, { n: same.length, all });
  return say(win, [event], late > 0 ? "entry.say.fire.late" : late < 0 ? "entry.say.fire.early" : "entry.say.fire", { where, late: delayText(win, Math.abs(late)) });
}

/** @param {Window} win @param {StoryEvent} event */
function passed(win, event) {
  const state = win.after(event.at / ROW + 1)[event.lane];
  const timers = [...state.timers.values()].filter((e) => e.level === event.fromLevel && e.slot === event.fromSlot).sort((a, b) => a.index - b.index);
  if (timers.length === 0 || timers.length > CHIPS_MAX) return say(win, [], "entry.say.rounds.many", { n: event.before });
  return say(win, timers, "entry.say.rounds", {});
}

/** @param {StoryEvent[]} events */
const distinct = (events) => events.filter((e, i) => events.findIndex((o) => o.id === e.id) === i);

/** @param {Window} win @param {{id: number, due: number}[]} timers @param {string} key @param {Record<string, string|number>} values @returns {Phrase[]} */
export function say(win, timers, key, values) {
  const marks = timers.map((_, i) => MARK + i + MARK).join(t("entry.and"));
  return t(key, { ...values, timers: marks }).split(MARK).flatMap((piece, i) => {
    if (i % 2 === 0) return piece ? [{ text: piece, id: 0, due: 0 }] : [];
    const { id, due } = timers[Number(piece)];
    return [{ text: "", id, due: due || win.dueOf(id) }];
  });
}
