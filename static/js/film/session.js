// @ts-check
/**
 * A separate session for the film. It opens the displayed run on a second socket, so that the displayed
 * cursor does not move. It seeks to a cursor and returns the state there.
 */
import { Store } from "../state/store.js";
import { VERSION } from "../core/protocol.js";
import { openSocket } from "../core/transport.js";

/** Timeout for reaching one cursor, in milliseconds. */
const CURSOR_MS = 30_000;
/** Minimum interval between two commands, in milliseconds. The server accepts 120 commands per second. */
const PACE_MS = 9;

/** @typedef {{tick: number}|{seq: number}} Cursor the end of a tick, or the position directly after an event */

export class FilmSession {
  store = new Store();
  #lastId = 0;
  #sentAt = 0;
  /** @type {import("../core/transport.js").Socket|null} */
  #socket = null;
  /** @type {{holds: () => boolean, done: (error?: Error) => void}|null} the condition being awaited */
  #waiting = null;

  /** Opens a run known to the server. @param {any} app @param {AbortSignal} signal */
  async open(app, signal) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.#socket = openSocket(`${scheme}://${location.host}${app.base}/ws?${new URLSearchParams({ lang: app.lang })}`));
    signal.addEventListener("abort", () => this.close(), { once: true });
    const { run } = app.store;
    await this.#until(() => this.store.lanes.length > 0, () => {
      socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
      socket.onclose = () => this.#waiting?.done(new Error(""));
    });
    if (this.store.run !== run) await this.#until(() => this.store.run === run && this.store.lanes.length > 0, () => this.#send("load", { run }));
  }

  /** Seeks to a cursor. Resolves to the session's store once it contains the state at the cursor. @param {Cursor} cursor */
  async at(cursor) {
    const { store } = this;
    const there = () => ("seq" in cursor ? store.seq === cursor.seq : store.tick === cursor.tick && this.#stateReceived);
    const pause = this.#sentAt + PACE_MS - performance.now();
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    if (this.#socket?.readyState !== WebSocket.OPEN) throw new Error(""); // cancelled, or the server became unreachable
    this.#stateReceived = false;
    await this.#until(() => this.#stateReceived && there(), () => this.#send("seek", cursor));
    return store;
  }

  /** Whether a state was received since the last command. */
  #stateReceived = false;

  close() {
    this.#waiting?.done(new Error(""));
    this.#socket?.close();
  }

  /** Sends a command. @param {string} name @param {any} fields */
  #send(name, fields) {
    this.#sentAt = performance.now();
    this.#socket?.send(JSON.stringify({ v: VERSION, id: ++this.#lastId, do: name, ...fields }));
  }

  /** Handles a message from the server. @param {any} message */
  #receive(message) {
    if (message.kind === "ack") {
      if (message.error) this.#waiting?.done(new Error(message.error.message));
      return;
    }
    if (this.store.receive(message) === "state") this.#stateReceived = true;
    if (this.#waiting?.holds()) this.#waiting.done();
  }

  /**
   * Calls `begin` and waits until `holds` returns true. Rejects after CURSOR_MS, and when the session is closed.
   * @param {() => boolean} holds @param {() => void} begin @returns {Promise<void>}
   */
  #until(holds, begin) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#waiting?.done(new Error("")), CURSOR_MS);
      this.#waiting = { holds, done: (error) => {
        clearTimeout(timer);
        this.#waiting = null;
        if (error) reject(error);
        else resolve();
      } };
      begin();
    });
  }
}
