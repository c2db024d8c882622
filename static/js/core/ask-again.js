// @ts-check
/** Repeats requests while the server is still computing the result, and formats the reasons of refusals. */
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
export async function askAgain(address, init, { wanted = () => true, busy = () => {}, tries: most = TRIES_MAX } = {}) {
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
  const line = (await answer.text().catch(() => "")).trim();
  return line || t(answer.status === 503 ? "pane.long" : "compare.offline");
}
