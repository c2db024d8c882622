// @ts-check
/** Requests to the server over HTTP: repeated while it computes the result, as JSON, and of which only the last one counts. */
import { t } from "./texts.js";
import { request } from "./transport.js";

/** Default maximum number of attempts per request. */
const TRIES_MAX = 30;
/** Maximum Retry-After, in seconds. A request is not repeated if the server asks for a longer wait. */
const AGAIN_MAX_S = 10;

/**
 * Fetches a URL. While the server answers 503, which means that the result is still being computed, the
 * request is repeated after at least the time in Retry-After. Returns the last answer, or null if the server
 * is unreachable.
 * @param {string} address @param {RequestInit} [init]
 * @param {{wanted?: () => boolean, busy?: (answer: Response, pause: number) => void|Promise<void>, tries?: number}} [use]
 * wanted: returns whether the result is still wanted; busy: called before each pause, with its length in seconds;
 *   tries: maximum number of attempts
 * @returns {Promise<Response|null>}
 */
export async function requestComputed(address, init, { wanted = () => true, busy = () => {}, tries: most = TRIES_MAX } = {}) {
  for (let tries = 1; ; tries++) {
    const answer = await request(address, init).catch(() => null);
    const after = Number(answer?.headers.get("Retry-After"));
    if (answer?.status !== 503 || tries === most || !(after > 0 && after <= AGAIN_MAX_S) || !wanted()) return answer;
    const pause = after * (1 + Math.random() / 2); // random, so that pages refused together do not retry together
    await busy(answer, pause);
    await new Promise((done) => setTimeout(done, pause * 1000));
    if (!wanted()) return answer;
  }
}

/** Returns the reason why the server refused a request, in the page's language. @param {Response} answer */
export async function refusalWords(answer) {
  if (answer.status === 404) return t("pane.gone");
  return lineOf(answer, t(answer.status === 503 ? "pane.long" : "compare.offline"));
}

/** Returns the line in which the server explains a refusal. @param {Response} answer @param {string} [otherwise] what to return if there is none */
export async function lineOf(answer, otherwise = `${answer.status} ${answer.statusText}`) {
  return (await answer.text().catch(() => "")).trim() || otherwise;
}

/**
 * Requests JSON, as requestComputed does. Returns the value, or one line with the reason of a failure as a string.
 * @param {any} app @param {string} path path below /api/ @param {Record<string, string|number>} query
 * @param {{wanted?: () => boolean, busy?: () => void, offline?: string}} [use] offline: key of the text if the server does not answer
 * @returns {Promise<any>}
 */
export async function requestJSON(app, path, query, { offline = "quiz.offline", ...use } = {}) {
  const q = new URLSearchParams({ lang: app.lang });
  for (const [key, value] of Object.entries(query)) q.set(key, String(value));
  const answer = await requestComputed(`${app.base}/api/${path}?${q}`, {}, use);
  if (answer && !answer.ok) return refusalWords(answer);
  return (await answer?.json().catch(() => null)) ?? t(offline);
}

/** Requests the scenario of a run as JSON. Returns null if that fails. @param {any} app @param {string} run @returns {Promise<string|null>} */
export async function requestScenario(app, run) {
  const answer = await request(`${app.base}/scenario?${new URLSearchParams({ run })}`).catch(() => null);
  return answer?.ok ? answer.text() : null;
}

/** Time after which a request of LatestRequest is given up, in milliseconds, so that the next one is sent. */
const ANSWER_MS = 10_000;

/**
 * Sends requests about a run (docs/MESSAGES.md, "Questions"). One is in progress at a time, and only the answer to the newest one is used.
 * Failures are not reported: the page header shows that the server is unreachable.
 */
export class LatestRequest {
  #last = 0;
  #busy = false;
  /** @type {(() => void)|null} sends the newest request, which waits for the one in progress; null if there is none */
  #next = null;

  /** @param {any} app @param {string} what path of the question below /api/: "step", "events" or "life" */
  constructor(app, what) {
    this.app = app;
    this.address = `${app.base}/api/${what}`;
  }

  /**
   * Sends a request. While the server does not know the run, requests are dropped. When it knows the run, it sends a `state`, after
   * which the page sends the request again.
   * @param {Record<string, any>} query @param {(answer: any) => void} then
   */
  send(query, then) {
    const mine = ++this.#last;
    if (!this.app.served) return;
    const go = async () => {
      this.#busy = true;
      const answer = await request(`${this.address}?${new URLSearchParams(query)}`, { signal: AbortSignal.timeout(ANSWER_MS) })
        .then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
      this.#busy = false;
      const next = this.#next;
      this.#next = null;
      if (next) next();
      if (answer && mine === this.#last) then(answer);
    };
    if (this.#busy) this.#next = go;
    else go();
  }

  /** Drops the request in progress and the waiting one. */
  forget() {
    this.#last++;
    this.#next = null;
  }
}
