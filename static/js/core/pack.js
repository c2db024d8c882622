// @ts-check
/** Texts that are compressed into a URL: deflate, in base64url. This module does not access the DOM. */

/**
 * Maximum length of a URL, in characters. A URL of this length can be put into an e-mail, a chat or a slide.
 */
export const ADDRESS_MAX = 8192;

/**
 * The error for a fragment of a URL that can't be read. `key` is the key of the message's text, and `values` are the
 * values that are inserted into the text.
 */
export class AddressError extends Error {
  /** @param {string} key @param {Record<string, string|number>} [values] */
  constructor(key, values = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** Compresses a text, and encodes it for a URL. @param {string} text */
export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/**
 * Decompresses a text that pack has compressed. Throws an error if the text has more than max bytes.
 * @param {string} packed @param {number} max
 */
export async function unpack(packed, max) {
  const reader = inflated(packed).getReader();
  /** @type {BlobPart[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => { throw new AddressError("share.bad.packed"); });
    if (done) break;
    size += value.length;
    if (size > max) {
      reader.cancel().catch(() => {}); // the rest is discarded
      throw new AddressError("share.bad.bomb", { max });
    }
    parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (value));
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await new Blob(parts).arrayBuffer());
  } catch {
    throw new AddressError("share.bad.packed");
  }
}

/**
 * Returns a stream that decompresses a text. Throws an AddressError if the text is not valid base64url.
 * @param {string} packed text that pack has returned @returns {ReadableStream<Uint8Array>}
 */
function inflated(packed) {
  let letters = "";
  try {
    letters = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
  } catch {
    throw new AddressError("share.bad.packed");
  }
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
}
