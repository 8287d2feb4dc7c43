"""`python -m workers.sandbox FD PARENT PLAIN FIRST`: the process of a `workers.sandbox.sandbox`."""

import gc
import sys
from importlib import import_module
from multiprocessing.connection import Connection

from workers.sandbox.sandboxed_process import end_with, work

if __name__ == "__main__":
    number, parent, plain, first = sys.argv[1:]
    if int(parent):
        end_with(int(parent))
    if first:
        # Imported modules stay: a fifth of the start would go into looking for garbage in them.
        gc.disable()
        module, _, function = first.partition(":")
        getattr(import_module(module), function)()
        gc.freeze()
        gc.enable()
    work(Connection(int(number)), plain=plain == "plain")
