// @ts-check
/** Writes frames as a WebM file with the browser's encoder and the vendored muxer. */
import { ArrayBufferTarget, Muxer } from "../vendor/webm-muxer/webm-muxer.js";

/** Codecs, the preferred one first. Each has its name for the encoder and its name for the muxer. */
const CODECS = [["vp09.00.40.08", "V_VP9"], ["vp8", "V_VP8"]];
/** Number of bits per pixel of a frame. The bit rate is computed from it. */
const BITS = 0.12;
/** Minimum bit rate, in bits per second. */
const BITS_MIN = 1_500_000;
/** Maximum number of frames queued in the encoder. */
const QUEUE_MAX = 8;
/** Seconds between two key frames. */
const KEY_S = 2;

/** Reports whether the browser has a video encoder, which is available only in secure contexts. */
export const hasEncoder = () => "VideoEncoder" in window;

/**
 * Returns the first configuration that the encoder supports. Throws an error if there is none.
 * @param {{width: number, height: number, rate: number}} film
 */
async function choose({ width, height, rate }) {
  for (const [codec, track] of CODECS) {
    const config = { codec, width, height, framerate: rate, bitrate: Math.max(BITS_MIN, Math.round(width * height * rate * BITS)) };
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
    if (supported) return { config, track };
  }
  throw new Error("no codec");
}

/**
 * Resolves to an encoder for a WebM film. `add` appends a frame, `end` resolves to the file, and `drop` closes the
 * encoder if it is still open. Rejects if the browser supports none of CODECS.
 * @param {{width: number, height: number, rate: number}} film
 * @returns {Promise<{add: (canvas: HTMLCanvasElement) => Promise<void>, end: () => Promise<Blob>, drop: () => void}>}
 */
export async function webmWriter(film) {
  const { config, track } = await choose(film);
  const muxer = new Muxer({ target: new ArrayBufferTarget(), video: { codec: track, width: film.width, height: film.height, frameRate: film.rate }, firstTimestampBehavior: "strict" });
  /** @type {Error|null} */
  let fault = null;
  const encoder = new VideoEncoder({ output: (chunk, meta) => muxer.addVideoChunk(chunk, meta), error: (error) => { fault = error; } });
  encoder.configure(config);
  let k = 0;
  const time = (/** @type {number} */ n) => Math.round((n * 1_000_000) / film.rate);
  return {
    async add(canvas) {
      if (fault) throw fault;
      const frame = new VideoFrame(canvas, { timestamp: time(k), duration: time(k + 1) - time(k), alpha: "discard" });
      encoder.encode(frame, { keyFrame: k % (film.rate * KEY_S) === 0 });
      frame.close();
      k++;
      while (encoder.encodeQueueSize > QUEUE_MAX && !fault) await new Promise((resolve) => setTimeout(resolve, 4));
    },
    async end() {
      await encoder.flush();
      if (fault) throw fault;
      encoder.close();
      muxer.finalize();
      return new Blob([muxer.target.buffer], { type: "video/webm" });
    },
    drop() { if (encoder.state !== "closed") encoder.close(); },
  };
}
