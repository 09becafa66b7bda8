package disk

import "os"

// Exists says whether there is something under a path.
func Exists(path string) bool { _, err := os.Stat(path); return err == nil }
