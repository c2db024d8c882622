// @ts-check
/** The lanes on the page: creates their cards and redraws those that changed. */
import { LaneCard, makeSection } from "./lane-card.js";
import { ROW } from "../core/protocol.js";
import { Pace } from "./pace.js";
import { byId } from "../core/dom.js";

/** Minimum interval between two table updates during playback, in milliseconds. */
const TABLE_MS = 300;
/** Delay of the table update after the last jump of a drag, in milliseconds; faster changes can't be read. */
const DRAG_TABLE_MS = 200;
/** Time per frame for pictures at rest, in milliseconds; the first is drawn regardless. */
const PICTURES_MS = 12;
/** Minimum interval between two caption updates during fast playback, in milliseconds; faster changes can't be read. */
const CAPTION_MS = 400;
/** Time per frame for tables while the user is active, in milliseconds. */
const BUSY_MS = 8;
/** Milliseconds after the last input at which the user counts as idle. */
const IDLE_AFTER_MS = 300;
/** Maximum number of events of a movement for it to be animated. */
const ANIMATED_EVENTS = 120;
/** Milliseconds after a movement of the cursor during which a further movement is shown without animation, since it would be cut off. */
const HELD_MS = 250;
/** Share of the time between two ticks that an animation takes during slow playback. */
const ANIMATED_SHARE = 0.7;
/** Maximum playback rate, in ticks per second, for movements to be animated. */
const ANIMATED_RATE = 5;

/** Number of frames over which the pictures of an animated step are spread; one frame is too short for all. */
const STEP_FRAMES = 5;
/** Number of frames between the last picture and the story; the tables are drawn in them. */
const STORY_FRAMES = 2;
/** Milliseconds after which the rest of an animated step is drawn in one frame, since the next step follows soon. */
const STEP_DRAW_MS = 130;

export class Lanes {
  /** @type {LaneCard[]} */
  cards = [];
  #tablesAt = 0;
  #jumpedAt = 0;
  #tableTime = new Pace();
  #captionsAt = 0;
  #drawn = "";
  /** Time of the last cursor movement, as performance.now(). */
  #movedAt = -STEP_DRAW_MS;
  /** Position that is drawn, the time available for the movement into it, and whether it is before the previous one. */
  #position = { run: "", seq: 0, tick: 0, ms: 0, back: false, from: 0, time: 0, events: 0, dragged: false };
  /** Frames since the last picture was drawn. */
  #framesSincePicture = 0;
  /** Lanes whose pictures are still to be drawn. @type {number[]} */
  #pendingPictures = [];
  /** Time of the last user input. */
  #lastInputAt = 0;

  /** @param {import("../state/store.js").Store} store @param {string} lang @param {() => void} redraw */
  constructor(store, lang, redraw) {
    this.store = store;
    this.lang = lang;
    this.redraw = redraw;
    this.box = byId("lanes");
    /** Whether all lanes are to be redrawn, changed or not. */
    this.stale = true;
    /** Whether the dial turns under a fixed hand. */
    this.dial = false;
    /** Returns the place of the followed timer in a lane, if known. @type {(lane: number) => {level: number, slot: number}|null} */
    this.where = () => null;
    /** Returns whether the cursor is being dragged. */
    this.dragged = () => false;
    for (const kind of ["keydown", "pointerdown", "pointermove", "wheel"]) {
      addEventListener(kind, () => { this.#lastInputAt = performance.now(); }, { passive: true });
    }
  }

  /** Creates the cards of another run's lanes. Lanes that remain keep their place. */
  begin() {
    const { infos, length } = this.store;
    const sections = [...this.box.querySelectorAll("section[data-lane]")];
    const same = sections.length === infos.length && infos.every((info, i) => isOf(sections[i], info));
    if (same && this.cards.length === infos.length) {
      this.cards.forEach((card, i) => { card.info = infos[i]; });
    } else {
      const made = same ? sections : infos.map((info) => makeSection(sections[0], info, this.lang));
      this.box.replaceChildren(...made);
      this.cards = infos.map((info, i) => new LaneCard(made[i], info, length, () => { this.stale = true; this.redraw(); }));
    }
    this.stale = true;
    this.#pendingPictures = [];
  }

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
   * Draws what changed. Returns whether there is more to draw.
   * @param {number} followed
   */
  draw(followed) {
    const { store } = this;
    if (store.lanes.length !== this.cards.length) return false;
    const now = `${store.run}/${store.seq}/${store.tick}/${store.rest}/${store.player.playing}/${store.didAt}/${followed}`;
    const changed = this.stale || now !== this.#drawn;
    if (changed) this.#pendingPictures = [...new Set([...this.#pendingPictures, ...this.cards.keys()])]; // the lanes waiting longest come first
    if (changed) this.cards.forEach((card, i) => card.count(store.lanes[i], store.tick)); // all lanes and the player show one time
    this.#notePosition();
    if (this.#released()) this.#pendingPictures = [...this.cards.keys()];
    if (changed) this.#movedAt = this.stale ? -STEP_DRAW_MS : performance.now(); // changes by the user are shown at once
    this.#drawn = now;
    this.stale = false;
    const pictured = this.#pendingPictures.length > 0;
    this.#framesSincePicture = pictured ? 0 : this.#framesSincePicture + 1;
    if (pictured) this.#pictures(followed);
    const crowded = store.lanes.some(({ mode }) => mode === "counts");
    if (this.#pendingPictures.length > 0 || (pictured && (store.player.playing ? this.#spreadsStep : crowded))) return true; // tables get separate frames
    return this.#tables(followed);
  }

  /** Notes a new position and whether the movement into it is to be animated. */
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

  /** Reports whether the cursor was dragged to its position and has been released. The movement into the position is shown then. */
  #released() {
    if (!this.#position.dragged || this.dragged()) return false;
    this.#position.dragged = false;
    if (this.store.player.playing) return false;
    this.#position.ms = Infinity;
    return true;
  }

  /** Counts the events that led to the position, to recognise the position before them. */
  #countEvents() {
    const all = this.store.lanes.map((_, i) => this.store.activity(i));
    this.#position.events = all.reduce((sum, did) => sum + Math.max(did?.events ?? 0, did?.rows.length ?? 0), 0);
  }

  /** Draws the lanes that are outdated. At rest it draws as many as fit into a frame, or one if drawing is slow. During slow playback it draws a share of them per frame, during fast playback all in one frame. @param {number} followed */
  #pictures(followed) {
    const { store } = this;
    const { playing } = store.player;
    const still = !playing || this.#animatesPlayback;
    const small = store.rows.length <= ANIMATED_EVENTS * ROW && still;
    const { run, seq, tick, ms, back, from } = this.#position;
    const now = performance.now();
    const describe = small || !playing || now - this.#captionsAt >= CAPTION_MS;
    if (describe) this.#captionsAt = now;
    const name = (/** @type {number} */ id) => store.name(id);
    const cold = this.#pendingPictures.some((i) => this.cards[i].picture.isCold(store.lanes[i]));
    const end = cold ? now : playing ? Infinity : now + PICTURES_MS;
    const later = this.#spreadsStep ? Math.max(0, this.#pendingPictures.length - Math.ceil(this.cards.length / STEP_FRAMES)) : 0;
    do {
      const i = /** @type {number} */ (this.#pendingPictures.shift());
      const card = this.cards[i];
      const scene = { start: store.origin(i), until: store.until, followed, name, at: `${run}/${seq}/${tick}`, animate: ms, back, since: from, did: still ? store.activity(i) : null, dial: this.dial, where: store.lanes[i].mode === "counts" ? this.where(i) : null };
      card.picture.draw(store.lanes[i], scene);
      card.queues.draw(store.lanes[i], name, store.rest);
      if (describe || store.lanes[i].mode === "counts") card.describe(store.lanes[i], store.did?.[i] ?? null, name);
    } while (this.#pendingPictures.length > later && performance.now() < end);
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
    const share = now - this.#lastInputAt < IDLE_AFTER_MS ? Math.min(BUSY_MS, this.#tableTime.ms) : this.#tableTime.ms;
    const task = { name, followed, fast, end: now + share };
    const left = cards.filter((card, i) => performance.now() > task.end || !card.table.work(store.lanes[i], task));
    if (left.length > 0) this.#tableTime.began(now); // lanes are spread over frames: a frame restyles few tables
    return left.length > 0;
  }

  /** Marks the followed timer in the tables. @param {number} followed */
  follow(followed) {
    for (const card of this.cards) card.table.follow(followed);
    this.stale = true;
    this.redraw();
  }

  /** Returns the id of the clicked timer, or 0 if there is none. @param {MouseEvent} event */
  timerOf(event) {
    const target = /** @type {Element} */ (event.target);
    const under = document.elementFromPoint(event.clientX, event.clientY); // a name may have become an element under the finger
    const marked = target.closest("[data-id]") ?? (target.closest(".places") && under?.closest(".places [data-id]"));
    if (marked) return Number(marked.getAttribute("data-id"));
    const card = this.cards.find((c) => c.section.contains(target));
    if (!card || !target.closest(".picture > svg")) return 0;
    return card.picture.timerAt(...card.units(event));
  }
}

/** Reports whether a section displays a lane of this kind. @param {Element} section @param {import("../state/store.js").LaneInfo} info */
function isOf(section, info) {
  const { lane, algorithm, shape } = /** @type {HTMLElement} */ (section).dataset;
  return lane === info.id && algorithm === info.algorithm && shape === info.shape;
}
