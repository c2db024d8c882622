// @ts-check
/**
 * The entry point of the entry view.
 */
export {};
