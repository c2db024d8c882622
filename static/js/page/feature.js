// @ts-check
/**
 * A feature is an independent part of the page. It is created once by the app, which calls its methods on
 * events. A feature may implement any of these methods.
 *
 * @typedef {object} Feature
 * @property {() => void} [begin] called when another run is displayed; store.hello has changed
 * @property {() => void} [moved] called when the cursor has moved; store.tick, store.seq and store.lanes have changed
 * @property {(message: any) => void} [received] called with each message from the server, after
 *   the store has handled it
 * @property {() => boolean|void} [draw] called in each frame, unless the lanes are still being drawn; returns
 *   true if another frame is needed
 * @property {(action: string, held: boolean) => boolean} [act] called with an action defined in keys.js;
 *   returns true if the feature has handled it
 *
 * A sheet takes the place of the panel. `open` is called each time the sheet is opened. The other functions are called
 * while it is open: `begin` when another run is displayed, `changed` when the branches have changed, and `close` before it is closed.
 * @typedef {{open?: () => void, begin?: () => void, changed?: () => void, close?: () => void}} Sheet
 * @typedef {() => Promise<{make: (app: any, box: HTMLElement) => Sheet}>} LoadSheet fetches a sheet's module
 */
export {};
