// @ts-check
/**
 * A feature of the page: the followed timer. Its dot is marked with a ring in every lane. The user chooses it from a list, in a
 * picture, in the story, in the log or by the URL, steps through its events, and can cancel it.
 */
import { byId, html, setDisabled, setText } from "../core/dom.js";
import { NO_LEVEL, ROW, cell } from "../core/protocol.js";
import { KIND } from "../state/kinds.js";
import { placeName } from "../state/words.js";
import { t } from "../core/texts.js";
import { request } from "../core/transport.js";

/** Maximum number of timers in the list. */
const OFFERED_MAX = 200;
/** Maximum number of timers for which the story has a button. */
const CHIPS_MAX = 8;
/** Maximum number of commands in progress while a key is held. */
const WAITING_MAX = 2;

/** @type {Record<string, number>} */
const WAYS = { "life-next": 1, "life-back": -1 };

export class FollowedTimer {
  /** Id of the followed timer, or 0 if there is none. */
  id = 0;
  #offered = "";
  /**
   * The lanes for which the list of timers was last built, to recognise that it is up to date. #seq is the event
   * and #offeredFor the followed timer for which it was built.
   * @type {any}
   */
  #lanes = null;
  #seq = -1;
  #offeredFor = 0;
  /** Name of the followed timer. It is used to find the timer in another run, in which its id may differ. */
  #name = "";

  /** Id of the timer that the URL requests, or 0 if there is none or it has been handled. */
  #requestedId = Number(new URLSearchParams(location.search).get("follow")) || 0;
  /** Whether another run is displayed, in which the timer's id may differ. */
  #runChanged = false;
  /** Key of the displayed buttons of the story. */
  #chipsKey = "";
  /** Whether a search for an event of the followed timer is in progress. */
  #searching = false;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.store = /** @type {import("../state/store.js").Store} */ (app.store);
    this.select = byId("follow");
    this.select.addEventListener("change", () => this.choose(Number(this.select.value)));
    byId("cancel").addEventListener("click", () => this.#cancel());
    this.chips = html("div", { class: "chips wraps follow-chips", role: "group", "aria-label": t("follow.chips") });
    this.chips.hidden = true;
    byId("story-lanes").before(this.chips);
    for (const box of [this.chips, byId("log")]) {
      box.addEventListener("click", (/** @type {MouseEvent} */ event) => {
        const chip = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-follow]"));
        if (chip) this.toggle(Number(chip.dataset.follow));
      });
    }
    byId("log").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => besideLine(event), { capture: true });
    app.lanes.where = (/** @type {number} */ lane) => this.#placeIn(lane);
  }

  /** Cancels the followed timer at the cursor, and shows the outcome. */
  async #cancel() {
    await this.app.add.cancel(this.store.name(this.id));
    const outcome = [...document.querySelectorAll("#add .error")].find((line) => line.textContent);
    setText(byId("follow-said"), outcome?.textContent ?? "");
    byId("follow-said").classList.toggle("done", outcome?.classList.contains("done") ?? false);
  }

  /** Follows the timer with an id. 0 means that no timer is followed. @param {number} id */
  choose(id) {
    if (id !== this.id) setText(byId("follow-said"), "");
    this.id = id;
    this.#name = id ? this.store.name(id) : "";
    this.#changed();
  }

  #changed() {
    this.app.lanes.follow();
    this.app.url.request();
  }

  /** Finds the followed timer in another run, by its name. */
  #findAgain() {
    if (!this.#name || this.store.name(this.id) === this.#name) return;
    this.id = 0;
    for (const [id, name] of this.store.names) if (name === this.#name) this.id = id;
    this.#changed();
  }

  /** Follows the next pending timer. After the last one, no timer is followed. */
  #next() { this.choose(this.#waiting().find((id) => id > this.id) ?? 0); }

  /** Returns the sorted ids of the timers that are pending in at least one lane. */
  #waiting() {
    /** @type {number[]} */
    const all = [];
    for (const lane of this.store.lanes) {
      for (const [id, entry] of lane.index) if (!entry.marked) all.push(id);
    }
    return new Uint32Array(all).sort().filter((id, k, ids) => id !== ids[k - 1]); // there may be 100,000
  }

  /**
   * Shows the places of the followed timer. If the cursor is at rest, updates the list of timers.
   * @param {boolean} resting
   */
  update(resting) {
    if (resting) this.#offer();
    this.select.value = this.id || "";
    byId("follow-hint").toggleAttribute("hidden", this.id !== 0);
    byId("follow-what").toggleAttribute("hidden", this.id === 0);
    if (this.id) this.#describe();
  }

  #offer() {
    const { lanes, seq } = this.store;
    if (lanes === this.#lanes && seq === this.#seq && this.id === this.#offeredFor) return; // unchanged: skip it in this frame
    [this.#lanes, this.#seq, this.#offeredFor] = [lanes, seq, this.id];
    const ids = [...this.#waiting().slice(0, OFFERED_MAX)];
    if (this.id && !ids.includes(this.id)) ids.unshift(this.id);
    const key = `${this.store.run}:${ids}`;
    if (key === this.#offered) return;
    this.#offered = key;
    this.select.replaceChildren(html("option", { value: "" }, t("follow.none")), ...ids.map((id) => html("option", { value: id }, this.store.name(id))));
  }

  #describe() {
    const { lanes, infos, tick } = this.store;
    const entries = lanes.map((lane) => lane.index.get(this.id));
    const held = entries.find((entry) => entry);
    const due = held ? t(held.due >= tick ? "follow.due" : "follow.past", { due: held.due, left: held.due - tick }) : "";
    setText(byId("follow-due"), due);
    setDisabled(byId("cancel"), !held);
    const where = entries.map((entry, i) => {
      const place = entry?.place;
      if (!place) return t("follow.gone", { lane: infos[i].id });
      return t("follow.where", { lane: infos[i].id, place: placeName(infos[i], lanes[i].levels, place.level, place.slot) });
    });
    const list = byId("follow-where");
    while (list.children.length > where.length) list.lastChild.remove();
    where.forEach((text, i) => setText(list.children[i] ?? list.appendChild(html("li")), text));
  }

  begin() { this.#runChanged = true; }

  moved() {
    if (this.store.lanes.length === 0) return;
    if (this.#requestedId) this.#followRequested();
    if (this.#runChanged) this.#findAgain();
    this.#runChanged = false;
  }

  draw() { this.#showChips(); }

  /** Handles the keys that follow the next timer and step through the timer's events. @param {string} action @param {boolean} held */
  act(action, held) {
    const way = WAYS[action];
    const { app } = this;
    if (action === "follow") this.#next();
    else if (!way) return false;
    else if (!this.id) app.say(t("follow.unset"));
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
    if (await app.send("find", { what: "timer", n: way, timer: app.store.name(this.id) })) this.#searching = false;
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
    app.say(t(way > 0 ? "follow.last" : "follow.first", { name: app.store.called(this.id) }));
  }

  /** Returns the followed timer's history, or null if it has not been received. @returns {{events: number[], until: number}|null} */
  #life() {
    const known = this.app.life?.known;
    return known && known.run === this.store.run && known.id === this.id ? known : null;
  }

  /**
   * Returns the place of the timer in a lane with mode "counts", or null if the timer is in no place or the place
   * is unknown. Before tick life.until, the place is found in the timer's history; later, in the state of the lane,
   * if the cursor is at rest.
   * @param {number} lane
   */
  #placeIn(lane) {
    const { store } = this;
    const life = this.#life();
    if (!life) return null;
    if (store.tick < life.until) return placeAt(life.events, lane, store.seq);
    return store.rest ? (store.lanes[lane].index.get(this.id)?.place ?? null) : null;
  }

  /** Follows a timer, or stops following it. @param {number} id */
  toggle(id) { this.choose(this.id === id ? 0 : id); }

  /** Follows the timer requested by the URL, if the run has it. */
  async #followRequested() {
    const { app } = this;
    const id = this.#requestedId;
    this.#requestedId = 0;
    const { run } = app.store;
    const answer = await request(`${app.base}/api/life?${new URLSearchParams({ run, id: String(id) })}`).catch(() => null);
    if (run !== app.store.run || this.id) return;
    const life = answer?.ok ? await answer.json().catch(() => null) : null;
    if (!life) return app.say(t("follow.unknown", { id }));
    app.store.learn(life.names);
    this.choose(id);
  }

  /** Shows a button for each of the first timers in the story. */
  #showChips() {
    const { store, app: { story } } = this;
    const rows = story.describing ? store.lastRows : [];
    const ids = [...new Map(timersOf(rows, CHIPS_MAX).map((id) => [store.called(id), id])).values()]; // a reset is a cancellation and a new timer of the name
    const key = `${store.run}/${this.id}/${ids}`;
    if (key === this.#chipsKey) return;
    this.#chipsKey = key;
    const focused = /** @type {HTMLElement|null} */ (this.chips.contains(document.activeElement) ? document.activeElement : null)?.dataset.follow;
    this.chips.hidden = ids.length === 0;
    this.chips.replaceChildren(html("span", { class: "hint" }, t("follow.chips")), ...ids.map((id) => {
      const chip = html("button", { type: "button", "data-follow": id, "aria-pressed": String(id === this.id) });
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

/** Kinds of events after which a timer is in no place. */
const LEAVES = new Set([KIND.expire, KIND.cancel, KIND.sweep, KIND.reject]);

/**
 * Returns the place of a timer in a lane after event seq, or null if the timer is in no place or the place is
 * unknown.
 * @param {number[]} events rows of the timer's history @param {number} lane @param {number} seq
 * @returns {{level: number, slot: number}|null}
 */
function placeAt(events, lane, seq) {
  let place = null;
  for (let at = 0; at < events.length && cell(events, at, "seq") <= seq; at += ROW) {
    if (cell(events, at, "lane") !== lane) continue;
    if (cell(events, at, "toLevel") !== NO_LEVEL) place = { level: cell(events, at, "toLevel"), slot: cell(events, at, "toSlot") };
    else if (LEAVES.has(cell(events, at, "kind"))) place = null;
  }
  return place;
}

/**
 * Returns the number of the event before or after a cursor, or 0 if there is none.
 * @param {number[]} events @param {number} seq
 * @param {number} way 1 for the event after the cursor, −1 for the one before it
 */
function eventBeside(events, seq, way) {
  let last = 0;
  for (let at = 0; at < events.length; at += ROW) {
    const found = cell(events, at, "seq");
    if (way > 0 && found > seq) return found;
    if (way < 0 && found < seq) last = found;
  }
  return last;
}

/**
 * Returns the ids of the first timers in rows, at most `most`, without duplicates, in the order of the rows.
 * @param {number[]} rows @param {number} most
 */
function timersOf(rows, most) {
  const ids = new Set();
  for (let at = 0; at < rows.length && ids.size < most; at += ROW) {
    const id = cell(rows, at, "id");
    if (id > 0) ids.add(id);
  }
  return [...ids];
}
