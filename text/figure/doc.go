// Package figure reads amounts in Spanish legal text and questions: money,
// percentages, quantities with their unit, lengths of time, plain numbers, and dates
// and periods. Values are decimal strings with a point ("37714.22"), never floats.
//
// How a number is written depends on the country: "1.500" is one thousand five
// hundred where the point separates thousands, and one and a half elsewhere. The
// [Locale] decides, but only where the digits leave a doubt.
package figure
