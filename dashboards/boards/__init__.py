"""The dashboards, one a module, and the larger parts of them."""
