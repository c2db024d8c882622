package main

import (
	"cmp"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"
	"github.com/wheelscope/wheelscope/web/session/protocol"
	"github.com/wheelscope/wheelscope/wheel/catalog"
)

const module = "github.com/wheelscope/wheelscope"

// description is the content of package protocol: messages, commands, and the types of their fields by name.
type description struct{ messages, commands, parts, lists []*object }

// object is a struct or list. Its name is that of the message or command, as in JSON, or else that of the Go type.
type object struct {
	name string
	*jsonschema.Schema
}

var messages = []any{protocol.Hello{}, protocol.State{}, protocol.Delta{}, protocol.Events{}, protocol.Preview{}, protocol.Player{}, protocol.Search{}, protocol.Timeline{}, protocol.Ack{}}

// describe returns the description of package protocol. root is the root directory of the project.
func describe(root string) (*description, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	defer os.Chdir(here)
	if err := os.Chdir(root); err != nil { // the paths of packages are relative to the working directory
		return nil, err
	}
	r := &jsonschema.Reflector{Anonymous: true, AllowAdditionalProperties: true, Mapper: func(t reflect.Type) *jsonschema.Schema {
		switch t {
		case reflect.TypeFor[jsontext.Value]():
			return &jsonschema.Schema{}
		case reflect.TypeFor[catalog.Params]():
			return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{}}
		}
		return nil
	}}
	for _, dir := range []string{"web/session/protocol", "internal/knowledge", "wheel/algorithms"} {
		if err := r.AddGoComments(module, filepath.FromSlash(dir), jsonschema.WithFullComment()); err != nil {
			return nil, err
		}
	}
	d, others := &description{}, map[string]*jsonschema.Schema{}
	read := func(values []any, suffix string) (list []*object) {
		for _, v := range values {
			typ := reflect.TypeOf(v).Name()
			for name, s := range r.Reflect(v).Definitions {
				if name == typ {
					tidy(s, typ)
					list = append(list, &object{strings.ToLower(strings.TrimSuffix(name, suffix)), s})
				} else {
					others[name] = s
				}
			}
		}
		return list
	}
	d.messages, d.commands = read(messages, ""), read(protocol.Commands, "Command")
	for name, s := range others {
		tidy(s, name)
		if s.Properties.Len() > 0 {
			if _, here := r.CommentMap[module+"/web/session/protocol."+name]; !here { // what follows is for readers of the other package
				s.Description, _, _ = strings.Cut(s.Description, ". ")
				s.Description = strings.TrimSuffix(s.Description, ".") + "."
			}
			d.parts = append(d.parts, &object{name, s})
		} else {
			s.Description = strings.TrimPrefix(s.Description, "is ")
			d.lists = append(d.lists, &object{name, s})
		}
	}
	for _, list := range [][]*object{d.parts, d.lists} {
		slices.SortFunc(list, func(a, b *object) int { return cmp.Compare(a.name, b.name) })
	}
	return d, nil
}

// tidy puts the descriptions in s on one line each, and removes from that of the type its name.
func tidy(s *jsonschema.Schema, name string) {
	s.Description = strings.TrimPrefix(strings.Join(strings.Fields(s.Description), " "), name+" ")
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		v, _ := nullable(p.Value)
		v.Description = strings.Join(strings.Fields(v.Description), " ")
	}
}

// nullable returns the schema of the values of s other than null, and reports whether s allows null.
func nullable(s *jsonschema.Schema) (*jsonschema.Schema, bool) {
	if len(s.OneOf) == 2 {
		return s.OneOf[0], true
	}
	return s, false
}

// named returns the name of the type that s refers to, or "".
func named(s *jsonschema.Schema) string { return strings.TrimPrefix(s.Ref, "#/$defs/") }
