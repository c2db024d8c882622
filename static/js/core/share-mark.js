// @ts-check
/** Prefix of the fragment of a shared URL. The version follows it. */
export const SHARED = "#share=";
