// @ts-check
/** Prefix of a shared URL's fragment; its version follows. */
export const SHARED = "#share=";
