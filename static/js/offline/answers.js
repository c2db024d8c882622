// @ts-check
/**
 * Answers the HTTP requests of a page that is a single file: the questions in docs/MESSAGES.md ("Questions"),
 * and the costs in docs/API.md. The answer to any other request is 404.
 */
import { session } from "./link.js";

/** Maximum number of events in an answer about the next step. It must equal NextEventsMax in web/api/limits.go. */
const NEXT_MAX = 60;
/** Maximum number of events in an answer about the last events. It must equal RecentEventsMax in web/api/limits.go. */
const RECENT_MAX = 200;
/** Maximum number of events in an answer about one timer. It must equal LifeEventsMax in web/api/limits.go. */
const LIFE_MAX = 400;
/** Maximum number of ticks in an answer about costs. It must equal CostTicksMax in sim/compare/tick_costs.go. */
const COST_TICKS_MAX = 128;

/** @type {Record<string, (query: Record<string, number>) => any>} */
const ANSWERS = {
  step({ seq }) {
    const { recording } = session();
    const end = recording.stepAfter(seq);
    return rowsOf(seq, Math.min(end || seq, seq + NEXT_MAX));
  },
  events: ({ seq, n }) => rowsOf(Math.max(0, seq - Math.min(n, RECENT_MAX)), seq),
  life({ id }) {
    const { recording } = session();
    const { rows, until, whole } = recording.lifeOf(id, LIFE_MAX);
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
