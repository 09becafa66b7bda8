package e5

// Sum is the SHA-256 of model.safetensors: vectors that were kept are of these weights.
const Sum = "5f390096ef940ceb66a55dae1c7d0016086bb85dc37d0f721b97a82c79221c19"

// AskSum is that of asks.safetensors.
const AskSum = "7080e1b86e8bc2500b19c44b75308eaf4da092c151b84ca84d253e841b2e038c"
