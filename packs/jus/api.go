package jus

import (
	"digesto"
	"digesto/packs/jus/fees"

	"github.com/govalues/decimal"
)

// What the calculation is spoken of with; see package fees.
type (
	Options    = fees.Options
	Result     = fees.Result
	Source     = fees.Source
	Item       = fees.Item
	Facts      = fees.Facts
	Value      = fees.Value
	Service    = fees.Service
	Group      = fees.Group
	Period     = fees.Period
	Stretch    = fees.Stretch
	Conversion = fees.Conversion
	Comparison = fees.Comparison
	Trend      = fees.Trend
	Rule       = fees.Rule
)

// The norms and the unit; see package fees.
const (
	Law        = fees.Law
	LawName    = fees.LawName
	ValuesNorm = fees.ValuesNorm
	JusCode    = fees.JusCode
)

// FactKeys are the facts that are understood, each with its meaning.
var FactKeys = fees.FactKeys

// When reads a day, a year or a month, as [fees.When].
func When(day, year, month string, today digesto.Date) (Period, error) {
	return fees.When(day, year, month, today)
}

// Day is the period of one day.
func Day(d digesto.Date) Period { return fees.Day(d) }

// Month is the period of one month.
func Month(s string) (Period, error) { return fees.Month(s) }

// Year is the period of one year.
func Year(s string) (Period, error) { return fees.Year(s) }

// Pesos writes an amount as people read it.
func Pesos(d decimal.Decimal) string { return fees.Pesos(d) }

// Jus writes a number of JUS as people read it.
func Jus(d decimal.Decimal) string { return fees.Jus(d) }

// LongDate writes a day as people read it.
func LongDate(d digesto.Date) string { return fees.LongDate(d) }

// ParseFacts reads KEY=VALUE pairs.
func ParseFacts(list []string) (Facts, error) { return fees.ParseFacts(list) }

// ParseItem reads CODE or CODE=QUANTITY, with the facts of it alone after each ";".
func ParseItem(s string) (Item, error) { return fees.ParseItem(s) }
