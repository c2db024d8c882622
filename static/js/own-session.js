// @ts-check
/**
 * The session that this page drives: a page that loses its socket gets it back with the
 * secret from `hello`, as long as the server keeps it. The secret is in memory; from when the
 * page goes away until it is loaded again it is in the storage of the tab.
 */
import { opened } from "./mine.js";

/** Key in the tab's storage. */
const KEY = "wheelscope.session";
/** Code of a socket in whose place another one drives the session. */
const REPLACED = 4001;
/** Answers to a page whose session is gone, or whose secret is wrong. */
const GONE = [403, 404];

export class OwnSession {
  /** @type {{session: string, secret: string, keepMs: number, lostAt: number}|null} lostAt: by Date.now(); 0 while there is a socket */
  #own = null;

  constructor() {
    this.#own = take();
    addEventListener("pagehide", () => this.#note());
  }

  /** Takes what a hello says. Returns whether it is of the session that was driven before. @param {any} hello */
  took({ driver, session, secret, limits }) {
    const same = session === this.#own?.session;
    this.#own = driver && secret ? { session, secret, keepMs: limits.sessionKeep * 1000, lostAt: 0 } : null;
    return same;
  }

  /**
   * The socket is lost, or was refused. Returns whether the next try need not wait, since it
   * asks for another session.
   * @param {number} code of the close @param {number} status of the refusal; 0 if there was none
   */
  lost(code, status) {
    const had = this.#own !== null;
    if (code === REPLACED || GONE.includes(status)) this.#own = null;
    if (this.#own) this.#own.lostAt ||= Date.now();
    return had && GONE.includes(status);
  }

  /** The query of a socket that gets the session back; null if there is none. */
  query() {
    const own = this.#own;
    if (!own || (own.lostAt && Date.now() - own.lostAt >= own.keepMs)) return null;
    return new URLSearchParams({ session: own.session, secret: own.secret });
  }

  /** The page goes away. One in a frame shares its storage with others. */
  #note() {
    if (!this.#own || parent !== window) return;
    const note = { ...this.#own, lostAt: this.#own.lostAt || Date.now(), search: location.search };
    try {
      sessionStorage.setItem(KEY, JSON.stringify(note));
    } catch { /* no storage: a reload opens a session of its own */ }
  }
}

/** What was noted, if this is a reload of the same page. It is removed: a copy of the tab must not have it. */
function take() {
  if (parent !== window) return null;
  try {
    const note = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
    const [visit] = performance.getEntriesByType("navigation");
    const reload = /** @type {PerformanceNavigationTiming|undefined} */ (visit)?.type === "reload";
    return note && reload && opened(note.search) === opened(location.search) ? note : null;
  } catch {
    return null;
  }
}
