"""What the tests share: one model of everything the module has to show, and a fresh pair of it."""

import pathlib
import sys

import corten
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))

ARM = """
<mujoco model="arm">
  <option timestep="0.0078125"><flag contact="disable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="base" pos="0 0 1">
      <freejoint name="root"/>
      <geom name="trunk" type="box" size="0.1 0.2 0.3"/>
      <site name="tip" pos="0 0 0.3"/>
      <body name="upper" pos="0 0 0.3">
        <joint name="shoulder" type="ball"/>
        <geom type="capsule" size="0.05 0.2"/>
        <body name="lower" pos="0 0 0.4">
          <joint name="elbow" axis="0 1 0" damping="0.1"/>
          <geom name="forearm" type="cylinder" size="0.05 0.2"/>
          <body name="hand" pos="0 0 0.3">
            <joint name="reach" type="slide" axis="0 0 1"/>
            <inertial pos="0 0 0" mass="0.5" diaginertia="0.01 0.01 0.01"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="bend" joint="elbow" gear="2"/>
    <motor name="push" joint="reach"/>
  </actuator>
</mujoco>
"""


@pytest.fixture(scope="session")
def no_driver(request):
    """Why nothing can be drawn here; None where pictures can be drawn."""
    try:
        corten.Renderer(corten.Model.from_xml_string("<mujoco/>"), 8, 8).close()
    except (corten.Error, RuntimeError) as error:
        with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
            print(f"\nNOTICE: pictures are not tested: {error}")
        return str(error)
    return None


@pytest.fixture
def driver(no_driver):
    """For tests that draw: they are skipped where nothing can be drawn."""
    if no_driver:
        pytest.skip(no_driver)


@pytest.fixture
def xml():
    return ARM


@pytest.fixture
def model():
    return corten.Model.from_xml_string(ARM)


@pytest.fixture
def data(model):
    return corten.Data(model)
