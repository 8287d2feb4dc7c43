"""What both doors, the command line and the HTTP API, answer of jobs and the service."""
