"""What MuJoCo refuses is refused, with a position and a remedy; what stands right beside it is taken by both."""

import corten
import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco", reason="the mujoco wheel is not installed")

TREE = (
    '<worldbody><body name="b"><joint name="j"/><geom name="a" size=".1"/><geom name="c" size=".1" pos="1 0 0"/>'
    '<site name="s"/><site name="t" pos="1 0 0"/></body></worldbody>'
)


def actuator(text):
    return f"{TREE}<actuator>{text}</actuator>"


def tendon(attrs):
    return f'{TREE}<tendon><fixed {attrs}><joint joint="j" coef="1"/></fixed></tendon>'


def muscle(attrs):
    return actuator(f'<muscle joint="j" lengthrange="0 1" {attrs}/>')


def sensor(text):
    return f"{TREE}<sensor>{text}</sensor>"


# what is refused, words of the message, what is taken instead
CASES = [
    (actuator('<general joint="j" actrange="-1 1"/>'), "choose a dyntype", actuator('<general joint="j" actrange="-1 1" dyntype="integrator"/>')),
    (actuator('<general joint="j" actrange="-1 1" actlimited="true"/>'), "choose a dyntype", actuator('<general joint="j" actrange="-1 1" actlimited="false"/>')),
    (actuator('<general joint="j" dyntype="filter" actlimited="true"/>'), 'actlimited="true" needs actrange, with', actuator('<general joint="j"/>')),
    (tendon('springlength="1 0"'), "springlength must not be above", tendon('springlength="0 1"')),
    (tendon('springlength="-1 -2"'), "springlength must not be above", tendon('springlength="-2 -1"')),
    (tendon('actuatorfrcrange="1 2"'), "must contain 0", tendon('actuatorfrcrange="0 2"')),
    (tendon('actuatorfrcrange="-2 -1"'), "must contain 0", tendon('actuatorfrclimited="false" actuatorfrcrange="-2 -1"')),
    ('<visual><map znear="0"/></visual>', "znear must be positive", '<visual><map znear="1e-9"/></visual>'),
    ('<statistic extent="-1"/>', "extent must be positive, not -1", '<statistic extent="1e-9"/>'),
    (actuator('<position joint="j" kv="-1"/>'), "kv must not be negative", actuator('<velocity joint="j" kv="-1"/>')),
    (actuator('<position joint="j" dampratio="-1"/>'), "dampratio must not be negative", actuator('<position joint="j" kp="-1"/>')),
    (actuator('<position joint="j" timeconst="-1"/>'), "timeconst must not be negative", actuator('<cylinder joint="j" timeconst="-1"/>')),
    (actuator('<damper joint="j" kv="-1" ctrlrange="0 1"/>'), "kv must not be negative", actuator('<damper joint="j" kv="0" ctrlrange="0 1"/>')),
    (actuator('<pid joint="j" kv="-1"/>'), "kv must not be negative", actuator('<pid joint="j" kp="-1"/>')),
    (actuator('<adhesion body="b" gain="-1" ctrlrange="0 1"/>'), "gain must not be negative", actuator('<adhesion body="b" gain="0" ctrlrange="0 1"/>')),
    (muscle('tausmooth="-1"'), "tausmooth must not be negative", muscle('timeconst="-1 1" scale="-1" vmax="-1" force="-2" range="-1 2"')),
    (muscle('range="1 0"'), r"range\[0\] below range\[1\]", muscle('range="-1 -2"')),
    (muscle('lmin="1"'), "lmin below 1 and lmax above", muscle('lmin="-1" lmax="-1"')),
    (muscle('fpmax="0"'), "must be positive", muscle('fpmax="-1" fvmax="-1"')),
    (actuator('<general joint="j" lengthrange="0 1" gaintype="muscle"/>'), r"range\[0\] below", actuator('<general joint="j" lengthrange="0 1" gaintype="muscle" gainprm=".7 1 0 200 -1 1.2 1.5 1.3 1.2"/>')),
    ('<worldbody><frame name="f"/><body><frame name="f"/></body></worldbody>', "used twice; every frame", '<worldbody><frame name="f"/><body><frame name="g"/></body></worldbody>'),
    (f'{TREE}<tendon><spatial armature="1"><site site="s"/><geom geom="a"/><site site="t"/></spatial></tendon>', "cannot wrap",
     f'{TREE}<tendon><spatial armature="1"><site site="s"/><site site="t"/></spatial></tendon>'),
    ('<worldbody><camera sensorsize="1 1" resolution="1 0"/></worldbody>', "positive resolution, not 1 0", '<worldbody><camera resolution="0 0"/></worldbody>'),
    (sensor('<contact geom1="a" geom2="c" data="dist force normal"/>'), '"force" comes before "dist"', sensor('<contact geom1="a" geom2="c" data="force dist normal"/>')),
    (sensor('<rangefinder site="s" data="origin dir"/>'), '"dir" comes before "origin"', sensor('<rangefinder site="s" data="dir origin"/>')),
    ("<worldbody><body><plugin/></body></worldbody>", 'needs the attribute "plugin" or "instance"', "<worldbody><body/></worldbody>"),
    (sensor('<user dim="1" objname="a"/>'), '"a" is named without its kind', sensor('<user dim="1" objtype="geom" objname="a"/>')),
    ('<size memory="-3"/>', "is not a size", '<size memory="-1"/>'),
    ('<size memory="1.5M"/>', "is not a size", '<size memory="15M"/>'),
    ('<size memory="20E"/>', "is not a size", '<size memory="100k"/>'),
    ('<size njmax="-3"/>', "at least -1, not -3", '<size njmax="-1"/>'),
]  # fmt: skip


@pytest.mark.parametrize("refused, words, taken", CASES, ids=[f"{i}" for i in range(len(CASES))])
def test_refused_and_taken(refused, words, taken):
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(f"<mujoco>{refused}</mujoco>")
    with pytest.raises(corten.Error, match=rf"^<string>:2:\d+: .*{words}"):
        corten.Model.from_xml_string(f"<mujoco>\n{refused}</mujoco>")
    theirs = mujoco.MjModel.from_xml_string(f"<mujoco>{taken}</mujoco>")
    ours = corten.Model.from_xml_string(f"<mujoco>\n{taken}</mujoco>")
    for name in ("actuator_gainprm", "actuator_biasprm", "actuator_dynprm", "tendon_lengthspring", "sensor_intprm"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name


def test_a_part_that_is_there_already_is_not_attached_again(tmp_path):
    (tmp_path / "part.xml").write_text('<mujoco><worldbody><body name="a"/></worldbody></mujoco>')
    part = '<attach model="part" body="a" prefix="p"/>'
    main = '<mujoco><asset><model name="part" file="part.xml"/></asset><worldbody>{}</worldbody></mujoco>'
    twice, once = f'{part}\n<replicate count="2">{part}</replicate>', f'<replicate count="2">{part}</replicate>\n{part}'
    path = tmp_path / "main.xml"
    path.write_text(main.format(twice))
    with pytest.raises(ValueError, match="cannot attach"):
        mujoco.MjModel.from_xml_path(str(path))
    with pytest.raises(corten.Error, match=r'main.xml:2:\d+: the model has a body called "pa" already'):
        corten.Model.from_xml_path(path)
    path.write_text(main.format(once))
    assert corten.Model.from_xml_path(path).nbody == mujoco.MjModel.from_xml_path(str(path)).nbody == 4
