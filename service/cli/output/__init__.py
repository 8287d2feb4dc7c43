"""How commands answer: JSON, tables, files and plots."""
