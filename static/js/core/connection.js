// @ts-check
/**
 * The WebSocket connection. It sends commands, matches each ack with its command, passes on all other
 * messages, and reconnects after increasing pauses.
 */
import { VERSION } from "./protocol.js";
import { t } from "./texts.js";
import { lineOf } from "./requests.js";
import { openSocket, request } from "./transport.js";
import { isReload, queryWithoutCursor } from "./saved-scenarios.js";
import { readStoredJSON, writeStored } from "./storage.js";

/** Pauses before the attempts to reconnect, in seconds. The last one is repeated. */
const PAUSES_S = [0.5, 1, 2, 4, 8, 16, 30];
/**
 * Maximum random increase of a pause, as a fraction of it. Without it, all pages would reconnect at the same
 * time.
 */
const JITTER = 0.3;
/** Maximum Retry-After that is respected, in seconds. */
const RETRY_AFTER_MAX_S = 120;
/**
 * Duration, in milliseconds, after which a connection counts as stable. When a stable connection is lost, the
 * pauses start again with the first of PAUSES_S.
 */
const GOOD_MS = 10_000;
/** Timeout for fetching the reason of a refusal, in milliseconds. */
const REASON_MS = 5000;
/** Close code after a command that was too large (RFC 6455). */
const TOO_LARGE = 1009;
/** Close code of a connection that was lost (RFC 6455). */
const LOST = 1006;
/** Maximum number of commands waiting for their ack. Further commands are not sent. */
const WAITING_MAX = 64;

/**
 * Interval at which a socket is checked, in milliseconds, and the numbers of checks without a message after which the server is
 * asked for an answer and after which the connection counts as lost. Checks are counted since a blocked page receives nothing.
 */
const QUIET = { checkMs: 1000, probe: 2, lost: 9 }; // the server works on a command for up to 7 s (RequestWaitMax)

/** @typedef {{path: string, message: string, line?: number, sent?: number}} Fault reason why a command was refused; path is "link" if it could not be sent, or if the connection broke before its ack (sent), so that it may have been executed */

/** Formats a fault as one line. @param {Fault} fault */
export function faultText({ path, message, line }) {
  if (path === "link") return t("error.link");
  if (path) return t("error.at", { path, message });
  return line ? t("error.line", { line, message }) : message;
}

export class Connection {
  /** @type {import("./transport.js").Socket|null} */
  #socket = null;
  #tries = 0;
  /** Id of the last command. */
  lastId = 0;
  /** @type {ReturnType<typeof setTimeout>|0} */
  #timer = 0;
  /** Time at which the server accepted the socket, as performance.now(), or 0 if it has not. */
  #openedAt = 0;
  /** @type {Map<number, (fault: Fault|null) => void>} */
  #waiting = new Map();
  /** Number of checks since the last message. */
  #quiet = 0;

  /**
   * @param {(own: URLSearchParams|null) => string} address returns the URL of the socket, called at every attempt; own: query that joins
   *   the page's own session again, or null if there is none
   * @param {(message: Message.FromServer, resumed: boolean) => void} receive resumed: whether a `hello` is of the page's own session
   * @param {(state: "open"|"lost", seconds: number, why: string) => void} report called when the state
   *   changes; why is the reason given by the server, or ""
   * @param {OwnSession|null} [own] the session that the page joins again after a lost connection or a reload
   * @param {() => void} [busy] called when a command is sent or acknowledged
   */
  constructor(address, receive, report, own = null, busy = () => {}) {
    this.own = own;
    this.busy = busy;
    this.address = address;
    this.receive = receive;
    this.report = report;
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
    setInterval(() => this.#check(), QUIET.checkMs);
  }

  get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

  /** Returns the number of commands waiting for their ack. */
  get waiting() { return this.#waiting.size; }

  /**
   * Finds out that the connection is dead although the socket is open, because the network has swallowed it. The command
   * that asks for an answer is refused, which costs the server nothing.
   */
  #check() {
    const socket = this.#socket;
    if (!(socket instanceof WebSocket) || !this.isOpen || document.hidden) return;
    this.#quiet++;
    if (this.#quiet === QUIET.probe) socket.send(JSON.stringify({ v: VERSION, id: ++this.lastId, do: "preview", run: "", tick: 0, delays: [] }));
    if (this.#quiet < QUIET.lost) return;
    socket.onclose = socket.onmessage = null; // it closes only when the browser gives up
    socket.close();
    this.#lost({ code: LOST, reason: "" });
  }

  connect() {
    this.#timer = 0;
    this.#openedAt = 0;
    this.#quiet = 0;
    const socket = openSocket(this.address(this.own?.query() ?? null));
    this.#socket = socket;
    socket.onopen = () => { this.#openedAt = performance.now(); };
    socket.onmessage = (event) => this.#message(event.data);
    socket.onclose = (event) => { if (socket === this.#socket) this.#lost(event); };
  }

  /**
   * Sends a command. Resolves to null on success, and otherwise to the fault.
   * @template {keyof Message.Commands} K
   * @param {K} name @param {Message.Commands[K]} [fields] @returns {Promise<Fault|null>}
   */
  send(name, fields) {
    if (!this.isOpen || this.#waiting.size >= WAITING_MAX) return Promise.resolve({ path: "link", message: "" });
    const id = ++this.lastId;
    this.#socket?.send(JSON.stringify({ v: VERSION, id, do: name, ...fields }));
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.busy();
    });
  }

  /**
   * Handles a message: an ack resolves its command, and any other message is passed on.
   * @param {string} data
   */
  #message(data) {
    const message = JSON.parse(data);
    this.#quiet = 0;
    if (message.kind === "hello") this.report("open", 0, "");
    if (message.kind === "ack") {
      const resolve = this.#waiting.get(message.ack);
      if (!resolve) return;
      resolve(message.error ?? null);
      this.#waiting.delete(message.ack);
      this.busy();
      return;
    }
    this.receive(message, message.kind === "hello" && this.own !== null && this.own.receivedHello(message));
  }

  /**
   * Handles the loss of the socket: fails the commands in progress, and schedules the next attempt to
   * connect.
   * @param {{code: number, reason: string}} close
   */
  async #lost({ code, reason }) {
    const opened = this.#openedAt;
    const address = this.#socket?.url ?? "";
    this.#socket = null;
    const fault = code === TOO_LARGE ? { path: "", message: t("error.command") } : { path: "link", message: "", sent: 1 };
    for (const resolve of this.#waiting.values()) resolve(fault);
    this.#waiting.clear();
    this.busy();
    if (opened && performance.now() - opened >= GOOD_MS) this.#tries = 0;
    const usual = PAUSES_S[Math.min(this.#tries, PAUSES_S.length - 1)];
    this.#tries++;
    const { why, after, status } = opened ? { why: reason, after: 0, status: 0 } : await refusal(address);
    if (this.own?.lost(code, status)) return this.connect();
    const pause = Math.max(usual, after) * (1 + JITTER * Math.random());
    this.report("lost", Math.max(1, Math.round(pause)), why);
    this.#timer = setTimeout(() => this.connect(), pause * 1000);
  }

  /** Reconnects at once if an attempt to reconnect is scheduled. */
  #hurry() {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.connect();
  }
}

/**
 * Fetches the reason why the server refused a socket, since browsers do not expose it to scripts. It requests
 * the same URL over HTTP. The server answers 204 if it would accept a socket.
 * @param {string} address @returns {Promise<{why: string, after: number, status: number}>} after: Retry-After in seconds; status: 0 if the server is unreachable
 */
async function refusal(address) {
  const answer = address ? await request(`${address.replace(/^ws/, "http")}&why=1`, { signal: AbortSignal.timeout(REASON_MS) }).catch(() => null) : null;
  if (!answer || answer.ok) return { why: "", after: 0, status: 0 };
  const after = Number(answer.headers.get("Retry-After"));
  const why = await lineOf(answer, "");
  return { why: why.slice(0, 300), after: after > 0 ? Math.min(after, RETRY_AFTER_MAX_S) : 0, status: answer.status };
}

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
