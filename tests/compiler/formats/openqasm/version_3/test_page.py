"""The page on OpenQASM 3 says what the tests hold, also of two other readers."""

from tools.openqasm_constructs import BEGIN, PAGE, tables


def test_the_tables_are_those_of_the_tests():
    assert PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].strip() == tables().strip()
