// @ts-check
/**
 * The history of the followed timer. For each lane it has a line with a mark for each event of the timer and a
 * mark for the cursor, and a list of buttons that move the cursor to an event. The history is requested from
 * the server once per timer. After that, only the mark of the cursor is updated.
 */
import { COL, NO_LEVEL, ROW, cell } from "../core/protocol.js";
import { KIND, KINDS } from "../state/kinds.js";
import { byId, html, setAttr, setText, roveFocus } from "../core/dom.js";
import { LatestRequest } from "../core/requests.js";
import { placesOf } from "./why.js";
import { contextOf, eventSentence } from "./event.js";
import { t } from "../core/texts.js";

/** @typedef {{from: number, to: number, due: boolean}} Span the range of ticks of a history; due is whether it ends with the timer's due tick */

/** Symbols of the kinds of events on the line. */
const SIGNS = new Map([[KIND.expire, "●"], [KIND.cascade, "▼"], [KIND.cancel, "✕"], [KIND.mark, "✕"], [KIND.reject, "⊘"], [KIND.finding, "!"], [KIND.miss, "✕"]]);
/** Maximum number of events shown on a line. A heap may move a timer thousands of times. */
const POINTS_MAX = 60;

export class Life {
  #requested = "";
  /**
   * The timer and the range of ticks of the displayed history; null if there is none.
   * @type {{run: string, id: number, from: number, to: number}|null}
   */
  #shown = null;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    /**
     * The last history received, which is known up to the tick `until`; null if there is none.
     * @type {{run: string, id: number, events: number[], until: number}|null}
     */
    this.known = null;
    this.box = byId("life");
    this.hint = byId("life-hint");
    this.lanes = byId("life-lanes");
    this.busiest = byId("story-follow");
    this.latest = new LatestRequest(app, "life");
    roveFocus(this.lanes, "button");
    for (const group of [this.lanes, this.busiest]) {
      group.addEventListener("click", (/** @type {MouseEvent} */ event) => {
        const point = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-seq]"));
        if (point) app.send("seek", { seq: Number(point.dataset.seq) });
      });
    }
  }

  begin() {
    this.#requested = "";
  }

  /**
   * Requests the history of another followed timer, and moves the mark of the cursor. Called in each frame.
   */
  draw() {
    const { store, follow } = this.app;
    const key = `${store.run}/${follow.id}`;
    if (!follow.id || (this.#shown && (this.#shown.run !== store.run || this.#shown.id !== follow.id))) this.#hide();
    if (follow.id && key !== this.#requested && store.lanes.length > 0) this.#request(key);
    this.#cursor();
  }

  /** Requests the history of the followed timer. @param {string} key the run and the timer's id, separated by "/" */
  #request(key) {
    this.#requested = key;
    const { store, follow } = this.app;
    const { run } = store;
    this.latest.send({ run, id: follow.id }, (answer) => {
      if (this.app.store.run === run && this.app.follow.id === answer.id) this.#show(answer);
    });
  }

  #hide() {
    this.#shown = null;
    this.box.toggleAttribute("hidden", true);
    this.busiest.toggleAttribute("hidden", true);
    this.busiest.replaceChildren();
  }

  /** Displays a history. @param {any} answer answer of /api/life */
  #show({ id, events, names, until, whole }) {
    const { store } = this.app;
    store.learn(names);
    this.known = { run: store.run, id, events, until: whole ? Infinity : until };
    this.app.lanes.stale = true; // because lanes in mode "counts" have a ring around the place of the timer
    this.app.loop.request();
    const context = contextOf(store, events);
    const from = events.length > 0 ? cell(events, 0, "tick") : 0;
    const last = events.length > 0 ? events[events.length - ROW + COL.tick] : from;
    const to = Math.max(from + 1, last, ...dues(events));
    const span = { from, to, due: dues(events).includes(to) };
    this.#shown = { run: store.run, id, from, to };
    const lines = store.infos.map((/** @type {any} */ info, /** @type {number} */ lane) => lifeLine(info, events, pointsOf(events, lane), context, span));
    this.lanes.replaceChildren(...lines);
    setText(this.hint, whole ? t("life.hint") : t("life.part", { until }));
    this.box.hidden = false;
    this.#showBusiest(events, context, span);
    this.#cursor();
  }

  /**
   * Shows, beside the story, the history of the timer in the busiest lane.
   * @param {number[]} events @param {import("./event.js").Context} context @param {Span} span
   */
  #showBusiest(events, context, span) {
    const lane = busiest(events, context.infos.length);
    this.busiest.hidden = events.length === 0;
    if (events.length === 0) return this.busiest.replaceChildren();
    const title = html("h2", {}, t("life.of", { name: context.name(this.app.follow.id), lane: context.infos[lane].id }));
    this.busiest.replaceChildren(title, track(events, pointsOf(events, lane), context, span));
  }

  /** Moves the mark of the cursor to the current tick. */
  #cursor() {
    if (!this.#shown) return;
    const { from, to } = this.#shown;
    const { tick, seq } = this.app.store;
    const at = Math.min(100, Math.max(0, ((tick - from) / (to - from)) * 100));
    for (const box of [this.lanes, this.busiest]) {
      for (const mark of /** @type {Iterable<HTMLElement>} */ (box.querySelectorAll(".cursor"))) mark.style.left = `${at}%`;
      for (const point of /** @type {Iterable<HTMLElement>} */ (box.querySelectorAll("[data-seq]"))) {
        if (point.localName === "button") setAttr(point, "aria-current", String(Number(point.dataset.seq) === seq));
        point.classList.toggle("ahead", Number(point.dataset.seq) > seq);
      }
    }
  }
}

/** Returns the due ticks of the timer's runs. @param {number[]} events @returns {number[]} */
function dues(events) {
  const list = [];
  for (let at = 0; at < events.length; at += ROW) if (cell(events, at, "kind") === KIND.schedule) list.push(cell(events, at, "due"));
  return list.slice(-POINTS_MAX);
}

/**
 * Returns the index of the busiest lane: the first one with the most events, where a cascade counts as three
 * events.
 * @param {number[]} events @param {number} lanes
 */
function busiest(events, lanes) {
  const counts = Array(lanes).fill(0);
  for (let at = 0; at < events.length; at += ROW) counts[cell(events, at, "lane")] += cell(events, at, "kind") === KIND.cascade ? 3 : 1;
  return counts.indexOf(Math.max(...counts));
}

/**
 * Returns the offsets of the first events of a lane in a timer's history, at most POINTS_MAX.
 * @param {number[]} events rows of the history @param {number} lane
 */
function pointsOf(events, lane) {
  const mine = [];
  for (let at = 0; at < events.length; at += ROW) if (cell(events, at, "lane") === lane) mine.push(at);
  return mine.slice(0, POINTS_MAX);
}

/**
 * Returns the elements of one lane: the line, and the list of events.
 * @param {any} info @param {number[]} events @param {number[]} points @param {import("./event.js").Context} context
 * @param {Span} span
 */
function lifeLine(info, events, points, context, span) {
  const list = html("ol", { class: "life-list" });
  for (const at of points) {
    const when = html("span", { class: "at" }, `t = ${cell(events, at, "tick")}`);
    const words = html("span", { class: "words" }, eventSentence(events, at, context));
    list.append(html("li", {}, html("button", { type: "button", "data-seq": cell(events, at, "seq") }, when, words)));
  }
  const body = points.length > 0 ? list : html("p", { class: "hint" }, t("life.none"));
  return html("div", { class: "life-lane" }, html("h3", {}, info.id), track(events, points, context, span), body);
}

/**
 * Returns the line of a lane, which has only marks. The buttons are in the list.
 * @param {number[]} events @param {number[]} points @param {import("./event.js").Context} context @param {Span} span
 */
function track(events, points, context, { from, to, due }) {
  const line = html("div", { class: "track", "aria-hidden": "true" });
  const put = (/** @type {HTMLElement} */ mark, /** @type {number} */ tick) => { mark.style.left = `${((tick - from) / (to - from)) * 100}%`; };
  for (const at of points) {
    const kind = cell(events, at, "kind");
    const mark = html("span", { class: `point ${KINDS[kind]}`, "data-seq": cell(events, at, "seq"), title: label(events, at, context) }, SIGNS.get(kind) ?? "○");
    put(mark, cell(events, at, "tick"));
    line.append(mark);
  }
  line.append(html("span", { class: "cursor" }), html("span", { class: "from" }, t("life.from", { from })), html("span", { class: "to" }, due ? t("life.to", { to }) : `t = ${to}`));
  return line;
}

/** Describes an event. @param {number[]} rows @param {number} at @param {import("./event.js").Context} context */
function label(rows, at, context) {
  const { from, to } = placesOf(rows, at, context);
  const places = [from, to].filter(Boolean).join(" → ");
  return `t = ${cell(rows, at, "tick")}: ${t(`kind.${KINDS[cell(rows, at, "kind")]}`)}${places && cell(rows, at, "fromLevel") !== NO_LEVEL ? ` ${places}` : ""}`;
}
