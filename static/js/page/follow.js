// @ts-check
/**
 * The followed timer. Its dot is marked with a ring in every lane. The user chooses it from a list, and can
 * cancel it.
 */
import { byId, html, setDisabled, setText } from "../core/dom.js";
import { placeName } from "../state/words.js";
import { t } from "../core/texts.js";

/** Maximum number of timers in the list. */
const OFFERED_MAX = 200;

export class Follow {
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

  /** @param {import("../state/store.js").Store} store @param {() => void} changed @param {(name: string) => Promise<void>} cancel */
  constructor(store, changed, cancel) {
    this.store = store;
    this.changed = changed;
    this.select = byId("follow");
    this.select.addEventListener("change", () => this.choose(Number(this.select.value)));
    byId("cancel").addEventListener("click", () => this.#cancel(cancel));
  }

  /** Cancels the followed timer at the cursor, and shows the outcome. @param {(name: string) => Promise<void>} cancel */
  async #cancel(cancel) {
    await cancel(this.store.name(this.id));
    const outcome = [...document.querySelectorAll("#add .error")].find((line) => line.textContent);
    setText(byId("follow-said"), outcome?.textContent ?? "");
    byId("follow-said").classList.toggle("done", outcome?.classList.contains("done") ?? false);
  }

  /** Follows the timer with an id. 0 means that no timer is followed. @param {number} id */
  choose(id) {
    if (id !== this.id) setText(byId("follow-said"), "");
    this.id = id;
    this.#name = id ? this.store.name(id) : "";
    this.changed();
  }

  /** Finds the followed timer in another run, by its name. */
  again() {
    if (!this.#name || this.store.name(this.id) === this.#name) return;
    this.id = 0;
    for (const [id, name] of this.store.names) if (name === this.#name) this.id = id;
    this.changed();
  }

  /** Follows the next pending timer. After the last one, no timer is followed. */
  next() {
    const ids = this.#waiting();
    this.choose(ids.find((id) => id > this.id) ?? 0);
  }

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
}
