// @ts-check
/**
 * The session that this page controls. If the page loses its socket, it can join the session again with the
 * secret from `hello`, as long as the server keeps the session. The secret is kept in memory and, during a
 * reload, in the session storage of the tab.
 */
import { isReload, queryWithoutCursor } from "./saved-scenarios.js";
import { readStoredJSON, writeStored } from "./storage.js";

/** Key under which the session is saved in the session storage of the tab. */
const KEY = "wheelscope.session";
/** Close code of a socket that was replaced by that of another driver of the session. */
const REPLACED = 4001;
/** Status codes for an expired session or a wrong secret. */
const GONE = [403, 404];

export class OwnSession {
  /** @type {{session: string, secret: string, keepMs: number, lostAt: number}|null} keepMs: how long the server keeps a session without a socket; lostAt: when the socket was lost, as Date.now(), or 0 if it is open */
  #own = null;

  constructor() {
    this.#own = takeSaved();
    addEventListener("pagehide", () => this.#note());
  }

  /** Handles a `hello`, and stores its session. Returns whether the page controlled the same session before. @param {any} hello */
  receivedHello({ driver, session, secret, limits }) {
    const same = session === this.#own?.session;
    this.#own = driver && secret ? { session, secret, keepMs: limits.sessionKeep * 1000, lostAt: 0 } : null;
    return same;
  }

  /**
   * Handles a lost or refused socket. Returns whether to reconnect without a pause: true if the session is gone,
   * so that the next socket opens a new one.
   * @param {number} code close code @param {number} status HTTP status of the refusal, or 0 if there was none
   */
  lost(code, status) {
    const hadSession = this.#own !== null;
    if (code === REPLACED || GONE.includes(status)) this.#own = null;
    if (this.#own) this.#own.lostAt ||= Date.now();
    return hadSession && GONE.includes(status);
  }

  /**
   * Returns the query of the URL with which the socket joins the saved session, or null if there is none or
   * the server no longer keeps it.
   */
  query() {
    const own = this.#own;
    if (!own || (own.lostAt && Date.now() - own.lostAt >= own.keepMs)) return null;
    return new URLSearchParams({ session: own.session, secret: own.secret });
  }

  /**
   * Saves the session and its secret when the page is closed. Saves nothing if the page is in a frame, because
   * other frames may share the storage.
   */
  #note() {
    if (!this.#own || parent !== window) return;
    const saved = { ...this.#own, lostAt: this.#own.lostAt || Date.now(), search: location.search };
    writeStored(KEY, JSON.stringify(saved), "sessionStorage");
  }
}

/**
 * Returns the saved session if this is a reload of the same page. Removes it from the storage, since a
 * duplicate of the tab must not use it.
 */
function takeSaved() {
  if (parent !== window) return null;
  const saved = readStoredJSON(KEY, "sessionStorage");
  writeStored(KEY, "", "sessionStorage");
  return saved && isReload() && queryWithoutCursor(saved.search) === queryWithoutCursor(location.search) ? saved : null;
}
