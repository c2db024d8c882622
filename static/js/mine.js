// @ts-check
/**
 * What the user made: a scenario of their own, or edited, is kept in the browser
 * by the digest of its run, and the address says which and where the cursor is.
 * So it survives a reload and a restart of the server.
 */

const PREFIX = "wheelscope.mine.";
/** Key of the list of what is kept; written after what it lists. */
export const KEPT = "wheelscope.mine";
/** Scenarios kept at one time; the oldest goes first. */
const KEPT_MAX = 64;

/** @returns {string[]} digests, oldest first */
function kept() {
  try {
    const list = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(list) ? list.filter((x) => typeof x === "string") : [];
  } catch {
    return [];
  }
}

/** Digests of the scenarios that are kept. */
export const keptRuns = () => new Set(kept());

/** Keeps a scenario. False where the browser has no room for it. @param {string} run @param {string} text JSON */
export function keep(run, text) {
  const others = kept().filter((other) => other !== run);
  while (others.length >= KEPT_MAX) localStorage.removeItem(PREFIX + others.shift());
  for (;;) {
    try {
      localStorage.setItem(PREFIX + run, text);
      localStorage.setItem(KEPT, JSON.stringify([...others, run]));
      return true;
    } catch {
      const oldest = others.shift();
      if (oldest === undefined) return false;
      localStorage.removeItem(PREFIX + oldest);
    }
  }
}

/** A scenario kept before, as JSON; null where there is none. @param {string} run */
export function recall(run) {
  try {
    return localStorage.getItem(PREFIX + run);
  } catch {
    return null;
  }
}

/** Digest of the scenario the address asks for; "" for none. */
export function asked() {
  return new URLSearchParams(location.search).get("mine") ?? "";
}

/**
 * The query that leads back to what is shown.
 * @param {{scenario: string, mine: string, tick: number, seq: number, lang: string, follow?: number}} where follow: id of the followed timer
 */
export function query({ scenario, mine, tick, seq, lang, follow = 0 }) {
  const q = new URLSearchParams();
  if (mine) q.set("mine", mine);
  else if (scenario) q.set("scenario", scenario);
  if (tick || seq) {
    q.set("t", String(tick));
    q.set("seq", String(seq));
  }
  if (follow) q.set("follow", String(follow));
  q.set("lang", lang);
  const { classList } = document.body;
  if (classList.contains("embed")) q.set("embed", "1");
  if (classList.contains("bare")) q.set("controls", "0");
  return `?${q}`;
}

/** Key of the session's note of where the cursor stood when the page went away. */
const CURSOR = "wheelscope.cursor";

/**
 * Notes where the cursor stands, for a reload of this tab.
 * @param {string} search of the address @param {number} tick @param {number} seq
 */
export function noteCursor(search, tick, seq) {
  try {
    sessionStorage.setItem(CURSOR, JSON.stringify({ search, tick, seq }));
  } catch { /* no storage: the address alone tells */ }
}

/**
 * What an address opens, wherever the cursor stands: a reload may ask for the address as
 * it was some movements before.
 * @param {string} search
 */
export function opened(search) {
  const q = new URLSearchParams(search);
  return `${q.get("scenario") ?? ""}/${q.get("mine") ?? ""}/${q.get("session") ?? ""}`;
}

/** What was noted, if this is a reload of what was shown. @param {string} search @returns {{tick: number, seq: number}|null} */
export function notedCursor(search) {
  const [visit] = performance.getEntriesByType("navigation");
  if (/** @type {PerformanceNavigationTiming|undefined} */ (visit)?.type !== "reload") return null;
  try {
    const note = JSON.parse(sessionStorage.getItem(CURSOR) ?? "null");
    return note && opened(note.search) === opened(search) ? { tick: note.tick, seq: note.seq } : null;
  } catch {
    return null;
  }
}
