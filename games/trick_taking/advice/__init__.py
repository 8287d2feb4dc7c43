"""Advice on the card to play: by superposed play, by circuits, and by play with open cards."""
