"""Jobs at a provider, which is asked about them and paid for each once at most."""
