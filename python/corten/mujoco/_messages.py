"""What the engine has to say about a model, in MuJoCo's words: programs look for those."""

import re

# what the engine says of an element, and what MuJoCo says; {kind}, {name} and {id} are those of the element
_SAID = [
    (r"size needs \d+ positive numbers?, number (\d+) is", lambda m: f"size {int(m[1]) - 1} must be positive in {{kind}}"),
    (r"elevation has \d+ numbers, nrow \* ncol is", "elevation data length must match nrow*ncol"),
    (r"(STL file has \d+ bytes, fewer than its header)", "stl_decoder: invalid header in STL file '{file}'"),
    (r"STL file has no triangles", "stl_decoder: number of faces should be between 1 and 200000 in STL file '{file}'"),
    (r"STL file of \d+ bytes cannot hold", "stl_decoder: STL file '{file}' has wrong size"),
    (r"the plugin .* has no attribute \"(.*?)\"", lambda m: f"unrecognized attribute 'plugin:{m[1]}'"),
    (r"nothing holds it together", "flex '{name}' is not rigid and has no equality constraints or passive forces"),
    (r"a body that moves needs mass and inertia", "mass and inertia of moving bodies must be larger than mjMINVAL"),
    (r"nothing to act on", "missing transmission target for actuator"),
    (r"the path is empty", "tendon '{name}' (id = {id}): path cannot be empty"),
    (r"(\w+) has (\d+) numbers, the model has (\d+)", lambda m: f"keyframe '{{name}}': invalid {m[1]} size, expected {m[3]}, got {m[2]}"),
    (r"there is no (\w+) called \"(.*?)\"", lambda m: f"{m[1]} '{m[2]}' not found in {{kind}} {{id}}"),
    (r"one of file, builtin, vertex and plugin must be given", "at least 4 vertices required"),
]  # fmt: skip
_PLACE = re.compile(r'^(?:[^"]*?: )?(?P<tag>\w+)(?: "(?P<name>.*?)")?: (?P<what>.*)$', re.DOTALL)


def in_their_words(message, describe=None, before="Error: "):
    """MuJoCo's words for a message, followed by the engine's; the message itself where it has no others.

    `describe(tag, name)` gives (kind, id, info, file) of the element.
    """
    place = _PLACE.match(message)
    if place is None:
        return message
    tag, name = place["tag"], place["name"] or ""
    kind, id, info, file = describe(tag, name) if describe is not None else (tag, None, "", "")
    for pattern, said in _SAID:
        found = re.search(pattern, place["what"])
        if found is None:
            continue
        said = said(found) if callable(said) else said
        for word, value in (("{kind}", kind), ("{name}", name), ("{id}", "" if id is None else str(id)), ("{file}", file)):
            said = said.replace(word, value)
        where = f"\nElement name '{name}'" + (f", id {id}" if id is not None else "") + (f", {info}" if info else "")
        return f"{before}{said}{where}\n({message})"
    return message
