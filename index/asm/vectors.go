package main

func dotRows() {}
