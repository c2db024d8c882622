// @ts-check
/**
 * The way between the page and the lab, as the entry view uses it. LabLink is the one over sockets, which are those of a
 * server or, on the static site, of the engine in a worker (core/transport.js): it reconnects. RecordedLink is that of a page whose run was recorded: it has only the page's events.
 */
import { Connection, OwnSession } from "../core/connection.js";
import { t } from "../core/texts.js";
import { EventReader } from "../picture/event-reader.js";

/** @typedef {import("../core/connection.js").Fault} Fault */
/**
 * @typedef {object} Transport
 * @property {() => void} connect
 * @property {boolean} open whether commands can be sent
 * @property {boolean} driver whether commands of this page are accepted
 * @property {(name: string, fields?: Record<string, any>) => Promise<Fault|null>} send
 * @property {(from: number, most?: number) => Promise<import("../picture/event-reader.js").Events|null>} events returns the events after the one numbered `from`, to the end of the run or about `most`; null if they were not received
 * @property {(tick: number) => Promise<State|null>} stateAt moves the session to the end of a tick and returns its state there, or where the driver of the session is; null if it was not received
 * @property {(run: string, tick: number, delays: number[]) => Promise<any[][]|null>} preview returns what would happen to timers with these delays, per lane; null if it is not known
 */
/** @typedef {{run: string, tick: number, seq: number, names: any[], lanes: any[]}} State a `state` message */
/** @typedef {{message: (message: any) => void, state: (open: boolean, seconds: number, why: string) => void, address: (session: URLSearchParams|null) => string}} Receiver */

/** Time for an answer, in milliseconds. */
const ANSWER_MS = 8_000;

/** @implements {Transport} */
export class LabLink {
  driver = true;
  /** @type {Connection} */
  #link;
  #reader = new EventReader((name, fields) => this.send(name, fields));
  /** @type {any} */
  #preview = null;
  /** @type {((state: State|null) => void)|null} receives the next `state` */
  #state = null;
  /** @type {Promise<any>} the last request for a state or places; one is outstanding at a time */
  #turn = Promise.resolve();

  /** @param {Receiver} receiver @param {Promise<void>} ready resolves when sockets can be opened */
  constructor(receiver, ready = Promise.resolve()) {
    this.receiver = receiver;
    this.ready = ready;
    this.#link = new Connection((own) => receiver.address(own), (m) => this.#receive(m), (state, seconds, why) => receiver.state(state === "open", seconds, why), new OwnSession());
  }

  connect() { void this.ready.then(() => this.#link.connect()); }
  get open() { return this.#link.isOpen; }

  /** @param {string} name @param {Record<string, any>} [fields] */
  send(name, fields) { return this.#link.send(/** @type {any} */ (name), /** @type {any} */ (fields)); }

  /** @param {number} from @param {number} [most] */
  events(from, most) { return this.#reader.read(from, most); }

  /** @param {number} tick @returns {Promise<State|null>} */
  stateAt(tick) {
    return this.#take(async () => {
      if (this.driver && (await this.send("seek", { tick }))) return null;
      const state = new Promise((resolve) => { this.#state = resolve; });
      const timeout = setTimeout(() => this.#state?.(null), ANSWER_MS);
      if (await this.send("state")) this.#state?.(null);
      const found = await state;
      clearTimeout(timeout);
      this.#state = null;
      return found;
    });
  }

  /** Runs a request after those before it. @template T @param {() => Promise<T>} request @returns {Promise<T>} */
  #take(request) {
    const turn = this.#turn.then(request, request);
    this.#turn = turn;
    return turn;
  }

  /** @param {string} run @param {number} tick @param {number[]} delays */
  preview(run, tick, delays) {
    return this.#take(async () => {
      this.#preview = null;
      const fault = await this.send("preview", { run, tick, delays });
      return fault ? null : /** @type {any} */ (this.#preview)?.lanes ?? null;
    });
  }

  /** @param {any} message */
  #receive(message) {
    this.#reader.receive(message);
    if (message.kind === "preview") {
      this.#preview = message;
      return;
    }
    if (message.kind === "hello") this.driver = message.driver;
    if (message.kind === "state" && message.rest) this.#state?.(message);
    this.receiver.message(message);
  }
}

/** @implements {Transport} */
export class RecordedLink {
  open = false;
  driver = true;
  connect() {}
  async send() { return { path: "", message: t("entry.recorded") }; }
  async events() { return null; }
  async stateAt() { return null; }
  async preview() { return null; }
}
