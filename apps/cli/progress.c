#include "progress.h"

#include <corten/corten.h>
#include <stdio.h>

#include "output.h"

#define INTERVAL  0.05  // seconds between drawings: 20 a second at most
#define BAR_WIDTH 28

cli_Progress cli_progress_start(bool wanted, double end) {
  return (cli_Progress){.on = wanted && cli_style(stderr).tty, .end = end, .last = ct_clock()};
}

void cli_progress_show(cli_Progress* p, double time, double steps_per_second) {
  if (!p->on || ct_clock() - p->last < INTERVAL) return;
  p->last = ct_clock();
  p->drawn = true;
  cli_Style style = cli_style(stderr);
  double share = p->end > 0 ? time / p->end : 1;
  fputs("\r  ", stderr);
  cli_bar(&style, share, BAR_WIDTH);
  fprintf(stderr, " %3.0f %%  %s of %s s  %s steps/s\033[K", 100 * share, cli_number(time),
          cli_number(p->end), cli_number(steps_per_second));
  fflush(stderr);
}

void cli_progress_end(cli_Progress* p) {
  if (p->drawn) fputs("\r\033[K", stderr);
  p->drawn = false;
}
