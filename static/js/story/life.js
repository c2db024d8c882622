// @ts-check
/**
 * The history of the followed timer. For each lane it has a line with a mark for each event of the timer and a
 * mark for the cursor, and a list of buttons that move the cursor to an event. The history is requested from
 * the server once per timer. After that, only the mark of the cursor is updated.
 */
import { NO_LEVEL } from "../core/protocol.js";
import { KIND, KINDS } from "../state/kinds.js";
import { byId, html, setAttr, setText, roveFocus } from "../core/dom.js";
import { LatestRequest } from "../core/requests.js";
import { contextOf, eventsOf } from "./event.js";
import { eventSentence } from "./sentence.js";
import { t } from "../core/texts.js";

/** @typedef {import("./event.js").StoryEvent} StoryEvent */
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
    const all = eventsOf(events, contextOf(store));
    const from = all[0]?.tick ?? 0;
    const dues = all.filter(({ kind }) => kind === KIND.schedule).map(({ due }) => due).slice(-POINTS_MAX);
    const to = Math.max(from + 1, all.at(-1)?.tick ?? from, ...dues);
    const span = { from, to, due: dues.includes(to) };
    this.#shown = { run: store.run, id, from, to };
    this.lanes.replaceChildren(...store.infos.map((/** @type {any} */ info, /** @type {number} */ lane) => lifeLine(info, pointsOf(all, lane), span)));
    setText(this.hint, whole ? t("life.hint") : t("life.part", { until }));
    this.box.hidden = false;
    this.#showBusiest(all, span);
    this.#cursor();
  }

  /** Shows, beside the story, the history of the timer in the busiest lane. @param {StoryEvent[]} events @param {Span} span */
  #showBusiest(events, span) {
    const { store, follow } = this.app;
    this.busiest.hidden = events.length === 0;
    if (events.length === 0) return this.busiest.replaceChildren();
    const lane = busiest(events, store.infos.length);
    const title = html("h2", {}, t("life.of", { name: store.called(follow.id), lane: store.infos[lane].id }));
    this.busiest.replaceChildren(title, track(pointsOf(events, lane), span));
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

/**
 * Returns the index of the busiest lane: the first one with the most events, where a cascade counts as three
 * events.
 * @param {StoryEvent[]} events @param {number} lanes
 */
function busiest(events, lanes) {
  const counts = Array(lanes).fill(0);
  for (const { lane, kind } of events) counts[lane] += kind === KIND.cascade ? 3 : 1;
  return counts.indexOf(Math.max(...counts));
}

/** Returns the first events of a lane, at most POINTS_MAX. @param {StoryEvent[]} events @param {number} lane */
const pointsOf = (events, lane) => events.filter((e) => e.lane === lane).slice(0, POINTS_MAX);

/** Returns the elements of one lane: the line, and the list of events. @param {any} info @param {StoryEvent[]} points @param {Span} span */
function lifeLine(info, points, span) {
  const list = html("ol", { class: "life-list" }, ...points.map((e) => html("li", {}, html("button", { type: "button", "data-seq": e.seq },
    html("span", { class: "at" }, `t = ${e.tick}`), html("span", { class: "words" }, eventSentence(e))))));
  const body = points.length > 0 ? list : html("p", { class: "hint" }, t("life.none"));
  return html("div", { class: "life-lane" }, html("h3", {}, info.id), track(points, span), body);
}

/** Returns the line of a lane, which has only marks. The buttons are in the list. @param {StoryEvent[]} points @param {Span} span */
function track(points, { from, to, due }) {
  const marks = points.map((e) => {
    const mark = html("span", { class: `point ${KINDS[e.kind]}`, "data-seq": e.seq, title: label(e) }, SIGNS.get(e.kind) ?? "○");
    mark.style.left = `${((e.tick - from) / (to - from)) * 100}%`;
    return mark;
  });
  return html("div", { class: "track", "aria-hidden": "true" }, ...marks,
    html("span", { class: "cursor" }), html("span", { class: "from" }, t("life.from", { from })), html("span", { class: "to" }, due ? t("life.to", { to }) : `t = ${to}`));
}

/** Describes an event in a few words. @param {StoryEvent} e */
function label({ tick, kind, from, to, fromLevel }) {
  const places = fromLevel === NO_LEVEL ? "" : ` ${[from, to].filter(Boolean).join(" → ")}`;
  return `t = ${tick}: ${t(`kind.${KINDS[kind]}`)}${places}`;
}
