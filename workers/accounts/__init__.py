"""Accounts: tokens of the service, and budgets."""
