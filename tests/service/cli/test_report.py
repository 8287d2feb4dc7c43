def test_writes_what_was_asked_for(folder, stichwerk) -> None:
    done = stichwerk("report", "--program", "toy.toml", "--since", "2026-01-31")
    assert done.code == 0
    assert done.err == "written to report.html\n"
    page = (folder / "report.html").read_text()
    assert "<dt>Only program</dt><dd>toy.toml</dd>" in page
    assert "<dt>Only since</dt><dd>2026-01-31 00:00 UTC</dd>" in page


def test_a_program_that_nothing_is_recorded_of_is_told_with_the_one_that_is_meant(
    folder, stichwerk
) -> None:
    assert stichwerk("compile", "toy.toml", "-t", "all", "--pipeline", "tket-qiskit").code == 0
    done = stichwerk("report", "--program", "toi.toml")
    assert (done.code, done.out) == (2, "")
    told = "program 'toi.toml': not recorded; did you mean 'toy.toml'?"
    assert done.err == f"stichwerk: {told}\n"
    assert not (folder / "report.html").exists()
    other = stichwerk("report", "--program", "x")
    assert other.err == "stichwerk: program 'x': not recorded; one that is: toy.toml\n"
    assert stichwerk("report", "--program", "toy.toml").code == 0
