// @ts-check
/**
 * The user's own and edited scenarios, stored in the browser by the digests of their runs. The URL contains
 * the digest and the cursor, so that a scenario can be shown again after a reload or a restart of the server.
 */
import { KEPT } from "./embedding.js";
import { readStored, readStoredJSON, writeStored } from "./storage.js";

/** Prefix of the fragment of a shared URL. The version follows it. */
export const SHARED = "#share=";

const PREFIX = "wheelscope.mine.";
/** Key of the list of stored scenarios in localStorage. A change of it notifies other tabs of a stored scenario. */
export const SAVED_KEY = "wheelscope.mine";
/** Maximum number of stored scenarios; the oldest is removed first. */
const SAVED_MAX = 64;

/** Returns the digests of the runs of the stored scenarios. @returns {string[]} oldest first */
function savedDigests() {
  const list = readStoredJSON(SAVED_KEY);
  return Array.isArray(list) ? list.filter((x) => typeof x === "string") : [];
}

/** Returns the digests of the runs of the stored scenarios, as a set. */
export const savedRuns = () => new Set(savedDigests());

/**
 * Stores a scenario, and removes the oldest ones if the browser has no space for it. Returns false, and removes none, if
 * it has no space even without them.
 * @param {string} run digest of the run @param {string} text the scenario as JSON
 */
export function saveScenario(run, text) {
  const others = savedDigests().filter((other) => other !== run);
  /** @type {[string, string][]} */
  const removed = [];
  const remove = (/** @type {string} */ oldest) => {
    removed.push([oldest, readScenario(oldest) ?? ""]);
    writeStored(PREFIX + oldest, "");
  };
  for (const oldest of others.splice(0, Math.max(0, others.length + 1 - SAVED_MAX))) remove(oldest);
  while (!writeStored(PREFIX + run, text) || !writeStored(SAVED_KEY, JSON.stringify([...others, run]))) {
    const oldest = others.shift();
    if (oldest !== undefined) {
      remove(oldest);
      continue;
    }
    writeStored(PREFIX + run, "");
    for (const [digest, was] of removed) writeStored(PREFIX + digest, was);
    return false;
  }
  return true;
}

/** Returns a stored scenario as JSON, or null if there is none. @param {string} run digest of the run */
export const readScenario = (run) => readStored(PREFIX + run);

/** Returns the digest of the stored scenario that the URL requests, or "" if there is none. */
export function requestedRun() {
  return new URLSearchParams(location.search).get("mine") ?? "";
}

/** Whether the URL of the page selects the laboratory, without a layout; its other URLs then do, too. */
const IN_LAB = new URLSearchParams(location.search).get("view") === "lab";

/**
 * Returns the query of a URL that opens a view.
 * @param {{session?: string, scenario: string, mine: string, run?: string, tick: number, seq: number, lang: string, follow?: number, pane?: {name: string, more: Record<string, string>}, view?: {view: string, lane: string}|null, played?: {lecture: string, stop: number}|null}} where
 *   session: session of another page, which has a scenario and a cursor of its own, or ""; scenario: name of a built-in scenario; mine: digest of the user's own run, which takes precedence, or ""; run: digest of a
 *   run that only the server has, or "";
 *   follow: id of the followed timer, or 0; pane: name of the open pane, or "", and what it adds; view: layout of the lanes, or null for the default;
 *   played: the lecture that is played and the number of its stop, or null
 */
export function query({ session = "", scenario, mine, run = "", tick, seq, lang, follow = 0, pane = { name: "", more: {} }, view = null, played = null }) {
  const q = new URLSearchParams();
  if (session) q.set("session", session);
  else if (mine) q.set("mine", mine);
  else if (run) q.set("run", run);
  else if (scenario) q.set("scenario", scenario);
  if (!session && (tick || seq)) {
    q.set("t", String(tick));
    q.set("seq", String(seq));
  }
  if (follow) q.set("follow", String(follow));
  if (view) q.set("view", view.view);
  else if (IN_LAB) q.set("view", "lab");
  if (view?.lane) q.set("lane", view.lane);
  if (pane.name) q.set("pane", pane.name);
  for (const [key, value] of Object.entries(pane.more)) q.set(key, value);
  if (played) q.set("lecture", played.lecture);
  if (played) q.set("stop", String(played.stop));
  q.set("lang", lang);
  const page = new URLSearchParams(location.search);
  if (page.get("embed") === "1") for (const name of KEPT) if (page.has(name)) q.set(name, page.get(name) ?? "");
  return `?${q}`;
}

/** Key of the cursor in the session storage. The cursor is stored when the page is closed. */
const CURSOR = "wheelscope.cursor";

/**
 * Stores the cursor for a reload of this tab.
 * @param {string} search query of the URL @param {number} tick @param {number} seq
 */
export function storeCursor(search, tick, seq) {
  writeStored(CURSOR, JSON.stringify({ search, tick, seq }), "sessionStorage");
}

/**
 * Returns the part of a URL's query that identifies what it opens. It does not contain the cursor, since a
 * reload may use a URL from a few cursor movements earlier.
 * @param {string} search
 */
export function queryWithoutCursor(search) {
  const q = new URLSearchParams(search);
  return ["scenario", "mine", "run", "session"].map((name) => q.get(name) ?? "").join("/");
}

/** Returns the stored cursor, if this is a reload of the same view. @param {string} search @returns {{tick: number, seq: number}|null} */
export function storedCursor(search) {
  const stored = readStoredJSON(CURSOR, "sessionStorage");
  return isReload() && stored && queryWithoutCursor(stored.search) === queryWithoutCursor(search) ? { tick: stored.tick, seq: stored.seq } : null;
}

/** Reports whether the page was opened by a reload. */
export function isReload() {
  const [visit] = performance.getEntriesByType("navigation");
  return /** @type {PerformanceNavigationTiming|undefined} */ (visit)?.type === "reload";
}
