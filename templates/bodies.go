package templates

// bodySlots is the number of slots whose rows share a tbody element of the table of a lane. A long table has
// several such elements, so that a browser need not check for each row whether it is in view. bodySlots must
// equal BODY_SLOTS in static/js/page/table.js.
const bodySlots = 64

// bodies divides places into groups whose rows share a tbody element. places must be sorted by level and then
// slot.
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
