"""What can go wrong in the compiler, one class per failure a caller can act on."""


class StichwerkError(Exception):
    """Root of every error that Stichwerk raises on purpose."""


class InputError(StichwerkError):
    """The user's input cannot be used; the message says what was wrong and what to do."""


class UnknownNameError(InputError):
    """A name is in no registry."""


class DuplicateNameError(StichwerkError):
    """A name was registered twice."""


class GameError(InputError):
    """A game's description contradicts itself or the rules."""


class CircuitFileError(InputError):
    """A circuit file cannot be read, or holds nothing to compile."""


class TargetError(InputError):
    """A target's spec is malformed, or the program does not fit on the target."""


class LoweringError(StichwerkError):
    """A pipeline could not lower a circuit."""


class NothingToGainError(LoweringError):
    """A pass without which a pipeline is not tried has left the circuit as it was."""


class VerificationError(StichwerkError):
    """A circuit is proven wrong."""


class StateTooLargeError(StichwerkError):
    """A state needs more amplitudes than the exact simulation may hold."""


class GameTooLargeError(StichwerkError):
    """A game has too many deals and plays to be enumerated."""


class MitigationError(StichwerkError):
    """Readout errors cannot be undone with what is known of them."""
