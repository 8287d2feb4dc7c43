"""Maximum number of records of each kind in a report."""

MOST_COMPILATIONS = 1000
MOST_KINDS = 60
"""Newest runs and compilations of which there is one row or one picture each."""
MOST_TRIED = 1000
"""Candidates that are listed."""
MOST_TIMED = 2000
"""Jobs of which the events are read."""
MOST_FAILED = 500
MOST_ESTIMATES = 500
MOST_JOBS = 300
"""Jobs that can be looked into."""
MOST_PEER_RESULTS = 500
MOST_PROGRAMS = 40
"""Programs, each in one encoding, that are read again to judge outcomes and draw circuits."""
