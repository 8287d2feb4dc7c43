"""Compilers side by side: the same programs, the same targets, the same proof."""

from workers.peers.peer import Peer, Variant, peer, peers

__all__ = ["Peer", "Variant", "peer", "peers"]
