var s="wheelscope.dropped";var t=e=>/^\s*\{/.test(e)&&/[{,]\s*"kind"\s*:\s*"lecture"/.test(e.slice(0,4096));export{s as a,t as b};
