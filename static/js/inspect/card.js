// @ts-check
/**
 * What the small cards next to a picture have in common: when they appear and disappear, their position, and
 * their buttons.
 */
import { byId, html, signButton } from "../core/dom.js";

/** Milliseconds that the pointer must rest before a card is shown. */
const REST_MS = 120;
/** Distance from the pointer to the card, in pixels. */
const POINTER_DISTANCE = 18;
/** Minimum distance to the window's edge, in pixels. */
const EDGE_DISTANCE = 8;

/** Positions a card next to a point, within the window. @param {HTMLElement} box @param {number} x @param {number} y */
function positionCard(box, x, y) {
  const { width, height } = box.getBoundingClientRect();
  const right = x + POINTER_DISTANCE + width < innerWidth ? x + POINTER_DISTANCE : x - POINTER_DISTANCE - width;
  const left = Math.max(EDGE_DISTANCE, Math.min(right, innerWidth - width - EDGE_DISTANCE));
  const top = Math.max(EDGE_DISTANCE, Math.min(y - height / 3, innerHeight - height - EDGE_DISTANCE));
  box.style.left = `${left + scrollX}px`;
  box.style.top = `${top + scrollY}px`;
}

/**
 * Creates a button of a card.
 * @param {string} name class of the button @param {string} label tooltip, which screen readers read
 * @param {string} sign symbol on the button @param {() => void} act called on a click
 */
export function cardButton(name, label, sign, act) {
  return signButton(html("span", { "aria-hidden": "true" }, sign), label, act, { attributes: { class: name } });
}

/**
 * A card about an element of a lane's picture. It is shown while the pointer is on the element. A click, the lens
 * button or the key `s` pins it, and Esc closes it. Subclasses define its lanes by about and openFirst, and its content
 * by targetAt, clicked, setTarget, contentKey and fill.
 * @template {{lane: number}} Found
 */
export class Card {
  /** Index of the lane that the card is about, or −1 if the card is closed. */
  lane = -1;
  /** Whether the card remains until it is closed. */
  pinned = false;
  #drawn = "";
  /** The element that had the focus before the card. @type {HTMLElement|null} */
  #previousFocus = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer = undefined;

  /** @param {any} app @param {string} name class of the card */
  constructor(app, name) {
    this.app = app;
    this.box = html("div", { class: `${name} card`, role: "dialog", hidden: "" });
    document.body.append(this.box);
    const lanes = byId("lanes");
    lanes.addEventListener("pointermove", (/** @type {PointerEvent} */ e) => this.#point(e));
    lanes.addEventListener("pointerleave", () => this.#unpoint());
    lanes.addEventListener("click", (/** @type {PointerEvent} */ e) => this.#click(e));
    this.box.addEventListener("pointerenter", () => clearTimeout(this.#timer));
    this.box.addEventListener("pointerleave", () => this.#unpoint());
    addEventListener("keydown", (e) => this.#escape(e), true);
  }

  /** Reports whether the card is about lanes like that of another card. @param {any} _card card of the lane */
  about(_card) { return false; }
  /** Shows the card about the first target of a lane, pinned and focused. @param {any} _card card of the lane */
  openFirst(_card) {}
  /**
   * Returns the target under the pointer, or null if there is none.
   * @param {MouseEvent} _event @returns {Found|null}
   */
  targetAt(_event) { return null; }
  /** Stores the target to display. @param {Found} _found */
  setTarget(_found) {}
  /** Returns a key that changes when the content changes. */
  get contentKey() { return ""; }
  /** Writes the content of the card. */
  fill() {}
  /** Returns the target that a click pins, or null. @param {PointerEvent} _event @returns {Found|null} */
  clicked(_event) { return null; }

  /** Handles the key `s`: in the large lane or, if none is large, in the first lane that the card is about. @param {string} action */
  act(action) {
    const { cards, largeCard } = this.app.lanes;
    const card = largeCard ?? cards.find((/** @type {any} */ one) => this.about(one));
    if (action !== "slots" || !card || !this.about(card)) return false;
    if (this.pinned) this.close();
    else this.openFirst(card);
    return true;
  }

  /** Handles a click on a lens button or a target. @param {PointerEvent} event */
  #click(event) {
    if (/** @type {Element} */ (event.target).closest("[data-view=slots]")) {
      const card = this.app.lanes.cardAt(event);
      if (this.pinned) this.close();
      else if (card && this.about(card)) this.openFirst(card);
      return;
    }
    const found = this.clicked(event);
    if (!found) return;
    this.show(found, true);
    positionCard(this.box, event.clientX, event.clientY);
  }

  begin() { this.close(); }

  draw() {
    const { store } = this.app;
    if (this.lane < 0) return;
    const now = `${store.run}/${store.seq}/${store.tick}/${store.rest}/${this.lane}/${this.contentKey}`;
    if (now !== this.#drawn) this.fill();
    this.#drawn = now;
  }

  /** Shows the card about a target. @param {Found} found the target @param {boolean} pinned */
  show(found, pinned) {
    clearTimeout(this.#timer); // the previous target no longer applies
    this.lane = found.lane;
    this.setTarget(found);
    this.pinned = pinned;
    this.box.classList.toggle("pinned", pinned);
    this.box.hidden = false;
    this.#drawn = "";
    this.draw();
    this.app.loop.request();
  }

  /**
   * Shows the card next to the target's picture, pinned and focused.
   * @param {Found} found the target @param {string} button selector of the button to focus
   */
  open(found, button) {
    this.#previousFocus = /** @type {HTMLElement|null} */ (document.activeElement);
    this.show(found, true);
    const place = this.app.lanes.cards[found.lane].section.querySelector(".picture").getBoundingClientRect();
    positionCard(this.box, place.right, place.top + place.height / 2);
    /** @type {HTMLElement|null} */ (this.box.querySelector(button))?.focus({ preventScroll: true });
  }

  close() {
    clearTimeout(this.#timer);
    const focused = this.box.contains(document.activeElement);
    this.lane = -1;
    this.pinned = false;
    this.box.hidden = true;
    if (focused) this.#previousFocus?.focus({ preventScroll: true });
    this.#previousFocus = null;
  }

  /** Shows the card once the pointer rests on a target. @param {PointerEvent} event */
  #point(event) {
    if (this.pinned || event.pointerType === "touch") return;
    clearTimeout(this.#timer);
    const { clientX, clientY } = event;
    const found = this.targetAt(event);
    this.#timer = setTimeout(() => {
      if (!found) return this.close();
      this.show(found, false);
      positionCard(this.box, clientX, clientY);
    }, REST_MS);
  }

  #unpoint() {
    clearTimeout(this.#timer);
    if (!this.pinned) this.#timer = setTimeout(() => this.close(), REST_MS * 2);
  }

  /** Closes the card on Esc, and suppresses other actions of the key. @param {KeyboardEvent} event */
  #escape(event) {
    if (event.key !== "Escape" || this.lane < 0 || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.close();
  }
}
