// @ts-check
/**
 * The socket: connects, sends commands and matches their acks, and connects
 * again by itself with growing pauses. What a message means is the store's.
 */
import { VERSION } from "./protocol.js";

/** Pauses before the next try, in seconds; the last one repeats. */
const PAUSES_S = [0.5, 1, 2, 4, 8];
/** Commands that wait for their ack at one time; more are not sent. */
const WAITING_MAX = 64;

/** @typedef {{path: string, message: string, line?: number}} Fault why a command was refused; path "link" where it was not sent */

export class Connection {
  /** @type {WebSocket|null} */
  #socket = null;
  #tries = 0;
  #lastId = 0;
  #timer = 0;
  /** @type {Map<number, (fault: Fault|null) => void>} */
  #waiting = new Map();

  /**
   * @param {() => string} address of the socket, asked at every try
   * @param {(message: any) => void} receive
   * @param {(state: "open"|"lost", seconds: number) => void} tell
   * @param {() => void} busy a command is on its way, or was answered
   */
  constructor(address, receive, tell, busy) {
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
    const socket = new WebSocket(this.address());
    this.#socket = socket;
    socket.onmessage = (event) => this.#message(event.data);
    socket.onclose = () => socket === this.#socket && this.#lost();
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
    if (message.kind === "hello") {
      this.#tries = 0;
      this.tell("open", 0);
    }
    if (message.kind === "ack") {
      this.#waiting.get(message.ack)?.(message.error ?? null);
      this.#waiting.delete(message.ack);
      this.busy();
      return;
    }
    this.receive(message);
  }

  #lost() {
    this.#socket = null;
    for (const resolve of this.#waiting.values()) resolve({ path: "link", message: "" });
    this.#waiting.clear();
    this.busy();
    const pause = PAUSES_S[Math.min(this.#tries, PAUSES_S.length - 1)];
    this.#tries++;
    this.tell("lost", pause);
    this.#timer = setTimeout(() => this.connect(), pause * 1000);
  }

  /** Tries at once where the next try is waited for. */
  #hurry() {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.connect();
  }
}
