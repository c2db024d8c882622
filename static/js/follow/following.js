// @ts-check
/**
 * Following a timer through the page, as a feature: keys walk the events of its life,
 * it is ringed where a lane is told by counts, the story offers the timers it tells
 * of, and who is followed stands in the address and is found again in another run.
 */
import { byId, html, setText } from "../dom.js";
import { eventBeside, timersOf, whereOf } from "./life-places.js";
import { t } from "../texts.js";

/** Timers that the story offers at most. */
const OFFERED_MAX = 8;
/** Commands under way at most while a key is held. */
const WAITING_MAX = 2;

/** @type {Record<string, number>} */
const WAYS = { "life-next": 1, "life-back": -1 };

export class Following {
  /** Id that the address asks for; 0: none, or it was done. */
  #asked = Number(new URLSearchParams(location.search).get("follow")) || 0;
  /** Another run is shown, in which the timer may have another id. */
  #fresh = false;
  #offered = "";
  /** A search for an event of the followed timer is under way. */
  #sought = false;

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
    app.desk.where = (/** @type {number} */ lane) => (app.follow.id ? whereOf(app.life?.told, app.store, lane, app.follow.id) : null);
  }

  begin() { this.#fresh = true; }

  moved() {
    const { follow, store } = this.app;
    if (this.#asked && store.lanes.length > 0) this.#take();
    if (this.#fresh && store.lanes.length > 0) {
      this.#fresh = false;
      follow.again();
    }
  }

  draw() { this.#offer(); }

  /** @param {string} action @param {boolean} held */
  act(action, held) {
    const way = WAYS[action];
    if (!way) return false;
    const { app } = this;
    if (!app.follow.id) app.say(t("follow.nobody"));
    else if (!held || app.link.waiting < WAITING_MAX) this.#walk(way);
    return true;
  }

  /** @param {number} way */
  #walk(way) {
    const { app } = this;
    const life = this.#life();
    if (!life) return;
    const past = app.store.tick >= life.until;
    const seq = way < 0 && past ? 0 : eventBeside(life.events, app.store.seq, way);
    if (seq) app.send("seek", { seq });
    else if (life.until === Infinity || (way < 0 && !past)) this.#tellNone(way);
    else this.#search(way);
  }

  /** Goes to the next event where the life is told in part only. @param {number} way */
  async #search(way) {
    const { app } = this;
    this.#sought = true;
    if (await app.send("find", { what: "timer", n: way, timer: app.store.name(app.follow.id) })) this.#sought = false;
  }

  /** @param {any} message */
  told({ kind, outcome, n }) {
    if (kind !== "search" || outcome === "on" || !this.#sought) return;
    this.#sought = false;
    if (outcome === "none") this.#tellNone(n);
  }

  /** @param {number} way */
  #tellNone(way) {
    const { app } = this;
    app.say(t(way > 0 ? "follow.last" : "follow.first", { name: app.store.name(app.follow.id) }));
  }

  /** The followed timer's life, null while it is not here. @returns {{events: number[], until: number}|null} */
  #life() {
    const { life, follow, store } = this.app;
    const told = life?.told;
    return told && told.run === store.run && told.id === follow.id ? told : null;
  }

  /** @param {number} id */
  #toggle(id) {
    const { follow } = this.app;
    follow.choose(follow.id === id ? 0 : id);
  }

  /** Follows whom the address asks for, if the run has such a timer. */
  async #take() {
    const { app } = this;
    const id = this.#asked;
    this.#asked = 0;
    const { run } = app.store;
    const answer = await fetch(`${app.base}/api/life?${new URLSearchParams({ run, id: String(id) })}`).catch(() => null);
    if (run !== app.store.run || app.follow.id) return;
    const life = answer?.ok ? await answer.json().catch(() => null) : null;
    if (!life) return app.say(t("follow.unknown", { id }));
    app.store.learn(life.names);
    app.follow.choose(id);
  }

  /** A button for each timer that the story tells of. */
  #offer() {
    const { store, follow, story } = this.app;
    const rows = story.telling ? store.told : [];
    const ids = timersOf(rows, OFFERED_MAX);
    const key = `${store.run}/${follow.id}/${ids}`;
    if (key === this.#offered) return;
    this.#offered = key;
    const had = /** @type {HTMLElement|null} */ (this.chips.contains(document.activeElement) ? document.activeElement : null)?.dataset.follow;
    this.chips.hidden = ids.length === 0;
    this.chips.replaceChildren(html("span", { class: "hint" }, t("follow.chips")), ...ids.map((id) => {
      const chip = html("button", { type: "button", "data-follow": id, "aria-pressed": String(id === follow.id) });
      setText(chip, store.name(id));
      return chip;
    }));
    if (had) /** @type {HTMLElement|null} */ (this.chips.querySelector(`[data-follow="${had}"]`))?.focus();
  }
}

/** In the log → goes from a line to its button, any arrow back. @param {KeyboardEvent} event */
function besideLine(event) {
  const here = /** @type {HTMLElement} */ (event.target);
  const [line, button] = ["[data-seq]", ".log-follow"].map((which) => /** @type {HTMLElement|null} */ (here.closest("li")?.querySelector(which)));
  const to = here === line && event.key === "ArrowRight" ? button : here === button && event.key.startsWith("Arrow") ? line : null;
  if (!to) return;
  event.preventDefault();
  event.stopPropagation();
  to.focus();
}
