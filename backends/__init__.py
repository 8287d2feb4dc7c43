"""Where circuits run: one file a provider, one protocol for all."""
