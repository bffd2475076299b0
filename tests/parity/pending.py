"""pending.txt: what does not match the oracle yet, and the rule that the list can only shrink.

Every entry is tried. One that passes is stale, and the test that tried it fails until the line is gone.
"""

import pathlib

LIST = pathlib.Path(__file__).with_name("pending.txt")
KINDS = ("model", "compile", "run")


def entries(kind):
    """Names of models of a kind, each with the fields that may differ: all of them where none is named."""
    lines = (line.split("#")[0].split() for line in LIST.read_text().splitlines())
    return {words[1]: set(words[2:]) for words in lines if words and words[0] == kind}


def lines():
    return [line.split("#")[0].split() for line in LIST.read_text().splitlines() if line.split("#")[0].strip()]


def settle(kind, name, rows):
    """Rows that differ must be listed, and what is listed must differ."""
    bad = [r for r in rows if not r.ok]
    listed = entries(kind)
    fields = listed.get(name)
    left = bad if fields is None else [r for r in bad if fields and r.field not in fields]
    assert not left, "\n" + "\n".join(f"{r.what:10} {r.field:24} {r.error:.2e} > {r.tolerance:.0e} {r.note}" for r in left[:20])
    if fields is None:
        return
    agree = fields - {r.field for r in bad}
    assert bad and not agree, f"{name} agrees with the oracle now{': ' + ', '.join(sorted(agree)) if bad else ''}. Remove it from pending.txt"
