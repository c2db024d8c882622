var e="#share=";export{e as a};
