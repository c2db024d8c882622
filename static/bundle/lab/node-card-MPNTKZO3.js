import{a}from"./chunk-YBXYL6XR.js";import"./chunk-ZLCIDKP6.js";import"./chunk-RM347A2O.js";import"./chunk-BYXBJQAS.js";import"./chunk-AVGVOHXL.js";import"./chunk-J6XI2HXJ.js";export{a as NodeCard};
