package protocol

import (
	"testing"

	"github.com/wheelscope/wheelscope/internal/testkit"
)

// A command that the server reads is valid by the schema, and one with an additional field is not.
func TestSchemaOfCommands(t *testing.T) {
	schema := testkit.SchemaDefinition(t, testkit.MessagesSchema, "fromPage")
	for text, valid := range map[string]bool{
		`{"v":1,"id":1,"do":"play"}`:                                              true,
		`{"v":1,"id":1,"do":"play","rate":0.5}`:                                   true,
		`{"v":1,"id":2,"do":"step","by":"tick","n":-1}`:                           true,
		`{"v":1,"id":3,"do":"seek","seq":7}`:                                      true,
		`{"v":1,"id":4,"do":"find","what":"slot","n":1,"over":3,"lane":"a"}`:      true,
		`{"v":1,"id":5,"do":"op","op":"set","timer":"a","delay":"3ms","every":5}`: true,
		`{"v":1,"id":6,"do":"load","scenario":{"wheelscope":1},"tick":3}`:         true,
		`{"v":1,"id":7,"do":"lane","replace":"a","with":{"algorithm":"heap"}}`:    true,
		`{"v":1,"id":8,"do":"state"}`:                                             true,
		`{"v":1,"id":8,"do":"state","tick":1}`:                                    false,
		`{"v":1,"id":9,"do":"fly"}`:                                               false,
		`{"v":1,"do":"pause"}`:                                                    false,
		`{"v":2,"id":9,"do":"pause"}`:                                             false,
	} {
		if err := testkit.Validate(t, schema, []byte(text)); (err == nil) != valid {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := ReadCommand([]byte(text)); (err == nil) != valid {
			t.Errorf("%s is read with %v", text, err)
		}
	}
}
