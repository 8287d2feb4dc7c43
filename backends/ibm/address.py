"""Where IBM's interface is, if not where its SDK looks for it."""

URL_VARIABLE = "STICHWERK_IBM_URL"
"""Names the base of the runtime's API; without it, it is the one of the account's region."""
