"""Values of summaries: tags, forms, dtypes, tensors; and the batch of a window, which holds them."""
