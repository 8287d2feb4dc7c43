"""IBM: the backend for its machines, and its fake devices in this process."""

from backends.ibm.backend import IBMProvider
from backends.ibm.fake_devices import FakeIBM
