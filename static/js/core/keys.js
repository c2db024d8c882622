// @ts-check
/**
 * Keyboard shortcuts. They are ignored while a modal dialog is open and while the user types in a field. In an
 * edit sheet, which is a dialog that is not modal, only undo and redo with Ctrl or ⌘ work.
 */

/** Actions by key. The prefix "Shift+" means that Shift is pressed too. @type {Record<string, string>} */
const ACTIONS = {
  " ": "play", ArrowRight: "tick-next", ArrowLeft: "tick-back", "Shift+ArrowRight": "step-next", "Shift+ArrowLeft": "step-back",
  ".": "event-next", ",": "event-back", Home: "restart", End: "end", f: "follow", F: "follow", e: "life-next", E: "life-back", "?": "help",
  PageDown: "page-next", PageUp: "page-back", // a lecturer's clicker
  a: "share",
  n: "until-next", N: "until-back",
  c: "compare", l: "lectures", q: "quiz", u: "undo", U: "redo",
  h: "help", v: "layout", j: "large:next", k: "large:back", d: "dial", t: "tables", s: "slots", r: "unroll", // views of the lanes: page/views.js
  "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", "0": "zoom-whole",
  ...Object.fromEntries([..."123456789"].map((n) => [n, `large:${n}`])),
};

/**
 * Actions by key, for keys pressed with Ctrl or ⌘. The suffix "+" means that Shift is pressed too.
 * @type {Record<string, string>}
 */
const UNDO = { z: "undo", "z+": "redo", y: "redo" };

/** Matches the actions that are repeated while the key is held. */
const REPEATS = /-(next|back)$/;

/** Types of input elements into which no text is typed. */
const NOT_TYPED = new Set(["range", "button", "submit", "checkbox", "radio", "file"]);

/** Reports whether text can be typed into an element. @param {Element|null} element */
function typedIn(element) {
  if (!(element instanceof HTMLElement)) return false;
  if (element instanceof HTMLInputElement) return !NOT_TYPED.has(element.type);
  return element.isContentEditable || element.matches("textarea, select");
}

/** Returns the action of a key press, or "" if there is none. @param {KeyboardEvent} event */
function actionOf(event) {
  const target = event.target instanceof Element ? event.target : null;
  if (document.querySelector("dialog:modal")) return "";
  const graph = event.getModifierState("AltGraph"); // types a sign such as "[", on some systems with Ctrl and Alt
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !typedIn(target)) return UNDO[event.key.toLowerCase() + (event.shiftKey ? "+" : "")] ?? "";
  if ((!graph && (event.ctrlKey || event.metaKey || event.altKey)) || event.isComposing) return "";
  if (typedIn(target) || target?.closest("dialog[open]")) return "";
  const arrow = event.key.startsWith("Arrow");
  if (event.shiftKey && !arrow && event.key.length > 1) return "";
  const action = ACTIONS[event.shiftKey && arrow ? `Shift+${event.key}` : event.key] ?? "";
  if (action === "play" && target?.matches("button, a, summary, [role=button]")) return ""; // Space activates the focused element
  if (target?.matches("#speed") && (arrow || /^(Home|End|Page)/.test(event.key))) return ""; // the key changes the speed
  if (target?.closest(".places") && /^(Home|End|Page)/.test(event.key)) return ""; // the key scrolls a table
  return action;
}

/** Calls `act` for each key press that has an action. `held` is true if the key is held down. @param {(action: string, held: boolean) => void} act */
export function listen(act) {
  document.addEventListener("keydown", (event) => {
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    if (!event.repeat || REPEATS.test(action)) act(action, event.repeat);
  });
  // Browser automation may send a separate keypress event, and Space would scroll the page.
  document.addEventListener("keypress", (event) => { if (actionOf(event)) event.preventDefault(); });
}
