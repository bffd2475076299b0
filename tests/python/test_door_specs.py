"""MjSpec of corten.mujoco beside that of MuJoCo: the same edits make the same models, and the same mistakes the same messages."""

import warnings

import corten.mujoco as door
import numpy as np
import pytest

theirs = pytest.importorskip("mujoco")
BOTH = (door, theirs)

# stored differently, or names of files
OTHER = {"signature", "paths", "names", "names_map", "efmC_perm", "nefmCvert"}


def different(ours, oracle, skip=()):
    """The fields of two models that differ."""
    found = []
    for name in dir(oracle):
        value = getattr(oracle, name)
        if name.startswith("_") or name in OTHER or name in skip or not isinstance(value, (np.ndarray, int, float)):
            continue
        mine = getattr(ours, name, None)
        if np.shape(mine) != np.shape(value) or not np.allclose(np.asarray(mine, float), np.asarray(value, float), rtol=1e-9, atol=1e-9):
            found.append(name)
    return found


def compiled(build, skip=("nbuffer",)):
    """Compile what `build(module, spec)` makes with both modules; they must be the same."""
    models = []
    for module in BOTH:
        spec = module.MjSpec()
        build(module, spec)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            models.append(spec.compile())
    assert not different(*models, skip=(*skip, "narena"))
    return models[0]


def arm(module, spec):
    body = spec.worldbody.add_body(name="body")
    body.add_joint(name="joint", range=[-90, 90])
    body.add_geom(name="geom", size=[0.1, 0.2, 0.3], type=module.mjtGeom.mjGEOM_BOX)
    body.add_site(name="site")
    return body


ACTUATORS = {
    "motor": {}, "position": dict(kp=2, kv=3, timeconst=0.1), "velocity": dict(kv=2), "intvelocity": dict(kp=2, dampratio=1),
    "damper": dict(kv=2), "adhesion": dict(gain=2), "cylinder": dict(timeconst=1, bias=2, area=3),
    "pid": dict(kp=2, kv=3, ki=0.5, imax=1.5, slewmax=4), "dcmotor": dict(motorconst=[0.05, 0.06], resistance=2.0),
}  # fmt: skip


@pytest.mark.parametrize("kind", ACTUATORS)
def test_an_actuator_becomes_what_a_shortcut_makes_of_it(kind):
    def build(module, spec):
        arm(module, spec)
        actuator = spec.add_actuator(name="a", target="joint", trntype=module.mjtTrn.mjTRN_JOINT)
        if kind in ("damper", "adhesion"):
            actuator.ctrlrange = [0, 1]
        getattr(actuator, f"set_to_{kind}")(**ACTUATORS[kind])

    compiled(build)


def test_a_motor_with_everything():
    def build(module, spec):
        arm(module, spec)
        actuator = spec.add_actuator(name="a", target="joint", trntype=module.mjtTrn.mjTRN_JOINT)
        actuator.set_to_dcmotor(motorconst=[0.05, 0.05], resistance=2.0, inductance=[0.1, 0], cogging=[0.1, 6, 0.2],
                                thermal=[1, 0, 20, 0.004, 25, 25], lugre=[1, 0.1, 0.3, 0.4, 0.5])  # fmt: skip

    compiled(build)


FLEXES = {
    "grid": dict(type="grid", dim=3, count=[3, 3, 3], spacing=[0.05] * 3, equality=1),
    "sheet": dict(type="grid", dim=2, count=[3, 4, 1], spacing=[0.1] * 3, pos=[1, 2, 3], quat=[0, 1, 0, 0], equality=1, radius=0.01),
    "box": dict(type="box", count=[3, 3, 3], spacing=[0.1] * 3, mass=2),
    "rigid": dict(type="grid", dim=1, count=[4, 1, 1], spacing=[0.1] * 3, rigid=1),
    "cage": dict(type="grid", dim=3, count=[3, 3, 3], spacing=[0.1] * 3, dof="trilinear", cellcount=[2, 2, 1], mass=0.5),
}


@pytest.mark.parametrize("kind", FLEXES)
def test_a_flex_made_by_code(kind):
    compiled(lambda module, spec: spec.worldbody.add_body(name="b").make_flex(name="f", **FLEXES[kind]))


LATTICES = {
    "grid3": ("grid", "4 4 4 .05 .05 .05 3"), "grid2": ("grid", "4 4 1 .05 .05 0 2"), "box": ("box", "3 3 3 .05 .05 .05 3"),
    "shell": ("box", "3 3 3 .05 .05 .05 2"), "cylinder": ("cylinder", "3 3 3 .05 .05 .05 3"),
    "ellipsoid": ("ellipsoid", "4 3 3 .05 .06 .05 3"), "disc": ("disc", "5 5 1 .05 .05 0"), "square": ("square", "5 5 1 .05 .05 0"),
}  # fmt: skip


@pytest.mark.parametrize("scale", ("1 1 1", "2 1 1"))
@pytest.mark.parametrize("kind", LATTICES)
def test_a_flex_of_a_builtin_mesh_has_its_cells(kind, scale):
    builtin, params = LATTICES[kind]
    xml = f"""<mujoco><asset><mesh name="g" builtin="{builtin}" params="{params}" scale="{scale}"/></asset><worldbody><body name="b">
      <flexcomp name="f" mesh="g" mass="1" radius="0"><edge equality="true"/></flexcomp></body></worldbody></mujoco>"""
    ours, oracle = (module.MjModel.from_xml_string(xml) for module in BOTH)
    wanted = [name for name in dir(oracle) if name.startswith(("flex_", "flexedge_", "body_"))]
    assert not set(different(ours, oracle)) & set(wanted)


def test_a_flex_of_a_mesh_given_by_code():
    def build(module, spec):
        mesh = spec.add_mesh(name="m")
        mesh.usernode = mesh.uservert = [0.0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
        mesh.usertet, mesh.userface = [0, 1, 2, 3], [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3]
        spec.worldbody.add_body(name="b").make_flex(name="f", mesh="m")

    assert compiled(build).flex_dim[0] == 3


def test_bones_of_a_skin():
    def build(module, spec):
        for name in ("a", "b"):
            spec.worldbody.add_body(name=name).add_geom(size=[0.1, 0, 0])
        skin = spec.add_skin(name="s", vert=[0.0, 0, 0, 1, 0, 0, 0, 1, 0], face=[0, 1, 2])
        skin.bodyname, skin.bindpos, skin.bindquat = ["a", "b"], [0.0, 0, 0, 1, 0, 0], [1.0, 0, 0, 0, 1, 0, 0, 0]
        skin.vertid, skin.vertweight = [[0, 1], [1, 2]], [[1.0, 0.5], [0.5, 1.0]]

    compiled(build)


def test_names_of_what_is_attached():
    def names(module, name, **words):
        parent, child = module.MjSpec(), module.MjSpec()
        child.modelname, child.assets = name, {"p/f.obj": "x"}
        child.worldbody.add_body(name="b").add_geom(size=[1, 0, 0])
        parent.attach(child, frame=parent.worldbody.add_frame(), **words)
        return [body.name for body in parent.bodies], list(parent.assets)

    for words in ({}, {"prefix": ""}, {"prefix": "A"}, {"suffix": "B"}, {"prefix": "", "suffix": "B"}, {"prefix": "A", "suffix": "B"}):
        assert names(door, "child", **words) == names(theirs, "child", **words), words


# what refers to the attached body "arm" and to its parent "torso", with site "a", joint "pj", geom "g"
SPANNING = {
    "tendon": '<tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon><actuator><muscle name="m" tendon="t"/></actuator>'
              '<sensor><tendonpos name="s" tendon="t"/></sensor><equality><tendon name="e" tendon1="t"/></equality>',
    "fixed": '<tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="pj" coef="2"/></fixed></tendon>',
    "wrap": '<tendon><spatial name="t"><site site="b"/><geom geom="g" sidesite="a"/><site site="a"/></spatial></tendon>',
    "half a station": '<tendon><spatial name="t"><site site="b"/><geom geom="g" sidesite="b"/><site site="a"/></spatial></tendon>',
    "contact": '<contact><pair name="p" geom1="g" geom2="h"/><exclude name="x" body1="torso" body2="arm"/></contact>',
    "sensor": '<sensor><framepos name="s" objtype="site" objname="a" reftype="site" refname="b"/></sensor>',
    "equality": '<equality><joint name="e" joint1="j" joint2="pj"/></equality>',
    "actuator": '<actuator><general name="t" site="b" refsite="a"/><motor name="n" joint="pj"/></actuator>',
    "tuple": '<custom><tuple name="t"><element objtype="site" objname="a"/><element objtype="site" objname="b"/></tuple></custom>',
}  # fmt: skip
TORSO = '<joint name="pj"/><geom name="g" size=".1"/><site name="a" pos="0 0 .1"/>'
ARM = '<body name="arm"><joint name="j" axis="0 1 0" range="-1 1"/><geom name="h" size=".1" pos=".5 0 0"/><site name="b" pos=".3 0 0"/></body>'


@pytest.mark.parametrize("parent", ["", "old", "new", "both"], ids=lambda names: names or "neither")
@pytest.mark.parametrize("prefix", ["", "p_"], ids=["none", "prefix"])
@pytest.mark.parametrize("kind", SPANNING)
def test_what_spans_the_parent_comes_along_where_its_names_are_there(kind, prefix, parent):
    own = TORSO if parent in ("old", "both") else '<geom size=".1"/>'
    new = TORSO.replace('name="', 'name="p_') if parent in ("new", "both") else '<geom size=".1"/>'
    tree = f'<mujoco><worldbody><body name="{"torso" if "name" in own else "x"}">{own}</body><body name="{"p_torso" if "name" in new else "y"}">{new}</body></worldbody></mujoco>'

    def build(module):
        spec = module.MjSpec.from_string(tree)
        child = module.MjSpec.from_string(f'<mujoco><worldbody><body name="torso">{TORSO}{ARM}</body></worldbody>{SPANNING[kind]}</mujoco>')
        spec.worldbody.add_frame().attach_body(child.body("arm"), prefix, "")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return spec.compile()

    models = [build(module) for module in BOTH]
    assert not different(*models, skip=("nbuffer", "narena"))
    assert models[0].names == models[1].names


def test_what_stays_behind_is_remarked_on():
    parent = door.MjSpec.from_string('<mujoco><worldbody><body name="torso"><geom size=".1"/></body></worldbody></mujoco>')
    child = door.MjSpec.from_string(f'<mujoco><worldbody><body name="torso">{TORSO}{ARM}</body></worldbody>{SPANNING["tendon"]}<sensor><jointpos joint="pj"/></sensor></mujoco>')
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        parent.worldbody.add_frame().attach_body(child.body("arm"), "p_", "")
        assert parent.compile().ntendon == 0
    said = "\n".join(str(one.message) for one in said)
    assert 'spatial "t": stays behind: it refers to the site "a", which is not attached, and there is no "p_a"' in said
    assert 'muscle "m": stays behind: it refers to the tendon "t"' in said
    assert said.count("stays behind") == 4  # and its sensor and equality; what only belongs to the other body is no news


def test_parts_of_a_model_are_attached_one_after_the_other():
    child = door.MjSpec.from_string('<mujoco><worldbody><body name="a"><joint name="a"/><geom size=".1"/></body><body name="b"><joint name="b"/><geom size=".1"/></body></worldbody>'
                                    '<actuator><motor joint="a"/><motor name="b" joint="b"/></actuator><equality><joint joint1="a" joint2="b"/></equality></mujoco>')  # fmt: skip
    for order in ("ab", "ba"):
        spec = door.MjSpec()
        for body in order:
            spec.worldbody.add_frame().attach_body(child.body(body), "p_", "")
        model = spec.compile()
        assert (model.nu, model.neq) == (2, 1)


KEYED = '<mujoco><worldbody><body name="first" mocap="true"/><body name="torso"><joint name="pj"/><geom size=".1"/><body name="arm"><joint name="j"/><geom size=".1"/></body></body></worldbody>' \
    '<actuator><general name="n" joint="pj" dyntype="integrator"/><general name="o" joint="j" dyntype="integrator"/></actuator>' \
    '<keyframe><key name="k" time="3" qpos="1 2" qvel="7 8" ctrl="3 4" act="5 6" mpos="1 2 3"/></keyframe></mujoco>'  # fmt: skip


@pytest.mark.parametrize("body", ["arm", "torso"])
@pytest.mark.parametrize("under", ["first", "torso"])
@pytest.mark.parametrize("own", [True, False])
def test_keyframes_follow_what_is_attached(own, under, body):
    def build(module):
        spec, child = module.MjSpec.from_string(KEYED), module.MjSpec.from_string(KEYED)
        spec.copy_during_attach = True
        spec.body(under).add_frame().attach_body((spec if own else child).body(body), "q_", "")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = spec.compile()
            spec.keys[0].qpos = np.arange(model.nq)  # given once more, for the whole
            return model, spec.compile()

    (ours, ours_edited), (oracle, oracle_edited) = build(door), build(theirs)
    assert not different(ours, oracle, skip=("nbuffer", "narena"))
    assert list(ours_edited.key_qpos[0]) == list(oracle_edited.key_qpos[0])


def test_an_empty_prefix_is_remarked_when_the_spec_is_compiled():
    parent, child = door.MjSpec(), door.MjSpec()
    child.worldbody.add_body(name="b").add_geom(size=[1, 0, 0])
    parent.attach(child, frame=parent.worldbody.add_frame(), prefix="")
    with pytest.warns(UserWarning, match="empty prefix"):
        parent.compile()


def test_an_edited_sensor_keeps_its_place():
    def build(module, spec):
        arm(module, spec)
        for name, kind in (("a", "JOINTPOS"), ("b", "JOINTVEL"), ("c", "CLOCK")):
            sensor = spec.add_sensor(name=name, type=getattr(module.mjtSensor, f"mjSENS_{kind}"))
            if kind != "CLOCK":
                sensor.objtype, sensor.objname = module.mjtObj.mjOBJ_JOINT, "joint"
        spec.compile()
        spec.sensor("a").type = module.mjtSensor.mjSENS_JOINTVEL

    assert [compiled(build).sensor(i).name for i in range(3)] == ["a", "b", "c"]


def test_numbers_of_sensors_of_contacts_and_rays_are_read():
    xml = """<mujoco><worldbody><body name="b"><geom name="g" size="1"/><site name="s"/></body></worldbody><sensor>
      <contact geom1="g" data="force dist" reduce="maxforce" num="3"/><rangefinder site="s" data="dist normal"/></sensor></mujoco>"""
    for i in range(2):
        ours, oracle = (module.MjSpec.from_string(xml).sensors[i].intprm for module in BOTH)
        assert list(ours) == list(oracle)


def test_removing_an_element_leaves_what_refers_to_it():
    for module in BOTH:
        spec = module.MjSpec()
        arm(module, spec)
        spec.add_sensor(name="s", type=module.mjtSensor.mjSENS_GYRO, objtype=module.mjtObj.mjOBJ_SITE, objname="site")
        spec.delete(spec.site("site"))
        assert len(spec.sensors) == 1
        with pytest.raises(ValueError):
            spec.compile()
        spec.delete(spec.sensor("s"))
        assert spec.compile().nsensor == 0


def test_plugins():
    def build(module, spec):
        arm(module, spec)
        spec.activate_plugin("mujoco.pid")
        plugin = spec.add_plugin(name="pid", plugin_name="mujoco.pid", active=True)
        plugin.config = {"kp": "10", "kd": "1"}
        for name in ("x", "y"):
            actuator = spec.add_actuator(name=name, target="joint", trntype=module.mjtTrn.mjTRN_JOINT)
        actuator.plugin = plugin

    model = compiled(build)
    assert list(model.actuator_plugin) == [-1, 0]
    with pytest.raises(ValueError):
        door.MjSpec().activate_plugin("nobody.knows")


def test_plugins_of_a_file():
    xml = """<mujoco><extension><plugin plugin="mujoco.pid"><instance name="pid"><config key="kp" value="4"/></instance></plugin></extension>
      <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
      <actuator><plugin name="a" joint="j" plugin="mujoco.pid" instance="pid"/></actuator></mujoco>"""
    for module in BOTH:
        spec = module.MjSpec.from_string(xml)
        assert [(p.name, p.plugin_name, dict(p.config)) for p in spec.plugins] == [("pid", "mujoco.pid", {"kp": "4"})]
        assert (spec.actuators[0].plugin.name, spec.actuators[0].plugin.active) == ("pid", True)


def test_what_was_said():
    xml = """<mujoco><option timestep="0.01"><flag constraint="disable" contact="enable" energy="enable"/></option>
      <compiler boundmass="1"/><visual><map znear="0.1"/></visual></mujoco>"""
    ours, oracle = (module.MjSpec.from_string(xml) for module in BOTH)
    for name in ("disableflags", "enableflags"):
        assert getattr(ours.authored, name) == getattr(oracle.authored, name)
    for name in ("option", "visual_map", "visual_global", "visual_rgba"):
        assert bool(getattr(ours.authored, name)) == bool(getattr(oracle.authored, name)), name
    assert ours.compiler.authored and oracle.compiler.authored and not door.MjSpec().authored.option


def test_numbers_of_a_model_are_copied_back():
    xml = """<mujoco><worldbody><frame pos="1 2 0" euler="0 0 90"><body name="b" pos="1 0 0"><joint name="j" range="-90 90" damping="1"/>
      <geom name="g" size="1"/><site name="s" pos="0 1 0"/></body></frame></worldbody></mujoco>"""
    made = []
    for module in BOTH:
        spec = module.MjSpec.from_string(xml)
        model = spec.compile()
        model.body("b").pos[:] = [4, 5, 6]
        model.joint("j").range[1] /= 2
        model.joint("j").damping[0] = 3
        model.geom("g").rgba[:] = [1, 0, 0, 1]
        model.opt.timestep = 0.01
        spec.copy_back(model)
        again = spec.compile()
        assert np.allclose(again.body("b").pos, [4, 5, 6]) and again.opt.timestep == 0.01
        made.append([*spec.body("b").pos, *spec.joint("j").range, *spec.geom("g").rgba])
    assert np.allclose(*made)


def test_what_a_spec_cannot_say_is_not_copied_back():
    spec = door.MjSpec()
    arm(door, spec)
    spec.compiler.inertiafromgeom = door.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
    model = spec.compile()
    model.body("body").mass[0], model.geom("geom").size[0] = 5, 3
    with pytest.raises(ValueError, match="was changed in the model"):
        spec.copy_back(model)
    assert spec.geom("geom").size[0] == 0.1
    with pytest.raises(ValueError, match="incompatible"):
        spec.copy_back(door.MjModel.from_xml_string("<mujoco/>"))


MISTAKES = {
    "size": lambda m, s: s.worldbody.add_geom(name="g", type=m.mjtGeom.mjGEOM_BOX, size=[1, -1, 1]),
    "mesh": lambda m, s: s.worldbody.add_geom(name="g", type=m.mjtGeom.mjGEOM_MESH, meshname="x"),
    "material": lambda m, s: s.worldbody.add_geom(name="g", size=[1, 0, 0], material="nomat"),
    "mass": lambda m, s: s.worldbody.add_body(name="b").add_joint(),
    "target": lambda m, s: s.add_actuator(name="a"),
    "key": lambda m, s: s.add_key(name="k", qpos=[1, 2]),
    "hfield": lambda m, s: s.add_hfield(name="h", nrow=2, ncol=2, size=[1, 1, 1, 1], userdata=[1]),
    "rays": lambda m, s: (arm(m, s), s.add_sensor(name="r", type=m.mjtSensor.mjSENS_RANGEFINDER, objtype=m.mjtObj.mjOBJ_SITE, objname="site")),
    "tendon": lambda m, s: s.add_tendon(name="t"),
}  # fmt: skip


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_are_told_in_the_same_words(kind):
    told = []
    for module in BOTH:
        spec = module.MjSpec()
        with pytest.raises(ValueError) as caught:
            MISTAKES[kind](module, spec)
            spec.compile()
        told.append(str(caught.value).splitlines()[0])
    assert told[0] == told[1]


def test_names_may_look_like_anything():
    spec = door.MjSpec()
    spec.worldbody.add_geom(name="{kind}", type=door.mjtGeom.mjGEOM_MESH, meshname='{x} "y" & <z>')
    with pytest.raises(ValueError, match="not found in geom 0"):
        spec.compile()
    spec = door.MjSpec()
    spec.add_plugin(name='"<&', plugin_name="mujoco.pid", active=True)
    assert spec.compile().nplugin == 1 and spec.plugins[0].name == '"<&'


def test_calls_that_end_a_program_raise():
    for module in BOTH:
        model = module.MjModel.from_xml_string("""<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .05">
          <joint type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody></mujoco>""")
        data = module.MjData(model)
        model.opt.solver = 10
        with pytest.raises(module.FatalError, match="unknown solver type 10"):
            module.mj_step(model, data)
        model.opt.solver = 2
        model.body_mass[1] = 0
        with pytest.raises(module.FatalError, match="moving body 1 has 0 mass"):
            module.mj_setConst(model, data)


def test_materials_of_a_flex():
    xml = """<mujoco><asset><material name="m0"/><material name="m1"/></asset><worldbody>
      <flexcomp name="f" type="grid" dim="2" count="2 2 1" spacing="1 1 1" material="m0 m1"/></worldbody></mujoco>"""
    ours, oracle = (module.MjModel.from_xml_string(xml) for module in BOTH)
    assert list(ours.flex_matid) == list(oracle.flex_matid) == [0, 1]


def test_textures_in_their_files(tmp_path):
    from corten.mujoco._images import png

    path = tmp_path / "a.png"
    path.write_bytes(png(bytes(range(18)), 3, 2, 3))
    xml = f'<mujoco><compiler passthrough="textures"/><asset><texture name="t" type="2d" file="{path}"/></asset></mujoco>'
    for module in BOTH:
        model = module.MjModel.from_xml_string(xml)
        assert model.tex_adr[0] == -1
        pixels, _ = module.mj_loadTexture(model, 0)
        embedded = module.mj_embedAssets(model)
        assert pixels.shape == (2, 3, 3) and embedded.tex_adr[0] == 0 and np.array_equal(embedded.tex_data, pixels.ravel())
    path.unlink()
    with pytest.raises(ValueError, match=r"a\.png"):
        door.mj_loadTexture(door.MjModel.from_xml_string(xml), 0)
    with pytest.raises(ValueError, match="out of range"):
        door.mj_loadTexture(door.MjModel.from_xml_string(xml), 1)
