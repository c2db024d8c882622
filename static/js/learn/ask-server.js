// @ts-check
/** Requests to the server that return JSON or, if they fail, one line with the reason. */
import { askAgain, refusalWords } from "../core/ask-again.js";
import { t } from "../core/texts.js";

/**
 * Fetches JSON from the server.
 * @param {any} app @param {string} path path below /api/ @param {Record<string, string|number>} query
 * @param {{wanted?: () => boolean, busy?: () => void}} [use] wanted: returns whether the result is still wanted;
 *   busy: called before each pause, while the server computes the result
 * @returns {Promise<any>} the JSON value, or the reason of a failure as a string
 */
export async function askServer(app, path, query, use = {}) {
  const q = new URLSearchParams({ lang: app.lang });
  for (const [key, value] of Object.entries(query)) q.set(key, String(value));
  const answer = await askAgain(`${app.base}/api/${path}?${q}`, {}, use);
  if (!answer) return t("quiz.offline");
  if (!answer.ok) return refusalWords(answer);
  return (await answer.json().catch(() => null)) ?? t("quiz.offline");
}
