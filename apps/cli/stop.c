#define _POSIX_C_SOURCE 200809L  // sigaction
#include "stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void ask(int signal_number) {
  (void)signal_number;
  asked = 1;
}

void cli_stop_listen(void) {
  asked = 0;
  sigaction(SIGINT, &(struct sigaction){.sa_handler = ask, .sa_flags = (int)SA_RESETHAND}, NULL);
}

bool cli_stop_asked(void) {
  return asked != 0;
}
