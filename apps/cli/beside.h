// Programs that stand beside this one, for what needs libraries that `corten` itself does without.
#pragma once

/// Become the program whose name is that of this one and `ending` ("-mpi").
/// @param args  its arguments, NULL at the end; args[0] is filled in
/// @param needs printed after its name where it is not there
/// @return CLI_FAILED, and only then
int cli_become(const char* command, const char* ending, const char** args, const char* needs);
