// The result of a run, for a person, in one line, or for a program.
#pragma once

#include <stdio.h>

#include "json.h"
#include "output.h"
#include "simulate.h"

void cli_report(FILE* out, const ctModel* m, const ctData* d, const cli_Result* r);
void cli_report_line(FILE* out, const ctModel* m, const cli_Result* r);
void cli_report_json(FILE* out, const ctModel* m, const ctData* d, const cli_Plan* plan, const cli_Result* r);

/// Text of a kind of trouble, such as "bad number in qacc".
const char* cli_warning_text(int warning);

/// Parts that other reports share.
const char* cli_model_name(const ctModel* m);
void cli_report_title(const cli_Style* s, const ctModel* m);
void cli_report_label(const cli_Style* s, const char* text);
void cli_report_warnings(const cli_Style* s, const ctWarningStat warning[CT_WARN_COUNT]);
void cli_report_stages(const cli_Style* s, const ctTimerStat timer[CT_TIMER_COUNT]);
void cli_json_model(cli_Json* j, const ctModel* m);
void cli_json_timers(cli_Json* j, const ctTimerStat timer[CT_TIMER_COUNT]);
void cli_json_warnings(cli_Json* j, const ctWarningStat warning[CT_WARN_COUNT]);
