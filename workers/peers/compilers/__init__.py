"""The compilers that are compared, a file each."""
