// @ts-check
/**
 * How a page is embedded in another one: the parameters of its URL, in the query or, in a page that is a single file, in the
 * fragment; and the commands that the page around it may send. docs/embedding.md describes both. This module does not access
 * the DOM.
 */

/** Version of the messages. */
export const MESSAGES = 1;
/** Maximum length of a text in a command or a parameter. */
const TEXT_MAX = 128;
/** Maximum number of lanes that a parameter names. */
const LANES_MAX = 32;

/** Parameters of an embedded page that it keeps when it updates its URL. */
export const KEPT = ["embed", "controls", "lanes", "loop", "theme", "keys"];

/** Returns the parameters of a URL. @param {string} search @param {string} hash @returns {URLSearchParams} */
export function parameters(search, hash) {
  return new URLSearchParams([...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))]);
}

/**
 * Returns how a page is embedded. A value that is not one of those expected is ignored.
 * @param {URLSearchParams} q
 */
export function embedding(q) {
  const controls = q.get("controls") === "0" ? "none" : q.get("controls") ?? "";
  const theme = q.get("theme") ?? "";
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(q.get("loop") ?? "") ?? [];
  return {
    controls: ["none", "full"].includes(controls) ? controls : "play",
    theme: ["light", "dark"].includes(theme) ? theme : "",
    lanes: (q.get("lanes") ?? "").split(",").filter(Boolean).slice(0, LANES_MAX),
    loop: from !== undefined && Number(from) < Number(to) ? { from: Number(from), to: Number(to) } : null,
    keys: q.get("keys") !== "0",
  };
}

const isCount = (/** @type {any} */ value) => Number.isSafeInteger(value) && value >= 0;

/** Checks of the fields of each command: whether a value is as expected. @type {Record<string, Record<string, (value: any) => boolean>>} */
const COMMANDS = {
  seek: { tick: isCount, seq: isCount },
  play: { rate: (value) => typeof value === "number" && Number.isFinite(value) && value >= 0 },
  pause: {},
  step: { by: (value) => ["tick", "step", "event"].includes(value), n: (value) => value === 1 || value === -1 },
  follow: { timer: (value) => typeof value === "string" && value.length <= TEXT_MAX },
};
/** The fields that a command needs: of "seek" one of the two. @type {Record<string, string[]>} */
const NEEDED = { step: ["by", "n"], follow: ["timer"] };

/**
 * Checks a message to an embedded page. Returns its command with the fields, or the reason why it is refused; null if the
 * message is not for this page.
 * @param {any} data @returns {{command?: string, fields?: Record<string, any>, id?: number, error?: string}|null}
 */
export function commandOf(data) {
  if (data === null || typeof data !== "object" || data.wheelscope !== MESSAGES || typeof data.do !== "string") return null;
  const { wheelscope: _, do: command, id, ...fields } = data;
  const known = isCount(id) ? { id } : {};
  if (!Object.hasOwn(COMMANDS, command)) return { ...known, error: `do: expected one of ${Object.keys(COMMANDS).join(", ")}` };
  for (const [name, value] of Object.entries(fields)) {
    if (!Object.hasOwn(COMMANDS[command], name)) return { ...known, error: `${name.slice(0, TEXT_MAX)}: not a field of ${command}` };
    if (!COMMANDS[command][name](value)) return { ...known, error: `${name}: not a value of ${command}` };
  }
  for (const name of NEEDED[command] ?? []) if (!(name in fields)) return { ...known, error: `${name}: missing` };
  if (command === "seek" && Object.keys(fields).length !== 1) return { ...known, error: "seek: expected tick or seq" };
  return { ...known, command, fields };
}

/** Keys that always do what they do in the page: the focus moves, and a focused control is used. */
const OWN = new Set(["Tab", "Enter", "Shift", "Control", "Alt", "Meta", "AltGraph"]);

/**
 * Reports whether an embedded page passes a key to the page around it.
 * @param {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean}} event @param {boolean} keys whether the page uses single keys
 * @param {boolean} control whether a control has the focus
 */
export function passesKey({ key, ctrlKey, metaKey, altKey }, keys, control) {
  if (ctrlKey || metaKey || altKey) return false;
  if (["PageUp", "PageDown", "Escape"].includes(key)) return true;
  return !keys && !OWN.has(key) && !(key === " " && control);
}
