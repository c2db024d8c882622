// @ts-check
/**
 * A feature of the page: below the picture of each lane, its wheel unrolled along the time, as in the entry view. The
 * diagram is drawn from the events of the whole run, which are requested when the user first unfolds the diagrams.
 */
import { byId, setAttr, setText, svg } from "../core/dom.js";
import { ROW, cell } from "../core/protocol.js";
import { readStored, writeStored } from "../core/storage.js";
import { t } from "../core/texts.js";
import { KIND } from "../state/kinds.js";
import { EVENTS_MAX, EventReader } from "../picture/event-reader.js";
import { paint } from "../picture/nodes.js";
import { REST } from "../picture/scene.js";
import { present, timeAt, unrolled } from "../picture/unrolled.js";
import { Window, learn } from "../picture/window.js";

/** Key in the browser's storage for whether the diagrams are shown: "on" or "off". */
const SHOWN = "wheelscope.unrolled";

export class Unroll {
  #on = readStored(SHOWN) === "on" || new URLSearchParams(location.search).get("unroll") === "1";
  /** @type {Window|null} the events of the displayed run */
  #win = null;
  /** The run whose events have been requested. */
  #requested = "";
  /** @type {{box: HTMLElement, lines: Element, wide: number, high: number, drawn: string}[]} */
  #diagrams = [];
  #sizes = new ResizeObserver(() => this.#measure());

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.reader = new EventReader((name, fields) => app.link.send(name, fields));
    this.button = byId("unroll");
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.#show(!this.#on));
    const seek = (/** @type {PointerEvent} */ event) => this.#seek(event);
    byId("lanes").addEventListener("pointerdown", seek);
    byId("lanes").addEventListener("pointermove", seek);
    this.#mark();
  }

  /** @param {string} action */
  act(action) {
    if (action !== "unroll") return false;
    this.#show(!this.#on);
    return true;
  }

  begin() {
    [this.#win, this.#requested] = [null, ""];
    this.#sizes.disconnect();
    this.#diagrams = this.app.lanes.cards.map((/** @type {{section: Element}} */ { section }) => {
      const box = /** @type {HTMLElement} */ (section.querySelector(".unroll"));
      const lines = svg("svg", {});
      box.replaceChildren(lines);
      this.#sizes.observe(box);
      return { box, lines, wide: 0, high: 0, drawn: "" };
    });
  }

  /** @param {any} message */
  received(message) { this.reader.receive(message); }

  draw() {
    if (!this.#on || this.app.store.lanes.length === 0) return;
    if (this.#requested !== this.app.store.run) void this.#fetch();
    const { tick, seq } = this.app.store;
    const win = this.#win;
    const T = tick + seq > 0 ? tick + REST : 0;
    const hot = this.app.follow.id;
    this.#diagrams.forEach((diagram, i) => {
      const { lines, wide, high } = diagram;
      if (!wide || !high) return;
      const key = `${win?.run.run}/${wide}/${high}/${hot}`;
      if (win && key !== diagram.drawn) {
        diagram.drawn = key;
        setAttr(lines, "viewBox", `0 0 ${wide} ${high}`);
        paint(lines, [["g", {}, unrolled(win, i, wide, high, hot)], ["g", {}, []]]);
      }
      if (win) paint(lines.children[1], present(win, T, wide, high));
    });
  }

  /** Shows or hides the diagrams. @param {boolean} on */
  #show(on) {
    this.#on = on;
    writeStored(SHOWN, on ? "on" : "off");
    this.#mark();
    this.app.loop.request();
  }

  #mark() {
    setAttr(this.button, "aria-pressed", String(this.#on));
    document.documentElement.classList.toggle("unrolled", this.#on);
  }

  #measure() {
    for (const diagram of this.#diagrams) [diagram.wide, diagram.high] = [diagram.box.clientWidth, diagram.box.clientHeight];
    this.app.loop.request();
  }

  /** Requests the events of the displayed run. */
  async #fetch() {
    const { store } = this.app;
    const { run } = store;
    this.#requested = run;
    const events = await this.reader.read(0, EVENTS_MAX, () => store.run === run);
    if (store.run !== run) return;
    if (!events) {
      this.#requested = ""; // the next frame asks again
      return;
    }
    if (!events.end) return this.#tooLong();
    const { rows } = events;
    const names = new Map();
    learn(names, events.names);
    const { infos, until, length, start, lanes, seq } = store;
    const grown = infos.map(() => new Set());
    for (let at = 0; at < rows.length && cell(rows, at, "seq") <= seq; at += ROW) if (cell(rows, at, "kind") === KIND.grow) grown[cell(rows, at, "lane")].add(cell(rows, at, "fromLevel"));
    const known = infos.map((/** @type {any} */ info, /** @type {number} */ i) => ({ ...info, levels: lanes[i].levels.filter((/** @type {number[]} */ [level]) => !grown[i].has(level)) }));
    this.#win = new Window({ run, until, tick: length, start, lanes: known }, rows, names, []);
    this.#win.first = (id) => id; // as in the pictures of the laboratory
    this.app.loop.request();
  }

  #tooLong() {
    for (const { box } of this.#diagrams) {
      box.replaceChildren();
      setText(box, t("player.unroll.long", { n: EVENTS_MAX.toLocaleString("en") }));
    }
  }

  /** Seeks to the tick under a pointer that is pressed in a diagram, unless a timer is there. @param {PointerEvent} event */
  #seek(event) {
    const target = /** @type {Element} */ (event.target);
    const box = event.buttons === 1 && this.#win ? target.closest(".unroll") : null;
    if (!box || !this.#win || target.closest("[data-id]")) return;
    const { left, width } = box.getBoundingClientRect();
    this.app.player.seek(Math.max(0, Math.min(this.app.store.until, Math.floor(timeAt(this.#win, width, event.clientX - left)))));
  }
}
