// Package verify proves what an answer claims: that a quotation is stored text
// at the place it names, that a figure comes from a quotation or a tool, that
// an object a model wrote keeps the contract. Everything here is a pure
// function of its arguments: no clock, no files, no network.
//
// The contract (docs/contract.md) is checked in one fixed order: extract the
// JSON, validate it against the schema, ground every quotation, apply the
// refusal policy. Each way to fail is a row of the table Rows.
package verify
