"""Training with gradients that backends measure."""
