package templates

// Choose is the page that chooses a structure for a workload.
type Choose struct {
	Page
	Timing bool     // whether the server times structures
	Given  []Answer // answers in the URL
}

// Answer is the value of a field.
type Answer struct{ Name, Value string }

// ChooseFields are the names of the fields of the form, which are also the parameters of the page's URL.
var ChooseFields = []string{"pending", "delay", "reset", "cancel", "accept", "memory"}

// chooseValues are the values of the fields without an answer.
var chooseValues = map[string]string{"pending": "100000", "delay": "60s", "reset": "0.97", "cancel": "0.02", "accept": "1ms"}

// value returns the value of a field.
func (c *Choose) value(name string) string {
	for _, a := range c.Given {
		if a.Name == name {
			return a.Value
		}
	}
	return chooseValues[name]
}
