"""Compilers side by side: the same programs, the same targets, the same proof."""

import sys

from compiler.registry import discover
from workers.peers.peer import Peer, Variant, peer, peers

__all__ = ["Peer", "Variant", "peer", "peers"]

discover(sys.modules[__name__])
