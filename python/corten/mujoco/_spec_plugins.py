"""Plugins of an MjSpec: instances that have a name, and what computes for an element."""

from xml.sax.saxutils import quoteattr

from corten import _core

from ._spec_element import MjsElement, _type_of
from ._views import _describe


class MjsPlugin(MjsElement):
    """An instance of a plugin; or, as `element.plugin`, which one computes for an element."""

    _kind = "plugin"
    _plain = (*MjsElement._plain, "active")

    def __init__(self, spec, element, pending=None):
        super().__init__(spec, element, pending if pending is not None else {})
        self.__dict__["active"] = element is not None

    @property
    def plugin_name(self):
        if self._element is not None:
            return _core.element_plugin(self._element._handle)[0] or ""
        return self._extra.get("plugin_name", "")

    @plugin_name.setter
    def plugin_name(self, name):
        self._extra["plugin_name"] = name
        self._tell(name, self.config)

    @property
    def config(self):
        """The attributes of the plugin: {name: text}."""
        return _core.element_plugin(self._element._handle)[2] if self._element is not None else dict(self._extra.get("config", {}))

    @config.setter
    def config(self, values):
        self._extra["config"] = {str(name): str(value) for name, value in dict(values).items()}
        self._tell(self.plugin_name, self._extra["config"])

    def _tell(self, name, config):
        if self._element is not None:
            _core.element_set_plugin(self._spec._core, self._element._handle, name, None, _pairs(config))

    def _build(self):
        """Make it an instance of the spec; one without a name is none."""
        if not self.name or not self.plugin_name:
            return None
        declare(self._spec, self.plugin_name)
        add_instance(self._spec._spec, self.plugin_name, self.name)
        made = self._spec._spec.find(_type_of("plugin"), self.name)
        _core.element_set_plugin(self._spec._core, made._handle, self.plugin_name, None, _pairs(self.config))
        return made


class _Use(MjsPlugin):
    """Which plugin computes for an element: its name is that of an instance, which may be used many times."""

    name = property(lambda self: self._pending.get("name", ""), lambda self, value: self._pending.__setitem__("name", value))

    def __repr__(self):
        return _describe("MjsPlugin", {"name": self.name, "plugin_name": self.plugin_name, "active": self.active})


def _pairs(config):
    return tuple(word for pair in config.items() for word in pair)


def add_instance(spec, plugin, name):
    """An instance of a plugin for a corten.Spec."""
    spec.add_xml(f"<extension><plugin plugin={quoteattr(plugin)}><instance name={quoteattr(name)}/></plugin></extension>")


def declare(spec, name):
    """Say that the model uses a plugin."""
    if name not in spec._plugins_used:
        spec._spec.add("extension/plugin", plugin=name)
        spec._plugins_used.add(name)


def _get_plugin(self):
    use = self._extra.get("plugin")
    if use is None:
        use = self._extra["plugin"] = _Use(self._spec, None)
        if self._element is not None:
            plugin, instance, config = _core.element_plugin(self._element._handle)
            use.active = bool(plugin or instance)
            use.name = instance or ""
            use._extra.update(plugin_name=plugin or "", config=config)
            self._extra["plugin_told"] = _uses(use)
    return use


def _set_plugin(self, other):
    """Copies what the other says."""
    use = _get_plugin(self)
    use.name = other.name
    use._extra.update(plugin_name=other.plugin_name, config=other.config)
    use.active, use.info = other.active, other.info


def _uses(use):
    if not use.active or not (use.name or use.plugin_name):
        return None, None, ()
    return (None, use.name, ()) if use.name else (use.plugin_name, None, _pairs(use.config))


def tell_plugin(element):
    """Let the spec know which plugin computes for an element."""
    use = element._extra.get("plugin")
    said = _uses(use) if use is not None else (None, None, ())
    if element._element is None or element._extra.get("plugin_told", (None, None, ())) == said:
        return
    if said[0]:
        declare(element._spec, said[0])
    _core.element_set_plugin(element._spec._core, element._element._handle, *said)
    element._extra["plugin_told"] = said


def give_plugins(*classes):
    for cls in classes:
        cls.plugin = property(_get_plugin, _set_plugin, doc="The plugin that computes for it.")
