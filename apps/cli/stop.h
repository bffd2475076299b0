// Signals that end a program (Ctrl-C, a terminal that closes, what batch systems send): the first one asks a
// run to stop and to leave what it has, a second one of the same kind ends the program.
#pragma once

void cli_stop_listen(void);

/// The signal that asked, 0: none.
int cli_stop_asked(void);
