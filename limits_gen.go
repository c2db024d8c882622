//go:build ignore

// This program writes the tables of limits in SECURITY.md from the constants of the packages and their
// comments, and static/js/core/limits.js, the constants that the scripts of the page need, too. Run it with go generate.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"log"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const module = "github.com/wheelscope/wheelscope"

// packages lists the packages whose constants are limits if their names match limitName.
var packages = strings.Fields("web web/session web/session/protocol web/api web/view sim/scenario sim/program sim sim/cursor sim/tracefile " +
	"sim/importer internal/picture internal/player internal/budget internal/fairqueue internal/cli/serve wheel")

// scripted lists the constants that scripts of the page need, too.
var scripted = strings.Fields("templates.PlacesMax templates.placesShown templates.placesRich templates.TimersShown templates.gap templates.stageLanes " +
	"templates.heatBinsMax templates.heatSteps templates.queueShown web/view.widthsShown web/session/protocol.LaneTimersMax web/session/protocol.ImportBytesMax " +
	"web/session.DidEventsMax sim/cursor.FlowsMax sim/cursor.RowsMax web/api.NextEventsMax web/api.RecentEventsMax web/api.LifeEventsMax")

var limitName = regexp.MustCompile(`(Max|Min|Wait|Interval|Grace|Share|Floor|Keep|Retry|Idle|PerSecond|Burst|^Slice|^Overdue|^grace)$`)

func main() {
	log.SetFlags(0)
	exports, err := exportFiles()
	if err != nil {
		log.Fatal(err)
	}
	var tables, script bytes.Buffer
	for _, dir := range packages {
		if err := writeTable(&tables, dir, exports); err != nil {
			log.Fatalf("%s: %v", dir, err)
		}
	}
	if err := writeScript(&script, exports); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("static/js/core/limits.js", script.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
	document, err := os.ReadFile("SECURITY.md")
	if err != nil {
		log.Fatal(err)
	}
	const heading = "\n## Limits\n"
	text, _, ok := strings.Cut(string(document), heading)
	if !ok {
		log.Fatal("SECURITY.md has no section Limits")
	}
	text += heading + "\nGenerated from the constants and their comments (`make generate`). Flags of `serve` change some of them.\n" + tables.String()
	if err := os.WriteFile("SECURITY.md", []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
}

// exportFiles returns the files with the compiled declarations of packages and their dependencies, by import path.
func exportFiles() (map[string]string, error) {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, dir := range packages {
		args = append(args, "./"+dir)
	}
	for _, name := range scripted {
		args = append(args, "./"+path.Dir(name)+"/"+strings.TrimSuffix(path.Base(name), path.Ext(name)))
	}
	out, err := exec.Command("go", args...).Output()
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return files, err
}

// writeTable writes the table of the limits of the package in dir.
func writeTable(w io.Writer, dir string, exports map[string]string) error {
	fmt.Fprintf(w, "\n### `%s`\n\n| limit | value | of |\n|---|---|---|\n", dir)
	return eachConst(dir, exports, func(c *types.Const, comment string) {
		if limitName.MatchString(c.Name()) && c.Val().Kind() != constant.String {
			fmt.Fprintf(w, "| `%s` | %s | %s |\n", c.Name(), valueOf(c, comment), sentence(c.Name(), comment))
		}
	})
}

var capital = regexp.MustCompile("[a-z][A-Z]")

// writeScript writes the module with the constants in scripted.
func writeScript(w io.Writer, exports map[string]string) error {
	fmt.Fprint(w, "// @ts-check\n/** Limits of the program that the page needs, too. Generated from the Go constants by make generate. DO NOT EDIT. */\n\n")
	for _, full := range scripted {
		dir, wanted, _ := strings.Cut(full, ".")
		found := false
		if err := eachConst(dir, exports, func(c *types.Const, comment string) {
			if c.Name() != wanted {
				return
			}
			found = true
			name := strings.ToUpper(capital.ReplaceAllStringFunc(wanted, func(s string) string { return s[:1] + "_" + s[1:] }))
			fmt.Fprintf(w, "/** From %s: %s. */\nexport const %s = %s;\n", full, sentence(wanted, comment), name, c.Val().ExactString())
		}); err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("there is no constant %s", full)
		}
	}
	return nil
}

// eachConst calls visit for each constant of the package in dir, with its comment.
func eachConst(dir string, exports map[string]string, visit func(c *types.Const, comment string)) error {
	list, err := exec.Command("go", "list", "-f", `{{join .GoFiles " "}}`, "./"+dir).Output()
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range strings.Fields(string(list)) {
		file, err := parser.ParseFile(fset, path.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	lookup := func(name string) (io.ReadCloser, error) { return os.Open(exports[name]) }
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", lookup)}
	if _, err := config.Check(module+"/"+dir, fset, files, info); err != nil {
		return err
	}
	for _, file := range files {
		for _, d := range file.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, s := range group.Specs {
				spec := s.(*ast.ValueSpec)
				for _, name := range spec.Names {
					c, ok := info.Defs[name].(*types.Const)
					if ok {
						visit(c, cmp.Or(spec.Comment.Text(), spec.Doc.Text(), group.Doc.Text()))
					}
				}
			}
		}
	}
	return nil
}

// sentence returns the first sentence of the comment of a constant, without the name of the constant at its start.
func sentence(name, comment string) string {
	comment = strings.Join(strings.Fields(comment), " ")
	comment, _, _ = strings.Cut(comment, ". ")
	comment = strings.TrimSuffix(comment, ".")
	comment = strings.TrimPrefix(strings.TrimPrefix(comment, name+" is "), "the ")
	return strings.ReplaceAll(comment, "|", `\|`)
}

// valueOf formats the value of a limit. comment tells whether it is a number of bytes.
func valueOf(c *types.Const, comment string) string {
	n, exact := constant.Int64Val(constant.ToInt(c.Val()))
	if !exact {
		return c.Val().String()
	}
	if c.Type().String() == "time.Duration" {
		return strings.Replace(strings.Replace(time.Duration(n).String(), "m0s", "m", 1), "h0m", "h", 1)
	}
	if strings.Contains(comment, "byte") {
		for i, unit := range []string{"GiB", "MiB", "KiB"} {
			if size := int64(1) << (30 - 10*i); n >= size && n%size == 0 {
				return fmt.Sprint(n/size, " ", unit)
			}
		}
	}
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
