// @ts-check
/**
 * Sends requests about a run to the server, over HTTP (docs/MESSAGES.md, "Questions"). The answer to a request
 * is dropped if a newer request was made. Failures are not reported.
 */
import { request } from "../core/transport.js";

export class Ask {
  #asked = 0;
  #busy = false;
  /** @type {(() => void)|null} sends the newest request, which waits for the one in progress; null if there is none */
  #next = null;

  /** @param {any} app @param {string} what path of the question below /api/: "step", "events" or "life" */
  constructor(app, what) {
    this.app = app;
    this.address = `${app.base}/api/${what}`;
  }

  /**
   * Sends a request. One request is in progress at a time, and only the answer to the newest one is used. While
   * the server does not know the run, requests are dropped. When it knows the run, it sends a `state`, after
   * which the page sends the request again.
   * @param {Record<string, string|number>} query @param {(answer: any) => void} then
   */
  ask(query, then) {
    const mine = ++this.#asked;
    if (!this.app.served) return;
    const go = async () => {
      this.#busy = true;
      const answer = await fetchJSON(`${this.address}?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`);
      this.#busy = false;
      const next = this.#next;
      this.#next = null;
      if (next) next();
      if (answer && mine === this.#asked) then(answer);
    };
    if (this.#busy) this.#next = go;
    else go();
  }

  /** Drops the request in progress and the waiting one. */
  forget() {
    this.#asked++;
    this.#next = null;
  }
}

/** Time after which a request is given up, in milliseconds, so that the next one is sent. */
const ANSWER_MS = 10_000;

/** Fetches JSON. Returns null if that fails. @param {string} address */
async function fetchJSON(address) {
  try {
    const answer = await request(address, { signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // the server is unreachable: the page header shows that
  }
}
