package console

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

const (
	widthMin    = 40 // minimum width of a table, in characters
	wrapWidth   = 16 // minimum width of a wrapped column, in characters
	columnSpace = 2  // number of spaces between two columns
)

// TableFlags holds the flags that select the columns of a table and whether it must fit the terminal.
type TableFlags struct {
	Columns []string
	Wide    bool
}

// Register adds --columns and --wide for a table with the given columns.
func (f *TableFlags) Register(c *cobra.Command, columns []string) {
	c.Flags().StringSliceVar(&f.Columns, "columns", nil, "print only these `COLUMNS` of the table, such as "+strings.Join(columns[:2], ","))
	c.Flags().BoolVar(&f.Wide, "wide", false, "print the table in one piece, however wide")
	_ = c.RegisterFlagCompletionFunc("columns", cobra.FixedCompletions(columns, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

// Check returns an error if the flags select a column that the table does not have.
func (f *TableFlags) Check(columns []string) error {
	for _, name := range f.Columns {
		if !slices.Contains(columns, name) {
			return fmt.Errorf("--columns: %q is not one of %s%s", name, strings.Join(columns, ", "), DidYouMean(name, columns))
		}
	}
	return nil
}

// CheckFor is like Check, but if asJSON is true, it returns an error if any of the flags is set, since JSON
// output has no table.
func (f *TableFlags) CheckFor(columns []string, asJSON bool) error {
	if asJSON && (f.Wide || len(f.Columns) > 0) {
		return errors.New("--columns and --wide are for tables")
	}
	return f.Check(columns)
}

// Write prints a table. If the table is wider than widthOf(w), Write prints its columns as several tables,
// one after another, unless the flag --wide is set. Each of these tables begins with the first keys columns
// of the whole table, or only the first one if --columns is set.
func (f *TableFlags) Write(w io.Writer, columns []string, rows [][]string, keys int) error {
	var chosen []int
	for i := range columns {
		if len(f.Columns) == 0 || slices.Contains(f.Columns, columns[i]) {
			chosen = append(chosen, i)
		}
	}
	if len(f.Columns) > 0 {
		keys = min(keys, 1)
	}
	columns, rows = pickColumns(columns, rows, chosen)
	limit := widthOf(w)
	if f.Wide || limit == 0 || len(columns) <= keys {
		return writeTable(w, columns, rows)
	}
	widths := columnWidths(columns, rows)
	for n, piece := range foldColumns(widths, keys, limit) {
		if n > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		columns, rows := pickColumns(columns, rows, piece)
		if err := writeTable(w, columns, rows, wrapLast(widths, piece, limit)...); err != nil {
			return err
		}
	}
	return nil
}

// widthOf returns the maximum number of characters in a line of a table written to w. It is the value of the
// environment variable COLUMNS, or the width of the terminal. For a file or a pipe it is 0, which means no
// limit, since programs expect one line per row.
func widthOf(w io.Writer) int {
	width, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if f, ok := w.(*os.File); ok && err != nil && IsTerminal(w) {
		width, _, _ = term.GetSize(int(f.Fd()))
	}
	if width <= 0 {
		return 0
	}
	return max(width, widthMin)
}

func pickColumns(columns []string, rows [][]string, chosen []int) ([]string, [][]string) {
	pick := func(cells []string) []string {
		var picked []string
		for _, i := range chosen {
			picked = append(picked, cells[i])
		}
		return picked
	}
	var picked [][]string
	for _, row := range rows {
		picked = append(picked, pick(row))
	}
	return pick(columns), picked
}

// columnWidths returns the width of each column, in characters: that of its name or of its widest cell.
func columnWidths(columns []string, rows [][]string) []int {
	widths := make([]int, len(columns))
	for i, name := range columns {
		widths[i] = text.StringWidth(name)
		for _, row := range rows {
			widths[i] = max(widths[i], text.StringWidth(Printable(row[i])))
		}
	}
	return widths
}

// foldColumns divides columns with the given widths among tables of at most limit characters, and returns
// the indices of the columns of each table. Each table begins with the first keys columns. The last column
// counts with at most wrapWidth characters, since it can be wrapped. A table with a single column besides
// the first ones may be wider than limit.
func foldColumns(widths []int, keys, limit int) [][]int {
	var first []int
	start := 0
	for i := range keys {
		first = append(first, i)
		start += widths[i] + columnSpace
	}
	var pieces [][]int
	piece, used := slices.Clone(first), start
	for i := keys; i < len(widths); i++ {
		need := widths[i]
		if i == len(widths)-1 {
			need = min(need, wrapWidth)
		}
		if used+need > limit && len(piece) > keys {
			pieces = append(pieces, piece)
			piece, used = slices.Clone(first), start
		}
		piece = append(piece, i)
		used += widths[i] + columnSpace
	}
	return append(pieces, piece)
}

// wrapLast returns the option that wraps the last column of a table between words, to at least wrapWidth
// characters, or nil if the table is not wider than limit. piece contains the indices in widths of the
// columns of the table.
func wrapLast(widths, piece []int, limit int) []table.ColumnConfig {
	left := limit
	for _, i := range piece[:len(piece)-1] {
		left -= widths[i] + columnSpace
	}
	if last := piece[len(piece)-1]; widths[last] <= left {
		return nil
	}
	return []table.ColumnConfig{{Number: len(piece), WidthMax: max(left, wrapWidth), WidthMaxEnforcer: text.WrapSoft}}
}
