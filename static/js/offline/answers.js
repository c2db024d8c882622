// @ts-check
/**
 * Answers the HTTP requests of a page that is a single file: the questions in docs/MESSAGES.md ("Questions"),
 * and the costs in docs/API.md. The answer to any other request is 404.
 */
import { COST_TICKS_MAX, LIFE_EVENTS_MAX, NEXT_EVENTS_MAX, RECENT_EVENTS_MAX } from "../core/limits.js";
import { session } from "./link.js";

/** @type {Record<string, (query: Record<string, number>) => any>} */
const ANSWERS = {
  step({ seq }) {
    const { recording } = session();
    const end = recording.stepAfter(seq);
    return rowsOf(seq, Math.min(end || seq, seq + NEXT_EVENTS_MAX));
  },
  events: ({ seq, n }) => rowsOf(Math.max(0, seq - Math.min(n, RECENT_EVENTS_MAX)), seq),
  life({ id }) {
    const { recording } = session();
    const { rows, until, whole } = recording.lifeOf(id, LIFE_EVENTS_MAX);
    return { id, events: rows, names: recording.namesIn(rows), until, whole };
  },
  costs({ from, to }) {
    const { costs } = session();
    if (!costs.every || to - from >= COST_TICKS_MAX) return null;
    return { from, lanes: costs.lanes.map(({ tick }) => tick.slice(from, to + 1)) };
  },
};

/** Returns the rows of the events in (from, to], and the names of their timers. @param {number} from @param {number} to */
function rowsOf(from, to) {
  const { recording } = session();
  const events = recording.rows(from, to);
  return { events, names: recording.namesIn(events) };
}

/**
 * Makes this module answer the requests of the page instead of a server.
 * @param {Record<string, any>} knowledge descriptions of the algorithms, by id
 */
export function answer(knowledge) {
  globalThis.fetch = async (address) => {
    const body = answerTo(String(address), knowledge);
    return body ? Response.json(body) : new Response("", { status: 404 });
  };
}

/**
 * Returns the answer to a request, or undefined if the request is unknown.
 * @param {string} address @param {Record<string, any>} knowledge
 */
function answerTo(address, knowledge) {
  const known = /knowledge\/([\w-]+)\.json$/.exec(address);
  if (known) return knowledge[known[1]];
  const [, what, query] = /^[^?]*\/api\/(\w+)\?(.*)$/.exec(address) ?? [];
  const fields = Object.fromEntries([...new URLSearchParams(query)].map(([k, v]) => [k, Number(v)]));
  return ANSWERS[what]?.(fields);
}
