// @ts-check
/** The player bar: the buttons, the clock, the speed, and the slider for the time. */
import { byId, setAttr, setText } from "../core/dom.js";
import { firstRate, ladder, speedWords, tickUnit } from "../core/times.js";
import { readStored, writeStored } from "../core/storage.js";
import { t } from "../core/texts.js";

/** @typedef {(name: keyof Message.Commands, fields?: Record<string, any>) => Promise<any>|void} Send sends a command to the session */

/** Maximum number of step commands in progress while a key is held. */
const STEPS_WAITING = 2;

/**
 * Time after which the target of a seek is marked, in milliseconds. Most seeks end sooner, and their marks
 * would only flash.
 */
const MARKED_MS = 250;

/**
 * Time after the ack of a request to play or pause after which the request is forgotten, even if the server has
 * not reported that playback started or stopped, in milliseconds.
 */
const REQUESTED_MS = 250;

/** Key in the browser's storage for the unit of the buttons that step: "tick", "step" or "event". */
const UNIT = "wheelscope.unit";

export class Player {
  #rates = [0];
  #rate = 0;
  #chosen = "";
  #dragging = false;
  /** Number of seeks in progress. */
  #seeks = 0;
  /** Whether a seek has been in progress for at least MARKED_MS. */
  #waits = false;
  /**
   * The requested state of playback: true to play, false to pause, or undefined if no request is pending.
   * @type {boolean|undefined}
   */
  #requested = undefined;
  /** The target of a seek that waits for commands in progress or for the connection; null if there is none. @type {{tick?: number}|null} */
  #next = null;
  #run = "";

  /** @param {import("../state/store.js").Store} store @param {Send} send @param {() => number} waiting returns the number of commands in progress @param {() => void} redraw */
  constructor(store, send, waiting, redraw) {
    this.redraw = redraw;
    this.store = store;
    this.send = send;
    this.waiting = waiting;
    this.play = byId("play");
    this.time = byId("time");
    this.speed = byId("speed");
    this.form = /** @type {HTMLFormElement} */ (byId("play").closest("form"));
    this.form.addEventListener("click", (e) => this.#click(e));
    this.unit = /** @type {HTMLSelectElement} */ (byId("step-unit"));
    this.unit.addEventListener("change", () => {
      writeStored(UNIT, this.unit.value);
      this.form.dataset.unit = this.unit.value;
    });
    this.unit.value = readStored(UNIT) ?? "tick";
    if (!this.unit.value) this.unit.value = "tick"; // the browser has stored a unit that does not exist
    this.form.dataset.unit = this.unit.value;
    this.time.addEventListener("input", () => {
      this.#dragging = true;
      this.#seek({ tick: Number(this.time.value) });
    });
    this.time.addEventListener("change", () => {
      this.#dragging = false;
      this.redraw();
    });
    this.speed.addEventListener("input", () => this.#choose(Number(this.speed.value)));
  }

  /** Reports whether a seek is waiting to be sent. */
  get late() { return this.#next !== null; }

  /** Reports whether the slider is being dragged. */
  get dragging() { return this.#dragging; }

  /** Returns the tick of a seek that has been in progress for at least MARKED_MS, or −1 if there is none. */
  get goal() { return this.#waits ? Number(this.time.value) : -1; }

  /** Executes the action of a button or key. @param {string} what @param {boolean} [held] whether the key repeats */
  act(what, held = false) {
    if (held && this.waiting() >= STEPS_WAITING) return;
    const steps = /^(tick|step|event)-(next|back)$/.exec(what);
    if (steps) this.send("step", { by: steps[1], n: steps[2] === "next" ? 1 : -1 });
    else if (what === "play") this.toggle();
    else if (what === "restart") this.#restart();
    else if (what === "end") this.seek(this.store.until);
    else if (what === "fast") this.send("play", { rate: 0 });
  }

  /**
   * Toggles playback. If an earlier request to play or pause is still pending, requests the opposite of it.
   */
  async toggle() {
    const requested = (this.#requested = !(this.#requested ?? this.store.player.playing));
    const fault = await this.send(requested ? "play" : "pause", requested ? { rate: this.#rate } : {});
    if (fault) this.#requested = undefined;
    else setTimeout(() => { if (this.#requested === requested) this.#requested = undefined; }, REQUESTED_MS);
  }

  /** Seeks to the end of a tick. @param {number} tick */
  seek(tick) {
    this.time.value = tick;
    this.#seek({ tick });
  }

  #restart() {
    if (this.store.player.playing) this.send("pause");
    this.time.value = 0;
    this.#seek({});
  }

  /** Adapts the player to another run: sets its speeds, and sends a seek that waited for the connection. */
  begin() {
    const { run, length, start, until } = this.store;
    if (run !== this.#run) this.#next = null;
    this.#run = run;
    this.answered();
    const key = `${length}/${start}/${until}`;
    if (key === this.#chosen) return;
    this.#chosen = key;
    this.#rates = ladder(length);
    this.#rate = firstRate(length, until);
    this.speed.max = this.#rates.length - 1;
    this.speed.value = this.#rates.indexOf(this.#rate);
    this.time.disabled = until === 0;
    byId("rounded").hidden = start + until <= Number.MAX_SAFE_INTEGER;
    setText(byId("unit"), tickUnit(length));
    setAttr(byId("unit"), "title", t("player.length", { tick: length }));
    this.#showSpeed();
  }

  /** Shows the position of the cursor. Before the first `hello`, the rendered page shows it. */
  update() {
    if (!this.store.hello) return;
    const { tick, until, player } = this.store;
    if (player.playing === this.#requested) this.#requested = undefined;
    setText(byId("now"), tick);
    setText(byId("nth"), this.#nth());
    if (!this.#dragging && !this.late && this.#seeks === 0) this.time.value = tick; // otherwise the slider shows the target of the seek
    setAttr(this.time, "aria-valuetext", t("player.value", { tick, until }));
    const name = player.playing ? this.play.dataset.pause : this.play.dataset.play;
    setAttr(this.play, "aria-label", name);
    setAttr(this.play, "title", name);
    this.play.toggleAttribute("data-playing", player.playing);
  }

  /**
   * Returns the text that shows the number of the step at the cursor or, if the steps of the run are not
   * numbered, the number of the event.
   */
  #nth() {
    const { seq, step, timeline } = this.store;
    const steps = timeline?.steps ?? -1;
    if (step < 0 || steps < 0) return t("player.event.nth", { seq });
    return t("player.step.nth", { step, steps });
  }

  /** Returns a description of the playback speed. */
  words() {
    return speedWords(this.store.player.rate, this.store.length);
  }

  /** Executes the action of a button. @param {MouseEvent} event */
  #click(event) {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (!button) return;
    event.preventDefault();
    this.act(/** @type {string} */ (button.dataset.do));
    if (event.detail > 0) button.blur(); // clicked with a pointer: without focus, Space continues to mean play or pause
  }

  /**
   * Seeks as soon as fewer than STEPS_WAITING commands are in progress. A later seek replaces a waiting one, so
   * that the last one is always sent.
   * @param {{tick?: number}} cursor the target; without a tick, the position before the first event
   */
  #seek(cursor) {
    this.#next = cursor;
    this.answered();
  }

  /** Sends the waiting seek after a command was answered. */
  answered() {
    if (!this.#next || this.waiting() >= STEPS_WAITING) return;
    const cursor = this.#next;
    this.#next = null;
    this.#go(cursor);
  }

  /**
   * Sends a seek. The slider shows its target until the server has answered. If the connection is lost, the seek
   * is sent after the page has reconnected.
   * @param {{tick?: number}} cursor
   */
  async #go(cursor) {
    this.#seeks++;
    const long = setTimeout(() => {
      this.#waits = true;
      this.redraw();
    }, MARKED_MS);
    const fault = await this.send("seek", cursor);
    clearTimeout(long);
    this.#seeks--;
    this.#waits = false;
    if (fault?.path === "link") this.#next ??= cursor;
  }

  /** Chooses a speed by its index. @param {number} index */
  #choose(index) {
    this.#rate = this.#rates[index];
    this.#showSpeed();
    if (this.store.player.playing) this.send("speed", { rate: this.#rate });
  }

  #showSpeed() {
    const words = speedWords(this.#rate, this.store.length);
    setText(byId("speed-words"), words);
    setAttr(this.speed, "aria-valuetext", words);
  }
}
