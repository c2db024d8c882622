// @ts-check
/**
 * A feature of the page: follows a timer. Keys move the cursor from event to event of the timer. Buttons in the
 * story follow the timers that the story mentions. The id of the followed timer is in the URL. In another run
 * the timer is found by its name.
 */
import { byId, html, setText } from "../core/dom.js";
import { eventBeside, timersOf, whereOf } from "../state/life-places.js";
import { t } from "../core/texts.js";
import { request } from "../core/transport.js";

/** Maximum number of timers for which the story has a button. */
const OFFERED_MAX = 8;
/** Maximum number of commands in progress while a key is held. */
const WAITING_MAX = 2;

/** @type {Record<string, number>} */
const WAYS = { "life-next": 1, "life-back": -1 };

export class Following {
  /** Id of the timer that the URL requests, or 0 if there is none or it has been handled. */
  #requestedId = Number(new URLSearchParams(location.search).get("follow")) || 0;
  /** Whether another run is displayed, in which the timer's id may differ. */
  #runChanged = false;
  #offered = "";
  /** Whether a search for an event of the followed timer is in progress. */
  #searching = false;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.chips = html("div", { class: "chips follow-chips", role: "group", "aria-label": t("follow.chips") });
    this.chips.hidden = true;
    byId("story-lanes").before(this.chips);
    for (const box of [this.chips, byId("log")]) {
      box.addEventListener("click", (/** @type {MouseEvent} */ event) => {
        const chip = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-follow]"));
        if (chip) this.#toggle(Number(chip.dataset.follow));
      });
    }
    byId("log").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => besideLine(event), { capture: true });
    app.lanes.where = (/** @type {number} */ lane) => (app.follow.id ? whereOf(app.life?.known, app.store, lane, app.follow.id) : null);
  }

  begin() { this.#runChanged = true; }

  moved() {
    const { follow, store } = this.app;
    if (this.#requestedId && store.lanes.length > 0) this.#followRequested();
    if (this.#runChanged && store.lanes.length > 0) {
      this.#runChanged = false;
      follow.again();
    }
  }

  draw() { this.#offer(); }

  /** Handles the keys that step through the timer's events. @param {string} action @param {boolean} held */
  act(action, held) {
    const way = WAYS[action];
    if (!way) return false;
    const { app } = this;
    if (!app.follow.id) app.say(t("follow.unset"));
    else if (!held || app.link.waiting < WAITING_MAX) this.#step(way);
    return true;
  }

  /**
   * Moves the cursor to the next or the previous event of the timer, or searches for that event.
   * @param {number} way 1 for next, −1 for previous
   */
  #step(way) {
    const { app } = this;
    const life = this.#life();
    if (!life) return;
    const past = app.store.tick >= life.until;
    const seq = way < 0 && past ? 0 : eventBeside(life.events, app.store.seq, way);
    if (seq) app.send("seek", { seq });
    else if (life.until === Infinity || (way < 0 && !past)) this.#sayNone(way);
    else this.#search(way);
  }

  /**
   * Searches for an event that is not in the known part of the timer's history.
   * @param {number} way 1 for next, −1 for previous
   */
  async #search(way) {
    const { app } = this;
    this.#searching = true;
    if (await app.send("find", { what: "timer", n: way, timer: app.store.name(app.follow.id) })) this.#searching = false;
  }

  /** Handles the outcome of a search. @param {any} message n: 1 for a forward search, −1 for a backward one */
  received({ kind, outcome, n }) {
    if (kind !== "search" || outcome === "on" || !this.#searching) return;
    this.#searching = false;
    if (outcome === "none") this.#sayNone(n);
  }

  /** Shows that there is no further event. @param {number} way 1 for next, −1 for previous */
  #sayNone(way) {
    const { app } = this;
    app.say(t(way > 0 ? "follow.last" : "follow.first", { name: app.store.called(app.follow.id) }));
  }

  /** Returns the followed timer's history, or null if it has not been received. @returns {{events: number[], until: number}|null} */
  #life() {
    const { life, follow, store } = this.app;
    const known = life?.known;
    return known && known.run === store.run && known.id === follow.id ? known : null;
  }

  /** Follows a timer, or stops following it. @param {number} id */
  #toggle(id) {
    const { follow } = this.app;
    follow.choose(follow.id === id ? 0 : id);
  }

  /** Follows the timer requested by the URL, if the run has it. */
  async #followRequested() {
    const { app } = this;
    const id = this.#requestedId;
    this.#requestedId = 0;
    const { run } = app.store;
    const answer = await request(`${app.base}/api/life?${new URLSearchParams({ run, id: String(id) })}`).catch(() => null);
    if (run !== app.store.run || app.follow.id) return;
    const life = answer?.ok ? await answer.json().catch(() => null) : null;
    if (!life) return app.say(t("follow.unknown", { id }));
    app.store.learn(life.names);
    app.follow.choose(id);
  }

  /** Shows a button for each of the first timers in the story. */
  #offer() {
    const { store, follow, story } = this.app;
    const rows = story.describing ? store.lastRows : [];
    const ids = timersOf(rows, OFFERED_MAX);
    const key = `${store.run}/${follow.id}/${ids}`;
    if (key === this.#offered) return;
    this.#offered = key;
    const focused = /** @type {HTMLElement|null} */ (this.chips.contains(document.activeElement) ? document.activeElement : null)?.dataset.follow;
    this.chips.hidden = ids.length === 0;
    this.chips.replaceChildren(html("span", { class: "hint" }, t("follow.chips")), ...ids.map((id) => {
      const chip = html("button", { type: "button", "data-follow": id, "aria-pressed": String(id === follow.id) });
      setText(chip, store.called(id));
      return chip;
    }));
    if (focused) /** @type {HTMLElement|null} */ (this.chips.querySelector(`[data-follow="${focused}"]`))?.focus();
  }
}

/**
 * Handles the arrow keys in the log. → moves the focus from a line to the button beside it, and any arrow key
 * moves it back.
 * @param {KeyboardEvent} event
 */
function besideLine(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const [line, button] = ["[data-seq]", ".log-follow"].map((which) => /** @type {HTMLElement|null} */ (target.closest("li")?.querySelector(which)));
  const to = target === line && event.key === "ArrowRight" ? button : target === button && event.key.startsWith("Arrow") ? line : null;
  if (!to) return;
  event.preventDefault();
  event.stopPropagation();
  to.focus();
}
