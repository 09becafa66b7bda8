package e5

// Sum is the SHA-256 of model.safetensors: vectors that were kept are of these weights.
const Sum = "c5951ce69fe83a2afb212439d0959eb1f3197a99a4130362c345cb50f192a822"
