// The result of a run, for a person, in one line, or for a program.
#pragma once

#include <stdio.h>

#include "simulate.h"

void cli_report(FILE* out, const ctModel* m, const ctData* d, const cli_Result* r);
void cli_report_line(FILE* out, const ctModel* m, const cli_Result* r);
void cli_report_json(FILE* out, const ctModel* m, const ctData* d, const cli_Plan* plan, const cli_Result* r);

/// Text of a kind of trouble, such as "bad number in qacc".
const char* cli_warning_text(int warning);
