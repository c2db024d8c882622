// @ts-check
/** Makes a film: seeks to each cursor, draws the frame and passes it to the writer of the format. */
import { FilmSession } from "./session.js";
import { SAMPLES, gifWriter, paletteOf } from "./gif.js";
import { Stage } from "./stage.js";
import { count, places, tooMany } from "./plan.js";
import { webmWriter } from "./webm.js";

/** The error for a requested film that can't be made. */
export class FilmError extends Error {
  /** @param {{field: string, key: string, values: Record<string, number>}} what */
  constructor(what) {
    super(what.key);
    this.what = what;
  }
}

/**
 * Makes a film. Resolves to its file and its number of frames. Rejects with a FilmError if the film would have no
 * frames or be too long, and with another error if the server becomes unreachable or `signal` is aborted.
 * @param {any} app @param {import("./plan.js").Asked} asked @param {AbortSignal} signal
 * @param {(done: number, all: number) => void} progress
 * @returns {Promise<{blob: Blob, frames: number}>}
 */
export async function makeFilm(app, asked, signal, progress) {
  const session = new FilmSession();
  try {
    await session.open(app, signal);
    const cursors = await cursorsOf(session, asked);
    const stage = new Stage(app, session.store, asked);
    const draw = async (/** @type {import("./session.js").Cursor} */ cursor) => {
      const store = await session.at(cursor);
      signal.throwIfAborted();
      await stage.draw(store, app.follow.id);
    };
    const blob = await write(stage, cursors, asked, draw, progress);
    return { blob, frames: cursors.length };
  } finally {
    session.close();
  }
}

/** Resolves to the cursors of a film, one per frame. Rejects with a FilmError if there are none or too many. @param {FilmSession} session @param {import("./plan.js").Asked} asked @returns {Promise<import("./session.js").Cursor[]>} */
async function cursorsOf(session, asked) {
  const { from, to, unit } = asked;
  if (unit === "tick") return placesOf(from, to, asked).map((tick) => ({ tick }));
  const { seq: first } = from > 0 ? await session.at({ tick: from - 1 }) : { seq: 0 };
  const { seq: last } = await session.at({ tick: to });
  return placesOf(first + 1, last, asked).map((seq) => ({ seq }));
}

/**
 * Returns the positions of the frames from first to last. Throws a FilmError if there are none or too many.
 * @param {number} first @param {number} last @param {import("./plan.js").Asked} asked
 */
function placesOf(first, last, asked) {
  const fault = tooMany(count(first, last, asked.by), asked);
  if (fault) throw new FilmError(fault);
  return places(first, last, asked.by);
}

/**
 * Draws every frame on the stage by calling `draw`, encodes it, and resolves to the file.
 * @param {Stage} stage @param {import("./session.js").Cursor[]} cursors
 * @param {import("./plan.js").Asked} asked
 * @param {(cursor: import("./session.js").Cursor) => Promise<void>} draw @param {(done: number, all: number) => void} progress
 */
async function write(stage, cursors, asked, draw, progress) {
  const writer = asked.format === "webm" ? await webmWriter(asked) : gifWriter(asked, await palette(stage, cursors, draw));
  try {
    for (const [k, cursor] of cursors.entries()) {
      await draw(cursor);
      await writer.add(stage.canvas);
      progress(k + 1, cursors.length);
    }
    return await writer.end();
  } finally {
    writer.drop();
  }
}

/**
 * Returns a palette computed from frames spread over the film.
 * @param {Stage} stage @param {import("./session.js").Cursor[]} cursors @param {(cursor: import("./session.js").Cursor) => Promise<void>} draw
 */
async function palette(stage, cursors, draw) {
  const samples = [];
  const n = Math.min(SAMPLES, cursors.length);
  for (let i = 0; i < n; i++) {
    await draw(cursors[Math.floor((i * (cursors.length - 1)) / Math.max(1, n - 1))]);
    samples.push(stage.context.getImageData(0, 0, stage.canvas.width, stage.canvas.height).data);
  }
  return paletteOf(samples);
}
