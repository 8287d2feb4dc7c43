"""Games that several people play in a browser, or by programs over HTTP."""
