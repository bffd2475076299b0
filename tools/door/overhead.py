"""What a call through the door costs beside the same call of corten and of MuJoCo, in microseconds: the least of many runs.

python tools/door/overhead.py        needs mujoco for its column
"""

import timeit

import corten
import corten.mujoco as door
import numpy as np

try:
    import mujoco
except ImportError:
    mujoco = None

XML = """<mujoco><option><flag contact="disable"/></option><worldbody><body name="b"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
<site name="s"/></body></worldbody><sensor><jointpos joint="j"/></sensor></mujoco>""".replace("<joint axis", '<joint name="j" axis')


def best(call, number=2000):
    return 1e6 * min(timeit.repeat(call, number=number, repeat=15)) / number


def calls(module, kind):
    load = corten.Model if kind == "corten" else module.MjModel
    m = load.from_xml_string(XML)
    d = (corten.Data if kind == "corten" else module.MjData)(m)
    jac, quat, one = np.zeros((3, 1)), np.zeros(4), np.array([1.0, 0, 0, 0])
    if kind == "corten":
        corten.forward(m, d)
        d.timing = True
        return {
            "step": lambda: corten.step(m, d),
            "forward": lambda: corten.forward(m, d),
            "site Jacobian": lambda: corten.jac_object(m, d, corten.ObjType.SITE, 0),
            "name to id": lambda: m.name2id(corten.ObjType.BODY, "b"),
            "data.qpos": lambda: d.qpos,
            "data.time": lambda: d.time,
            "data.body(name).xpos": lambda: d.body("b").xpos,
            "get state": lambda: corten.get_state(m, d),
        }
    module.mj_forward(m, d)
    state = np.zeros(module.mj_stateSize(m, module.mjtState.mjSTATE_INTEGRATION))
    return {
        "step": lambda: module.mj_step(m, d),
        "forward": lambda: module.mj_forward(m, d),
        "site Jacobian": lambda: module.mj_jacSite(m, d, jac, None, 0),
        "name to id": lambda: module.mj_name2id(m, module.mjtObj.mjOBJ_BODY, "b"),
        "data.qpos": lambda: d.qpos,
        "data.time": lambda: d.time,
        "data.body(name).xpos": lambda: d.body("b").xpos,
        "get state": lambda: module.mj_getState(m, d, state, module.mjtState.mjSTATE_INTEGRATION),
        "product of quaternions": lambda: module.mju_mulQuat(quat, one, one),
    }


def main():
    table = {"corten": calls(corten, "corten"), "door": calls(door, "door")}
    if mujoco is not None:
        table["MuJoCo"] = calls(mujoco, "mujoco")
    print(f"{'call':24}" + "".join(f"{kind:>10}" for kind in table))
    for name in table["door"]:
        row = [f"{best(column[name]):10.2f}" if name in column else " " * 10 for column in table.values()]
        print(f"{name:24}" + "".join(row), flush=True)


if __name__ == "__main__":
    main()
