package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

const module = "github.com/wheelscope/wheelscope/"

// description is the content of package protocol: messages, commands, and the types of their fields.
type description struct {
	messages, commands []*object // messages and commands in the order of the source
	objects            []*object // structs that occur in messages, in the order of the source
	lists              []*list
}

// object describes a struct: a message from the server, a command, or a part of a message.
type object struct {
	name   string // name of the message or command, as in JSON; for other structs, name of the Go type
	doc    string
	fields []field
}

// list describes a type in lists.go: a JSON array whose elements are identified by their positions.
type list struct {
	name, doc string
	elem      shape // shape of the elements; if the Go type is not a slice, the zero shape, which allows any type
}

// field describes a field of an object.
type field struct {
	name, doc string
	optional  bool     // whether the field may be absent
	nullable  bool     // whether the value may be null
	enum      []string // the only possible values; nil if the values are not limited
	shape     shape
}

// shape describes the type of a JSON value.
type shape struct {
	kind string // kind of the value: "string", "integer", "number", "boolean", "any", "list", "map", "object" or "named"
	elem *shape // shape of the elements of a list or map
	name string // name of the object or the list type; only set if kind is "object" or "named"
}

// reader reads the types of a package and of the packages that it imports.
type reader struct {
	root  string
	specs map[string]*ast.TypeSpec     // type declarations, keyed by "dir.Name"
	docs  map[string]string            // doc comments of the types, each joined into a single line, keyed by "dir.Name"
	paths map[string]map[string]string // directory of each imported package of this module, keyed by the importing directory and the name of the package
	order map[string][]string          // names of the types in each directory, in source order, keyed by directory
	fset  *token.FileSet
	seen  map[string]bool // names of the structs that have been added to d.objects
	d     description     // what has been read so far
}

const protocolDir = "web/session/protocol"

// parse returns the description of package protocol. root is the root directory of the project.
func parse(root string) (*description, error) {
	r := &reader{root: root, specs: map[string]*ast.TypeSpec{}, docs: map[string]string{}, paths: map[string]map[string]string{},
		order: map[string][]string{}, fset: token.NewFileSet(), seen: map[string]bool{}}
	if err := r.load(protocolDir); err != nil {
		return nil, err
	}
	for _, name := range r.order[protocolDir] {
		spec, doc := r.specs[protocolDir+"."+name], r.docs[protocolDir+"."+name]
		_, isStruct := spec.Type.(*ast.StructType)
		command, isCommand := strings.CutSuffix(name, "Command")
		switch {
		case spec.Assign.IsValid():
			l := &list{name: name, doc: strings.TrimPrefix(doc, name+" is ")}
			if array, ok := spec.Type.(*ast.ArrayType); ok {
				elem, err := r.shape(protocolDir, array.Elt)
				if err != nil {
					return nil, err
				}
				l.elem = elem
			}
			r.d.lists = append(r.d.lists, l)
		case isStruct && isCommand && !ast.IsExported(name):
			o, err := r.object(protocolDir, name, command)
			if err != nil {
				return nil, err
			}
			r.d.commands = append(r.d.commands, o)
		case isStruct && r.isMessage(spec):
			o, err := r.object(protocolDir, name, strings.ToLower(name))
			if err != nil {
				return nil, err
			}
			r.d.messages = append(r.d.messages, o)
		}
	}
	return &r.d, nil
}

// isMessage reports whether spec, a struct type, begins with an embedded Header.
func (r *reader) isMessage(spec *ast.TypeSpec) bool {
	fields := spec.Type.(*ast.StructType).Fields.List
	if len(fields) == 0 || len(fields[0].Names) > 0 {
		return false
	}
	id, ok := fields[0].Type.(*ast.Ident)
	return ok && id.Name == "Header"
}

// load parses the Go files in dir, a directory below r.root, and adds their imports and type declarations to r. It does
// nothing if it has been called for dir before.
func (r *reader) load(dir string) error {
	if r.paths[dir] != nil {
		return nil
	}
	r.paths[dir] = map[string]string{}
	names, err := filepath.Glob(filepath.Join(r.root, dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(r.fset, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		if f.Name.Name != "main" {
			r.file(dir, f)
		}
	}
	return nil
}

// file adds the imports and the type declarations of f, a file in dir, to r.
func (r *reader) file(dir string, f *ast.File) {
	for _, i := range f.Imports {
		at, _ := strconv.Unquote(i.Path.Value)
		if at, inModule := strings.CutPrefix(at, module); inModule {
			r.paths[dir][at[strings.LastIndexByte(at, '/')+1:]] = at
		}
	}
	for _, decl := range f.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.TYPE {
			continue
		}
		for _, spec := range gen.Specs {
			spec := spec.(*ast.TypeSpec)
			doc := spec.Doc
			if doc == nil {
				doc = gen.Doc
			}
			id := dir + "." + spec.Name.Name
			r.specs[id], r.docs[id] = spec, oneLine(doc.Text())
			r.order[dir] = append(r.order[dir], spec.Name.Name)
		}
	}
}

// oneLine joins the lines of a comment.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// object returns the description of the named struct type, which is declared in the directory dir. shown is the name of
// the struct in the description.
func (r *reader) object(dir, name, shown string) (*object, error) {
	o := &object{name: shown, doc: strings.TrimPrefix(r.docs[dir+"."+name], name+" ")}
	var err error
	o.fields, err = r.fields(dir, r.specs[dir+"."+name].Type.(*ast.StructType))
	return o, err
}

// fields returns the fields of s, a struct type in the directory dir, including those of embedded structs.
func (r *reader) fields(dir string, s *ast.StructType) ([]field, error) {
	var all []field
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 {
			in, spec, err := r.lookup(dir, f.Type)
			if err != nil {
				return nil, err
			}
			inner, err := r.fields(in, spec.Type.(*ast.StructType))
			if err != nil {
				return nil, err
			}
			all = append(all, inner...)
			continue
		}
		tag := reflect.StructTag("")
		if f.Tag != nil {
			text, _ := strconv.Unquote(f.Tag.Value)
			tag = reflect.StructTag(text)
		}
		name, options, _ := strings.Cut(tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		shape, err := r.shape(dir, f.Type)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, field{name: name, doc: oneLine(f.Comment.Text()), optional: options != "", nullable: tag.Get("nullable") != "",
			enum: strings.Fields(tag.Get("enum")), shape: shape})
	}
	return all, nil
}

// lookup finds the declaration of the type that the expression e in dir denotes. It returns the directory of the
// package that declares the type, and the declaration, which is nil if the package belongs to another module.
func (r *reader) lookup(dir string, e ast.Expr) (string, *ast.TypeSpec, error) {
	name := ""
	switch e := e.(type) {
	case *ast.Ident:
		name = e.Name
	case *ast.SelectorExpr:
		name = e.Sel.Name
		at := r.paths[dir][e.X.(*ast.Ident).Name]
		if at == "" {
			return "", nil, nil // of another module
		}
		dir = at
		if err := r.load(dir); err != nil {
			return "", nil, err
		}
	}
	spec := r.specs[dir+"."+name]
	if spec == nil {
		return "", nil, fmt.Errorf("no type %s.%s", dir, name)
	}
	return dir, spec, nil
}

// basic maps the names of Go's basic types to the corresponding TypeScript and JSON Schema types.
var basic = map[string]string{"string": "string", "bool": "boolean", "float64": "number", "any": "any",
	"int": "integer", "int8": "integer", "int64": "integer", "uint8": "integer", "uint32": "integer"}

// shape returns the shape of the JSON values of the Go type that the expression e in dir denotes.
func (r *reader) shape(dir string, e ast.Expr) (shape, error) {
	switch e := e.(type) {
	case *ast.StarExpr:
		return r.shape(dir, e.X)
	case *ast.ArrayType:
		elem, err := r.shape(dir, e.Elt)
		return shape{kind: "list", elem: &elem}, err
	case *ast.MapType:
		elem, err := r.shape(dir, e.Value)
		return shape{kind: "map", elem: &elem}, err
	case *ast.Ident:
		if kind := basic[e.Name]; kind != "" {
			return shape{kind: kind}, nil
		}
	}
	in, spec, err := r.lookup(dir, e)
	switch {
	case err != nil:
		return shape{}, err
	case spec == nil:
		return shape{kind: "any"}, nil
	case spec.Assign.IsValid():
		return shape{kind: "named", name: spec.Name.Name}, nil
	}
	if _, ok := spec.Type.(*ast.StructType); !ok {
		return r.shape(in, spec.Type)
	}
	name := spec.Name.Name
	if !r.seen[name] {
		r.seen[name] = true
		o, err := r.object(in, name, name)
		if err != nil {
			return shape{}, err
		}
		if in != protocolDir { // what follows is for readers of the other package
			o.doc, _, _ = strings.Cut(o.doc, ". ")
			o.doc = strings.TrimSuffix(o.doc, ".") + "."
		}
		r.d.objects = append(r.d.objects, o)
	}
	return shape{kind: "object", name: name}, nil
}
