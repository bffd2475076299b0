// Reports of many worlds.
#include "json.h"
#include "output.h"
#include "run_report.h"
#include "worlds.h"

static double world_steps(const cli_WorldsResult* r) {
  return (double)r->steps * r->info.nworld;
}

static double rate(const cli_WorldsResult* r, double amount) {
  return r->wall > 0 ? amount / r->wall : 0;
}

static double mean(const cli_Tally* t) {
  return t->count > 0 ? t->sum / t->count : 0;
}

// ---- for a person -----------------------------------------------------------------------------------------

static void print_where(const cli_Style* s, const cli_WorldsResult* r) {
  cli_report_label(s, "worlds");
  fprintf(s->file, "%s%s%s on ", s->bold, cli_count(r->info.nworld), s->plain);
  if (r->info.backend == CT_BACKEND_CPU) {
    fprintf(s->file, "%s of the CPU", cli_plural(r->info.threads, "thread", "threads"));
  } else {
    fprintf(s->file, "GPU %d, %s", r->info.device, r->info.device_name);
  }
  fprintf(s->file, ", %s\n", r->info.real_bytes == 8 ? "double" : "single");
}

static void print_tally(const cli_Style* s, const char* what, const cli_Tally* t) {
  cli_report_label(s, what);
  if (t->most == 0) {
    fprintf(s->file, "none\n");
  } else {
    fprintf(s->file, "%.1f on average, %s at most\n", mean(t), cli_count(t->most));
  }
}

// Cycles of a multiprocessor for a step of a world; 0 on the CPU.
static double cycles(const ctBatchProfile* p) {
  ctTimerStat step = p->timer[CT_TIMER_STEP];
  return step.number > 0 ? step.duration * p->hertz * p->processors / (double)step.number : 0;
}

static void print_profile(const cli_Style* s, const cli_WorldsResult* r) {
  const ctBatchProfile* p = &r->profile;
  if (p->timer[CT_TIMER_STEP].number == 0) return;
  if (r->info.backend == CT_BACKEND_CUDA) {
    cli_report_label(s, "team");
    fprintf(s->file, "%s a world, ", cli_plural(p->lanes, "lane", "lanes"));
    if (p->resident > 0) fprintf(s->file, "%d worlds at a time on each of ", p->resident);
    fprintf(s->file, "%d multiprocessors, ", p->processors);
    fprintf(s->file, "%s a world, ", cli_bytes((double)p->step_bytes));
    fprintf(s->file, "%s of them arrays, ", cli_bytes((double)p->array_bytes));
    fprintf(s->file, "%s at most taken by contacts, rows and scratch\n", cli_bytes((double)p->arena_bytes));
    cli_report_label(s, "cycles");
    fprintf(s->file, "%s of a multiprocessor for a step of a world\n", cli_count((long long)cycles(p)));
  }
  cli_report_stages(s, p->timer);
}

void cli_worlds_report(FILE* out, const ctModel* m, const cli_WorldsPlan* plan, const cli_WorldsResult* r) {
  cli_Style s = cli_style(out);
  cli_report_title(&s, m);
  print_where(&s, r);
  cli_report_label(&s, "simulated");
  fprintf(out, "%s s each, in %s of %s ms, %d per call", cli_number(r->time),
          cli_plural(r->steps, "step", "steps"), cli_number(1000 * (double)m->opt.timestep), plan->per_call);
  if (r->interrupted) fprintf(out, ", %sstopped early%s", s.alert, s.plain);
  fprintf(out, "\n");
  cli_report_label(&s, "first step");
  fprintf(out, "after %s\n", cli_seconds(r->first, &s));
  cli_report_label(&s, "wall time");
  fprintf(out, "%s\n", cli_seconds(r->wall, &s));
  cli_report_label(&s, "speed");
  fprintf(out, "%s%s steps/s%s, %s times real time\n", s.bold, cli_number(rate(r, world_steps(r))), s.plain,
          cli_number(rate(r, r->time * r->info.nworld)));
  print_tally(&s, "contacts", &r->contacts);
  print_tally(&s, "constraints", &r->rows);
  print_tally(&s, "iterations", &r->iterations);
  if (m->opt.enableflags & CT_ENBL_SLEEP) print_tally(&s, "trees awake", &r->awake);
  cli_report_label(&s, "memory");
  fprintf(out, "%s per world, ", cli_bytes((double)r->info.bytes_per_world));
  fprintf(out, "%s in all\n", cli_bytes((double)r->info.bytes));
  if (r->with_warnings > 0) {
    cli_report_label(&s, "warnings");
    fprintf(out, "%sin %s%s\n", s.alert, cli_plural(r->with_warnings, "world", "worlds"), s.plain);
  }
  cli_report_warnings(&s, r->warning);
  print_profile(&s, r);
  fprintf(out, "\n");
}

void cli_worlds_line(FILE* out, const ctModel* m, const cli_WorldsResult* r) {
  cli_Style s = cli_style(out);
  fprintf(out, "%s: %s, %s s each in %s, ", cli_model_name(m), cli_plural(r->info.nworld, "world", "worlds"),
          cli_number(r->time), cli_seconds(r->wall, &s));
  fprintf(out, "%s steps/s, %s with warnings\n", cli_number(rate(r, world_steps(r))),
          cli_plural(r->with_warnings, "world", "worlds"));
}

// ---- for a program ----------------------------------------------------------------------------------------

static void json_tally(cli_Json* j, const char* key, const cli_Tally* t) {
  json_open(j, key, '{');
  json_real(j, "mean", mean(t));
  json_int(j, "max", t->most);
  json_close(j, '}');
}

void cli_worlds_json(FILE* out, const ctModel* m, const cli_WorldsPlan* plan, const cli_WorldsResult* r) {
  cli_Json j = {.file = out};
  json_open(&j, NULL, '{');
  cli_json_model(&j, m);
  json_text(&j, "backend", cli_backend_name(r->info.backend));
  json_text(&j, "device_name", r->info.device_name[0] ? r->info.device_name : NULL);
  json_int(&j, "device", r->info.device);
  json_int(&j, "threads", r->info.threads);
  json_text(&j, "precision", r->info.real_bytes == 8 ? "double" : "single");
  json_int(&j, "worlds", r->info.nworld);
  json_int(&j, "steps", r->steps);
  json_int(&j, "steps_per_call", plan->per_call);
  json_bool(&j, "interrupted", r->interrupted);
  char hash[24];
  snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)r->hash);
  json_text(&j, "hash", plan->hash ? hash : NULL);
  json_real(&j, "time", r->time);
  json_real(&j, "first_step", r->first);
  json_real(&j, "wall_time", r->wall);
  json_real(&j, "steps_per_second", rate(r, world_steps(r)));
  json_real(&j, "real_time_factor", rate(r, r->time * r->info.nworld));
  json_real(&j, "ctrl_noise", plan->noise);
  json_int(&j, "seed", (long long)plan->seed);
  json_tally(&j, "contacts", &r->contacts);
  json_tally(&j, "constraints", &r->rows);
  json_tally(&j, "iterations", &r->iterations);
  if (m->opt.enableflags & CT_ENBL_SLEEP) json_tally(&j, "trees_awake", &r->awake);
  if (plan->profile > 0) {
    cli_json_timers(&j, r->profile.timer);
    json_int(&j, "lanes", r->profile.lanes);
    json_int(&j, "processors", r->profile.processors);
    json_int(&j, "resident", r->profile.resident);
    json_real(&j, "hertz", r->profile.hertz);
    json_int(&j, "step_bytes", (long long)r->profile.step_bytes);
    json_int(&j, "array_bytes", (long long)r->profile.array_bytes);
    json_int(&j, "arena_bytes", (long long)r->profile.arena_bytes);
  }
  json_int(&j, "bytes_per_world", (long long)r->info.bytes_per_world);
  json_int(&j, "bytes", (long long)r->info.bytes);
  json_int(&j, "worlds_with_warnings", r->with_warnings);
  json_text(&j, "status", ct_status_text(r->status));
  cli_json_warnings(&j, r->warning);
  json_close(&j, '}');
  json_end(&j);
}
