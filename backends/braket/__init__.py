"""Amazon Braket: the backend for its devices, and its simulator in this process."""

from backends.braket.backend import BraketBackend
from backends.braket.local_simulator import LocalBraketBackend
