// @ts-check
/**
 * A feature of the page, "run until": moves the cursor forward or backward to where a condition becomes true.
 * The server does the search. This module sends the request and shows the result.
 */
import { byId, html, setText } from "../core/dom.js";
import { t } from "../core/texts.js";

/** The field that a condition requires. @type {Record<string, "timer"|"over">} */
const NEEDS = { timer: "timer", slot: "over", cost: "over" };
/** Maximum number of timer names suggested. */
const NAMES_MAX = 200;
/** Maximum number of commands in progress while a key is held. */
const WAITING_MAX = 2;

export class Until {
  #searching = false;

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.what = byId("until-what");
    this.timer = byId("until-timer");
    this.over = byId("until-over");
    this.lane = byId("until-lane");
    this.what.addEventListener("change", () => this.#chosen());
    this.timer.addEventListener("focus", () => this.#offer());
    byId("until").addEventListener("submit", (/** @type {Event} */ e) => { e.preventDefault(); this.#find(1); });
    byId("until-back").addEventListener("click", () => this.#find(-1));
    byId("until-stop").addEventListener("click", () => this.app.send("pause"));
    this.#chosen(); // a browser may restore the choice after a reload
  }

  /** Adapts the form to the lanes of another run. */
  begin() {
    const { infos } = this.app.store;
    const previous = this.lane.value;
    this.lane.replaceChildren(this.lane.firstElementChild, ...infos.map((/** @type {any} */ { id }) => html("option", { value: id }, id)));
    this.lane.value = infos.some((/** @type {any} */ { id }) => id === previous) ? previous : "";
    this.#say("", false);
  }

  /** Shows the progress of a search. @param {any} message */
  received(message) {
    if (message.kind !== "search") return;
    const { outcome, n, tick } = message;
    if (outcome === "on") this.#say(t("until.searching", { tick }), true);
    else if (outcome === "none") this.#say(t(n > 0 ? "until.none.next" : "until.none.back"), false);
    else this.#say(outcome === "stopped" && this.#searching ? t("until.stopped") : "", false);
  }

  /** Handles the keys of the search. @param {string} action @param {boolean} held */
  act(action, held) {
    const way = { "until-next": 1, "until-back": -1 }[action];
    if (!way) return false;
    if (!held || this.app.link.waiting < WAITING_MAX) this.#find(way);
    return true;
  }

  /** Sends the search. @param {number} n 1 for forward, −1 for backward */
  #find(n) {
    const what = this.what.value;
    const fields = /** @type {Record<string, any>} */ ({ what, n });
    if (NEEDS[what] === "timer") fields.timer = this.timer.value.trim() || this.#followed();
    if (NEEDS[what] === "over") fields.over = this.over.valueAsNumber;
    if (fields.timer === "") return this.#ask(this.timer, t("until.name"));
    if (Number.isNaN(fields.over) || !this.over.checkValidity()) return this.over.reportValidity();
    if (this.lane.value && what !== "differ") fields.lane = this.lane.value;
    this.#say("", false);
    this.app.send("find", fields);
  }

  /**
   * Focuses a field, and asks the user to fill it in.
   * @param {HTMLElement} field @param {string} words
   */
  #ask(field, words) {
    field.focus();
    this.#say(words, false);
  }

  /** Returns the name of the followed timer, or "" if there is none. */
  #followed() {
    const { follow, store } = this.app;
    const name = follow.id ? store.name(follow.id) : "";
    this.timer.value = name;
    return name;
  }

  /** Shows the fields of the chosen condition. */
  #chosen() {
    const need = NEEDS[this.what.value];
    this.timer.hidden = need !== "timer";
    this.over.hidden = need !== "over";
    this.lane.hidden = this.what.value === "differ";
    if (need === "timer" && !this.timer.value) this.#followed();
    this.#say("", false);
  }

  /** Suggests known timer names, at most NAMES_MAX. */
  #offer() {
    const names = [...new Set(this.app.store.names.values())].slice(0, NAMES_MAX);
    byId("until-timers").replaceChildren(...names.map((name) => html("option", { value: name })));
  }

  /**
   * Shows a message and, during a search, the button that stops it.
   * @param {string} words @param {boolean} searching
   */
  #say(words, searching) {
    this.#searching = searching;
    setText(byId("until-says"), words);
    byId("until-stop").hidden = !searching;
  }
}
