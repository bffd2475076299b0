"""Python has what C has: every public function of the headers has a name here, or a reason why it has none."""

import pathlib
import re

import corten

HEADERS = pathlib.Path(__file__).parent.parent.parent / "include" / "corten"

FREED = "objects are freed when nobody refers to them"
FIELDS = "fields are attributes, with their descriptions as docstrings"
ATTRIBUTES = "attributes of elements are attributes in Python"

# function: its name in Python, as a path from the package; or (why there is none,)
TABLE = {
    "ct_version": "__version__",
    "ct_build_info": "build_info",
    "ct_batch_create": "Batch",
    "ct_batch_free": "Batch.close",
    "ct_batch_info": "Batch.info",
    "ct_batch_step": "Batch.step",
    "ct_batch_forward": "Batch.forward",
    "ct_batch_rollout": "Batch.rollout",
    "ct_batch_reset": "Batch.reset",
    "ct_batch_reset_mask": "Batch.reset",
    "ct_batch_get": "Batch.get",
    "ct_batch_set": "Batch.set",
    "ct_batch_width": ("arrays know their shapes",),
    "ct_batch_output": "Batch.output",
    "ct_batch_vary": "Batch.vary",
    "ct_batch_set_noise": "Batch.set_noise",
    "ct_batch_update": "Batch.update",
    "ct_batch_view": "Batch.view",
    "ct_batch_status": "Batch.status",
    "ct_batch_warnings": "Batch.warnings",
    "ct_batch_save_bytes": "Batch.save",
    "ct_batch_load_bytes": "Batch.restore",
    "ct_batch_save": ("save() gives bytes, which Python writes to a file",),
    "ct_batch_load": ("restore() takes bytes, which Python reads from a file",),
    "ct_batch_sync": "Batch.sync",
    "ct_geom_distance": "geom_distance",
    "ct_ray_cast": "ray_cast",
    "ct_ray_cast_many": "ray_cast_many",
    "ct_scene_option_default": "Renderer",
    "ct_scene_option_set": "Renderer.show",
    "ct_camera_default": "Renderer.camera",
    "ct_camera_find": "Renderer.camera",
    "ct_camera_view": ("a Renderer works it out",),
    "ct_scene_create": "Renderer",
    "ct_scene_free": (FREED,),
    "ct_scene_update": "Renderer.update",
    "ct_scene_find": ("a Renderer draws scenes; what a pixel shows is in Renderer.segmentation",),
    "ct_renderer_create": "Renderer",
    "ct_renderer_free": "Renderer.close",
    "ct_renderer_name": "Renderer.name",
    "ct_renderer_upload": "Renderer.upload",
    "ct_render_color": "Renderer.render",
    "ct_render_measure": "Renderer.depth",
    "ct_data_create": "Data",
    "ct_data_free": (FREED,),
    "ct_data_reset": "reset",
    "ct_data_reset_keyframe": "reset_keyframe",
    "ct_data_copy": "Data.copy",
    "ct_data_set_threads": "Data.set_threads",
    "ct_data_set_arena_limit": ("the limit that the model was loaded with holds",),
    "ct_file_begin": ("Python has files of its own; what this module saves is written whole",),
    "ct_file_end": ("as ct_file_begin",),
    "ct_file_write": ("as ct_file_begin",),
    "ct_model_check": "Model.check",
    "ct_data_state_size": "state_size",
    "ct_data_get_state": "get_state",
    "ct_data_set_state": "set_state",
    "ct_data_copy_state": "copy_state",
    "ct_state_extract": "extract_state",
    "ct_data_save_bytes": "save_state",
    "ct_data_load_bytes": "load_state",
    "ct_data_save": "save_state",
    "ct_data_load": "load_state",
    "ct_model_set_keyframe": "set_keyframe",
    "ct_data_get_ctrl_at": "read_ctrl",
    "ct_data_get_sensor_at": "read_sensor",
    "ct_data_set_ctrl_history": "set_ctrl_history",
    "ct_data_set_sensor_history": "set_sensor_history",
    "ct_data_set_noise": "Data.set_noise",
    "ct_data_print": "Data.to_text",
    "ct_data_field": (FIELDS,),
    "ct_data_field_count": (FIELDS,),
    "ct_data_field_name": (FIELDS,),
    "ct_data_field_info": (FIELDS,),
    "ct_data_compare": ("arrays are compared with NumPy",),
    "ct_data_bytes": ("of no use without an allocator",),
    "ct_clock": ("time.perf_counter(); Data.timing sets it",),
    "ct_status_text": ("Status has names, and errors have texts",),
    "ct_error_format": ("str() of an Error",),
    "ct_model_load": "Model.from_xml_path",
    "ct_model_load_string": "Model.from_xml_string",
    "ct_model_load_bytes": "Model.from_bytes",
    "ct_model_free": (FREED,),
    "ct_model_copy": "Model.copy",
    "ct_model_update": "Model.update",
    "ct_model_name2id": "Model.name2id",
    "ct_model_id2name": "Model.id2name",
    "ct_model_count": ("model.nbody and the other sizes",),
    "ct_model_field": (FIELDS,),
    "ct_model_field_count": (FIELDS,),
    "ct_model_field_name": (FIELDS,),
    "ct_model_field_info": (FIELDS,),
    "ct_model_compare": ("arrays are compared with NumPy, models by to_bytes()",),
    "ct_model_save_bytes": "Model.to_bytes",
    "ct_model_save": "Model.save",
    "ct_model_print": "Model.to_text",
    "ct_model_bytes": "Model.nbuffer",
    "ct_energy_compute": "energy",
    "ct_body_forces_compute": "post_constraint",
    "ct_subtree_velocity_compute": "subtree_velocity",
    "ct_jac_point": "jac_point",
    "ct_jac_point_dot": "jac_point_dot",
    "ct_jac_object": "jac_object",
    "ct_jac_object_dot": "jac_object_dot",
    "ct_jac_axis": "jac_axis",
    "ct_jac_axis_dot": "jac_axis_dot",
    "ct_jac_subtree": "jac_subtree",
    "ct_jac_subtree_dot": "jac_subtree_dot",
    "ct_jac_angular_momentum": "angular_momentum",
    "ct_object_velocity": "object_velocity",
    "ct_object_acceleration": "object_acceleration",
    "ct_site_contains": "site_contains",
    "ct_model_total_mass": "total_mass",
    "ct_model_set_total_mass": "set_total_mass",
    "ct_mass_full": "full_mass",
    "ct_mass_add": "add_mass",
    "ct_mass_mul": "mul_mass",
    "ct_mass_solve": "solve_mass",
    "ct_mass_mul_half": "mul_mass_half",
    "ct_mass_solve_half": "solve_mass_half",
    "ct_pos_differentiate": "differentiate_pos",
    "ct_pos_integrate": "integrate_pos",
    "ct_pos_normalize": "normalize_pos",
    "ct_force_apply": "apply_force",
    "ct_contact_force": "contact_force",
    "ct_kkt_residual": "kkt_residual",
    "ct_step": "step",
    "ct_step_n": "step",
    "ct_forward": "forward",
    "ct_inverse": "inverse",
    "ct_step1": "step1",
    "ct_step2": "step2",
    "ct_forward_position": "forward_position",
    "ct_forward_velocity": "forward_velocity",
    "ct_forward_actuation": "forward_actuation",
    "ct_forward_acceleration": "forward_acceleration",
    "ct_forward_constraint": "forward_constraint",
    "ct_tree_state": "tree_state",
    "ct_body_state": "body_state",
    "ct_tree_cycle": "tree_cycle",
    "ct_tree_wake": "wake",
    "ct_tree_sleep": "sleep",
    "ct_spec_create": "Spec",
    "ct_spec_load": "Spec.from_xml_path",
    "ct_spec_load_string": "Spec.from_xml_string",
    "ct_spec_from_model": "Spec.from_model",
    "ct_spec_copy": "Spec.copy",
    "ct_spec_set_log": "Spec.remarks",
    "ct_spec_free": (FREED,),
    "ct_model_compile": "Spec.compile",
    "ct_model_recompile": "Spec.recompile",
    "ct_spec_save_string": "Spec.to_xml",
    "ct_spec_save": "Spec.save",
    "ct_model_save_mjcf": "Model.save",
    "ct_spec_world": "Spec.world",
    "ct_spec_add": "Spec.add",
    "ct_spec_add_xml": "Spec.add_xml",
    "ct_spec_remove": "Element.remove",
    "ct_spec_find": "Spec.find",
    "ct_spec_list": "Spec.bodies",
    "ct_element_children": "Element.children",
    "ct_element_parent": "Element.parent",
    "ct_element_tag": "Element.tag",
    "ct_element_name": "Element.name",
    "ct_element_type": ("the lists of a Spec are by type",),
    "ct_element_attr_count": "Element.attributes",
    "ct_element_attr": "Element.attributes",
    "ct_element_set": (ATTRIBUTES,),
    "ct_element_set_reals": (ATTRIBUTES,),
    "ct_element_get": (ATTRIBUTES,),
    "ct_element_get_reals": (ATTRIBUTES,),
    "ct_spec_set": "Spec.option",
    "ct_spec_get": "Spec.option",
    "ct_spec_add_class": "Default.add",
    "ct_spec_set_default": "Spec.default",
    "ct_spec_get_default": "Spec.default",
    "ct_spec_fuse_static": "Spec.fuse_static",
    "ct_spec_discard_visual": "Spec.discard_visual",
    "ct_spec_attach": "Spec.attach",
    "ct_field_size": ("dtype.itemsize of an array",),
    "ct_vfs_create": ("files in memory are the dict `assets`",),
    "ct_vfs_free": (FREED,),
    "ct_vfs_add": ("files in memory are the dict `assets`",),
    "ct_vfs_remove": ("files in memory are the dict `assets`",),
    "ct_vfs_contains": ("files in memory are the dict `assets`",),
    "ct_vfs_count": ("files in memory are the dict `assets`",),
    "ct_vfs_file": "Spec.assets",
}


def declared():
    texts = [path.read_text() for path in HEADERS.glob("*.h") if path.name != "single.h"]
    return {name for text in texts for name in re.findall(r"^CT_API\b[^;]*?\b(ct_\w+)\(", text, re.M)}


def test_every_function_is_in_the_table():
    assert declared() == set(TABLE)


def test_every_name_is_there():
    missing = []
    for function, entry in TABLE.items():
        if isinstance(entry, tuple):
            assert entry[0]
            continue
        found = corten
        for word in entry.split("."):
            found = getattr(found, word, None)
        if found is None:
            missing.append((function, entry))
    assert not missing


def test_every_enumeration_is_there():
    """Lists of the headers and what Python calls them; sensors have a list of their own."""
    text = (HEADERS / "types.h").read_text()
    absent = {"ctFieldType": "NumPy types", "ctFieldPlace": "of field tables", "ctSleepState": "not supported yet"}
    for name in re.findall(r"^typedef enum (ct\w+)", text, re.M):
        if name not in absent:
            assert hasattr(corten, name[2:]), name
