package scenario

import (
	"errors"
	"strconv"
	"strings"
)

// Decimal is an exact decimal number, stored as a number of millionths.
type Decimal int64

const (
	decimalDigits = 6       // maximum number of digits after the decimal point of a Decimal
	DecimalOne    = 1000000 // the number 1 as a Decimal
)

// parseDecimal parses a JSON number that has no sign or exponent, at most nine digits before the decimal
// point and at most six after it.
func parseDecimal(text string) (Decimal, error) {
	whole, frac, _ := strings.Cut(text, ".")
	if whole == "" || len(whole) > 9 || len(frac) > decimalDigits {
		return 0, errors.New("no digits, or too many")
	}
	n, err := strconv.ParseUint(whole+frac+strings.Repeat("0", decimalDigits-len(frac)), 10, 63)
	return Decimal(n), err
}

// String returns d in decimal notation with as few digits as possible.
func (d Decimal) String() string {
	digits := strconv.FormatInt(int64(d), 10)
	if len(digits) <= decimalDigits {
		digits = strings.Repeat("0", decimalDigits+1-len(digits)) + digits
	}
	point := len(digits) - decimalDigits
	return strings.TrimRight(strings.TrimRight(digits[:point]+"."+digits[point:], "0"), ".")
}
