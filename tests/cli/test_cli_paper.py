"""`facedown paper`."""

from facedown.papers.registry import PAPERS, load_paper
from support.running import run


def test_the_list_names_papers_and_their_tables():
    shown = run("paper")
    assert shown.status == 0
    for name in PAPERS:
        assert name in shown.out
        assert all(exhibit in run("paper", name).out for exhibit in load_paper(name).exhibits)


def test_the_command_writes_cells_and_page_and_goes_on_from_them(tmp_path):
    line = ("paper", "kelly2017", "first-dealer", "--games", "300", "--out", str(tmp_path))
    ran = run(*line)
    assert ran.status == 0
    assert "2 of 2 cells" in ran.err
    page = (tmp_path / "kelly2017" / "first-dealer.md").read_text()
    assert page in ran.out
    assert "60 % (chapter 4, a million games)" in page
    again = run(*line)
    assert (again.status, again.out, again.err) == (0, ran.out, "")


def test_ctrl_c_says_what_is_kept(tmp_path, monkeypatch):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("facedown.arena.random_play.random_match", stop)
    ran = run("paper", "kelly2017", "first-dealer", "--out", str(tmp_path))
    assert ran.status == 130
    assert "interrupted in first-dealer after 0 of 2 cells" in ran.err
    assert "the same command goes on from there" in ran.err
