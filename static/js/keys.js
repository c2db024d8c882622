// @ts-check
/** The keyboard. Keys do nothing while a field is typed in or a dialog is open. */

/** What a key does, by `key` with Shift+ before it. @type {Record<string, string>} */
const ACTIONS = {
  " ": "play", ArrowRight: "tick-next", ArrowLeft: "tick-back", "Shift+ArrowRight": "step-next", "Shift+ArrowLeft": "step-back",
  ".": "event-next", ",": "event-back", Home: "restart", End: "end", f: "follow", F: "follow", e: "life-next", E: "life-back", "?": "help",
  PageDown: "step-next", PageUp: "step-back", // a lecturer's clicker
  a: "share",
  n: "until-next", N: "until-back",
  c: "compare", l: "lessons", q: "quiz", p: "projector", "]": "guide-next", "[": "guide-back", u: "undo", U: "redo",
  d: "dial", t: "tables", s: "slots", // how the lanes are looked at: pictures/views.js
  "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", "0": "zoom-whole",
  ...Object.fromEntries([..."123456789"].map((n) => [n, `large:${n}`])),
};

/** What Ctrl or ⌘ with a key does, "+" behind it with Shift. @type {Record<string, string>} */
const UNDO = { z: "undo", "z+": "redo", y: "redo" };

/** Actions that a held key repeats. */
const REPEATS = /-(next|back)$/;

/** Inputs in which nothing is typed. */
const NOT_TYPED = new Set(["range", "button", "submit", "checkbox", "radio", "file"]);

/** Whether an element takes what is typed. @param {Element|null} element */
function typedIn(element) {
  if (!(element instanceof HTMLElement)) return false;
  if (element instanceof HTMLInputElement) return !NOT_TYPED.has(element.type);
  return element.isContentEditable || element.matches("textarea, select");
}

/** The action of a key press, or "" for none. @param {KeyboardEvent} event */
export function actionOf(event) {
  const target = event.target instanceof Element ? event.target : null;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !typedIn(target)) return UNDO[event.key.toLowerCase() + (event.shiftKey ? "+" : "")] ?? "";
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return "";
  if (typedIn(target) || target?.closest("dialog[open]")) return "";
  const arrow = event.key.startsWith("Arrow");
  if (event.shiftKey && !arrow && event.key.length > 1) return "";
  const action = ACTIONS[event.shiftKey && arrow ? `Shift+${event.key}` : event.key] ?? "";
  if (action === "play" && target?.matches("button, a, summary, [role=button]")) return ""; // Space presses what has the focus
  if (target?.matches("#speed") && (arrow || /^(Home|End|Page)/.test(event.key))) return ""; // the speed is being set
  if (target?.closest(".places") && /^(Home|End|Page)/.test(event.key)) return ""; // a table is being scrolled
  return action;
}

/** Listens for keys. @param {(action: string, held: boolean) => void} act */
export function listen(act) {
  document.addEventListener("keydown", (event) => {
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    if (!event.repeat || REPEATS.test(action)) act(action, event.repeat);
  });
  // What drives a browser from outside may send the character of its own, and Space would scroll.
  document.addEventListener("keypress", (event) => { if (actionOf(event)) event.preventDefault(); });
}
