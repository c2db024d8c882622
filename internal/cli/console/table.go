package console

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// writeTable prints rows below the names of their columns. Columns of numbers are right-aligned. more
// contains further configurations of columns, such as one that wraps a column.
func writeTable(w io.Writer, columns []string, rows [][]string, more ...table.ColumnConfig) error {
	t := table.NewWriter()
	t.SetStyle(tableStyle())
	t.SuppressTrailingSpaces()
	t.AppendHeader(tableRow(columns))
	for _, cells := range rows {
		t.AppendRow(tableRow(cells))
	}
	t.SetColumnConfigs(append(alignNumbers(columns, rows), more...))
	_, err := io.WriteString(w, t.Render()+"\n")
	return err
}

// tableStyle returns a style without borders, with two spaces between columns. Column names are printed
// as given, not in upper case.
func tableStyle() table.Style {
	s := table.StyleDefault
	s.Options = table.OptionsNoBordersAndSeparators
	s.Box.PaddingLeft, s.Box.PaddingRight = "", "  "
	s.Format.Header = text.FormatDefault
	return s
}

func tableRow(cells []string) table.Row {
	row := make(table.Row, 0, len(cells))
	for _, c := range cells {
		row = append(row, Printable(c))
	}
	return row
}

// alignNumbers returns the configurations that right-align the columns whose first cell is a number.
func alignNumbers(columns []string, rows [][]string) []table.ColumnConfig {
	var configs []table.ColumnConfig
	for i := range columns {
		if len(rows) == 0 {
			break
		}
		if _, err := strconv.ParseInt(rows[0][i], 10, 64); err == nil {
			configs = append(configs, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	return configs
}

// WriteJSON writes v as indented JSON. It does not escape the characters <, > and &.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
