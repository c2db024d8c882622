// @ts-check
/**
 * The entry view. T, the events and what is pointed at determine everything that is drawn; playing, keys and
 * gestures only set them. The server's position is kept apart: it follows when the page rests, and ten times a second
 * while T is dragged, so that a reload and other viewers see it.
 */
import { byId, html, setAttr, setText } from "../core/dom.js";
import { requestScenario } from "../core/requests.js";
import { saveScenario } from "../core/saved-scenarios.js";
import { COST, FUTURE, NO_LEVEL, ROW, cell } from "../core/protocol.js";
import { t } from "../core/texts.js";
import { nanoseconds } from "../core/times.js";
import { KIND } from "../state/kinds.js";
import { laneOf } from "../state/lane-state.js";
import { Clock, SPEEDS, after } from "./clock.js";
import { DURATION, REST, positionOf, timeOf } from "../picture/scene.js";
import { delayText, interest, outcomes, say, sentence } from "../story/instant.js";
import { clamp } from "../picture/face.js";
import { LaneView, fill } from "./lane.js";
import { head, track } from "./track.js";
import { paint } from "../picture/nodes.js";
import { Window, learn } from "../picture/window.js";

/** @typedef {import("../picture/window.js").Run} Run */
/** @typedef {import("./clock.js").Instant} Instant */
/** @typedef {import("../picture/frame.js").Look} Look */
/** @typedef {import("../picture/frame.js").Held} Held */
/** @typedef {import("../picture/frame.js").Answer} Answer */
/** @typedef {import("../story/instant.js").Phrase} Phrase */
/** @typedef {{id: number, name: string, colour: number, due: number, level: number, lane: number, out: boolean, hand: {x: number, y: number}|null, first: number, waiting: boolean}} Hold a timer that the user is placing; first is its due tick before, or 0 for a new one; waiting: it is sent to the server */

/** Number of integers of an element of `preview`. */
const FUTURE_ROW = Object.keys(FUTURE).length;
/** Interval between two seeks while T is dragged, in milliseconds. */
const SEEK_MS = 100;
/** Time at rest before tables are filled and the server follows, in milliseconds. */
const REST_MS = 90;
/** Time for which the result of a gesture is shown, in milliseconds. */
const SAID_MS = 9000;
/**
 * The window of a run with too many events for a page: its rows; the part of the window at the end that is left when further
 * rows are fetched; and the part that is fetched before an instant that is sought, and before one that T goes back to, at least a number of ticks.
 */
const WINDOW = { rows: 12_000, ticks: 40, ahead: 0.3, before: 0.1, behind: 0.7 };
/** Greatest delay whose places are requested in advance, in ticks. */
export const DELAY_MAX = 256;

export class App {
  /** @type {Look} */
  look = { hot: 0, pointed: null, numbers: false, held: null, word: t };
  /** Index of the lane in which something is pointed at. */
  pointedLane = -1;
  /** @type {Hold|null} */
  hold = null;
  /** Whether the hand is dragged. */
  gripped = false;
  /** @type {{win: Window, text: string}[]} windows of the runs before the last edits */
  undone = [];
  /** The server's position and run, as last heard. */
  server = { run: "", tick: 0, seq: 0 };
  /** Whether keys of single letters and signs work. */
  shortcuts = true;
  /** Where T goes when the events there have arrived. @type {{T: number, pacing: import("../picture/scene.js").Pacing, seq?: number}|null} */
  wanted = null;
  /** Whether the user has done something. */
  used = false;
  /** Number of undone edits: a run that was requested before is not shown. */
  #edition = 0;
  #requested = false;
  /** Whether the picture of the server is shown, since the events there are not known yet. */
  #blank = false;
  #loading = false;
  /** T when it was last considered whether the window needs more events. */
  #filled = 0;
  #restTimer = 0;
  #seekTimer = 0;
  #seekAt = 0;
  #message = "";
  #messageTimer = 0;
  #edited = false;
  #said = "";
  #hinted = "";
  #drawnTrack = "";
  #trackSize = [0, 0];
  #rested = "";
  /** @type {{key: string, lanes: number[][]|null, delays: number[]}} */
  #places = { key: "", lanes: null, delays: [] };
  /** @type {{seq: number, win: Window}|null} the edit whose run is awaited */
  #fork = null;

  /**
   * @param {Window} win @param {import("./place.js").Place} place
   * @param {(receiver: import("./transport.js").Receiver) => import("./transport.js").Transport} connect
   * @param {boolean} still whether motion is reduced
   * @param {boolean} long whether the run has more events than a page can have
   */
  constructor(win, place, connect, still, long = false) {
    this.win = win;
    /** Whether the run has too many events for a page. */
    this.long = long;
    this.place = place;
    if (!place.run.startsWith(win.run.run)) place.run = ""; // the server no longer has it, and shows another one
    this.still = still;
    this.main = /** @type {HTMLElement} */ (document.querySelector("main"));
    this.clock = new Clock(() => this.win.run.until, (tick) => interest(this.win, tick), () => this.win.range);
    this.shortcuts = place.recall("keys") !== "off";
    this.clock.speed = SPEEDS[Number(place.recall("speed") ?? 2)] ?? 2;
    this.lanes = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("section[data-lane]"))].map((section, i) => new LaneView(section, i, win));
    this.link = connect({ message: (m) => this.#receive(m), state: (open, seconds, why) => this.#linkState(open, seconds, why), address: (session) => this.#address(session) });
    new ResizeObserver(() => this.resize()).observe(byId("lanes"));
    setAttr(byId("unroll"), "aria-pressed", String(document.documentElement.classList.toggle("unrolled", place.parameter("unroll") === "1")));
  }

  /** Begins at the position of the page, and plays if asked to. @param {boolean} plays */
  start(plays) {
    const { win } = this;
    const before = this.place.before() ?? (this.place.served ? null : this.place.position((seq) => (seq > 0 ? win.tickOf(win.upto(seq) - 1) : 0)));
    const now = Math.min(before?.tick ?? Number(this.main.dataset.now), win.run.until);
    const seq = before ? before.seq ?? win.lastSeq(now) : Number(this.main.dataset.seq);
    addEventListener("pagehide", () => { if (this.used || !plays) this.place.keep(positionOf(this.win, this.clock.T, this.clock.pacing)); });
    if (!this.win.whole) [this.#blank, this.wanted] = [true, { T: now + seq > 0 ? now + REST : 0, pacing: "tick", seq }];
    else if (seq > 0 || now > 0) this.show(now, seq);
    else if (plays && this.still) this.clock.set(REST);
    this.resize();
    this.showLane(plays ? firstCascade(this.win) : sentence(this.win, this.clock.T, this.clock.pacing).lane, false);
    if (plays && !this.still) this.play(true);
    this.link.connect();
  }

  /** Shows a position, at once. @param {number} tick @param {number} seq */
  show(tick, seq) {
    this.#put({ T: tick + seq > 0 ? tick + REST : 0, pacing: "tick", seq });
    this.redraw();
  }

  get unrolled() { return document.documentElement.classList.contains("unrolled"); }
  /** @returns {Instant} */
  get instant() { return { T: this.clock.T, pacing: this.clock.pacing }; }
  get tick() { return Math.floor(this.clock.T); }

  /** Shows an instant, at once or as soon as the events there have arrived. @param {NonNullable<App["wanted"]>} to seq: number of the last event there; T is then the end of its tick */
  #put(to) {
    if (!this.win.covers(to.T)) return this.#away(to);
    this.wanted = null;
    const part = to.seq !== undefined && this.win.lastSeq(Math.floor(to.T)) !== to.seq;
    this.clock.set(part ? timeOf(this.win, /** @type {number} */ (to.seq)) : to.T, part ? "event" : to.pacing);
  }

  /** Fetches the events around an instant that the window does not have. @param {NonNullable<App["wanted"]>} to */
  #away(to) {
    this.wanted = { ...to, T: clamp(to.T, 0, this.win.run.until + REST) };
    void this.#load();
  }

  /** Requests a frame. */
  redraw() {
    if (this.#requested) return;
    this.#requested = true;
    requestAnimationFrame((now) => {
      this.#requested = false;
      if (!this.hold && !this.gripped && this.clock.advance(now)) this.redraw();
      this.draw();
    });
  }

  resize() {
    for (const lane of this.lanes) lane.resize();
    const { clientWidth, clientHeight } = byId("track");
    this.#trackSize = [clientWidth, clientHeight];
    this.#drawnTrack = "";
    this.draw();
  }

  /** Draws everything at T. */
  draw() {
    if (this.#blank) return;
    const { T } = this.clock;
    const tick = this.tick;
    const worked = T > 0 ? tick : -1; // before the first event nothing has been done
    const sums = this.lanes.map((_, i) => this.win.workUpTo(i, worked));
    const most = Math.max(...this.lanes.map((_, i) => this.win.mostOfKind(i, worked)));
    this.lanes.forEach((lane, i) => {
      const pointed = this.pointedLane === i ? this.look.pointed : null;
      const held = this.hold ? this.#held(this.hold, i) : null;
      lane.draw(this.instant, { ...this.look, pointed, held, numbers: Boolean(held) || this.gripped || pointed !== null }, { tick: worked, worst: sums[i].worst, most });
      if (this.unrolled) lane.drawUnrolled(T, this.look.hot);
      this.#caption(lane, pointed, held);
    });
    this.#tell();
    this.#track();
    const at = positionOf(this.win, T, this.clock.pacing);
    setAttr(this.main, "data-now", at.tick);
    setAttr(this.main, "data-seq", at.seq);
    this.#settle();
  }

  /** Returns a timer that is being placed, as lane i shows it. @param {Hold} hold @param {number} i @returns {Held} */
  #held(hold, i) {
    return { id: hold.id, colour: hold.colour, due: hold.due, delay: hold.due - this.tick, text: delayText(this.win, hold.due - this.tick), out: hold.out, answer: this.answer(i, hold.due - this.tick), hand: hold.lane === i ? hold.hand : null };
  }

  /** Writes the sentence and the line below it. */
  #tell() {
    const { hold } = this;
    const { phrases, old } = hold ? { phrases: this.#about(hold), old: false } : sentence(this.win, this.clock.T, this.clock.pacing);
    const key = JSON.stringify(phrases);
    const box = byId("say");
    if (key !== this.#said) {
      this.#said = key;
      box.replaceChildren(...phrases.map((p) => (p.id || p.due ? html("span", { class: `chip c${p.id ? this.win.colour(p.id) : hold?.colour ?? 0}`, "data-id": p.id }, String(p.due)) : p.text)));
    }
    box.classList.toggle("old", old);
    setAttr(box, "aria-live", this.clock.playing || this.gripped ? "off" : "polite");
    const hint = hold ? t(!hold.hand ? (hold.id ? "entry.hint.change" : "entry.hint.type") : hold.id ? "entry.hint.turn" : "entry.hint.new") : this.#message || (this.used ? "" : t("entry.hint"));
    if (hint === this.#hinted) return;
    this.#hinted = hint;
    const sub = byId("sub");
    sub.replaceChildren(hint);
    if (!hold && this.#message && this.#edited && this.undone.length) {
      const undo = html("button", { type: "button" }, t("entry.undo"));
      undo.addEventListener("click", () => this.undo());
      sub.append(" ", undo);
    }
  }

  /** Returns the sentence about a timer that is being placed. @param {Hold} hold @returns {Phrase[]} */
  #about(hold) {
    const timer = [{ id: hold.id, due: hold.due }];
    if (hold.out) return hold.id ? say(this.win, [{ id: hold.id, due: hold.first }], "entry.hold.cancel", {}) : say(this.win, [], "entry.hold.leave", {});
    const ticks = hold.due - this.tick;
    const delay = delayText(this.win, ticks);
    const answers = this.lanes.flatMap((_, lane) => {
      const answer = this.answer(lane, ticks);
      return answer ? [{ lane, answer }] : [];
    });
    const { words, slot } = outcomes(this.win, answers);
    if (words) return say(this.win, timer, "entry.hold.far", { delay, outcomes: words });
    return slot >= 0 ? say(this.win, timer, "entry.hold.slot", { delay, slot }) : say(this.win, timer, "entry.hold", { delay });
  }

  /** Writes the caption of a lane. @param {import("./lane.js").LaneView} lane @param {Look["pointed"]} pointed @param {Held|null} held */
  #caption(lane, pointed, held) {
    let [text, kind] = ["", ""];
    if (held?.out) [text, kind] = [held.id ? t("entry.cap.cancel") : "", "reject"];
    else if (held?.answer === "rejected") [text, kind] = [t("entry.out.reject"), "reject"];
    else if (held?.answer) {
      const { level, slot, rounds } = held.answer;
      text = [lane.form.rings.length > 1 ? t("entry.cap.level", { level }) : "", t("entry.cap.slot", { slot }), rounds > 0 ? t("entry.cap.rounds", { rounds }) : ""].filter(Boolean).join(t("entry.comma"));
      kind = "on";
    } else if (pointed) {
      const due = lane.dueOf(pointed.level, pointed.slot, this.tick);
      if (due) text = due.first === due.last ? t("entry.cap.at", { slot: pointed.slot, at: delayText(this.win, due.first) }) : t("entry.cap.range", { slot: pointed.slot, from: due.first, to: delayText(this.win, due.last) });
      kind = "on";
    }
    setText(lane.caption, text);
    setAttr(lane.caption, "class", `cap ${kind}`);
  }

  #track() {
    const box = byId("track");
    const svg = /** @type {SVGElement} */ (box.querySelector("svg"));
    const [wide, high] = this.#trackSize;
    if (!wide) return;
    const key = `${wide}/${high}/${this.win.run.run}`;
    if (key !== this.#drawnTrack) {
      this.#drawnTrack = key;
      setAttr(svg, "viewBox", `0 0 ${wide} ${high}`);
      paint(svg, [["g", {}, track(this.win, wide, high)], ["g", {}, []]]);
      setAttr(box, "aria-valuemax", this.win.run.until);
    }
    paint(/** @type {Element} */ (svg.children[1]), head(this.win, this.wanted?.T ?? this.clock.T, wide, high));
    if (Number(box.getAttribute("aria-valuenow")) !== this.tick || !this.clock.moves) {
      setAttr(box, "aria-valuenow", this.tick);
      setAttr(box, "aria-valuetext", `${delayText(this.win, this.tick)}. ${byId("say").textContent}`);
    }
  }

  /** Lets the server follow, and fills what is not visible when the page rests. */
  #settle() {
    const key = `${this.win.run.run}/${this.clock.T}/${this.clock.pacing}`;
    if (key === this.#rested) return;
    this.#rested = key;
    void this.#fill();
    setAttr(this.main, "data-settled", "false");
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => this.#rest(), REST_MS);
    if (this.clock.moves || this.gripped) {
      const wait = this.#seekAt + SEEK_MS - performance.now();
      this.#seekTimer ||= setTimeout(() => {
        this.#seekTimer = 0;
        this.#seek(positionOf(this.win, this.clock.T, this.clock.pacing));
      }, Math.max(0, wait));
      if (this.used) this.#write();
    }
  }

  #rest() {
    if ((this.clock.moves && !this.clock.playing) || this.wanted) return;
    const at = positionOf(this.win, this.clock.T, this.clock.pacing);
    if (!this.clock.playing) {
      this.fillTables(at);
      if (this.used || this.place.parameter("scenario")) this.#write();
      void this.prefetch();
    }
    this.#seek(at);
  }

  #write() {
    this.place.write(() => {
      const at = positionOf(this.win, this.clock.T, this.clock.pacing);
      return { ...at, rest: at.seq === this.win.lastSeq(at.tick) };
    }, { unroll: this.unrolled ? "1" : "" });
  }

  /** Moves the server's cursor. @param {{tick: number, seq: number}} at */
  #seek(at) {
    if (!this.link.open || !this.link.driver || this.#loading || this.server.run !== this.win.run.run) return;
    if (this.server.tick === at.tick && this.server.seq === at.seq) return;
    this.#seekAt = performance.now();
    Object.assign(this.server, at);
    const whole = at.seq === this.win.lastSeq(at.tick);
    void this.link.send("seek", at.seq === 0 && at.tick === 0 ? {} : whole ? { tick: at.tick } : { seq: at.seq });
  }

  /** Fills the numbers and tables. @param {{tick: number, seq: number}} at */
  fillTables(at) {
    const folded = this.win.lanesAfter(this.win.upto(at.seq));
    this.lanes.forEach((lane, i) => fill(lane.section, folded[i], /** @type {any} */ (this.win.run.lanes[i]), this.win.costAt(i, at), (id) => this.win.name(id)));
    setAttr(this.main, "data-settled", "true");
  }

  /** Plays or pauses. @param {boolean} on */
  play(on) {
    if (on) this.drop();
    if (on || this.clock.playing) this.clock.play(on, performance.now());
    const button = byId("play");
    setAttr(button, "aria-label", t(on ? "player.pause" : "player.play"));
    button.classList.toggle("on", on);
    this.redraw();
  }

  /** Moves by a tick, step or event. @param {"tick"|"step"|"event"} by @param {1|-1} n */
  step(by, n) {
    this.touch();
    const from = this.wanted ?? this.clock.goal;
    this.play(false);
    const to = after(this.win, from, this.wanted ? "tick" : by, n); // no event of a wanted instant is known
    if (!this.win.covers(to.T)) return this.#away(to);
    this.wanted = null;
    this.clock.go(to, this.still ? 0 : n > 0 ? DURATION.forward * (by === "tick" ? 1 : 0.6) : DURATION.back, performance.now());
    this.redraw();
  }

  /** Moves to T. @param {number} T @param {number} [long] */
  go(T, long = DURATION.far) {
    this.touch();
    this.play(false);
    if (!this.win.covers(T)) return this.#away({ T, pacing: "tick" });
    this.wanted = null;
    this.clock.go({ T, pacing: "tick" }, this.still ? 0 : long, performance.now());
    this.redraw();
  }

  /** Shows T while it is dragged. @param {number} T */
  drag(T) {
    this.#put({ T, pacing: "tick" });
    this.redraw();
  }

  /** Ends a movement in the rest frame of its tick. */
  rest() {
    if (this.wanted) this.wanted.T = Math.floor(this.wanted.T) + REST;
    else this.clock.rest(performance.now(), this.still ? 0 : DURATION.release);
    this.redraw();
  }

  /** Notes that the user has done something. */
  touch() { this.used = true; }

  /** Ends the placing of a timer. */
  drop() {
    this.hold = null;
    this.redraw();
  }

  /** Shows the result of a gesture for a while. @param {string} text @param {boolean} [edited] whether the result is an edit, which can be undone */
  say(text, edited = false) {
    this.#message = text;
    this.#edited = edited;
    this.#hinted = "";
    clearTimeout(this.#messageTimer);
    this.#messageTimer = setTimeout(() => { this.#message = ""; this.redraw(); }, SAID_MS);
    this.redraw();
  }

  /** Shows or hides the unrolled diagrams. */
  toggleUnrolled() {
    const on = document.documentElement.classList.toggle("unrolled");
    setAttr(byId("unroll"), "aria-pressed", String(on));
    this.touch();
    this.#write();
    this.resize();
  }

  /** Puts the position into a link that leads to another page. @param {HTMLAnchorElement} link */
  leave(link) { this.place.lead(link, positionOf(this.win, this.clock.T, this.clock.pacing)); }

  /** Opens the field for a delay. @param {number} [index] lane */
  openAdd(index = this.#shownLane) {
    this.touch();
    this.play(false);
    this.clock.set(this.tick + REST);
    const lane = this.lanes[index];
    lane.hub.classList.add("edit");
    lane.input.focus();
    lane.input.select();
    this.typed(lane.input.value, index);
  }

  /** @param {number} index lane */
  closeAdd(index) {
    const lane = this.lanes[index];
    if (!lane.hub.classList.contains("edit")) return;
    lane.hub.classList.remove("edit");
    if (this.hold && !this.hold.waiting) this.drop();
  }

  /** Brings a lane into view, where only one fits. @param {number} index @param {boolean} slowly */
  showLane(index, slowly) { this.main.scrollTo({ left: index * this.main.clientWidth, behavior: slowly && !this.still ? "smooth" : "instant" }); }

  /** Index of the lane that is shown alone, or 0. */
  get #shownLane() { return Math.min(this.lanes.length - 1, Math.round(this.main.scrollLeft / Math.max(1, this.main.clientWidth))) || 0; }

  /** Shows where a timer with the typed delay would be. @param {string} text @param {number} index lane */
  typed(text, index) {
    const delay = parseDelay(text, this.win.run.tick);
    if (!delay) {
      this.hold = null;
      return this.redraw();
    }
    this.hold = { id: 0, name: "", colour: this.nextColour, due: this.tick + delay, first: 0, level: 0, lane: index, out: false, hand: null, waiting: false };
    void this.prefetch([delay]);
    this.redraw();
  }

  /** Adds a timer with the typed delay. @param {string} text @param {number} index lane */
  add(text, index) {
    const delay = parseDelay(text, this.win.run.tick);
    if (!delay) return this.say(t("entry.add.wrong"));
    const hold = { id: 0, name: this.nameFor(delay), colour: this.nextColour, due: this.tick + delay, first: 0, level: 0, lane: index, out: false, hand: null, waiting: true };
    this.hold = hold;
    this.closeAdd(index);
    this.main.focus({ preventScroll: true });
    void this.commit(hold);
  }

  // ---- where the engine would put a timer

  /** Returns where the engine would put a timer with a delay at the end of the shown tick, or null while it is not known. @param {number} lane @param {number} delay @returns {Answer|null} */
  answer(lane, delay) {
    if (this.#places.key !== `${this.win.run.run}/${this.tick}`) return null;
    const at = this.#places.delays.indexOf(delay);
    const found = this.#places.lanes?.[lane];
    return found && at >= 0 ? placeOf(found, at * FUTURE_ROW) : null;
  }

  /** Fetches the places of the delays that a gesture can give. @param {number[]} [more] other delays */
  async prefetch(more = []) {
    const { tick } = this;
    const { run } = this.win.run;
    const key = `${run}/${tick}`;
    if (this.#places.key === key && more.every((d) => this.#places.delays.includes(d))) return;
    if (!this.link.open || !this.link.driver) return;
    const delays = more.length ? [...new Set([...this.#places.key === key ? this.#places.delays : [], ...more])].slice(-DELAY_MAX) : Array.from({ length: DELAY_MAX }, (_, i) => i + 1);
    const lanes = await this.link.preview(run, tick, delays);
    if (!lanes || this.tick !== tick || this.win.run.run !== run) return;
    this.#places = { key, lanes, delays };
    this.redraw();
  }

  // ---- edits

  /** Carries out what the user has done with the held timer. @param {Hold} hold */
  async commit(hold) {
    const { tick } = this;
    const delay = hold.due - tick;
    let sent = false;
    hold.waiting = true;
    if (hold.out) {
      this.drop();
      if (hold.id) await this.edit({ op: "cancel", timer: hold.name }, t("entry.done.cancel"));
    } else if (!hold.id) sent = await this.edit({ op: "schedule", timer: hold.name, delay }, t("entry.done.add", { at: delayText(this.win, hold.due) }));
    else if (hold.due !== hold.first) sent = await this.edit({ op: "reset", timer: hold.name, delay }, t("entry.done.reset", { at: delayText(this.win, hold.due), old: delayText(this.win, hold.first) }));
    if (!sent && this.hold === hold) this.drop(); // else it stays until the new run is shown
  }

  /** Sends an operation at the shown tick. Returns whether it was carried out. @param {Record<string, any>} fields @param {string} done what to say when it is carried out */
  async edit(fields, done) {
    this.touch();
    const { tick, win } = this;
    if (!this.link.driver) {
      this.say(t("entry.viewer"));
      return false;
    }
    this.#fork = { seq: win.lastSeq(tick), win };
    const fault = await this.link.send("op", { ...fields, run: win.run.run, tick });
    if (fault) {
      this.#fork = null;
      this.say(fault.path === "link" ? t("entry.offline") : fault.message);
      return false;
    }
    this.undone.push({ win, text: done });
    this.say(done, true);
    return true;
  }

  /** Undoes the last edit. */
  async undo() {
    const last = this.undone.pop();
    if (!last) return;
    const { tick } = this;
    this.#edition++;
    this.hold = null;
    this.#show(last.win);
    this.say(t("entry.done.undo"), true);
    this.#fork = null;
    const fault = await this.link.send("load", { run: last.win.run.run, tick });
    if (fault) this.say(fault.message || t("entry.offline"));
  }

  /** Shows another run at the same T. @param {Window} win */
  #show(win) {
    this.win = win;
    for (const lane of this.lanes) lane.setWindow(win);
    this.#drawnTrack = "";
    this.#rested = "";
    this.#places = { key: "", lanes: null, delays: [] };
    this.look.hot = 0;
    this.#blank = false;
    this.clock.loop = win.whole;
    this.#put(this.wanted ?? this.clock.goal);
    this.resize();
    this.redraw();
  }

  // ---- the window of a long run

  /**
   * Fetches the events around the wanted instant, or before the shown one, with the state before them. The server's cursor
   * goes to that state, and returns when the page rests.
   */
  async #load() {
    if (this.#loading || !this.link.open) return;
    this.#loading = true;
    const { win, wanted } = this;
    const to = wanted?.T ?? this.clock.T;
    const back = to < this.clock.T || !wanted ? WINDOW.behind : WINDOW.before;
    const base = Math.floor(to) - 1 - Math.max(WINDOW.ticks, Math.ceil(back * (win.last - win.from.tick)));
    const state = base < 0 ? null : await this.link.stateAt(base);
    const answer = base < 0 || state ? await this.link.events(state?.seq ?? 0, WINDOW.rows) : null;
    this.#loading = false;
    this.server.tick = -1;
    if (answer && this.win === win && (!state || state.run === win.run.run)) {
      const names = new Map(win.names);
      learn(names, [...(state?.names ?? []), ...answer.names]);
      const made = new Window(win.run, answer.rows, names, answer.costs, state && startOf(state), answer.end);
      if (this.wanted || !made.covers(this.clock.T)) this.#show(made);
      else this.#extend(made);
    }
    if (this.wanted && this.wanted !== wanted) void this.#load();
  }

  /** Extends the window in the direction of movement before T comes to its end, and drops what is far behind. */
  async #fill() {
    const { win } = this;
    const { T } = this.clock;
    const back = T < this.#filled;
    this.#filled = T;
    if (this.#loading || this.wanted || !this.link.open) return;
    const ahead = WINDOW.ahead * (win.last - win.from.tick);
    if (back) return win.from.tick >= 0 && T < win.from.tick + ahead && this.link.driver ? this.#load() : undefined;
    if (win.end || T < win.last - ahead) return;
    this.#loading = true;
    const seq = win.seqAfter(win.length);
    const answer = await this.link.events(seq, WINDOW.rows / 2);
    this.#loading = false;
    if (this.wanted) return this.#load();
    if (!answer || this.win !== win || answer.rows.length === 0) return;
    const longer = win.fork(win.run, seq, answer);
    const drop = longer.length > WINDOW.rows ? Math.min(Math.floor(this.clock.T) - 2, longer.tickOf(longer.length - WINDOW.rows)) : -1;
    this.#extend(drop > longer.from.tick ? longer.without(drop) : longer);
  }

  /** Shows a window of the same run that has the shown instant, while T goes on. @param {Window} win */
  #extend(win) {
    this.win = win;
    for (const lane of this.lanes) lane.setWindow(win);
    this.#drawnTrack = "";
    this.redraw();
  }

  /** Returns a name for a new timer. @param {number} delay */
  nameFor(delay) {
    const taken = new Set(this.win.names.values());
    const name = delayText(this.win, delay).replace(" ", "");
    for (const candidate of [name, `${name} from ${this.tick}`]) if (!taken.has(candidate)) return candidate;
    for (let n = 2; ; n++) if (!taken.has(`${name} from ${this.tick} (${n})`)) return `${name} from ${this.tick} (${n})`;
  }

  /** Returns the colour of the next timer. */
  get nextColour() { return Math.max(0, ...this.win.names.keys()) % 6; }

  // ---- messages

  /** @param {URLSearchParams|null} own */
  #address(own) {
    const query = own ?? new URLSearchParams(this.place.shown);
    query.set("lang", this.place.lang);
    const at = positionOf(this.win, this.clock.T, this.clock.pacing);
    if (!query.has("session") && (at.tick || at.seq)) {
      query.set("t", String(at.tick));
      query.set("seq", String(at.seq));
    }
    return `${location.protocol.replace("http", "ws")}//${location.host}${this.place.base}/ws?${query}`;
  }

  /** @param {any} message */
  #receive(message) {
    if (message.kind === "hello") {
      this.server = { run: message.run, tick: -1, seq: message.seq };
      void this.#store(message);
      if (message.run !== this.win.run.run) void this.#otherRun(message);
      else if (this.wanted) void (this.long ? this.#load() : this.#otherRun(message));
      else void this.prefetch();
      return;
    }
    if (message.kind !== "state" && message.kind !== "delta") return;
    if (message.run !== this.server.run) return;
    this.server.tick = message.tick;
    this.server.seq = message.seq;
    if (this.link.driver || message.run !== this.win.run.run) return;
    if (!this.win.covers(message.tick + REST)) return this.#away({ T: message.tick + REST, pacing: "tick", seq: message.seq });
    const whole = this.win.lastSeq(message.tick) === message.seq;
    const T = message.seq === 0 && message.tick === 0 ? 0 : whole ? message.tick + REST : timeOf(this.win, message.seq);
    this.clock.go({ T, pacing: whole ? "tick" : "event" }, this.still ? 0 : Math.min(DURATION.forward, 400 * Math.abs(T - this.clock.T)), performance.now());
    this.redraw();
  }

  /** Stores an edited scenario in the browser, where the laboratory finds it. @param {any} hello */
  async #store({ run, scenario }) {
    const { place } = this;
    place.run = scenario.custom ? run : "";
    place.stored = false;
    const text = scenario.custom && this.link.driver ? await requestScenario(place, run) : null;
    if (place.run === run) place.stored = text !== null && saveScenario(run, text);
  }

  /** Fetches the events of another run: those after the fork of an edit, or all. @param {any} hello */
  async #otherRun(hello) {
    const fork = this.#fork;
    this.#fork = null;
    /** @type {Run} */
    const run = { ...this.win.run, run: hello.run, until: hello.scenario.until };
    const from = fork ? fork.seq : 0;
    const edition = this.#edition;
    const answer = await this.link.events(from);
    if (!answer || this.server.run !== hello.run || edition !== this.#edition) return;
    const names = new Map(this.win.names);
    learn(names, answer.names);
    const win = fork ? fork.win.fork(run, from, answer) : new Window(run, answer.rows, names, answer.costs, null, answer.end);
    if (this.hold?.waiting) this.hold = null;
    this.#show(win);
  }

  /** @param {boolean} open @param {number} seconds @param {string} why */
  #linkState(open, seconds, why) {
    document.documentElement.classList.toggle("offline", !open);
    if (!open && this.used) this.say(t(why ? "link.why" : "link.lost", { why, s: seconds }));
  }
}

/** Returns the start of a window. @param {import("./transport.js").State} state @returns {import("../picture/window.js").Start} */
function startOf({ tick, seq, lanes }) {
  return { tick, seq, lanes: lanes.map(laneOf), costs: lanes.map(({ cost }) => ({ worst: cost[COST.worst], at: cost[COST.worstAt], total: cost[COST.total] })) };
}

/** Returns the lane of the first cascade, in which there is most to see; 0 if there is none. @param {Window} win */
function firstCascade({ rows }) {
  for (let at = 0; at < rows.length; at += ROW) if (cell(rows, at, "kind") === KIND.cascade) return cell(rows, at, "lane");
  return 0;
}

/** Returns a typed delay in ticks, such as "100", "+100 s" or "1m"; 0 if it is none. @param {string} text @param {string} tick length of a base tick */
function parseDelay(text, tick) {
  const bare = text.replace(/[\s+]/g, "").toLowerCase();
  if (/^\d+$/.test(bare)) return Math.min(Number(bare), Number.MAX_SAFE_INTEGER);
  const ticks = nanoseconds(bare) / nanoseconds(tick);
  return ticks > 0 ? Math.ceil(ticks) : 0;
}

/** Returns the place in an element of a `preview` message; null if the timer would fire at once. @param {number[]} futures @param {number} at @returns {Answer|null} */
function placeOf(futures, at) {
  const [kind, level, slot, rounds] = futures.slice(at, at + FUTURE_ROW);
  if (kind === KIND.reject) return "rejected";
  return level === NO_LEVEL ? null : { level, slot, rounds: Math.max(0, rounds) };
}
