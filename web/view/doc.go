// Package view turns runs, algorithms and the figures of wheels on Redis into the structs that the
// templates show. It reads no request and writes no answer. Start reading at [Lab], the page of a run;
// [LanePicture] draws one lane of it as an image.
package view
