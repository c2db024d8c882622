// @ts-check
/** What the small cards beside a picture have in common: where they stand, their buttons. */
import { html } from "../dom.js";

/** From the pointer to the card, pixels. */
const AWAY = 18;
/** Free space to the window's edge, pixels. */
const EDGE = 8;

/** Puts a card beside a point of the window, inside it. @param {HTMLElement} box @param {number} x @param {number} y */
export function stand(box, x, y) {
  const { width, height } = box.getBoundingClientRect();
  const right = x + AWAY + width < innerWidth ? x + AWAY : x - AWAY - width;
  const left = Math.max(EDGE, Math.min(right, innerWidth - width - EDGE));
  const top = Math.max(EDGE, Math.min(y - height / 3, innerHeight - height - EDGE));
  box.style.left = `${left + scrollX}px`;
  box.style.top = `${top + scrollY}px`;
}

/** @param {string} name its class @param {string} label @param {string} sign @param {() => void} act */
export function cardButton(name, label, sign, act) {
  const made = html("button", { type: "button", class: name, "aria-label": label, title: label });
  made.append(html("span", { "aria-hidden": "true" }, sign));
  made.addEventListener("click", act);
  return made;
}
