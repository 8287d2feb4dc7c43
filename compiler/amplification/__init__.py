"""Amplitude amplification and estimation of a program's event, as programs."""
