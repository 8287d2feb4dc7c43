"""Shell, templates, static files, plots and circuit drawings of all pages."""
