// @ts-check
/**
 * The figure of a chapter: the pictures of its lanes, their captions and tables, a player, and the numbers
 * from the run in the chapter's text.
 */
import { Picture } from "../picture/picture.js";
import { Store } from "../state/store.js";
import { Table } from "../page/table.js";
import { captionOf } from "../picture/captions.js";
import { geometryWords, turnWords } from "../state/words.js";
import { COST, COUNT, ROW, cell } from "../core/protocol.js";
import { DIGITS, writeFragment } from "../core/fragment.js";
import { pack } from "../core/pack.js";
import { KIND } from "../state/kinds.js";
import { fix } from "../picture/face.js";
import { setAttr, setText, svg } from "../core/dom.js";

/**
 * Maximum duration of an animation during playback at 1 tick per second, in milliseconds. At other rates, the
 * maximum is this value divided by the rate.
 */
const MOVE_SHARE_MS = 700;
/** Maximum playback rate, in ticks per second, at which movements are animated. */
const ANIMATED_RATE = 5;
/** Number of times that the opening picture is played by itself. */
const LOOPS_MAX = 3;
/** Maximum time for updating a table in one frame, in milliseconds. */
const TABLE_MS = 6;

/** @typedef {{picture: Picture, table: Table, fold: HTMLDetailsElement, caption: HTMLElement, geometry: Element, spans: Element}} Sketch the elements of a lane's picture */

export class LiveFigure {
  store = new Store();
  /** @type {Sketch[]} created with the first state */
  #sketches = [];
  /** Rows of the events of the timer that the text describes, and the run they belong to. */
  #life = { run: "", rows: /** @type {number[]} */ ([]) };
  #stale = false;
  #dragged = false;
  /**
   * The position drawn last: `at` is its key, `seq` the number of its event, `ms` the maximum duration of the
   * animation of the movement to it, in milliseconds (0 means no animation), and `since` the number of the
   * last event before that movement, or 0 after a movement back.
   */
  #shown = { at: "", seq: 0, ms: 0, since: 0 };
  /**
   * Kind of event that the current search looks for. If there is no further event of this kind, the search is
   * repeated from the start of the run. "" means that no search is to be repeated.
   */
  #again = "";
  /** Whether the scenario of this figure is open in the session. */
  served = false;

  /** @param {Element} section @param {any} app */
  constructor(section, app) {
    this.section = section;
    this.app = app;
    this.box = /** @type {HTMLElement} */ (section.querySelector(".figure"));
    const { name, scenario, now, timer, rate, run = "" } = this.box.dataset;
    this.name = name;
    this.scenario = JSON.parse(scenario ?? "{}");
    this.tick = Number(now);
    this.timer = Number(timer);
    this.rate = Number(rate);
    this.run = run;
    /** How often the picture is still played by itself. */
    this.loops = "plays" in this.box.dataset ? LOOPS_MAX : 0;
    this.button = /** @type {HTMLButtonElement} */ (this.#part("play"));
    this.slider = /** @type {HTMLInputElement} */ (this.#part("seek"));
    this.clock = /** @type {Element} */ (this.box.querySelector("[data-clock]"));
    this.lab = /** @type {HTMLAnchorElement} */ (this.box.querySelector("[data-lab]"));
    this.#listen();
    this.#mark();
    void this.#link();
  }

  /** Plays the picture by itself. */
  play() {
    if (this.loops > 0) this.app.send(this, "play", { rate: this.rate });
  }

  /** Rings the timer that the text describes, and writes its name beside it. */
  #mark() {
    if (!this.timer) return;
    for (const picture of this.box.querySelectorAll(".picture > svg")) {
      const dot = picture.querySelector(`.dots [data-id="${this.timer}"]`);
      let tag = picture.querySelector(".tag");
      if (!tag) picture.append((tag = svg("g", { class: "tag", "aria-hidden": "true" }, svg("circle", {}), svg("text", {}, this.box.dataset.called ?? ""))));
      setAttr(tag, "visibility", dot ? "visible" : "hidden");
      if (!dot) continue;
      const r = Number(dot.querySelector(".body")?.getAttribute("r") ?? 0);
      setAttr(tag, "transform", dot.getAttribute("transform") ?? "");
      setAttr(tag.children[0], "r", fix(r + 4));
      setAttr(tag.children[1], "x", fix(r + 6));
      setAttr(tag.children[1], "y", fix(-r - 4));
    }
  }

  /** Makes the link to the laboratory one to this scenario and instant. */
  async #link() {
    const { run, tick } = this;
    const packed = await pack(JSON.stringify(this.scenario));
    if (run !== this.run || tick !== this.tick) return; // a newer one follows
    const url = new URL(this.lab.href);
    url.searchParams.set("mine", run.slice(0, DIGITS));
    url.searchParams.set("t", String(tick));
    url.hash = writeFragment({ run: run.slice(0, DIGITS), sum: "", follow: this.timer, dial: false, tables: false, large: "", packed });
    this.lab.href = url.href;
  }

  /** Returns the element of the player that executes an action. @param {string} what the action */
  #part(what) { return /** @type {HTMLElement} */ (this.box.querySelector(`[data-do="${what}"]`)); }

  #listen() {
    const send = (/** @type {string} */ name, /** @type {any} */ fields) => {
      this.loops = 0;
      this.app.send(this, name, fields);
    };
    this.button.addEventListener("click", () => (this.store.player.playing ? send("pause", {}) : send("play", { rate: this.rate })));
    this.#part("back").addEventListener("click", () => send("step", { by: "tick", n: -1 }));
    this.#part("next").addEventListener("click", () => send("step", { by: "tick", n: 1 }));
    this.slider.addEventListener("input", () => {
      this.#dragged = true;
      setText(this.clock, `${numeral(Number(this.slider.value))} ms`);
      send("seek", { tick: Number(this.slider.value) });
    });
    this.slider.addEventListener("change", () => { this.#dragged = false; });
    connect(this.section, {
      get: (path) => valueAt(this.scenario, path),
      set: (path, value) => {
        this.loops = 0;
        setValue(this.scenario, path, value);
        this.served = false;
        this.app.open(this);
      },
      find: (kind) => {
        this.#again = kind;
        send("find", { what: kind, n: 1 });
      },
    });
    for (const fold of this.box.querySelectorAll("details.fold")) fold.addEventListener("toggle", () => this.redraw());
  }

  /** Handles a message about this figure's run. @param {any} message */
  receive(message) {
    switch (this.store.receive(message)) {
      case "hello":
        this.served = true;
        break;
      case "state": case "delta": this.#moved(); break;
      case "player": this.#played(); break;
      case "resync": this.app.link.send("state"); break;
    }
    if (message.kind === "search") this.#searched(message);
  }

  /** Handles the end of a search. If there is no further event, the search is repeated once from the start. @param {any} message */
  #searched({ outcome, what }) {
    if (outcome === "on") return;
    const again = outcome === "none" && this.#again === what;
    this.#again = "";
    if (!again) return;
    this.app.link.send("seek", { tick: 0 });
    this.app.link.send("find", { what, n: 1 });
  }

  /**
   * Handles the end of the session, or the opening of another figure's scenario in it. The picture remains.
   */
  leave() {
    this.served = false;
    this.store.player = { ...this.store.player, playing: false };
    this.#played();
  }

  #moved() {
    const { store } = this;
    this.tick = store.tick;
    this.run = store.run;
    if (this.timer) for (const [id, name] of store.names) if (name === this.box.dataset.called) this.timer = id; // a control may change ids
    if (!store.player.playing) void this.#link();
    if (this.timer && this.#life.run !== store.run) {
      const { run } = store;
      this.app.lifeRequest.send({ run, id: this.timer }, (/** @type {any} */ answer) => {
        this.#life = { run, rows: answer.events };
        this.redraw();
      });
    }
    this.redraw();
  }

  #played() {
    const { play = "", pause = "" } = this.button.dataset;
    setText(this.button, this.store.player.playing ? pause : play);
    if (!this.store.player.end || this.store.player.playing || this.loops === 0) return;
    if (--this.loops === 0) return;
    this.app.send(this, "seek", { tick: 0 });
    this.play();
  }

  /** Requests that the figure be redrawn. */
  redraw() {
    this.#stale = true;
    this.app.loop.request();
  }

  /** Draws the state if it changed. Returns whether there is more to draw. */
  draw() {
    const { store } = this;
    if (!this.#stale || store.lanes.length === 0) return this.#advance();
    if (this.#sketches.length === 0) this.#build();
    this.#stale = false;
    this.#sketches.forEach((sketch, i) => this.#sketch(sketch, i));
    this.#writeFacts();
    if (!this.#dragged) {
      this.slider.value = String(store.tick);
      setText(this.clock, `${numeral(store.tick)} ms`);
    }
    const owed = this.#sketches.some(({ table, fold }, i) => fold.open && !table.work(store.lanes[i], { name: (id) => store.name(id), followed: this.timer, fast: store.player.playing, rests: !store.player.playing, end: performance.now() + TABLE_MS }));
    this.#stale = owed;
    return this.#advance() || owed;
  }

  /** Draws a frame of the movements that are shown. Returns whether there are more. */
  #advance() {
    const now = performance.now();
    const more = this.#sketches.filter(({ picture }) => picture.advance(now)).length > 0;
    if (this.#sketches.length > 0) this.#mark();
    return more;
  }

  /** Creates the objects that draw into the pictures rendered by the server. */
  #build() {
    const boxes = [...this.box.querySelectorAll(".sketch")];
    const one = (/** @type {Element} */ box, /** @type {string} */ what) => /** @type {HTMLElement} */ (box.querySelector(what));
    this.#sketches = boxes.map((box, i) => ({
      picture: new Picture(one(box, ".picture"), this.store.infos[i], () => this.redraw()),
      table: new Table(one(box, ".places"), this.store.infos[i]),
      fold: /** @type {HTMLDetailsElement} */ (one(box, "details.fold")),
      caption: one(box, "[data-caption]"),
      geometry: one(box, "[data-geometry]"),
      spans: one(box, "[data-spans]"),
    }));
  }

  /**
   * Returns the fields of a Scene (picture.js) that describe the position to draw and the animation of the
   * movement to it.
   */
  #movement() {
    const { run, seq, tick, player: { playing, rate } } = this.store;
    const at = `${run}/${seq}/${tick}`;
    if (at !== this.#shown.at) {
      const shown = this.#shown.at.startsWith(run) && !this.#dragged && (!playing || rate <= ANIMATED_RATE);
      const ms = !shown ? 0 : playing ? MOVE_SHARE_MS / rate : Infinity;
      this.#shown = { at, seq, ms, since: this.#shown.seq < seq ? this.#shown.seq : 0 };
    }
    return { at, animate: this.#shown.ms, since: this.#shown.since, back: false };
  }

  /** Draws one lane. @param {Sketch} sketch @param {number} i */
  #sketch({ picture, table, caption, geometry, spans }, i) {
    const { store } = this;
    const { playing, rate } = store.player;
    const lane = store.lanes[i];
    const info = store.infos[i];
    const name = (/** @type {number} */ id) => store.name(id);
    const still = !playing || (rate > 0 && rate <= ANIMATED_RATE);
    picture.info = info;
    picture.draw(lane, { start: store.origin(i), until: store.until, followed: 0, name, due: (/** @type {number} */ id) => store.due(id), tick: store.tick, ...this.#movement(), activity: still ? store.activity(i) : null, dial: false, where: null });
    const described = captionOf(store.activities?.[i] ?? null, { info, lane, name, tick: store.length });
    setText(caption, described.tone === "idle" ? "" : described.text); // the text says what an idle tick costs
    caption.dataset.tone = described.tone;
    if (described.mark) caption.dataset.mark = described.mark;
    else delete caption.dataset.mark;
    setText(geometry, geometryWords(info, lane.levels));
    setText(spans, turnWords(info, lane.levels, store.length));
    table.note(lane);
  }

  /** Writes the numbers from the run into the text. */
  #writeFacts() {
    const { store, section } = this;
    const life = this.#life.run === store.run ? this.#life.rows : null;
    if (this.timer && !life) return; // the answer about the timer follows at once
    const facts = store.lanes.map((_, i) => factsOf(store, i, life ?? []));
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-fact]"))) {
      const { fact = "", of, one, many = "" } = box.dataset;
      const value = facts[Number(of)].value[fact];
      setText(box, one === undefined ? numeral(value) : value === 1 ? one : many);
    }
    for (const box of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-when]"))) box.hidden = box.dataset.when !== facts[0].fate;
  }
}

/**
 * The functions that the controls of a chapter call.
 * @typedef {object} Effects
 * @property {(path: string, value: number) => void} set sets a field of the scenario
 * @property {(kind: string) => void} find moves the cursor to the next event of a kind
 * @property {(path: string) => number} get returns a field of the scenario
 */

/** Connects the controls in a section. @param {Element} section @param {Effects} effects */
function connect(section, effects) {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (section.querySelectorAll("input[data-control]"))) slider(input, effects);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (section.querySelectorAll("button[data-control]"))) {
    button.addEventListener("click", () => press(button, effects));
  }
}

/** @param {HTMLInputElement} input @param {Effects} effects */
function slider(input, { set }) {
  const values = input.dataset.values?.split(" ").map(Number); // without it, the position is the value
  const shown = /** @type {Element} */ (input.nextElementSibling);
  input.addEventListener("input", () => {
    const value = values ? values[Number(input.value)] : Number(input.value);
    setText(shown, numeral(value));
    setAttr(input, "aria-valuetext", numeral(value));
    set(input.dataset.path ?? "", value);
  });
}

/** @param {HTMLButtonElement} button @param {Effects} effects */
function press(button, { get, set, find }) {
  const { find: kind, path, add } = button.dataset;
  if (kind) return find(kind);
  if (!path) return;
  const added = button.ariaPressed === "true";
  button.ariaPressed = String(!added);
  set(path, get(path) + (added ? -Number(add) : Number(add)));
}

/** Returns the value at a path of an object, such as "lanes.0.slots". @param {any} object @param {string} path */
function valueAt(object, path) {
  return path.split(".").reduce((at, name) => at[name], object);
}

/** Sets the value at a path of an object. @param {any} object @param {string} path @param {any} value */
function setValue(object, path, value) {
  const names = path.split(".");
  const last = names.pop() ?? "";
  names.reduce((at, name) => at[name], object)[last] = value;
}

/** @typedef {{value: Record<string, number>, fate: "placed"|"rejected"}} Facts numbers by name, and whether the described timer was placed or rejected */

/**
 * Returns the numbers about lane i, and whether the timer that the text describes was placed or rejected.
 * @param {import("../state/store.js").Store} store @param {number} i @param {number[]} life rows of the timer's events in all lanes
 * @returns {Facts}
 */
function factsOf(store, i, life) {
  const { counts, cost, levels } = store.lanes[i];
  /** @type {Facts} */
  const facts = {
    value: { now: store.tick, pending: counts[COUNT.live], expired: counts[COUNT.expired], tick: cost[COST.tick], total: cost[COST.total] },
    fate: "placed",
  };
  for (const [level, , width] of levels) facts.value[`width${level}`] = width;
  for (let at = 0; at + ROW <= life.length; at += ROW) {
    if (cell(life, at, "lane") === i) addEvent(facts, life, at);
  }
  return facts;
}

/**
 * Updates facts with an event of the timer.
 * @param {Facts} facts @param {number[]} rows @param {number} at offset of the event's row in rows
 */
function addEvent(facts, rows, at) {
  const { value } = facts;
  switch (cell(rows, at, "kind")) {
    case KIND.schedule:
      Object.assign(value, { due: cell(rows, at, "due"), cascades: 0 });
      break;
    case KIND.place:
      Object.assign(value, { level: cell(rows, at, "toLevel"), slot: cell(rows, at, "toSlot"), rounds: Math.max(cell(rows, at, "x"), 0) });
      break;
    case KIND.cascade:
      value.cascades++;
      break;
    case KIND.expire:
      Object.assign(value, { fired: cell(rows, at, "tick"), late: cell(rows, at, "tick") - cell(rows, at, "due") });
      break;
    case KIND.reject:
      facts.fate = "rejected";
      break;
  }
}

/**
 * Formats a number with commas between thousands. Returns "–" if n is undefined.
 * @param {number|undefined} n
 */
function numeral(n) {
  return n === undefined ? "–" : n.toLocaleString("en-US");
}
