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
	Columns []string // names of the columns to print; empty means all
	Wide    bool     // whether a table may be wider than the terminal
}

// Register adds the --columns and --wide flags to c, a command that prints a table with the given columns.
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

// CheckFor is like Check, but also returns an error if asJSON is true and any of the flags is set, because
// the flags have no meaning for JSON output.
func (f *TableFlags) CheckFor(columns []string, asJSON bool) error {
	if asJSON && (f.Wide || len(f.Columns) > 0) {
		return errors.New("--columns and --wide are for tables")
	}
	return f.Check(columns)
}

// Write prints a table to w, with only the columns that the --columns flag selects, if it is set. If the
// table is wider than the terminal (see widthOf) and the --wide flag is not set, Write splits it into several
// narrower tables, one below the other. Each of them begins with the first keys columns, which identify a
// row. If --columns is set and keys is not 0, each begins with only the first of the selected columns.
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

// WriteText prints lines of text below a table, each wrapped at the width of the table.
func (f *TableFlags) WriteText(w io.Writer, lines []string) error {
	limit := widthOf(w)
	for _, line := range lines {
		if line = Printable(line); !f.Wide && limit > 0 {
			lines := strings.Split(text.WrapSoft(line, limit), "\n")
			for i := range lines {
				lines[i] = strings.TrimRight(lines[i], " ")
			}
			line = strings.Join(lines, "\n")
		}
		if _, err := io.WriteString(w, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// widthOf returns the maximum number of characters in a line of a table written to w, or 0 if there is no
// limit. It is the value of the environment variable COLUMNS if that is a number, and otherwise the width of
// the terminal to which w writes. There is no limit if the width is not positive, or if COLUMNS is not a
// number and w is not a terminal. A limit is at least widthMin.
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

// columnWidths returns the width of each column, in characters. It is the width of the column's name or of
// its widest cell, whichever is larger.
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

// foldColumns divides columns with the given widths among tables that are at most limit characters wide, and
// returns the indices of the columns of each table. Every table contains the first keys columns and at least
// one other, even if it is then wider than limit. For the last column, which can be wrapped, foldColumns
// reserves at most wrapWidth characters.
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

// wrapLast returns the configuration that wraps the last column of a table so that the table is at most limit
// characters wide, or nil if the table is narrow enough without it. The column is wrapped between words, and
// may be wrapWidth characters wide even if the table then exceeds the limit. widths contains the widths of
// all columns, and piece the indices in widths of the columns of the table.
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
