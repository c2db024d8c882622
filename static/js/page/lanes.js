// @ts-check
/** The lanes on the page: creates their cards and redraws those that changed. */
import { LaneCard, makeSection } from "./lane-card.js";
import { COST, ROW } from "../core/protocol.js";
import { byId } from "../core/dom.js";

/** Minimum interval between two table updates during playback, in milliseconds. */
const TABLE_MS = 300;
/**
 * Delay before the tables are updated while the cursor is dragged, in milliseconds. It starts again whenever
 * the drag moves the cursor, since faster changes can't be read.
 */
const DRAG_TABLE_MS = 200;
/**
 * Time limit for drawing pictures in one frame while playback is stopped, in milliseconds. At least one picture
 * is drawn in each frame.
 */
const PICTURES_MS = 12;
/** Minimum interval between two caption updates during playback, in milliseconds. Faster changes can't be read. */
const CAPTION_MS = 400;
/** Minimum interval between two updates of the work strips during fast playback, in milliseconds. */
const WORK_MS = 100;
/** Time limit for updating tables in one frame, in milliseconds. At least one table is updated in each frame. */
const TABLES_MS = 8;
/**
 * Maximum number of events in a movement after which captions are updated at once during slow playback. After a
 * larger movement, CAPTION_MS applies.
 */
const ANIMATED_EVENTS = 120;
/**
 * Minimum interval between two movements of the cursor for the second one to be animated while playback is
 * stopped, in milliseconds. If a key is held, each animation would be cut off by the next.
 */
const HELD_MS = 250;
/** Duration of an animation during slow playback, as a fraction of the time between two ticks. */
const ANIMATED_SHARE = 0.7;
/** Maximum playback rate, in ticks per second, at which movements are animated. */
const ANIMATED_RATE = 5;

/**
 * Number of frames in which the pictures of an animated step are drawn. One frame is too short for all of
 * them.
 */
const STEP_FRAMES = 5;
/** Number of frames between the last picture of a step and its story. The tables are updated in these frames. */
const STORY_FRAMES = 2;
/**
 * Time after which the rest of an animated step is drawn in one frame, in milliseconds, because the next step
 * follows soon.
 */
const STEP_DRAW_MS = 130;

export class Lanes {
  /** @type {LaneCard[]} */
  cards = [];
  #tablesAt = 0;
  #jumpedAt = 0;
  #captionsAt = 0;
  #workAt = 0;
  #drawn = "";
  /** Time of the last cursor movement, as performance.now(). */
  #movedAt = -STEP_DRAW_MS;
  /**
   * The drawn position, and the movement that led to it. ms: maximum duration of the animation; 0 for none.
   * back: whether the movement undoes the previous one. from: event before a forward movement, or 0. time: when
   * it was drawn, as performance.now(). events: number of events that led to it. dragged: whether by dragging.
   */
  #position = { run: "", seq: 0, tick: 0, ms: 0, back: false, from: 0, time: 0, events: 0, dragged: false };
  /** Number of frames since the last picture was drawn. */
  #framesSincePicture = 0;
  /** Indices of the lanes whose pictures are still to be drawn. @type {number[]} */
  #pendingPictures = [];

  /** @param {import("../state/store.js").Store} store @param {string} lang @param {() => void} redraw */
  constructor(store, lang, redraw) {
    this.store = store;
    this.lang = lang;
    this.redraw = redraw;
    this.box = byId("lanes");
    /** Whether all lanes must be redrawn, even if they have not changed. */
    this.stale = true;
    /** Whether the dial turns under a fixed hand. */
    this.dial = false;
    /**
     * Returns the place of the followed timer in a lane, or null if it is unknown.
     * @type {(lane: number) => {level: number, slot: number}|null}
     */
    this.where = () => null;
    /** Reports whether the cursor is being dragged. */
    this.dragged = () => false;
  }

  /**
   * Creates cards for the lanes of another run. Keeps those there are if the lanes have the same properties, and the
   * sections that the server rendered if they are of the same lanes.
   */
  begin() {
    const { infos, length } = this.store;
    const sections = [...this.box.querySelectorAll("section[data-lane]")];
    const kept = this.cards.length === infos.length && infos.every((info, i) => JSON.stringify(info) === JSON.stringify(this.cards[i].info));
    if (!kept) {
      const same = this.cards.length === 0 && sections.length === infos.length && infos.every((info, i) => isOf(sections[i], info));
      const made = same ? sections : infos.map((info) => makeSection(sections[0], info, this.lang));
      this.box.replaceChildren(...made);
      this.cards = infos.map((info, i) => new LaneCard(made[i], info, length, () => { this.stale = true; this.redraw(); }));
    }
    this.stale = true;
    this.#pendingPictures = [];
  }

  /**
   * Shows the lanes with the given ids, which then have the whole width, and hides the others. Without any that exists, all are
   * shown. Hidden lanes are not drawn.
   * @param {string[]} ids
   */
  show(ids) {
    const some = this.cards.some(({ info }) => ids.includes(info.id));
    for (const { section, info } of this.cards) section.hidden = some && !ids.includes(info.id);
    this.stale = true;
  }

  /** Dims all lanes but one. @param {string} id id of the lane, or "" to dim none */
  focus(id) {
    const known = this.cards.some(({ info }) => info.id === id);
    for (const { section, info } of this.cards) section.classList.toggle("aside", known && info.id !== id);
  }

  /** Indices of the lanes that are shown. */
  get #shown() { return [...this.cards.keys()].filter((i) => !this.cards[i].section.hidden); }

  /** Reports whether playback is slow enough to animate every movement. */
  get #animatesPlayback() {
    const { playing, rate } = this.store.player;
    return playing && rate > 0 && rate <= ANIMATED_RATE;
  }

  /** Reports whether the pictures, tables and story of a step are drawn in separate frames. */
  get #spreadsStep() { return this.#animatesPlayback && performance.now() - this.#movedAt < STEP_DRAW_MS; }

  /** Reports whether the story of the step is still to be drawn. */
  get busy() { return this.#spreadsStep && this.#framesSincePicture < STORY_FRAMES; }

  /**
   * Draws what changed, and a frame of movements. Returns whether there is more to draw.
   * @param {number} followed id of the followed timer, or 0 if there is none
   */
  draw(followed) {
    const { store } = this;
    if (store.lanes.length !== this.cards.length) return false;
    const more = this.#draw(followed);
    const now = performance.now();
    return this.cards.filter(({ picture }) => picture.advance(now)).length > 0 || more;
  }

  /** Draws what changed. Returns whether there is more to draw. @param {number} followed */
  #draw(followed) {
    const { store } = this;
    const now = `${store.run}/${store.seq}/${store.tick}/${store.rest}/${store.player.playing}/${store.activitiesAt}/${followed}`;
    const changed = this.stale || now !== this.#drawn;
    if (changed) this.#pendingPictures = [...new Set([...this.#pendingPictures, ...this.#shown])]; // the lanes that have waited longest come first
    const most = Math.max(...store.lanes.map(({ cost }) => cost[COST.worst]));
    const work = !store.player.playing || this.#animatesPlayback || performance.now() - this.#workAt >= WORK_MS;
    if (work) this.#workAt = performance.now();
    const large = this.#large;
    const count = (/** @type {number} */ i) => this.cards[i].count(store.lanes[i], store.tick, work ? most : null);
    if (changed && (large < 0 || work)) for (const i of this.cards.keys()) count(i); // all lanes and the player show one time
    this.#notePosition();
    if (this.#released()) this.#pendingPictures = this.#shown;
    if (changed) this.#movedAt = this.stale ? -STEP_DRAW_MS : performance.now(); // changes by the user are shown at once
    this.#drawn = now;
    this.stale = false;
    const pictured = this.#pendingPictures.length > 0;
    this.#framesSincePicture = pictured ? 0 : this.#framesSincePicture + 1;
    if (pictured) for (const i of this.#pictures(followed, large)) if (large >= 0 && !work) count(i);
    const crowded = store.lanes.some(({ mode }) => mode === "counts");
    const left = this.#pendingPictures.length > 0;
    if ((left && large < 0) || (pictured && (store.player.playing ? this.#spreadsStep : crowded))) return true; // tables get separate frames
    return this.#tables(followed) || left;
  }

  /** The card of the lane that is large on the stage, or undefined. */
  get largeCard() { return this.cards.find(({ section }) => section.classList.contains("large")); }

  /** Returns the card of the lane in which an event occurred, or undefined. @param {Event} event */
  cardAt({ target }) { return this.cards.find(({ section }) => section.contains(/** @type {Node} */ (target))); }

  /** The index of the large lane during fast playback, beside which small pictures are drawn in turn; −1 if all are drawn in each frame. */
  get #large() {
    const { largeCard } = this;
    return this.store.player.playing && !this.#animatesPlayback && largeCard ? this.cards.indexOf(largeCard) : -1;
  }

  /** Records a new position, and whether the movement to it is animated. */
  #notePosition() {
    const { run, seq, tick, player } = this.store;
    const last = this.#position;
    if (last.run === run && last.seq === seq && last.tick === tick) return this.#countEvents();
    const time = performance.now();
    const quiet = (time - last.time > HELD_MS || last.dragged) && !this.dragged();
    const animated = last.run === run && (player.playing ? this.#animatesPlayback : quiet);
    const ms = !animated ? 0 : player.playing ? (1000 / player.rate) * ANIMATED_SHARE : Infinity;
    const behind = seq < last.seq || (seq === last.seq && tick < last.tick);
    this.#position = { run, seq, tick, ms, back: behind && last.seq - seq <= last.events, from: behind ? 0 : last.seq, time, events: 0, dragged: this.dragged() && last.run === run };
    this.#countEvents();
  }

  /**
   * Reports whether the cursor has just been released at the position to which it was dragged. The movement
   * to that position is then animated.
   */
  #released() {
    if (!this.#position.dragged || this.dragged()) return false;
    this.#position.dragged = false;
    if (this.store.player.playing) return false;
    this.#position.ms = Infinity;
    return true;
  }

  /**
   * Counts the events of the movement to the drawn position. From the count, #notePosition recognises a movement
   * that goes back over them.
   */
  #countEvents() {
    const all = this.store.lanes.map((_, i) => this.store.activity(i));
    this.#position.events = all.reduce((sum, activity) => sum + Math.max(activity?.events ?? 0, (activity?.all.length ?? 0) / ROW), 0);
  }

  /**
   * Draws pending pictures, at least one. If a heat map has to be computed, draws only one. Otherwise, draws
   * those for which the frame has time if playback is stopped, a share of them during slow playback, and all of
   * them during fast playback, or the large one and another if there is a large one. Returns the indices of the lanes drawn.
   * @param {number} followed id of the followed timer, or 0 if there is none @param {number} large index of the large lane, or −1
   */
  #pictures(followed, large) {
    const { store } = this;
    const { playing } = store.player;
    const still = !playing || this.#animatesPlayback;
    const small = store.rows.length <= ANIMATED_EVENTS * ROW && still;
    const { run, seq, tick, ms, back, from } = this.#position;
    const now = performance.now();
    const describe = small || !playing || now - this.#captionsAt >= CAPTION_MS;
    if (describe) this.#captionsAt = now;
    const name = (/** @type {number} */ id) => store.name(id);
    const called = (/** @type {number} */ id) => store.called(id);
    const cold = this.#pendingPictures.some((i) => this.cards[i].picture.isCold(store.lanes[i]));
    const end = cold ? now : playing ? Infinity : now + PICTURES_MS;
    if (this.#pendingPictures.includes(large)) this.#pendingPictures = [...new Set([large, ...this.#pendingPictures])];
    const share = this.#spreadsStep ? Math.ceil(this.cards.length / STEP_FRAMES) : large >= 0 ? 2 : Infinity;
    const later = Math.max(0, this.#pendingPictures.length - share);
    const drawn = [];
    do {
      const i = /** @type {number} */ (this.#pendingPictures.shift());
      drawn.push(i);
      const card = this.cards[i];
      const scene = { start: store.origin(i), until: store.until, followed, name, due: (/** @type {number} */ id) => store.due(id), tick, at: `${run}/${seq}/${tick}`, animate: ms, back, since: from, activity: still ? store.activity(i) : null, dial: this.dial, where: store.lanes[i].mode === "counts" ? this.where(i) : null };
      card.picture.draw(store.lanes[i], scene);
      card.queues.draw(store.lanes[i], name, store.rest);
      if (describe) card.describe(store.lanes[i], store.activities?.[i] ?? null, called);
    } while (this.#pendingPictures.length > later && performance.now() < end);
    if (describe && large >= 0) for (const i of this.#pendingPictures) this.cards[i].describe(store.lanes[i], store.activities?.[i] ?? null, called);
    return drawn;
  }

  /** Updates the tables. Returns whether there is more to do. @param {number} followed */
  #tables(followed) {
    const { store, cards } = this;
    const fast = store.player.playing ? !this.#animatesPlayback : !store.rest; // at rest the names arrive soon
    const now = performance.now();
    const jumped = store.lanes.some((lane) => lane.fresh);
    if (jumped) this.#jumpedAt = now;
    cards.forEach((card, i) => card.table.note(store.lanes[i]));
    if (this.dragged() && now - this.#jumpedAt < DRAG_TABLE_MS) return true;
    if (fast && now - this.#tablesAt < (jumped ? 2 : 1) * TABLE_MS) return true; // after a jump the picture comes first
    this.#tablesAt = now;
    const name = (/** @type {number} */ id) => store.name(id);
    const rests = !store.player.playing && store.rest;
    const task = { name, followed, fast, rests, end: now + TABLES_MS };
    const left = cards.filter((card, i) => !card.section.hidden && (performance.now() > task.end || !card.table.work(store.lanes[i], task)));
    return left.length > 0; // lanes are spread over frames, so that a frame restyles few tables
  }

  /** Marks another followed timer in the tables. */
  follow() {
    for (const card of this.cards) card.table.change();
    this.stale = true;
    this.redraw();
  }

  /** Returns the id of the clicked timer, or 0 if there is none. @param {MouseEvent} event */
  timerOf(event) {
    const target = /** @type {Element} */ (event.target);
    const under = document.elementFromPoint(event.clientX, event.clientY); // a name may have become an element under the finger
    const marked = target.closest("[data-id]") ?? (target.closest(".places") && under?.closest(".places [data-id]"));
    if (marked) return Number(marked.getAttribute("data-id"));
    const card = this.cardAt(event);
    if (!card || !target.closest(".picture > svg")) return 0;
    return card.picture.timerAt(...card.units(event));
  }
}

/**
 * Reports whether a section belongs to a lane with the same id, algorithm and shape.
 * @param {Element} section @param {import("../state/store.js").LaneInfo} info
 */
function isOf(section, info) {
  const { lane, algorithm, shape } = /** @type {HTMLElement} */ (section).dataset;
  return lane === info.id && algorithm === info.algorithm && shape === info.shape;
}
