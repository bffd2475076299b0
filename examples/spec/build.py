"""A model built by code: a body is made once and attached four times."""

import corten

leg = corten.Spec()
hip = leg.world.add("body", name="leg")
hip.add("joint", name="hip", axis=[0, 1, 0], damping=0.1)
hip.add("geom", type="capsule", size=0.04, fromto=[0, 0, 0, 0, 0, -0.4])
leg.add("actuator/position", name="servo", joint="hip", kp=20)

walker = corten.Spec()
walker.world.add("geom", type="plane", size=[5, 5, 0.1])
torso = walker.world.add("body", name="torso", pos=[0, 0, 0.5])
torso.add("freejoint")
torso.add("geom", type="box", size=[0.4, 0.2, 0.05])
for name, x, y in (("fl", 0.35, 0.2), ("fr", 0.35, -0.2), ("hl", -0.35, 0.2), ("hr", -0.35, -0.2)):
    torso.add("frame", pos=[x, y, 0]).attach(leg.body("leg"), prefix=f"{name}_")

model = walker.compile()
data = corten.Data(model)
data.ctrl[:] = 0.2
corten.step(model, data, nstep=500)
print(f"{model.nu} servos, torso at {data.body('torso').xpos[2]:.3f} m after {data.time:g} s")
