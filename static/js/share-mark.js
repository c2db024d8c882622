// @ts-check
/** How the fragment of a shared address begins; its version follows. */
export const SHARED = "#share=";
