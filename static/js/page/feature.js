// @ts-check
/**
 * A feature is an independent part of the page. It is created once with the app, and notified of
 * events. It may implement any of these methods.
 *
 * @typedef {object} Feature
 * @property {() => void} [begin] another run is displayed: store.hello is new
 * @property {() => void} [moved] the cursor moved: store.tick, store.seq, store.lanes
 * @property {(message: any) => void} [received] the store accepted a message: "timeline", "player", "ack", …
 * @property {() => boolean|void} [draw] in each frame; true requests another frame
 * @property {(action: string, held: boolean) => boolean} [act] a key action of keys.js; true if it was handled
 */
export {};
