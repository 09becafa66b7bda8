// Package storetest holds every implementation of [store.Store] to one suite:
// what a call does, and that any row of calls gives what the twin in memory gives.
package storetest
