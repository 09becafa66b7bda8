//go:build !unix

package sqlite_test

func starve(string) {}
