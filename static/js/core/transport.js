// @ts-check
/**
 * The transport between the page and the lab. The lab is either a server, which the page reaches over HTTP
 * and WebSockets, or, in the static site, an engine in a Web Worker (site/transport.js). Both accept the same
 * URLs and commands, and send the same messages, answers and refusals.
 */

/**
 * @typedef {object} Socket the part of the WebSocket interface that the page uses
 * @property {number} readyState @property {string} url
 * @property {((event: any) => void)|null} onopen @property {((event: {data: any}) => void)|null} onmessage
 * @property {((event: any) => void)|null} onclose called with an event that has a code and a reason
 * @property {(text: string) => void} send @property {() => void} close
 *
 * @typedef {object} Upload
 * @property {Promise<{status: number, text: string}>} done resolves to the answer; status is 0 if there was none
 * @property {() => void} abort
 *
 * @typedef {object} Transport
 * @property {(address: string, init?: RequestInit) => Promise<Response>} request
 * @property {(address: string) => Socket} socket
 * @property {(address: string, file: Blob, progress: (sent: number, all: number) => void) => Upload} upload
 */

/** @type {Transport} */
const server = {
  request: (address, init) => fetch(address, init),
  socket: (address) => /** @type {any} */ (new WebSocket(address)),
  upload(address, file, progress) {
    const request = new XMLHttpRequest(); // fetch does not report upload progress
    request.upload.addEventListener("progress", (event) => { if (event.lengthComputable) progress(event.loaded, event.total); });
    request.open("POST", address);
    const done = new Promise((resolve) => {
      request.addEventListener("loadend", () => resolve({ status: request.status, text: request.responseText }));
    });
    request.send(file);
    return { done, abort: () => request.abort() };
  },
};

let current = server;

/**
 * Sets the transport that the page uses instead of the server. It must be called before the first request.
 * @param {Transport} transport
 */
export function useTransport(transport) { current = transport; }

/** Sends a request, like fetch. @param {string} address @param {RequestInit} [init] */
export const request = (address, init) => current.request(address, init);

/** Opens a socket, like new WebSocket. @param {string} address */
export const openSocket = (address) => current.socket(address);

/**
 * Posts a file, and reports the progress as the numbers of bytes sent and in total.
 * @param {string} address @param {Blob} file @param {(sent: number, all: number) => void} progress
 */
export const upload = (address, file, progress) => current.upload(address, file, progress);
