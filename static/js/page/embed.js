// @ts-check
/**
 * A feature of a page that is embedded in another one, such as a slide: it applies the parameters of the URL, passes keys that
 * the page does not use to the page around it, executes that page's commands, and reports positions and answers.
 * docs/embedding.md describes the messages. A page of this site also gets the events of each movement, whose lines of code it
 * marks.
 */
import { MESSAGES, commandOf, embedding, parameters, passesKey } from "../core/embedding.js";
import { ROW } from "../core/protocol.js";

/** Maximum number of events sent per movement. If there are more, the last ones are sent. */
const EVENTS_MAX = 400;
/** Pause at the end of a loop, in milliseconds. */
const LOOP_PAUSE_MS = 1200;

class Embed {
  /** The position that was reported last. */
  #told = "";
  #begun = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #again = undefined;

  /** @param {any} app @param {URLSearchParams} q */
  constructor(app, q) {
    this.app = app;
    this.how = embedding(q);
    this.layout = q.get("view");
    this.lane = q.get("lane") ?? "";
    const { classList } = document.body;
    classList.add("embed");
    classList.toggle("bare", this.how.controls === "none");
    classList.toggle("full", this.how.controls === "full");
    if (this.how.theme) document.documentElement.dataset.theme = this.how.theme;
    if (parent === window) return;
    addEventListener("message", (event) => { if (event.source === parent) this.#receive(event.data); });
    addEventListener("keydown", (event) => this.#key(event), { capture: true });
    document.addEventListener("wheelscope-answer", (event) => {
      const { kind, lane, timer, t, question, chosen, answer, right } = /** @type {CustomEvent} */ (event).detail;
      this.#tell("answer", { about: kind, lane, timer, tick: t, question, chosen, answer, right });
    });
  }

  begin() {
    const { lanes, loop } = this.how;
    if (lanes.length > 0) this.app.lanes.show(lanes);
    if (this.#begun) return;
    this.#begun = true;
    if (this.layout === "stage" || this.layout === "gallery") this.app.views.layOut(this.layout === "stage", this.lane || undefined);
    if (loop && !matchMedia("(prefers-reduced-motion: reduce)").matches) queueMicrotask(() => this.#loop(loop)); // after the first state
  }

  moved() {
    const { store } = this.app;
    if (parent !== window && location.origin !== "null") parent.postMessage({ wheelscope: MESSAGES, kind: "moved", rows: store.lastRows.slice(-EVENTS_MAX * ROW) }, location.origin);
  }

  draw() {
    const { run, tick, seq, until, player } = this.app.store;
    const now = `${run}/${tick}/${seq}/${player.playing}`;
    if (now === this.#told) return;
    this.#told = now;
    this.#tell("position", { tick, seq, until, playing: player.playing });
    const { loop } = this.how;
    if (!loop || !player.playing && !player.end || tick < Math.min(loop.to, until) || this.#again) return;
    this.app.send("pause");
    this.#again = setTimeout(() => this.#loop(loop), LOOP_PAUSE_MS);
  }

  /** Plays the loop from its start. @param {{from: number, to: number}} loop */
  async #loop({ from }) {
    this.#again = undefined;
    if (!await this.app.send("seek", { tick: from })) this.app.send("play");
  }

  /** Sends a message to the page around this one. @param {string} kind @param {Record<string, any>} fields */
  #tell(kind, fields) {
    if (parent !== window) parent.postMessage({ wheelscope: MESSAGES, kind, ...fields }, "*"); // nothing in it is about the visitor
  }

  /** Executes a command of the page around this one. @param {any} data */
  async #receive(data) {
    const received = commandOf(data);
    if (!received) return;
    const { command, fields = {}, id, error } = received;
    const fault = error ?? (command === "follow" ? this.#follow(fields.timer) : await this.#send(command ?? "", fields));
    this.#tell("ack", { ...(id === undefined ? {} : { id }), ...(fault ? { error: fault } : {}) });
  }

  /** Sends a command to the session. Returns the reason if it fails. @param {string} command @param {Record<string, any>} fields */
  async #send(command, fields) {
    if (command !== "play") clearTimeout(this.#again);
    if (command !== "play") this.how.loop = null; // the page around this one has taken over
    return (await this.app.send(command, fields))?.message ?? "";
  }

  /** Follows the timer with a name, or none. Returns the reason if there is no such timer. @param {string} name */
  #follow(name) {
    const { follow, store } = this.app;
    const [id] = [...store.names].find(([, called]) => called === name) ?? [0];
    if (!name || id) follow.choose(id);
    return !name || id ? "" : "timer: no timer of this name is known at this position";
  }

  /** Passes a key to the page around this one. @param {KeyboardEvent} event */
  #key(event) {
    const { key, code, shiftKey, repeat } = event;
    const control = event.target instanceof Element && event.target.matches("button, a, summary, select, input, textarea");
    const typing = event.target instanceof Element && event.target.matches("textarea, select, input:not([type=range], [type=radio], [type=checkbox])");
    if (typing || document.querySelector("dialog:modal") || !passesKey(event, this.how.keys, control)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#tell("key", { key, code, shiftKey, repeat });
  }
}

/** Creates the feature. @param {any} app @returns {import("./feature.js").Feature} */
export function embed(app) {
  const q = parameters(location.search, location.hash.startsWith("#share=") ? "" : location.hash);
  return q.get("embed") === "1" ? new Embed(app, q) : {};
}
