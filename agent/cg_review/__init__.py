"""cg-review: find the claims that a language model would mistake for facts, and write a Clarity-Gated Document."""
