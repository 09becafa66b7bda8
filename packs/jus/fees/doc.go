// Package fees calculates lawyers' fees of the Province of Córdoba (Argentina), which its
// law counts in JUS, from two tables of facts: the values of the unit in pesos and the
// quantities of each service, with the place in the law. All arithmetic is in decimals,
// rounded half away from zero to cents at the end of each line; the exact quotient or
// product stands in the steps. Nothing is chosen inside a range, and nothing is inferred:
// what the tables do not hold is said.
package fees
