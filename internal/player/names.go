package player

import "strconv"

// digitsMax is the maximum number of digits of a number at the end of a name. JavaScript represents every
// integer with up to that many digits exactly.
const digitsMax = 15

// numbered splits a name into a prefix and the number at its end. If the name ends in more than digitsMax
// digits, only the last digitsMax of them are the number, and the others belong to the prefix. ok is false if
// the name does not end in a number, or if the number has leading zeros, as in "a007".
func numbered(name string) (prefix string, number int64, ok bool) {
	k := len(name)
	for k > 0 && len(name)-k < digitsMax && '0' <= name[k-1] && name[k-1] <= '9' {
		k--
	}
	digits := name[k:]
	if digits == "" || digits[0] == '0' && len(digits) > 1 {
		return "", 0, false
	}
	number, err := strconv.ParseInt(digits, 10, 64)
	return name[:k], number, err == nil
}
