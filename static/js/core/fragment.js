// @ts-check
/**
 * The fragment of a shared URL: fields joined by "&". The last field is "end"; if it is missing, the URL was
 * truncated. This module does not access the DOM.
 *
 *   share=1          version
 *   run=DIGITS       first 16 digits of the run's digest
 *   sum=DIGITS       first 16 digits of the SHA-256 of its trace
 *   follow=ID        the followed timer
 *   dial=1 tables=0  the view, and large=LANE, one lane large
 *   s=TEXT           the whole scenario: deflate, in base64url
 */
import { AddressError } from "./pack.js";
import { SHARED } from "./saved-scenarios.js";

const VERSION = 1;
/** Maximum length of a fragment that is parsed, in characters. */
const FRAGMENT_MAX = 1 << 20;
/** Number of digits of a digest. */
export const DIGITS = 16;

/**
 * @typedef {{run: string, sum: string, follow: number, dial: boolean, tables: boolean, large: string, packed: string}} Shared
 */

/** Returns the fragment for a shared view. @param {Shared} shared */
export function writeFragment({ run, sum, follow, dial, tables, large, packed }) {
  const fields = [`${SHARED}${VERSION}`, `run=${run}`];
  if (sum) fields.push(`sum=${sum}`);
  if (follow) fields.push(`follow=${follow}`);
  if (dial) fields.push("dial=1");
  if (!tables) fields.push("tables=0");
  if (large) fields.push(`large=${encodeURIComponent(large)}`);
  if (packed) fields.push(`s=${packed}`);
  return [...fields, "end"].join("&");
}

/**
 * Parses a fragment that begins with SHARED. Throws an AddressError if the fragment is invalid.
 * @param {string} hash @returns {Shared}
 */
export function readFragment(hash) {
  if (hash.length > FRAGMENT_MAX) throw new AddressError("share.bad.long", { n: hash.length, max: FRAGMENT_MAX });
  const [head, ...fields] = hash.split("&");
  const version = head.slice(SHARED.length);
  if (version !== String(VERSION)) throw new AddressError("share.bad.version", { found: version.slice(0, 20), version: VERSION });
  if (fields.pop() !== "end") throw new AddressError("share.bad.cut", { n: hash.length });
  const values = new Map(fields.map((field) => {
    const at = field.indexOf("=");
    return [field.slice(0, at), field.slice(at + 1)];
  }));
  const text = (/** @type {string} */ name) => values.get(name) ?? "";
  return {
    run: digits("run", text("run"), true), sum: digits("sum", text("sum"), false), follow: follow(text("follow")),
    dial: text("dial") === "1", tables: text("tables") !== "0", large: large(text("large")), packed: packedOf(text("s")),
  };
}

/**
 * Checks that a text is a digest, and returns it. Throws an AddressError if it is not.
 * @param {string} name name of the field, for the error @param {string} text
 * @param {boolean} needed whether an empty text is an error
 */
function digits(name, text, needed) {
  if (/^[0-9a-f]{16}$/.test(text) || (!text && !needed)) return text;
  throw new AddressError("share.bad.digest", { name, found: text.slice(0, 40), n: DIGITS });
}

/** Parses the id of the followed timer. @param {string} text */
function follow(text) {
  if (/^\d{0,10}$/.test(text)) return Number(text);
  throw new AddressError("share.bad.follow", { found: text.slice(0, 40) });
}

/** Decodes the id of the large lane. @param {string} text */
function large(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError("share.bad.large", { found: text.slice(0, 40) });
  }
}

/** Checks that a compressed text has only valid characters, and returns it. @param {string} text */
function packedOf(text) {
  const at = text.search(/[^A-Za-z0-9_-]/);
  if (at >= 0) throw new AddressError("share.bad.letter", { letter: text[at], n: at + 1 });
  return text;
}
