"""result to model: content blocks, references, and what is marked never."""
