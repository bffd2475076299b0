// The parts of corten info.
#pragma once

#include <corten/corten.h>
#include <stdbool.h>

#include "output.h"

/// The options of a model without any, to compare with.
ctStatus info_defaults(ctOption* out);

/// Name and keyword text of an integer option that has keywords (integrator, cone, ...), NULL for others.
const char* info_option_keyword(const char* name, int value);

/// Tree of bodies with their joints and masses; long ones are cut unless `all`.
void info_tree(const cli_Style* s, const ctModel* m, bool all);

/// Arrays of a model and of its data by size, largest first; long lists are cut unless `all`.
void info_memory(const cli_Style* s, const ctModel* m, const ctData* d, bool all);

/// What a type of elements is called: "real", "int", ...
const char* info_type_name(ctFieldType type);

/// Name, type, shape and description of the fields of model and data, as a table or for a program. With a
/// model and its data also the shapes they have there; both may be NULL.
/// @param only  text that the name or the description contains; NULL: all fields
void info_fields(const cli_Style* s, const ctModel* m, const ctData* d, const char* only);
void info_fields_json(FILE* out, const ctModel* m, const ctData* d, const char* only);

/// Whether there is a field with a text in its name or description.
bool info_has_field(const char* text);

/// Everything, for a program.
void info_json(FILE* out, const ctModel* m, const ctData* d);
