#include "run_report.h"

#include <math.h>

#include "json.h"
#include "output.h"

#define LABEL_WIDTH 14
#define BAR_WIDTH   28

const char* cli_warning_text(int warning) {
#define X(id, text) [CT_WARN_##id] = text,
  static const char* const texts[CT_WARN_COUNT] = {CT_WARNING_LIST(X)};
#undef X
  return texts[warning];
}

const char* cli_model_name(const ctModel* m) {
  return m->names && m->names[0] ? m->names : "unnamed model";
}

static double mean(double sum, long long count) {
  return count > 0 ? sum / (double)count : 0;
}

static double per_second(const cli_Result* r, double amount) {
  return r->wall > 0 ? amount / r->wall : 0;
}

// ---- for a person ----------------------------------------------------------------------------------------

void cli_report_label(const cli_Style* s, const char* text) {
  fprintf(s->file, "  %s%-*s%s", s->dim, LABEL_WIDTH, text, s->plain);
}

void cli_report_title(const cli_Style* s, const ctModel* m) {
  const char* dot = s->utf8 ? " · " : ", ";
  fprintf(s->file, "\n  %s%s%s  %s", s->bold, cli_model_name(m), s->plain, s->dim);
  fprintf(s->file, "%s", cli_plural(m->nbody - 1, "body", "bodies"));
  fprintf(s->file, "%s%s", dot, cli_plural(m->njnt, "joint", "joints"));
  fprintf(s->file, "%s%s", dot, cli_plural(m->nv, "dof", "dofs"));
  if (m->nactuator > 0) fprintf(s->file, "%s%s", dot, cli_plural(m->nactuator, "actuator", "actuators"));
  fprintf(s->file, "%s%s", dot, cli_plural(m->ngeom, "geom", "geoms"));
  fprintf(s->file, "%s%s kg%s\n\n", dot, cli_number((double)ct_model_total_mass(m)), s->plain);
}

static void print_speed(const cli_Style* s, const ctModel* m, const cli_Result* r) {
  cli_report_label(s, "simulated");
  fprintf(s->file, "%s s in %s of %s ms", cli_number(r->time), cli_plural(r->steps, "step", "steps"),
          cli_number(1000 * (double)m->opt.timestep));
  if (r->interrupted) fprintf(s->file, ", %sstopped early%s", s->alert, s->plain);
  if (r->status == CT_STEP_DIVERGED) fprintf(s->file, ", %sthen it diverged%s", s->alert, s->plain);
  fprintf(s->file, "\n");
  cli_report_label(s, "wall time");
  fprintf(s->file, "%s\n", cli_seconds(r->wall, s));
  cli_report_label(s, "speed");
  fprintf(s->file, "%s%s steps/s%s, %s times real time\n", s->bold,
          cli_number(per_second(r, (double)r->steps)), s->plain, cli_number(per_second(r, r->time)));
}

static void print_mean_max(const cli_Style* s, const char* what, double sum, int most, long long steps) {
  cli_report_label(s, what);
  if (most == 0) {
    fprintf(s->file, "none\n");
  } else {
    fprintf(s->file, "%.1f on average, %s at most\n", mean(sum, steps), cli_count(most));
  }
}

static void print_sleep(const cli_Style* s, const ctModel* m, const cli_Result* r) {
  if (!(m->opt.enableflags & CT_ENBL_SLEEP) || r->steps == 0) return;
  cli_report_label(s, "awake");
  fprintf(s->file, "%.1f of %s on average, %s at the end", mean(r->awake_sum, r->steps),
          cli_plural(m->ntree, "tree", "trees"), r->awake_end == 0 ? "none" : cli_count(r->awake_end));
  if (r->awake_min < r->awake_end) fprintf(s->file, ", %s at least", cli_count(r->awake_min));
  fprintf(s->file, "\n");
}

static void print_energy(const cli_Style* s, const cli_Result* r) {
  cli_report_label(s, "energy");
  double start = r->energy_start[0] + r->energy_start[1], end = r->energy_end[0] + r->energy_end[1];
  fprintf(s->file, "%s J at the start", isfinite(start) ? cli_number(start) : "unknown");
  if (isfinite(end)) fprintf(s->file, ", %s J at the end", cli_number(end));
  fprintf(s->file, "\n");
}

static void print_memory(const cli_Style* s, const ctModel* m, const ctData* d) {
  cli_report_label(s, "memory");
  fprintf(s->file, "model %s, ", cli_bytes((double)ct_model_bytes(m)));
  fprintf(s->file, "data %s ", cli_bytes((double)ct_data_bytes(d)));
  fprintf(s->file, "(arena %s, ", cli_bytes((double)d->narena));
  fprintf(s->file, "%s used at most)\n", cli_bytes((double)d->maxuse_arena));
}

void cli_report_warnings(const cli_Style* s, const ctWarningStat warning[CT_WARN_COUNT]) {
  const char* head = "warnings";
  for (int i = 0; i < CT_WARN_COUNT; i++) {
    if (warning[i].number == 0) continue;
    cli_report_label(s, head);
    fprintf(s->file, "%s%s%s: %s, last at index %d\n", s->alert, cli_warning_text(i), s->plain,
            cli_plural(warning[i].number, "time", "times"), warning[i].lastinfo);
    head = "";
  }
}

// The parts of a step that do not contain one another, in the order in which they run.
static const struct {
  ctTimerType timer;
  const char* label;
} stages[] = {
    {CT_TIMER_POS_KINEMATICS, "kinematics"}, {CT_TIMER_POS_INERTIA, "inertia"},
    {CT_TIMER_POS_COLLISION, "collision"},   {CT_TIMER_POS_MAKE, "rows"},
    {CT_TIMER_POS_PROJECT, "projection"},    {CT_TIMER_VELOCITY, "velocity"},
    {CT_TIMER_ACTUATION, "actuation"},       {CT_TIMER_CONSTRAINT, "constraint"},
    {CT_TIMER_ADVANCE, "integration"},
};
#define STAGE_COUNT ((int)(sizeof(stages) / sizeof(stages[0])))

static void print_stage(const cli_Style* s, const char* name, double duration, double most, double total,
                        long long steps) {
  cli_report_label(s, name);
  cli_bar(s, duration / most, BAR_WIDTH);
  const char* time = cli_seconds(duration / (double)steps, s);
  fprintf(s->file, "%*s%s  %3.0f %%\n", 11 - cli_columns(time), "", time, 100 * duration / total);
}

void cli_report_stages(const cli_Style* s, const ctTimerStat timer[CT_TIMER_COUNT]) {
  double total = timer[CT_TIMER_STEP].duration, other = total, most = 0;
  long long steps = timer[CT_TIMER_STEP].number;
  if (steps == 0 || !(total > 0)) return;
  for (int i = 0; i < STAGE_COUNT; i++) {
    double duration = timer[stages[i].timer].duration;
    other -= duration;
    most = fmax(most, duration);
  }
  most = fmax(most, other);
  fprintf(s->file, "\n  %stime per step, by stage%s\n\n", s->bold, s->plain);
  for (int i = 0; i < STAGE_COUNT; i++) {
    ctTimerStat t = timer[stages[i].timer];
    if (t.number > 0) print_stage(s, stages[i].label, t.duration, most, total, steps);
  }
  print_stage(s, "other", fmax(other, 0), most, total, steps);
}

void cli_report(FILE* out, const ctModel* m, const ctData* d, const cli_Result* r) {
  cli_Style s = cli_style(out);
  cli_report_title(&s, m);
  print_speed(&s, m, r);
  print_mean_max(&s, "contacts", r->ncon_sum, r->ncon_max, r->steps);
  print_mean_max(&s, "constraints", r->nefc_sum, r->nefc_max, r->steps);
  print_sleep(&s, m, r);
  print_energy(&s, r);
  print_memory(&s, m, d);
  cli_report_warnings(&s, r->warning);
  cli_report_stages(&s, r->timer);
  fprintf(out, "\n");
}

void cli_report_line(FILE* out, const ctModel* m, const cli_Result* r) {
  cli_Style s = cli_style(out);
  fprintf(out, "%s: %s s in %s, %s, %s steps/s\n", cli_model_name(m), cli_number(r->time),
          cli_seconds(r->wall, &s), cli_plural(r->steps, "step", "steps"),
          cli_number(per_second(r, (double)r->steps)));
}

// ---- for a program ---------------------------------------------------------------------------------------

static void json_mean_max(cli_Json* j, const char* key, double sum, int most, long long steps) {
  json_open(j, key, '{');
  json_real(j, "mean", mean(sum, steps));
  json_int(j, "max", most);
  json_close(j, '}');
}

static void json_energy(cli_Json* j, const char* key, const double energy[2]) {
  json_open(j, key, '{');
  json_real(j, "potential", energy[0]);
  json_real(j, "kinetic", energy[1]);
  json_close(j, '}');
}

void cli_json_model(cli_Json* j, const ctModel* m) {
  json_open(j, "model", '{');
  json_text(j, "name", m->names);
  json_int(j, "nbody", m->nbody);
  json_int(j, "njnt", m->njnt);
  json_int(j, "nq", m->nq);
  json_int(j, "nv", m->nv);
  json_int(j, "nu", m->nu);
  json_int(j, "ngeom", m->ngeom);
  json_real(j, "mass", (double)ct_model_total_mass(m));
  json_real(j, "timestep", (double)m->opt.timestep);
  json_close(j, '}');
}

static void json_memory(cli_Json* j, const ctModel* m, const ctData* d) {
  json_open(j, "memory", '{');
  json_int(j, "model", (long long)ct_model_bytes(m));
  json_int(j, "data", (long long)ct_data_bytes(d));
  json_int(j, "arena", (long long)d->narena);
  json_int(j, "arena_used", (long long)d->maxuse_arena);
  json_close(j, '}');
}

void cli_json_warnings(cli_Json* j, const ctWarningStat warning[CT_WARN_COUNT]) {
  json_open(j, "warnings", '[');
  for (int i = 0; i < CT_WARN_COUNT; i++) {
    if (warning[i].number == 0) continue;
    json_open(j, NULL, '{');
    json_text(j, "text", cli_warning_text(i));
    json_int(j, "count", warning[i].number);
    json_int(j, "last_index", warning[i].lastinfo);
    json_close(j, '}');
  }
  json_close(j, ']');
}

void cli_json_timers(cli_Json* j, const ctTimerStat timer[CT_TIMER_COUNT]) {
#define X(id, text) [CT_TIMER_##id] = text,
  static const char* const names[CT_TIMER_COUNT] = {CT_TIMER_LIST(X)};
#undef X
  json_open(j, "stages", '{');
  for (int i = 0; i < CT_TIMER_COUNT; i++) {
    if (timer[i].number == 0) continue;
    json_open(j, names[i], '{');
    json_real(j, "seconds", timer[i].duration);
    json_int(j, "calls", timer[i].number);
    json_close(j, '}');
  }
  json_close(j, '}');
}

void cli_report_json(FILE* out, const ctModel* m, const ctData* d, const cli_Plan* plan,
                     const cli_Result* r) {
  cli_Json j = {.file = out};
  json_open(&j, NULL, '{');
  cli_json_model(&j, m);
  json_text(&j, "status", ct_status_text(r->status));
  json_bool(&j, "interrupted", r->interrupted);
  json_int(&j, "steps", r->steps);
  json_real(&j, "start_time", r->start);
  json_real(&j, "time", r->time);
  json_real(&j, "wall_time", r->wall);
  json_real(&j, "steps_per_second", per_second(r, (double)r->steps));
  json_real(&j, "real_time_factor", per_second(r, r->time));
  json_real(&j, "ctrl_noise", plan->noise);
  json_int(&j, "seed", (long long)plan->seed);
  json_mean_max(&j, "contacts", r->ncon_sum, r->ncon_max, r->steps);
  json_mean_max(&j, "constraints", r->nefc_sum, r->nefc_max, r->steps);
  if (m->opt.enableflags & CT_ENBL_SLEEP) {
    json_open(&j, "awake", '{');
    json_int(&j, "trees", m->ntree);
    json_real(&j, "mean", mean(r->awake_sum, r->steps));
    json_int(&j, "min", r->awake_min);
    json_int(&j, "end", r->awake_end);
    json_close(&j, '}');
  }
  json_energy(&j, "energy_start", r->energy_start);
  json_energy(&j, "energy_end", r->energy_end);
  json_memory(&j, m, d);
  cli_json_warnings(&j, r->warning);
  cli_json_timers(&j, r->timer);
  json_reals(&j, "qpos", d->qpos, m->nq);
  json_reals(&j, "qvel", d->qvel, m->nv);
  json_close(&j, '}');
  json_end(&j);
}
