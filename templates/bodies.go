package templates

// bodySlots is how many slots have their rows in one body of the table: a browser looks
// at each body, not at each row, to see what is in view. BODY_SLOTS in
// static/js/table.js.
const bodySlots = 64

// bodies parts places, which are in order of level and slot, into those whose rows
// share a body.
func bodies(places []Place) [][]Place {
	var parts [][]Place
	first := 0
	for i := 1; i <= len(places); i++ {
		if i == len(places) || places[i].Level != places[first].Level || places[i].Slot/bodySlots != places[first].Slot/bodySlots {
			parts = append(parts, places[first:i])
			first = i
		}
	}
	return parts
}
