// @ts-check
/** The lanes on the page: makes their cards follow the run, draws those that changed. */
import { LaneCard, makeSection } from "./lane-card.js";
import { ROW } from "./protocol.js";
import { Pace } from "./pictures/pace.js";
import { rowsOf } from "./activity.js";
import { byId } from "./dom.js";

/** Milliseconds between two looks at the tables while the clock runs. */
const TABLE_MS = 300;
/** Milliseconds after the last jump of a journey (the cursor is dragged) that the tables wait for: nobody reads what changes so fast. */
const JOURNEY_MS = 200;
/** Milliseconds a frame for the pictures at rest; the first is drawn however long it takes. */
const PICTURES_MS = 12;
/** Milliseconds between two captions while the clock runs fast: what changes faster is not read. */
const CAPTION_MS = 400;
/** Milliseconds between two readings of the numbers meanwhile. */
const FIGURES_MS = 100;
/** Events of a movement whose timers are marked in a picture. */
export const MARKED_EVENTS = 1000;
/** Milliseconds a frame for the tables while the user does something. */
const BUSY_MS = 8;
/** Milliseconds after the user's last doing. */
const IDLE_AFTER_MS = 300;
/** Events of a movement small enough to be shown as movements. */
const ANIMATED_EVENTS = 120;
/** Ticks a second up to which movements are shown. */
const ANIMATED_RATE = 5;

/** Frames over which the pictures of a step are spread while every movement is shown: all in one take longer than it has. */
const STROLL_FRAMES = 5;
/** Frames after its last picture in which its story is told: the tables are between. */
const STORY_TURN = 2;
/** Milliseconds after which what is left of such a step is drawn in one frame: the next is near. */
const STROLL_MS = 130;

export class Desk {
  /** @type {LaneCard[]} */
  cards = [];
  #tablesAt = 0;
  #jumpedAt = 0;
  #pace = new Pace();
  #captionsAt = 0;
  #figuresAt = 0;
  #drawn = "";
  /** When the cursor moved. */
  #movedAt = -STROLL_MS;
  /** Frames since pictures were drawn. */
  #turn = 0;
  /** Lanes whose pictures are still to be drawn. @type {number[]} */
  #owed = [];
  /** When the user last did something. */
  #input = 0;

  /** @param {import("./store.js").Store} store @param {string} lang @param {() => void} redraw */
  constructor(store, lang, redraw) {
    this.store = store;
    this.lang = lang;
    this.redraw = redraw;
    this.box = byId("lanes");
    /** Lanes whose picture is to be drawn whatever happened. */
    this.stale = true;
    /** Pictures show a dial that turns under a hand that stands. */
    this.dial = false;
    /** Where the followed timer stands, as far as it is told. @type {(lane: number) => {level: number, slot: number}|null} */
    this.where = () => null;
    /** Whether the cursor is being dragged. */
    this.dragged = () => false;
    for (const kind of ["keydown", "pointerdown", "pointermove", "wheel"]) {
      addEventListener(kind, () => { this.#input = performance.now(); }, { passive: true });
    }
  }

  /** Another run: cards for its lanes. Those that stay keep their place. */
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
    this.#owed = [];
  }

  /** Whether the clock runs so slowly that every movement is shown. */
  get #strolling() {
    const { playing, rate } = this.store.player;
    return playing && rate > 0 && rate <= ANIMATED_RATE;
  }

  /** Whether pictures, tables and story of a step take turns, with frames of their own. */
  get #inTurns() { return this.#strolling && performance.now() - this.#movedAt < STROLL_MS; }

  /** Whether the story's turn is still to come. */
  get busy() { return this.#inTurns && this.#turn < STORY_TURN; }

  /**
   * Draws what changed. Tells whether there is more to do.
   * @param {number} followed
   */
  draw(followed) {
    const { store } = this;
    if (store.lanes.length !== this.cards.length) return false;
    const now = `${store.run}/${store.seq}/${store.tick}/${store.rest}/${store.player.playing}/${store.didAt}/${followed}`;
    const changed = this.stale || now !== this.#drawn;
    if (changed) this.#owed = [...new Set([...this.#owed, ...this.cards.keys()])]; // who has waited comes first
    if (changed) this.cards.forEach((card, i) => card.picture.frame.time(store.lanes[i])); // all lanes and the player have one time
    if (changed) this.#movedAt = this.stale ? -STROLL_MS : performance.now(); // what the user changed is shown at once
    this.#drawn = now;
    this.stale = false;
    const pictured = this.#owed.length > 0;
    this.#turn = pictured ? 0 : this.#turn + 1;
    if (pictured) this.#pictures(followed);
    const crowded = store.lanes.some(({ mode }) => mode === "counts");
    if (this.#owed.length > 0 || (pictured && (store.player.playing ? this.#inTurns : crowded))) return true; // tables have frames of their own
    return this.#tables(followed);
  }

  /** Draws lanes that are owed: at rest as many as a frame has time for, one where drawing takes long; at a slow clock a share a frame, at a fast one all at one instant. @param {number} followed */
  #pictures(followed) {
    const { store } = this;
    const { playing } = store.player;
    const still = !playing || this.#strolling;
    const small = store.rows.length <= ANIMATED_EVENTS * ROW && still;
    const rows = store.told.length <= MARKED_EVENTS * ROW ? store.told : [];
    const now = performance.now();
    const tell = small || !playing || now - this.#captionsAt >= CAPTION_MS;
    if (tell) this.#captionsAt = now;
    const count = small || !playing || now - this.#figuresAt >= FIGURES_MS;
    if (count) this.#figuresAt = now;
    const name = (/** @type {number} */ id) => store.name(id);
    const cold = this.#owed.some((i) => this.cards[i].picture.isCold(store.lanes[i]));
    const end = cold ? now : playing ? Infinity : now + PICTURES_MS;
    const later = this.#inTurns ? Math.max(0, this.#owed.length - Math.ceil(this.cards.length / STROLL_FRAMES)) : 0;
    do {
      const i = /** @type {number} */ (this.#owed.shift());
      const card = this.cards[i];
      const scene = { start: store.origin(i), until: store.until, followed, name, animate: small && store.rows.length > 0, rows: small ? rowsOf(rows, i) : [], flows: still ? store.flows(i) : [], dial: this.dial, where: store.lanes[i].mode === "counts" ? this.where(i) : null, words: count };
      card.picture.draw(store.lanes[i], scene);
      card.queues.draw(store.lanes[i], name, store.rest);
      if (count) card.figures(store.lanes[i]);
      if (tell || (count && store.lanes[i].mode === "counts")) card.tell(store.lanes[i], store.did?.[i] ?? null, name);
    } while (this.#owed.length > later && performance.now() < end);
  }

  /** @param {number} followed */
  #tables(followed) {
    const { store, cards } = this;
    const fast = store.player.playing ? !this.#strolling : !store.rest; // it stands: the names are about to come
    const now = performance.now();
    const jumped = store.lanes.some((lane) => lane.fresh);
    if (jumped) this.#jumpedAt = now;
    cards.forEach((card, i) => card.table.note(store.lanes[i]));
    if (this.dragged() && now - this.#jumpedAt < JOURNEY_MS) return true;
    if (fast && now - this.#tablesAt < (jumped ? 2 : 1) * TABLE_MS) return true; // a jump's picture comes first
    this.#tablesAt = now;
    const name = (/** @type {number} */ id) => store.name(id);
    const share = now - this.#input < IDLE_AFTER_MS ? Math.min(BUSY_MS, this.#pace.ms) : this.#pace.ms;
    const task = { name, followed, fast, end: now + share };
    const left = cards.filter((card, i) => performance.now() > task.end || !card.table.work(store.lanes[i], task));
    if (left.length > 0) this.#pace.began(now); // one lane after another: a frame restyles few tables
    return left.length > 0;
  }

  /** Marks the followed timer in the tables. @param {number} followed */
  follow(followed) {
    for (const card of this.cards) card.table.follow(followed);
    this.stale = true;
    this.redraw();
  }

  /** The timer that was clicked; 0: none. @param {MouseEvent} event */
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

/** Whether a section shows a lane of this kind. @param {Element} section @param {import("./store.js").LaneInfo} info */
function isOf(section, info) {
  const { lane, algorithm, shape } = /** @type {HTMLElement} */ (section).dataset;
  return lane === info.id && algorithm === info.algorithm && shape === info.shape;
}
