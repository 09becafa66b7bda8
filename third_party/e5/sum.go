package e5

// Sum is the SHA-256 of model.safetensors: vectors that were kept are of these weights.
const Sum = "5f390096ef940ceb66a55dae1c7d0016086bb85dc37d0f721b97a82c79221c19"

// AskSum is that of asks.safetensors.
const AskSum = "c6b31ae4736bb3489ba282e70ce3a90390d1312be389bad68d6a51e0887aaa95"
