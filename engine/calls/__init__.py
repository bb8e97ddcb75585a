"""call to tool: the check, the way back, and refusals."""
