// @ts-check
/**
 * The log: a list of the last events. Each has a button that moves the cursor to it. The events are requested
 * from the server while the log is open and the cursor is at rest.
 */
import { KINDS } from "../state/kinds.js";
import { byId, html, setText, roveFocus, stop } from "../core/dom.js";
import { LatestRequest } from "../core/requests.js";
import { contextOf, eventsOf } from "./event.js";
import { eventSentence } from "./sentence.js";
import { t } from "../core/texts.js";

/** Maximum number of lines of the log. */
const LINES_MAX = 60;
/** Time for which the cursor must be at rest before the events are requested, in milliseconds. */
const REST_MS = 80;

export class Log {
  #stale = true;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.list = byId("log");
    this.hint = byId("log-hint");
    this.latest = new LatestRequest(app, "events");
    roveFocus(this.list, "button[data-seq]");
    this.list.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const line = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("button[data-seq]"));
      if (line) app.send("seek", { seq: Number(line.dataset.seq) });
    });
  }

  begin() {
    this.list.replaceChildren();
    this.#stale = true;
  }

  moved() {
    this.#stale = true;
  }

  /** Requests the events if the log is open and outdated. Called in each frame. */
  draw() {
    const { player, seq, lanes } = this.app.store;
    if (this.app.tabs.open !== "log" || !this.#stale || player.playing || lanes.length === 0) return;
    this.#stale = false;
    this.#mark(seq);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#request(), REST_MS);
  }

  #request() {
    const { run, seq } = this.app.store;
    this.latest.send({ run, seq, n: LINES_MAX }, (answer) => {
      if (run === this.app.store.run) this.#show(answer);
    });
  }

  /** Displays the events. @param {any} answer answer of /api/events */
  #show({ events, names }) {
    const { store } = this.app;
    if (store.lanes.length === 0) return;
    store.learn(names);
    const focused = /** @type {HTMLElement|null} */ (this.list.contains(document.activeElement) ? document.activeElement : null)?.dataset.seq;
    const lines = eventsOf(events, contextOf(store)).reverse().map(line);
    this.list.replaceChildren(...lines);
    setText(this.hint, t(lines.length > 0 ? "log.hint" : "log.none"));
    this.#mark(store.seq);
    if (focused) (this.list.querySelector(`[data-seq="${focused}"]`) ?? this.list.querySelector("button"))?.focus();
  }

  /** Marks the line of the cursor's event. @param {number} seq */
  #mark(seq) {
    const buttons = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll("button[data-seq]")]);
    for (const button of buttons) {
      if (Number(button.dataset.seq) === seq) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    const current = buttons.find((button) => button.hasAttribute("aria-current")) ?? buttons[0];
    if (current) stop(buttons, current);
  }
}

/** Returns the line of an event. @param {import("./event.js").StoryEvent} e */
function line(e) {
  const kind = KINDS[e.kind];
  const button = html("button", { type: "button", "data-seq": e.seq, "data-kind": kind },
    html("span", { class: "at" }, `t = ${e.tick}`), html("b", {}, e.info.id),
    html("span", { class: "kind" }, t(`kind.${kind}`)), html("span", { class: "words" }, eventSentence(e)),
  );
  const item = html("li", {}, button);
  const { id, name } = e;
  if (id) item.append(html("button", { type: "button", class: "log-follow", tabindex: -1, "data-follow": id, "aria-label": t("follow.it", { name }), title: t("follow.it", { name }) }, "◎"));
  return item;
}
