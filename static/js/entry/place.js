// @ts-check
/** Where the user is: what the URL, the storage and the session say about the position and the view. */
import { storeCursor, storedCursor } from "../core/saved-scenarios.js";
import { readStored, writeStored } from "../core/storage.js";
import { URLWriter } from "../core/url-writer.js";

/** @typedef {{tick: number, seq: number, rest: boolean}} Position rest: whether everything of the tick has happened */

export class Place {
  /** Returns the URL to write, or "" before there is one. @type {() => string} */
  #url = () => "";
  #writer = new URLWriter(() => this.#url());
  #query = new URLSearchParams(location.search);
  /** Digest of the run of an edited scenario, which URLs name instead of the scenario, or "". */
  run = this.parameter("run") ?? "";
  /** Whether the browser has stored that scenario. */
  stored = false;
  /** Whether there is a server, which knows the run. */
  served = !document.body.dataset.engine;

  /** @param {string} base @param {string} scenario @param {string} lang */
  constructor(base, scenario, lang) {
    this.base = base;
    this.scenario = scenario;
    this.lang = lang;
  }

  /** Returns the position before a reload, or null. A reload may open a URL from before the last movements. */
  before() { return storedCursor(location.search); }

  /** Keeps a position for a reload of this tab. @param {{tick: number, seq: number}} at */
  keep({ tick, seq }) {
    this.#writer.write();
    storeCursor(location.search, tick, seq);
  }

  /** Returns a parameter of the URL with which the page was opened. @param {string} name */
  parameter(name) { return this.#query.get(name); }

  /** Returns the position in the URL with which the page was opened, which a file server does not read, or null. @param {(seq: number) => number} tickOf returns the tick of an event */
  position(tickOf) {
    const [tick, seq] = [this.parameter("t"), this.parameter("seq")].map((n) => (n === null ? undefined : Number(n)));
    if (!((tick ?? 0) >= 0 && (seq ?? 0) >= 0) || (tick === undefined && seq === undefined)) return null;
    return { tick: tick ?? tickOf(seq ?? 0), seq };
  }

  /** Returns the part of a query that says what the page shows. @returns {Record<string, string>} */
  get shown() {
    const session = this.parameter("session");
    return session ? { session } : this.run && this.served ? { run: this.run } : { scenario: this.scenario };
  }

  /** Returns the address of the entry view at a position. @param {Position} at @param {Record<string, string>} [other] */
  address({ tick, seq, rest }, other = {}) {
    const query = new URLSearchParams(this.shown);
    if (query.has("run") || this.#query.has("view")) query.set("view", "entry");
    if (tick > 0 || seq > 0) query.set("t", String(tick));
    if (seq > 0 && !rest) query.set("seq", String(seq));
    if (this.#query.has("lang")) query.set("lang", this.lang);
    for (const [key, value] of Object.entries(other)) if (value) query.set(key, value);
    return `${this.base}/?${query}`;
  }

  /** Puts what the page shows, and a position, into a link. @param {HTMLAnchorElement} link @param {{tick: number, seq: number}} at */
  lead(link, { tick, seq }) {
    const url = new URL((link.dataset.href ??= link.href));
    const name = this.stored && link.id === "lab" ? "mine" : this.served ? "run" : "";
    if (this.run && name) {
      url.searchParams.delete("scenario");
      url.searchParams.delete("run");
      url.searchParams.set(name, this.run);
    }
    for (const [key, value] of Object.entries({ t: tick, seq })) {
      if (tick || seq) url.searchParams.set(key, String(value));
      else url.searchParams.delete(key);
    }
    link.href = url.href;
  }

  /** Writes a position to the URL, at a limited rate. @param {() => Position} position @param {Record<string, string>} other */
  write(position, other) {
    this.#url = () => this.address(position(), other);
    this.#writer.request();
  }

  /** Returns a stored setting. @param {string} name */
  recall(name) { return readStored(`wheelscope.entry.${name}`); }
  /** Stores a setting; "" removes it. @param {string} name @param {string} value */
  remember(name, value) { writeStored(`wheelscope.entry.${name}`, value); }
}
