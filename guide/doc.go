// Package guide answers from the guides of a pack, passages of its own with their law beside them.
package guide
