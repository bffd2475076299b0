#define _POSIX_C_SOURCE 200809L  // sigaction
#include "stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void ask(int signal_number) {
  asked = signal_number;
}

void cli_stop_listen(void) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  asked = 0;
  for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
    struct sigaction old;
    // nohup wants the program to outlive its terminal
    if (signals[i] == SIGHUP && sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    sigaction(signals[i], &(struct sigaction){.sa_handler = ask, .sa_flags = (int)SA_RESETHAND}, NULL);
  }
}

int cli_stop_asked(void) {
  return asked;
}
