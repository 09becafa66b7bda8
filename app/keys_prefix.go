package app

// keyPrefix begins every key.
const keyPrefix = "dg_"
