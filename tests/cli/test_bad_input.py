"""Bad model files: one line that says where and what, nothing on stdout, exit code 1, quickly."""

import os
import stat

import pytest
from conftest import assert_one_error_line


def body(inside):
    return f"<mujoco>\n  <worldbody>\n    {inside}\n  </worldbody>\n</mujoco>\n"


# text of the file, a word the message should have
BAD = {
    "not XML": ("hello", ""),
    "only spaces": ("   \n\n", ""),
    "truncated": ("<mujoco>\n  <worldbody>\n    <body name='a'>\n", ""),
    "cut inside a tag": ("<mujoco><worldbody><bo", ""),
    "wrong end tag": ("<mujoco><worldbody></mujoco></worldbody>", ""),
    "two roots": ("<mujoco/><mujoco/>", ""),
    "wrong root": ("<robotx name='r'/>", "robotx"),
    "unknown element": (body("<bdoy/>"), "bdoy"),
    "unknown attribute": (body("<geom sise='1'/>"), "size"),
    "unknown keyword": (body("<geom type='spere' size='1'/>"), "sphere"),
    "too many values": (body("<geom size='1 2 3 4'/>"), "size"),
    "too few values": (body("<body pos='1 2'/>"), "pos"),
    "no values": (body("<geom size='1' type=''/>"), "type"),
    "not a number": (body("<body pos='1 2 x'/>"), "pos"),
    "NaN": (body("<body pos='1 2 nan'/>"), "pos"),
    "number too large": (body("<body pos='1 2 1e999'/>"), "pos"),
    "integer too large": (body("<geom size='1' contype='99999999999999'/>"), "contype"),
    "name used twice": (body("<body name='twin'/>\n    <body name='twin'/>"), "twin"),
    "attribute twice": (body("<body name='a' name='b'/>"), ""),
    "unknown class": (body("<geom class='nobody' size='1'/>"), "nobody"),
    "unknown joint": ("<mujoco><actuator><motor joint='ghost'/></actuator></mujoco>", "ghost"),
    "negative size": (body("<geom size='-1'/>"), ""),
    "moving body without mass": (body("<body><joint/></body>"), ""),
    "entity bomb": ('<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><mujoco model="&b;"/>', ""),
    "invalid UTF-8": (b"<mujoco model='\xff\xfe'/>", ""),
    "newline in a name": (body("<body name='a&#10;b'/><body name='a&#10;b'/>"), ""),
    "very long name": (body(f"<body name='{'n' * 100000}'/><body name='{'n' * 100000}'/>"), ""),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("command", ["run", "info", "check"])
def test_bad_model(corten, model, command, name):
    text, word = BAD[name]
    path = model(text)
    result = corten(command, path)
    assert_one_error_line(result, path)
    assert word in result.stderr


def test_missing_file(corten, tmp_path):
    assert_one_error_line(corten("run", tmp_path / "none.xml"), tmp_path / "none.xml", position=False)


def test_folder(corten, tmp_path):
    assert_one_error_line(corten("info", tmp_path), tmp_path, position=False)


def test_empty_path(corten):
    result = corten("info", "")
    assert result.returncode == 1 and result.stderr.count("\n") == 1


@pytest.mark.parametrize("text", [b"\0", b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 40, b"\xef\xbb\xbf"])
def test_garbage(corten, model, text):
    path = model(text)
    assert_one_error_line(corten("info", path), path)


def test_empty_file(corten, model):
    path = model(b"")
    assert_one_error_line(corten("info", path), path, position=False)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(corten, model):
    path = model("<mujoco/>")
    path.chmod(stat.S_IWUSR)
    assert_one_error_line(corten("info", path), path, position=False)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_endless_file(corten):
    result = corten("info", "/dev/zero", timeout=20)
    assert result.returncode == 1 and result.stdout == "" and result.stderr.count("\n") == 1


def test_deep_nesting(corten, model):
    depth = 100_000
    path = model("<mujoco><worldbody>" + "<body>" * depth + "</body>" * depth + "</worldbody></mujoco>")
    assert_one_error_line(corten("info", path, timeout=20), path)


def test_huge_attribute(corten, model):
    path = model(b"<mujoco>\n<worldbody><body pos='" + b"1 " * 50_000_000 + b"'/></worldbody></mujoco>")
    assert_one_error_line(corten("info", path, timeout=30), path)
