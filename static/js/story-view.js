// @ts-check
/** The line of narration and what stands below it. Told once a step, never while the clock runs fast. */
import { byId, html, setText } from "./dom.js";
import { ROW, cell } from "./protocol.js";
import { story } from "./narrate.js";
import { t } from "./texts.js";

/** Ticks a second up to which every step is told while playing. */
const TOLD_RATE = 3;
/** Events of a movement that are told in words. */
const TOLD_EVENTS = 400;

export class StoryView {
  #playing = "";

  /** @param {import("./store.js").Store} store @param {() => string} speedWords */
  constructor(store, speedWords) {
    this.store = store;
    this.speedWords = speedWords;
    this.line = byId("story");
    this.list = byId("story-more");
  }

  /** Whether every step is told at this moment. */
  get telling() {
    const { playing, rate } = this.store.player;
    return !playing || (rate > 0 && rate <= TOLD_RATE);
  }

  /** Says where the cursor has been put. */
  put() {
    if (!this.telling) return this.#run();
    const { tick, seq, last } = this.store;
    if (tick === 0 && seq === 0) return this.#say(t("story.start"));
    if (last.length === 0) return this.#say(t("story.event", { tick, seq }));
    this.#tell(cell(last, 0, "tick") === tick ? last : []);
  }

  /** Tells what the last delta brought. */
  tell() {
    if (!this.telling) return this.#run();
    this.#tell(this.store.rows);
  }

  /** Tells rows, all that led to where the cursor stands. @param {number[]} rows */
  #tell(rows) {
    this.#playing = "";
    const { tick, start, infos, lanes, length } = this.store;
    if (rows.length === 0) return this.#say(t("story.quiet", { tick }));
    const last = rows.slice(-TOLD_EVENTS * ROW);
    const tale = { infos, lanes, start, length, name: (/** @type {number} */ id) => this.store.name(id) };
    const { head, more, hidden } = story(last, tale);
    const items = more.map(({ lane, text }) => {
      const item = html("li");
      item.append(html("b", {}, lane), ` ${text}`);
      return item;
    });
    const left = hidden + (rows.length - last.length) / ROW;
    if (left > 0) items.push(html("li", {}, t("story.more", { n: left })));
    this.#say(`t = ${cell(last, 0, "tick")}. ${head}`, items);
  }

  /** Says once that the clock runs, and how fast. */
  #run() {
    const words = t("story.playing", { speed: this.speedWords() });
    if (words === this.#playing) return;
    this.#playing = words;
    this.#say(words);
  }

  /** Says that playing has stopped, and where. */
  stopped() {
    if (!this.#playing) return;
    this.#playing = "";
    const { tick, lanes, player } = this.store;
    const fired = lanes.reduce((sum, lane) => sum + lane.counts[4], 0);
    this.#say(player.end ? t("story.end", { tick, fired, lanes: lanes.length }) : t("story.tick", { tick }));
  }

  /** @param {string} text @param {Element[]} [items] */
  #say(text, items = []) {
    setText(this.line, text);
    this.list.replaceChildren(...items);
  }
}
