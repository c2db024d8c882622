// @ts-check
/**
 * The socket: connects, sends commands and matches their acks, and connects
 * again by itself with growing pauses. What a message means is the store's.
 */
import { VERSION } from "./protocol.js";

/** Pauses before the next try, in seconds; the last one repeats. */
const PAUSES_S = [0.5, 1, 2, 4, 8, 16, 30];
/** The share of a pause by which it may be longer: pages that lost one server do not all come back at once. */
const JITTER = 0.3;
/** Seconds that a server may ask to be left alone for. */
const RETRY_AFTER_MAX_S = 120;
/** Milliseconds after which a connection is a good one, and the next pause a short one again. */
const GOOD_MS = 10_000;
/** Milliseconds that the reason of a refusal is waited for. */
const REASON_MS = 5000;
/** Code of a socket that was closed because a command was too large (RFC 6455). */
const TOO_LARGE = 1009;
/** Commands that wait for their ack at one time; more are not sent. */
const WAITING_MAX = 64;

/** @typedef {{path: string, message: string, line?: number}} Fault why a command was refused; path "link" where it was not sent */

export class Connection {
  /** @type {WebSocket|null} */
  #socket = null;
  #tries = 0;
  #lastId = 0;
  /** @type {ReturnType<typeof setTimeout>|0} */
  #timer = 0;
  /** When the server accepted the socket; 0 if it has not. */
  #openedAt = 0;
  /** @type {Map<number, (fault: Fault|null) => void>} */
  #waiting = new Map();

  /**
   * @param {() => string} address of the socket, asked at every try
   * @param {(message: any) => void} receive
   * @param {(state: "open"|"lost", seconds: number, why: string) => void} tell why: the server's line, "" if there is none
   * @param {() => void} busy a command is on its way, or was answered
   * @param {(code: number, status: number) => boolean} lost the code of a close, the status of a refusal or 0; returns whether to try again at once
   */
  constructor(address, receive, tell, busy, lost) {
    this.lost = lost;
    this.busy = busy;
    this.address = address;
    this.receive = receive;
    this.tell = tell;
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

  /** How many commands wait for their ack. */
  get waiting() { return this.#waiting.size; }

  connect() {
    this.#timer = 0;
    this.#openedAt = 0;
    const socket = new WebSocket(this.address());
    this.#socket = socket;
    socket.onopen = () => { this.#openedAt = performance.now(); };
    socket.onmessage = (event) => this.#message(event.data);
    socket.onclose = (event) => { if (socket === this.#socket) this.#lost(event); };
  }

  /**
   * Sends a command. Resolves to null when it was done, else to why not.
   * @param {string} name @param {Record<string, any>} [fields] @returns {Promise<Fault|null>}
   */
  send(name, fields = {}) {
    if (!this.isOpen || this.#waiting.size >= WAITING_MAX) return Promise.resolve({ path: "link", message: "" });
    const id = ++this.#lastId;
    this.#socket?.send(JSON.stringify({ v: VERSION, id, do: name, ...fields }));
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.busy();
    });
  }

  /** @param {string} data */
  #message(data) {
    const message = JSON.parse(data);
    if (message.kind === "hello") this.tell("open", 0, "");
    if (message.kind === "ack") {
      this.#waiting.get(message.ack)?.(message.error ?? null);
      this.#waiting.delete(message.ack);
      this.busy();
      return;
    }
    this.receive(message);
  }

  /** @param {CloseEvent} close */
  async #lost({ code, reason }) {
    const opened = this.#openedAt;
    const address = this.#socket?.url ?? "";
    this.#socket = null;
    const fault = code === TOO_LARGE && reason ? { path: "", message: reason } : { path: "link", message: "" };
    for (const resolve of this.#waiting.values()) resolve(fault);
    this.#waiting.clear();
    this.busy();
    if (opened && performance.now() - opened >= GOOD_MS) this.#tries = 0;
    const usual = PAUSES_S[Math.min(this.#tries, PAUSES_S.length - 1)];
    this.#tries++;
    const { why, after, status } = opened ? { why: reason, after: 0, status: 0 } : await refusal(address);
    if (this.lost(code, status)) return this.connect();
    const pause = Math.max(usual, after) * (1 + JITTER * Math.random());
    this.tell("lost", Math.max(1, Math.round(pause)), why);
    this.#timer = setTimeout(() => this.connect(), pause * 1000);
  }

  /** Tries at once where the next try is waited for. */
  #hurry() {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.connect();
  }
}

/**
 * Why the server refuses a socket, which a browser does not say: the same address is asked
 * over HTTP, and answers 204 where a socket would be accepted.
 * @param {string} address @returns {Promise<{why: string, after: number, status: number}>} after: seconds that the server asks for; status: 0 if it is away
 */
async function refusal(address) {
  const answer = address ? await fetch(`${address.replace(/^ws/, "http")}&why=1`, { signal: AbortSignal.timeout(REASON_MS) }).catch(() => null) : null;
  if (!answer || answer.ok) return { why: "", after: 0, status: 0 };
  const after = Number(answer.headers.get("Retry-After"));
  const why = await answer.text().catch(() => "");
  return { why: why.trim().slice(0, 300), after: after > 0 ? Math.min(after, RETRY_AFTER_MAX_S) : 0, status: answer.status };
}
