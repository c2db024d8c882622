// @ts-check
/**
 * A feature of the page: magnifies the picture of a lane. The user magnifies it with Ctrl and the mouse wheel,
 * two fingers, the buttons below the picture, or the keys + − 0, and can drag a magnified picture. When the
 * hand leaves the visible part, the picture is moved so that the hand is in the centre.
 */
import { byId } from "../core/dom.js";
import { handSlot } from "../state/lane-state.js";
import { middleOf } from "../picture/spots.js";
import { zoomMost } from "../picture/zoom.js";

/** Factor by which a key press or a button magnifies the picture. */
const STEP = 2;
/** Square root of the factor by which a unit of the mouse wheel's deltaY magnifies the picture. */
const WHEEL = 1.002;
/** Maximum magnification at which keys and buttons magnify around the hand. */
const NEAR = 4;
/** Point around which a list or a heap is magnified, in units of the picture. It is near the first timers. */
const FIRST = [120, 100];
/** Maximum absolute value of a wheel event's deltaY. Larger ones are reduced to it. */
const WHEEL_MOST = 120;
/** Distance that the pointer must move to start a drag, in pixels. */
const DRAG_PX = 4;

/** @typedef {{clientX: number, clientY: number}} Spot a point in the window */

export class Zooming {
  /**
   * The card of the lane that keys magnify: the last one that the user pointed at or magnified.
   * @type {any}
   */
  #card = null;
  /** @type {{card: any, x: number, y: number, moved: boolean}|null} */
  #drag = null;
  /** @type {{card: any, x: number, y: number, far: number}|null} */
  #pinch = null;
  /** The pictures that have event listeners. */
  #known = new WeakSet();

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.lanes = byId("lanes");
    this.lanes.addEventListener("click", (/** @type {MouseEvent} */ e) => this.#click(e), true);
    for (const kind of ["pointerover", "focusin"]) this.lanes.addEventListener(kind, (/** @type {Event} */ e) => { this.#card = this.app.lanes.cardAt(e) ?? this.#card; });
    this.lanes.addEventListener("pointerdown", (/** @type {PointerEvent} */ e) => this.#down(e));
    this.lanes.addEventListener("pointermove", (/** @type {PointerEvent} */ e) => this.#move(e));
    for (const kind of ["pointerup", "pointercancel"]) this.lanes.addEventListener(kind, () => this.#up());
  }

  /** Adds event listeners to the pictures of the lanes. Called when another run is displayed. */
  begin() {
    for (const { picture: { box } } of this.app.lanes.cards) {
      if (this.#known.has(box)) continue;
      this.#known.add(box); // the listener is only on the picture, so that scrolling elsewhere does not wait for it
      box.addEventListener("wheel", (/** @type {WheelEvent} */ e) => this.#wheel(e), { passive: false });
      for (const kind of ["touchstart", "touchmove"]) box.addEventListener(kind, (/** @type {TouchEvent} */ e) => this.#touch(e), { passive: false });
      box.addEventListener("touchend", () => { this.#pinch = null; });
    }
  }

  /** Handles the keys that magnify a picture. @param {string} action */
  act(action) {
    if (!/^zoom-(in|out|whole)$/.test(action)) return false;
    const cards = this.app.lanes.cards;
    const card = this.app.lanes.largeCard ?? (cards.includes(this.#card) ? this.#card : cards[0]);
    if (card) this.#step(card, action);
    return true;
  }

  draw() {
    let more = false;
    for (const card of this.app.lanes.cards) if (card.picture.zoom.on && this.#recentre(card)) more = true;
    return more;
  }

  /** Magnifies, shrinks or restores a lane's picture. @param {any} card @param {string} action */
  #step(card, action) {
    const { zoom } = card.picture;
    if (action === "zoom-whole") zoom.whole();
    else {
      const [x, y] = this.#goal(card);
      zoom.about(action === "zoom-in" ? STEP : 1 / STEP, x, y, this.#most(card));
      zoom.centre(x, y);
    }
    this.#show(card);
  }

  /**
   * Returns the point around which keys and buttons magnify: the slot under the hand or, above the
   * magnification NEAR, the centre of the visible part.
   * @param {any} card
   */
  #goal(card) {
    const { zoom } = card.picture;
    const hand = this.#hand(card, 0);
    if (hand && zoom.k <= NEAR && zoom.holds(hand.x, hand.y)) return [hand.x, hand.y];
    return zoom.on ? zoom.at(0.5, 0.5) : FIRST;
  }

  /** Returns the position of a level's hand, or null if the level has none. @param {any} card @param {number} level */
  #hand(card, level) {
    const { form } = card.picture;
    const index = this.app.lanes.cards.indexOf(card);
    const lane = this.app.store.lanes[index];
    if (!lane || !form || card.info.shape !== "ring" || !lane.levels[level]) return null;
    return middleOf(form, level, handSlot(lane.levels[level], lane.now, this.app.store.origin(index)));
  }

  /** Returns the maximum magnification of a lane's picture. @param {any} card */
  #most(card) {
    const { form } = card.picture;
    return zoomMost(Math.max(...(form?.levels ?? []).map((/** @type {number[]} */ l) => l[1]), form?.size ?? 0));
  }

  /**
   * Centres the hand of level 0 if it has just left the visible part and the user is not moving the picture.
   * Reports whether the picture has been moved.
   * @param {any} card
   */
  #recentre(card) {
    const hand = this.#hand(card, 0);
    const { zoom } = card.picture;
    const seen = hand !== null && zoom.holds(hand.x, hand.y);
    const left = card.handSeen === true && !seen && hand !== null;
    card.handSeen = seen || left;
    if (!left || this.#drag || this.#pinch) return false;
    zoom.centre(hand.x, hand.y);
    this.app.lanes.stale = true;
    return true;
  }

  /** Redraws a lane after a change of its visible part. @param {any} card */
  #show(card) {
    const hand = this.#hand(card, 0);
    card.handSeen = hand !== null && card.picture.zoom.holds(hand.x, hand.y);
    this.app.lanes.stale = true;
    this.app.loop.request();
  }

  /** Handles the mouse wheel while Ctrl or ⌘ is pressed. @param {WheelEvent} event */
  #wheel(event) {
    const card = this.app.lanes.cardAt(event);
    if (!card || !(event.ctrlKey || event.metaKey)) return; // otherwise the wheel scrolls the page
    event.preventDefault();
    const turned = Math.max(-WHEEL_MOST, Math.min(WHEEL_MOST, event.deltaY));
    const [x, y] = card.units(event);
    card.picture.zoom.about(WHEEL ** (-turned * 2), x, y, this.#most(card));
    this.#show(card);
  }

  /** Handles touches with two fingers, which magnify and move the picture. @param {TouchEvent} event */
  #touch(event) {
    const card = this.app.lanes.cardAt(event);
    if (!card || event.touches.length !== 2) {
      this.#pinch = null;
      return;
    }
    event.preventDefault();
    const [a, b] = event.touches;
    const now = { card, x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2, far: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) };
    const before = this.#pinch;
    this.#pinch = now;
    this.#drag = null;
    if (!before || before.card !== card || before.far === 0) return;
    this.#shift(card, before, now);
    const [x, y] = card.units({ clientX: now.x, clientY: now.y });
    card.picture.zoom.about(now.far / before.far, x, y, this.#most(card));
    this.#show(card);
  }

  /** Begins to drag a magnified picture. @param {PointerEvent} event */
  #down(event) {
    const card = this.app.lanes.cardAt(event);
    const on = /** @type {Element} */ (event.target).closest(".picture > svg");
    this.#drag = on && card?.picture.zoom.on && event.button === 0 ? { card, x: event.clientX, y: event.clientY, moved: false } : null;
  }

  /** Drags a magnified picture. @param {PointerEvent} event */
  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    if (event.buttons === 0) return this.#up();
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX) return;
    if (!drag.moved) this.lanes.setPointerCapture(event.pointerId);
    drag.moved = true;
    this.#shift(drag.card, drag, { x: event.clientX, y: event.clientY });
    [drag.x, drag.y] = [event.clientX, event.clientY];
    this.#show(drag.card);
  }

  /**
   * Moves the visible part with a pointer.
   * @param {any} card @param {{x: number, y: number}} from point in the window
   * @param {{x: number, y: number}} to point in the window
   */
  #shift(card, from, to) {
    const [x1, y1] = card.units({ clientX: from.x, clientY: from.y });
    const [x2, y2] = card.units({ clientX: to.x, clientY: to.y });
    card.picture.zoom.pan(x1 - x2, y1 - y2);
  }

  #up() {
    const moved = this.#drag?.moved;
    this.#drag = null;
    if (!moved) return;
    const swallow = (/** @type {Event} */ e) => e.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true }); // the end of a drag is not a click
    setTimeout(() => {
      removeEventListener("click", swallow, { capture: true }); // a touch drag ends without a click
      this.app.loop.request();
    });
  }

  /** Handles the buttons below a picture. @param {MouseEvent} event */
  #click(event) {
    const action = /** @type {Element} */ (event.target).closest("[data-zoom]")?.getAttribute("data-zoom");
    const card = action && this.app.lanes.cardAt(event);
    if (card) this.#step(card, `zoom-${action}`);
  }
}
