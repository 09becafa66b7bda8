package e5

// Sum is the SHA-256 of model.safetensors: vectors that were kept are of these weights.
const Sum = "5f390096ef940ceb66a55dae1c7d0016086bb85dc37d0f721b97a82c79221c19"
