"""`--mitigation` of `run` and `submit`: what it takes, raw beside mitigated, what is refused."""

import json

import pytest

from tests.schemas_check_path import hold_to_schema
