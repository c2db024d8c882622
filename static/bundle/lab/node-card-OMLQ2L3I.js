import{a}from"./chunk-HKYIJMXK.js";import"./chunk-NMP7MMIL.js";import"./chunk-XLCXWS4A.js";import"./chunk-BYXBJQAS.js";import"./chunk-BMVKEVGB.js";export{a as NodeCard};
