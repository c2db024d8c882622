import{a}from"./chunk-SJZ7C7NJ.js";import"./chunk-NMP7MMIL.js";import"./chunk-GVJAJERH.js";import"./chunk-BYXBJQAS.js";import"./chunk-BMVKEVGB.js";export{a as NodeCard};
