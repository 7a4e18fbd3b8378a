"""What values of summaries are: tags, forms, dtypes, tensors; and the batch that holds those of a window."""
