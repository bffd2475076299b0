// Ctrl-C: the first one asks a run to stop, a second one ends the program.
#pragma once

#include <stdbool.h>

void cli_stop_listen(void);
bool cli_stop_asked(void);
