// @ts-check
/**
 * A lane in which the reader points at the place of a timer: the slot under the pointer is lit, and a click or Enter
 * drops a hollow dot. Below the wheel are the answers that are no slot. The verdict is drawn above the picture: the
 * real timer, and an arc from the guess to it. If the places can't be pointed at, the options are below the picture.
 */
import { alongRings, fix, mix, mod } from "../picture/face.js";
import { button, calm, html, svg } from "../core/dom.js";
import { StoryEvent, contextOf } from "../story/event.js";
import { formulas } from "../story/formulas.js";
import { middleOf, outlineOf, spotsOf } from "../picture/spots.js";
import { optionLabel } from "./labels.js";
import { placeKey, ringCount } from "../state/lane-state.js";
import { placeName } from "../state/words.js";
import { rangeOf } from "../inspect/ranges.js";
import { t } from "../core/texts.js";
import { tickUnit } from "../core/times.js";

/** @typedef {import("./question.js").Choice & {lane: string}} Target */
/** @typedef {import("../picture/spots.js").Spot} Spot */

/** Answers that are no slot. */
const NOWHERE = ["reject", "now"];
/** Duration of the real timer's way to its place, and of the arc's growth, in milliseconds. */
const WAY_MS = { timer: 700, arc: 500 };
/** Maximum number of timers in a slot beside which another one is drawn. */
const BESIDE_MAX = 8;
/** Number of points of an arc. */
const ARC_POINTS = 32;

export class Pointing {
  /** The reader's answer; "" until there is one. */
  value = "";
  /** Whether the right answer is shown. */
  shown = false;
  /** The slot that the keyboard or the pointer has reached. @type {{level: number, slot: number}|null} */
  #at = null;
  #stop = new AbortController();

  /**
   * @param {any} app @param {Target} target @param {{at: number, delay: number}} op the operation
   * @param {(text: string) => void} say shows a hint @param {() => void} done called when the reader has answered
   */
  constructor(app, target, op, say, done) {
    this.app = app;
    this.target = target;
    this.op = op;
    this.say = say;
    this.done = done;
    this.index = app.store.infos.findIndex((/** @type {any} */ info) => info.id === target.lane);
    this.card = app.lanes.cards[this.index];
    this.info = app.store.infos[this.index];
    const { form } = this.card.picture;
    const places = [...target.options, target.answer].filter((value) => !NOWHERE.includes(value));
    /** Whether the places can be pointed at, since all rings are drawn. */
    this.points = Boolean(form) && ["ring", "rows"].includes(form.shape) && places.every((value) => form.levels[levelOf(value)]?.[0] === levelOf(value));
    this.layer = svg("g", { class: "guesses" });
    this.card.picture.layer = this.layer;
    this.card.picture.svg.append(this.layer);
    this.foot = html("div", { class: "ask-foot" });
    this.card.section.append(this.foot);
    this.trays = (this.points ? NOWHERE : target.options).map((value) => {
      const made = button({ class: "tray", "data-value": value }, this.points ? t(`quiz.tray.${value}`) : this.name(value), () => this.answer(value));
      this.foot.append(made);
      return made;
    });
    if (this.points) this.#listen();
  }

  /** Returns the name of an answer. @param {string} value */
  name(value) {
    const { levels } = this.app.store.lanes[this.index];
    const known = [...this.target.options, this.target.answer].every((one) => NOWHERE.includes(one) || levelOf(one) < levels.length);
    return optionLabel("slot", value, known ? (level, slot) => placeName(this.info, levels, level, slot) : undefined); // levels may be added when the timer is placed
  }

  #listen() {
    const box = /** @type {HTMLElement} */ (this.card.picture.box);
    const { signal } = this.#stop;
    box.tabIndex = 0;
    box.setAttribute("role", "application");
    box.setAttribute("aria-label", t("quiz.wheel", { title: this.info.title[this.app.lang] ?? this.info.title.en }));
    box.addEventListener("pointermove", (event) => {
      event.stopPropagation(); // to the card about a slot
      if (event.pointerType !== "touch") this.#light(this.card.slotAt(event));
    }, { signal });
    box.addEventListener("pointerleave", () => this.#light(null), { signal });
    box.addEventListener("focus", () => { if (box.matches(":focus-visible")) this.#light(this.#at ?? { level: 0, slot: 0 }); }, { signal });
    box.addEventListener("click", (event) => {
      event.stopPropagation();
      const place = this.card.slotAt(event);
      if (place) this.answer(`${place.level}:${place.slot}`);
    }, { signal });
    box.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  /** Moves the lit slot, or answers with it. @param {KeyboardEvent} event */
  #key(event) {
    if (this.value || this.shown || event.ctrlKey || event.altKey || event.metaKey) return;
    const { levels } = this.card.picture.form;
    const { level, slot } = this.#at ?? { level: 0, slot: 0 };
    const by = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 0], ArrowDown: [-1, 0] }[event.key];
    if (by) {
      const next = mod(level + by[0], ringCount(levels));
      this.#light({ level: next, slot: mod(by[0] ? Math.round((slot / levels[level][1]) * levels[next][1]) : slot + by[1], levels[next][1]) });
    } else if (event.key === "Enter" || event.key === " ") {
      if (!this.#at) return;
      this.answer(`${level}:${slot}`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Lights a slot and names it with the due ticks that it covers. @param {{level: number, slot: number}|null} place */
  #light(place) {
    if (this.value || this.shown) return;
    if (place?.level === this.#at?.level && place?.slot === this.#at?.slot && this.layer.querySelector(".lit")) return;
    this.layer.querySelector(".lit")?.remove();
    this.#at = place ?? this.#at;
    if (!place) return this.say("");
    this.layer.prepend(svg("path", { class: "lit", d: outlineOf(this.card.picture.form, place.level, place.slot) }));
    this.say(this.#covers(place));
  }

  /** @param {{level: number, slot: number}} place */
  #covers({ level, slot }) {
    const { store } = this.app;
    const lane = store.lanes[this.index];
    const where = placeName(this.info, lane.levels, level, slot);
    const range = rangeOf(this.info, lane.levels, level, slot, lane.now, store.start);
    if (!range) return where;
    const unit = tickUnit(store.length);
    return t(range.from === range.to ? "quiz.covers.one" : "quiz.covers", { where, from: range.from, to: range.to, unit });
  }

  /** Takes an answer. @param {string} value */
  answer(value) {
    if (this.value || this.shown) return;
    this.layer.querySelector(".lit")?.remove();
    this.value = value;
    this.done();
  }

  /** Marks the options with the letters A to D, or removes the letters. @param {boolean} on */
  letter(on) {
    for (const old of this.layer.querySelectorAll(".letter")) old.remove();
    for (const tray of this.trays) delete tray.dataset.letter;
    if (!on || this.value || this.shown) return;
    this.target.options.forEach((value, k) => {
      const letter = "ABCD"[k];
      const tray = this.trays.find(({ dataset }) => dataset.value === value);
      if (tray) return void (tray.dataset.letter = letter);
      const { x, y } = this.#spot(value);
      this.layer.append(svg("g", { class: "letter", transform: `translate(${fix(x)} ${fix(y)})` }, svg("circle", { r: 13 }), svg("text", {}, letter)));
    });
  }

  /** Returns the position of one more timer in a slot: the one that is farthest from the timers there. @param {string} value @returns {Spot} */
  #spot(value) {
    const { form, dots } = this.card.picture;
    const [level, slot] = value.split(":").map(Number);
    const count = this.app.store.lanes[this.index].places.get(placeKey(level, slot))?.count ?? 0;
    if (count === 0 || count > BESIDE_MAX) return middleOf(form, level, slot);
    const free = (/** @type {Spot} */ { x, y, r }) => Math.min(...dots.map((/** @type {Spot} */ d) => Math.hypot(d.x - x, d.y - y) - d.r - r));
    let best = middleOf(form, level, slot);
    for (let of = count + 1; of <= count + 4; of++) {
      const spot = spotsOf(form, { level, slot, count: of });
      for (let k = 0; k < of; k++) if (free(spot(k)) > free(best)) best = spot(k);
    }
    return best;
  }

  /** Drops the hollow dot of the answer, until the right one is shown. */
  drop() {
    this.letter(false);
    const tray = this.trays.find(({ dataset }) => dataset.value === this.value);
    tray?.setAttribute("aria-pressed", "true");
    if (!this.points || tray) return;
    const { x, y, r } = this.#spot(this.value);
    this.layer.append(svg("g", { class: "guess", transform: `translate(${fix(x)} ${fix(y)})` }, svg("circle", { r: fix(r + 2) }), svg("text", {}, "?")));
  }

  get right() { return this.value === this.target.answer; }

  /** Shows the real timer, and how far the answer is from it. */
  show() {
    this.shown = true;
    this.letter(false);
    this.layer.querySelector(".lit")?.remove();
    const { answer } = this.target;
    for (const tray of this.trays) {
      tray.disabled = true;
      tray.classList.toggle("right", tray.dataset.value === answer);
      tray.classList.toggle("wrong", tray.dataset.value === this.value && !this.right);
      tray.classList.toggle("away", !tray.matches(".right, .wrong"));
    }
    this.layer.querySelector(".guess")?.classList.add(this.right ? "right" : "wrong");
    if (this.points && !NOWHERE.includes(answer)) this.#land();
    const verdict = this.verdict();
    const lines = html("p", { class: "off" }, ...(this.value ? [html("b", { class: this.right ? "good" : "bad" }, verdict), " "] : []), html("span", {}, this.#because()));
    this.foot.append(lines);
    return verdict;
  }

  /** Says by how much the answer is wrong. */
  verdict() {
    const { answer } = this.target;
    if (this.right) return t("quiz.right");
    if (NOWHERE.includes(answer)) return t(`quiz.off.${answer}`);
    if (NOWHERE.includes(this.value) || !this.value) return this.name(answer);
    const [[level, slot], [toLevel, toSlot]] = [this.value.split(":").map(Number), answer.split(":").map(Number)];
    if (level !== toLevel || level < 0) return level < 0 ? this.name(answer) : t("quiz.off.level", { level: toLevel, not: level });
    const slots = this.app.store.lanes[this.index].levels[level][1];
    const ahead = mod(toSlot - slot, slots);
    return t(ahead <= slots / 2 ? "quiz.off.early" : "quiz.off.late", { n: Math.min(ahead, slots - ahead) });
  }

  /** Returns the formula of the place with the numbers of this timer, or the reason why there is none. */
  #because() {
    const { store } = this.app;
    const { answer, event, options, reasons } = this.target;
    const lines = [...(event ? formulas(new StoryEvent(event, 0, contextOf(store))) : []), ...this.#slip()];
    if (lines.length > 0) return lines.join(" · ");
    const { levels } = store.lanes[this.index];
    const [, slots, width] = levels[ringCount(levels) - 1] ?? [0, 0, 0];
    if (answer === "reject" && slots > 0 && this.op.delay >= slots * width) return t("quiz.far", { delay: this.op.delay, reach: slots * width });
    const reason = reasons?.[options.indexOf(this.value)];
    return reason || t("quiz.is", { where: this.name(answer) });
  }

  /** Returns what the answer computes, if it is that of a usual mistake: the width of a slot left out, or the delay in place of the due tick. */
  #slip() {
    const { store } = this.app;
    const [level, slot] = this.value.split(":").map(Number);
    const [, slots, width] = store.lanes[this.index].levels[level] ?? [];
    if (this.right || store.start !== 0 || this.info.relative || !(slots > 0) || !Number.isInteger(slot)) return [];
    const { at, delay } = this.op;
    const due = at + delay;
    const place = (/** @type {number} */ ticks) => Math.floor(ticks / width) % slots;
    if (place(due) === slot) return []; // only the level is wrong
    const values = { due, slots, slot, width, sum: width > 1 ? `⌊${delay} / ${width}⌋ mod ${slots}` : `${delay} mod ${slots}` };
    if (place(delay) === slot) return [t("quiz.slip.delay", values)];
    return width > 1 && due % slots === slot ? [t("quiz.slip.unit", values)] : [];
  }

  /** Draws the real timer on its way from the middle, and then the arc. */
  #land() {
    const { form } = this.card.picture;
    const to = this.#spot(this.target.answer);
    const due = this.app.store.until < 1000 ? String(this.op.at + this.op.delay) : "";
    const dot = svg("g", { class: `dot c${((this.target.timerId ?? 1) - 1) % 6} real` }, svg("circle", { class: "body", r: fix(to.r) }), svg("text", { "font-size": fix(Math.min(14, (to.r * 1.7) / Math.max(1, due.length * 0.6))) }, due));
    if (to.r < 7) dot.lastElementChild?.remove();
    const ring = svg("circle", { class: "found", r: fix(to.r + 4) });
    dot.prepend(ring);
    const from = form.shape === "ring" ? { x: 200, y: 200 } : { x: 200, y: 20 };
    const put = (/** @type {number} */ u) => dot.setAttribute("transform", `translate(${fix(mix(from.x, to.x, u))} ${fix(mix(from.y, to.y, u))})`);
    put(1);
    this.layer.append(dot);
    ring.classList.toggle("right", this.right);
    const guessed = this.points && this.value && !NOWHERE.includes(this.value);
    const arc = this.right || !guessed ? null : this.#arc(this.#spot(this.value), to);
    if (calm()) return;
    const begun = performance.now();
    arc?.setAttribute("visibility", "hidden");
    const step = () => {
      if (this.#stop.signal.aborted) return;
      const u = Math.min(1, (performance.now() - begun) / WAY_MS.timer);
      put(1 - (1 - u) ** 3);
      if (u < 1) requestAnimationFrame(step);
      else arc?.removeAttribute("visibility");
    };
    put(0);
    requestAnimationFrame(step);
  }

  /** Draws the arc from the guess to the place, along the rings. @param {Spot} from @param {Spot} to */
  #arc(from, to) {
    const { form } = this.card.picture;
    const way = form.shape === "ring" ? alongRings(from, to) : (/** @type {number} */ u) => [mix(from.x, to.x, u), mix(from.y, to.y, u)];
    const points = Array.from({ length: ARC_POINTS + 1 }, (_, k) => way(k / ARC_POINTS)).filter(([x, y]) => Math.hypot(x - to.x, y - to.y) > to.r + 10 && Math.hypot(x - from.x, y - from.y) > from.r + 2);
    if (points.length < 2) return null;
    const [x, y] = points[points.length - 1];
    const long = Math.hypot(to.x - x, to.y - y) || 1;
    const [nx, ny] = [(to.x - x) / long, (to.y - y) / long];
    const arc = svg("g", { class: "arc" },
      svg("path", { d: `M${points.map((p) => `${fix(p[0])} ${fix(p[1])}`).join("L")}` }),
      svg("path", { class: "head", d: `M${fix(x + nx * 7)} ${fix(y + ny * 7)}L${fix(x - ny * 6)} ${fix(y + nx * 6)}L${fix(x + ny * 6)} ${fix(y - nx * 6)}Z` }));
    this.layer.prepend(arc);
    return arc;
  }

  /** Removes everything from the lane. */
  remove() {
    this.#stop.abort();
    this.card.picture.layer = null;
    this.layer.remove();
    this.foot.remove();
    const { box } = this.card.picture;
    for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  }
}

/** Returns the level of a place, or NaN. @param {string} value */
const levelOf = (value) => Number(value.split(":")[0]);
