// @ts-check
/**
 * A session of the film's own: the same run in a second socket, so that what is shown
 * stays where it is. It is sent to a cursor and hands out the state there, told in the
 * messages of which the page is drawn too.
 */
import { Store } from "../store.js";
import { VERSION } from "../protocol.js";

/** Milliseconds for one cursor to come. */
const CURSOR_MS = 30_000;
/** Milliseconds between two commands at least: the server takes 120 a second. */
const PACE_MS = 9;

/** @typedef {{tick: number}|{seq: number}} Cursor */

export class FilmSession {
  store = new Store();
  #lastId = 0;
  #sentAt = 0;
  /** @type {WebSocket|null} */
  #socket = null;
  /** @type {{holds: () => boolean, done: (error?: Error) => void}|null} what is waited for */
  #waiting = null;

  /** Opens a run that the server knows. @param {any} app @param {AbortSignal} signal */
  async open(app, signal) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.#socket = new WebSocket(`${scheme}://${location.host}${app.base}/ws?${new URLSearchParams({ lang: app.lang })}`));
    signal.addEventListener("abort", () => this.close(), { once: true });
    const { run } = app.store;
    await this.#until(() => this.store.lanes.length > 0, () => {
      socket.onmessage = (event) => this.#take(JSON.parse(event.data));
      socket.onclose = () => this.#waiting?.done(new Error(""));
    });
    if (this.store.run !== run) await this.#until(() => this.store.run === run && this.store.lanes.length > 0, () => this.#send("load", { run }));
  }

  /** Goes to a cursor and gives the store there. @param {Cursor} cursor */
  async at(cursor) {
    const { store } = this;
    const there = () => ("seq" in cursor ? store.seq === cursor.seq : store.tick === cursor.tick && this.#stood);
    const pause = this.#sentAt + PACE_MS - performance.now();
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    if (this.#socket?.readyState !== WebSocket.OPEN) throw new Error(""); // it was cancelled, or the server went away
    this.#stood = false;
    await this.#until(() => this.#stood && there(), () => this.#send("seek", cursor));
    return store;
  }

  /** A state came since the last command. */
  #stood = false;

  close() {
    this.#waiting?.done(new Error(""));
    this.#socket?.close();
  }

  /** @param {string} name @param {any} fields */
  #send(name, fields) {
    this.#sentAt = performance.now();
    this.#socket?.send(JSON.stringify({ v: VERSION, id: ++this.#lastId, do: name, ...fields }));
  }

  /** @param {any} message */
  #take(message) {
    if (message.kind === "ack") {
      if (message.error) this.#waiting?.done(new Error(message.error.message));
      return;
    }
    if (this.store.receive(message) === "state") this.#stood = true;
    if (this.#waiting?.holds()) this.#waiting.done();
  }

  /** Waits until something holds. @param {() => boolean} holds @param {() => void} begin @returns {Promise<void>} */
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
