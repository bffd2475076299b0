// Panels over the picture: what the user can see of the simulation as numbers and change.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui.h"
#include "window.h"

#define X(id, text, bit) text,
static const char* const disable_names[] = {CT_DISABLE_LIST(X)};
static const char* const enable_names[] = {CT_ENABLE_LIST(X)};
#undef X
#define X(id, text) text,
static const char* const integrators[] = {CT_INTEGRATOR_LIST(X)};
static const char* const cones[] = {CT_CONE_LIST(X)};
static const char* const jacobians[] = {CT_JACOBIAN_LIST(X)};
static const char* const solvers[] = {CT_SOLVER_LIST(X)};
static const char* const frames[] = {CT_FRAME_LIST(X)};
static const char* const labels[] = {CT_LABEL_LIST(X)};
#undef X
#define X(id, text, on) text,
static const char* const shows[] = {CT_SHOW_LIST(X)};
#undef X
#define X(id, text) text,
static const char* const warnings[] = {CT_WARNING_LIST(X)};
#undef X

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// The name of an object, or its number.
static const char* name_of(const ctModel* m, ctObjType type, int id, char* scratch, size_t size) {
  const char* name = ct_model_id2name(m, type, id);
  if (name && name[0]) return name;
  snprintf(scratch, size, "%d", id);
  return scratch;
}

// The widest name of objects, for labels beside sliders.
static float widest(const ctModel* m, ctObjType type, int count) {
  float width = 0;
  char scratch[16];
  for (int i = 0; i < count; i++)
    width = fmaxf(width, ui_measure(name_of(m, type, i, scratch, sizeof(scratch))));
  return width;
}

// ---- numbers over time

static int most_iterations(const ctData* d) {
  int most = 0, n = d->nisland < 1 ? 1 : d->nisland < CT_NISLAND ? d->nisland : CT_NISLAND;
  for (int i = 0; i < n; i++) most = d->solver_niter[i] > most ? d->solver_niter[i] : most;
  return most;
}

// The first value of a curve is all of it, so that it does not seem to come from zero.
static void add_value(Curve* c, int at, double value) {
  for (int i = 0; i < HISTORY && !c->begun; i++) c->values[i] = (float)value;
  c->begun = true;
  c->values[at] = (float)value;
}

void view_remember(Window* w, const Sight* s) {
  if (s->wishes.paused && s->wishes.steps == 0 && !s->report.own_pace) return;
  int at = w->curve_at = (w->curve_at + 1) % HISTORY;
  add_value(&w->iterations, at, most_iterations(s->d));
  add_value(&w->contacts, at, s->d->ncon);
  add_value(&w->rows, at, s->d->nefc);
  if (s->report.step_us > 0) add_value(&w->step_us, at, s->report.step_us);
  for (int i = 0; i < 2; i++) add_value(&w->energy[i], at, (double)s->d->energy[i]);
  for (int i = 0; i < w->nsensor; i++)
    add_value(&w->sensor[i], at, (double)s->d->sensordata[s->m->sensor_adr[w->sensors[i]]]);
}

static void plot(const Window* w, const char* label, const Curve* c) {
  float low = INFINITY, high = -INFINITY;
  for (int i = 0; i < HISTORY; i++) {
    low = fminf(low, c->values[i]);
    high = fmaxf(high, c->values[i]);
  }
  if (!(high > low)) low -= 1, high += 1;
  ui_plot(label, c->values, HISTORY, (w->curve_at + 1) % HISTORY, low, high);
}

// ---- the left side: the simulation and how it is shown

static void show_simulation(Window* w, Sight* s) {
  if (!ui_section("Simulation", true)) return;
  const ctData* d = s->d;
  if (s->report.own_pace) {
    ui_text("time %.3f s, stepped by the program", (double)d->time);
  } else {
    if (ui_button(s->wishes.paused ? "Run" : "Pause")) s->wishes.paused = !s->wishes.paused;
    ui_hint("Space");
    ui_same_line();
    if (ui_button("Step")) s->wishes.paused = true, s->wishes.steps++;
    ui_hint("Right arrow");
    ui_same_line();
    if (ui_button("Reset")) s->wishes.reset = true;
    ui_hint("Backspace");
    ui_text("time %.3f s", (double)d->time);
    double speed = s->wishes.speed;
    if (ui_speed("##speed", &speed, 1.0 / 256, 256) && speed > 0) s->wishes.speed = exp2(round(log2(speed)));
    ui_hint("- and +");
    ui_same_line();
    ui_text("speed %.4g x", s->wishes.speed);
    if (s->wishes.paused || !(s->report.step_us > 0)) {
      ui_text(s->wishes.paused ? "paused" : "running");
    } else {
      ui_text("%.2f x real time, %.1f us a step", s->report.factor, s->report.step_us);
      if (s->report.factor < 0.8 * s->wishes.speed)
        ui_warn("slower than %.3g x: a step takes too long", s->wishes.speed);
    }
  }
  if (!s->report.own_pace && s->report.status != CT_OK) ui_warn("%s", ct_status_text(s->report.status));
  for (int i = 0; i < CT_WARN_COUNT; i++) {
    if (d->warning[i].number > 0) ui_warn("%s: %d times", warnings[i], d->warning[i].number);
  }
  char scratch[16];
  for (int k = 0; k < s->m->nkey; k++) {
    const char* name = name_of(s->m, CT_OBJ_KEY, k, scratch, sizeof(scratch));
    if (k > 0) ui_flow(name);
    ui_push(k);
    if (ui_button(name)) s->wishes.keyframe = k;
    ui_hint("go to this keyframe");
    ui_pop();
  }
  if (s->path[0] && ui_button("Load again")) s->wishes.load = true;
  if (s->path[0]) {
    ui_same_line();
    ui_check("when it changes", &w->watch);
  }
  if (ui_button("Picture")) view_take_picture(w, s);
  ui_hint("Ctrl P");
  ui_same_line();
  if (ui_button(w->video ? "End video" : "Video")) view_toggle_video(w, s);
  ui_hint("Ctrl R");
  ui_same_line();
  if (ui_button("Help")) w->help = !w->help;
  ui_hint("F1");
}

static void flag_boxes(const char* const* names, int count, int* flags, bool off, bool* changed) {
  for (int i = 0; i < count; i++) {
    bool on = (*flags >> i & 1) != off;
    if (ui_check(names[i], &on)) {
      *flags ^= 1 << i;
      *changed = true;
    }
    if (i % 2 == 0 && i + 1 < count) ui_second_column();
  }
}

static void show_options(Sight* s) {
  if (s->report.fixed || !ui_section("Options", false)) return;
  ctOption o = s->m->opt;
  bool changed = false;
  double timestep = (double)o.timestep, tolerance = (double)o.tolerance, gravity = (double)o.gravity[2];
  if (ui_number("timestep", &timestep, "%.5g") && timestep > 0) o.timestep = (ctReal)timestep, changed = true;
  if (ui_number("gravity z", &gravity, "%.4g") && isfinite(gravity))
    o.gravity[2] = (ctReal)gravity, changed = true;
  changed = ui_choice("integrator", &o.integrator, integrators, COUNT(integrators)) || changed;
  changed = ui_choice("cone", &o.cone, cones, COUNT(cones)) || changed;
  changed = ui_choice("Jacobian", &o.jacobian, jacobians, COUNT(jacobians)) || changed;
  changed = ui_choice("solver", &o.solver, solvers, COUNT(solvers)) || changed;
  if (ui_whole("iterations", &o.iterations) && o.iterations >= 0) changed = true;
  if (ui_number("tolerance", &tolerance, "%.3g") && tolerance >= 0)
    o.tolerance = (ctReal)tolerance, changed = true;
  ui_line();
  flag_boxes(disable_names, COUNT(disable_names), &o.disableflags, true, &changed);
  ui_line();
  flag_boxes(enable_names, COUNT(enable_names), &o.enableflags, false, &changed);
  if (changed) s->wishes.set_option = true, s->wishes.option = o;
}

static void group_boxes(const char* label, int id, ctByte groups[CT_NGROUP]) {
  ui_push(id);
  for (int i = 0; i < CT_NGROUP; i++) {
    const char number[2] = {(char)('0' + i), 0};
    bool on = groups[i];
    if (ui_check(number, &on)) groups[i] = on;
    ui_same_line();
  }
  ui_text("%s", label);
  ui_pop();
}

static void show_view(Sight* s) {
  if (!ui_section("View", false)) return;
  const char* names[64] = {"free"};
  int n = 1, now = s->camera.kind == CT_CAMERA_FIXED ? s->camera.id + 1 : 0;
  char scratch[64][16];
  for (; n < 64 && n <= s->m->ncam; n++)
    names[n] = name_of(s->m, CT_OBJ_CAMERA, n - 1, scratch[n], sizeof(scratch[n]));
  if (ui_choice("camera", &now, names, n)) {
    if (now == 0) ct_camera_find(s->m, "free", &s->camera, NULL);
    if (now > 0) s->camera.kind = CT_CAMERA_FIXED, s->camera.id = now - 1;
  }
  int frame = (int)s->option.frame, label = (int)s->option.label;
  if (ui_choice("frames", &frame, frames, COUNT(frames))) s->option.frame = (ctFrameOf)frame;
  if (ui_choice("labels", &label, labels, COUNT(labels))) s->option.label = (ctLabelOf)label;
  for (int i = 0; i < CT_SHOW_COUNT; i++) {
    bool on = s->option.show[i];
    if (ui_check(shows[i], &on)) s->option.show[i] = on;
    if (i % 2 == 0 && i + 1 < CT_SHOW_COUNT) ui_second_column();
  }
  group_boxes("geoms", 1, s->option.geomgroup);
  group_boxes("sites", 2, s->option.sitegroup);
  group_boxes("joints", 3, s->option.jointgroup);
  group_boxes("tendons", 4, s->option.tendongroup);
  group_boxes("actuators", 5, s->option.actuatorgroup);
  group_boxes("skins", 6, s->option.skingroup);
  group_boxes("deformables", 7, s->option.flexgroup);
}

// ---- the right side: the model

// The ends of a slider; an end that is infinite stays as far from the other as usual.
static void slider_range(const ctReal range[2], double* low, double* high) {
  const double width = *high - *low;
  const bool begins = isfinite((double)range[0]), ends = isfinite((double)range[1]);
  if (begins) *low = (double)range[0];
  if (ends) *high = (double)range[1];
  if (begins && !ends) *high = *low + width;
  if (ends && !begins) *low = *high - width;
}

static void show_controls(Sight* s) {
  const ctModel* m = s->m;
  if (m->nu == 0 || !ui_section("Controls", true)) return;
  if (ui_button("Zero")) {
    for (int i = 0; i < m->nu; i++) view_edit(s, EDIT_CTRL, i, 0);
  }
  char scratch[16];
  const float labels_width = widest(m, CT_OBJ_ACTUATOR, m->nu);
  ui_box("controls", m->nu > 8 ? 220 : 0.001f + 26 * (float)m->nu + 14);
  for (int i = 0; i < m->nu; i++) {
    double value = (double)s->d->ctrl[i], low = -1, high = 1;
    if (m->actuator_ctrllimited[i]) slider_range(m->actuator_ctrlrange + 2 * i, &low, &high);
    ui_push(i);
    if (ui_slider(name_of(m, CT_OBJ_ACTUATOR, i, scratch, sizeof(scratch)), labels_width, &value, low, high))
      view_edit(s, EDIT_CTRL, i, value);
    ui_pop();
  }
  ui_box_end();
}

static void show_joints(Sight* s) {
  const ctModel* m = s->m;
  if (m->njnt == 0 || !ui_section("Joints", false)) return;
  bool may_edit = s->wishes.paused || s->report.own_pace;
  if (!may_edit) ui_text("paused, they can be moved");
  char scratch[16];
  const float labels_width = widest(m, CT_OBJ_JOINT, m->njnt);
  ui_box("joints", 240);
  for (int i = 0; i < m->njnt; i++) {
    const char* name = name_of(m, CT_OBJ_JOINT, i, scratch, sizeof(scratch));
    int at = m->jnt_qposadr[i];
    if (m->jnt_type[i] != CT_JOINT_HINGE && m->jnt_type[i] != CT_JOINT_SLIDE) {
      ui_text("%s: %.3g %.3g %.3g %.3g", name, (double)s->d->qpos[at], (double)s->d->qpos[at + 1],
              (double)s->d->qpos[at + 2], (double)s->d->qpos[at + 3]);
      continue;
    }
    double value = (double)s->d->qpos[at], reach = m->jnt_type[i] == CT_JOINT_HINGE ? 3.1416 : 1;
    double low = -reach, high = reach;
    if (m->jnt_limited[i]) slider_range(m->jnt_range + 2 * i, &low, &high);
    ui_push(i);
    if (ui_slider(name, labels_width, &value, low, high) && may_edit) view_edit(s, EDIT_QPOS, at, value);
    ui_pop();
  }
  ui_box_end();
}

static void show_equalities(Sight* s) {
  if (s->m->neq == 0 || !ui_section("Equalities", false)) return;
  char scratch[16];
  ui_box("equalities", s->m->neq > 6 ? 160 : 24 * (float)s->m->neq + 16);
  for (int i = 0; i < s->m->neq; i++) {
    bool on = s->d->eq_active[i];
    ui_push(i);
    if (ui_check(name_of(s->m, CT_OBJ_EQUALITY, i, scratch, sizeof(scratch)), &on))
      view_edit(s, EDIT_EQUALITY, i, on);
    ui_pop();
  }
  ui_box_end();
}

static void show_sensors(Window* w, Sight* s) {
  const ctModel* m = s->m;
  if (m->nsensor == 0 || !ui_section("Sensors", false)) return;
  char scratch[16];
  ui_box("sensors", 160);
  for (int i = 0; i < m->nsensor; i++) {
    const ctReal* x = s->d->sensordata + m->sensor_adr[i];
    int n = m->sensor_dim[i], place = -1;
    for (int k = 0; k < w->nsensor; k++) place = w->sensors[k] == i ? k : place;
    bool plotted = place >= 0;
    ui_push(i);
    if (ui_check("", &plotted)) {
      if (!plotted) {
        w->nsensor--;
        w->sensors[place] = w->sensors[w->nsensor];
        w->sensor[place] = w->sensor[w->nsensor];
      } else if (w->nsensor < MOST_CURVES) {
        memset(&w->sensor[w->nsensor], 0, sizeof(Curve));
        w->sensors[w->nsensor++] = i;
      }
    }
    ui_pop();
    ui_same_line();
    char line[128];
    int at = snprintf(line, sizeof(line), "%s:", name_of(m, CT_OBJ_SENSOR, i, scratch, sizeof(scratch)));
    for (int k = 0; k < n && k < 6 && at > 0 && at < (int)sizeof(line); k++)
      at += snprintf(line + at, sizeof(line) - (size_t)at, " %.3g", (double)x[k]);
    ui_text("%s%s", line, n > 6 ? " ..." : "");
  }
  ui_box_end();
  for (int i = 0; i < w->nsensor; i++) {
    ui_push(1000 + i);
    plot(w, name_of(m, CT_OBJ_SENSOR, w->sensors[i], scratch, sizeof(scratch)), &w->sensor[i]);
    ui_pop();
  }
}

static void show_contacts(Window* w, Sight* s) {
  if (!ui_section("Contacts", false)) return;
  const ctModel* m = s->m;
  const ctData* d = s->d;
  char a[16], b[16];
  ui_text("%d contacts, %d rows", d->ncon, d->nefc);
  plot(w, "contacts", &w->contacts);
  ui_box("contacts", 160);
  for (int i = 0; i < d->ncon && i < 200; i++) {
    const ctContact* c = &d->contact[i];
    ctReal force[6] = {0};
    (void)ct_contact_force(m, d, i, force);
    ui_text("%s - %s: %.2g mm, %.3g N",
            c->geom[0] >= 0 ? name_of(m, CT_OBJ_GEOM, c->geom[0], a, sizeof(a)) : "flex",
            c->geom[1] >= 0 ? name_of(m, CT_OBJ_GEOM, c->geom[1], b, sizeof(b)) : "flex",
            1000 * (double)c->dist, (double)force[0]);
  }
  ui_box_end();
}

static void show_solver(Window* w, Sight* s) {
  if (!ui_section("Solver and time", false)) return;
  ui_text("%d islands, %d iterations at most", s->d->nisland, most_iterations(s->d));
  plot(w, "iterations", &w->iterations);
  plot(w, "rows", &w->rows);
  if (!s->report.own_pace) plot(w, "us a step", &w->step_us);
  if (s->m->opt.enableflags & CT_ENBL_ENERGY) {
    plot(w, "potential, J", &w->energy[0]);
    plot(w, "kinetic, J", &w->energy[1]);
  }
}

// Whether a body or one below it has a name that is searched for.
static bool is_found(const ctModel* m, const char* search, int body) {
  if (!search[0]) return true;
  for (int b = body; b < m->nbody; b++) {
    int up = b;
    while (up > body) up = m->body_parentid[up];
    const char* name = up == body ? ct_model_id2name(m, CT_OBJ_BODY, b) : NULL;
    if (name && strstr(name, search)) return true;
  }
  return false;
}

static void show_body(Window* w, Sight* s, int body) {
  const ctModel* m = s->m;
  if (!is_found(m, w->search, body)) return;
  bool leaf = true, clicked;
  for (int b = body + 1; b < m->nbody && leaf; b++) leaf = m->body_parentid[b] != body;
  char scratch[16], label[128];
  snprintf(label, sizeof(label), "%s##%d",
           body ? name_of(m, CT_OBJ_BODY, body, scratch, sizeof(scratch)) : "world", body);
  bool open =
      ui_node(label, leaf, body > 0 && s->option.selected == body, body == 0 || w->search[0], &clicked);
  if (clicked && body > 0) {
    s->option.selected = body;
    for (int k = 0; k < 3; k++) s->option.selected_point[k] = 0;
  }
  if (!open) return;
  for (int b = body + 1; b < m->nbody; b++) {
    if (m->body_parentid[b] == body) show_body(w, s, b);
  }
  ui_node_end();
}

static void show_tree(Window* w, Sight* s) {
  if (!ui_section("Bodies", false)) return;
  const ctModel* m = s->m;
  ui_input("search", w->search, sizeof(w->search));
  ui_box("tree", 240);
  show_body(w, s, 0);
  ui_box_end();
  int b = s->option.selected;
  if (b <= 0 || b >= m->nbody) return;
  char scratch[16];
  ui_text("%s: body %d, %.4g kg, %d geoms, %d joints", name_of(m, CT_OBJ_BODY, b, scratch, sizeof(scratch)),
          b, (double)m->body_mass[b], m->body_geomnum[b], m->body_jntnum[b]);
  ui_text("at %.3f %.3f %.3f m", (double)s->d->xpos[3 * b], (double)s->d->xpos[3 * b + 1],
          (double)s->d->xpos[3 * b + 2]);
}

static void show_model(Window* w, Sight* s) {
  ui_text("%d bodies, %d dofs, %d geoms", s->m->nbody, s->m->nv, s->m->ngeom);
  show_controls(s);
  show_joints(s);
  show_equalities(s);
  show_sensors(w, s);
  show_contacts(w, s);
  show_solver(w, s);
  show_tree(w, s);
}

// ---- help and messages

static const char* const help[] = {
    "Mouse",
    "  left drag            turn the camera          right drag       move it",
    "  wheel, middle drag   come closer              double click     select a body",
    "  Ctrl left drag       turn the selected body   Ctrl right drag  pull it",
    "  right double click   look there; with Ctrl, follow the body",
    "Simulation",
    "  Space pause   Right arrow one step   Backspace reset   - + slower, faster",
    "  Ctrl L load again   Ctrl P picture   Ctrl R video   Ctrl Q quit",
    "  a file that is dropped on the window is loaded",
    "View",
    "  Tab panels   F1 this help   Esc free camera, nothing selected",
    "  [ ] cameras of the model   0 to 5 groups of geoms, with Shift of sites",
    "  E frames   L labels   C contact points   F contact forces   J joints   U actuators",
    "  M centres of mass   I inertia boxes   T transparent   H hulls   W wires   A islands",
    "  S shadows   X textures   Y tendons   K skins   Z what never moves"};

enum { GAP = 8, LEFT_PANEL = 320, RIGHT_PANEL = 320, NARROW = 960 };

// In a narrow window both panels are one, so that something is left of the picture.
static bool is_narrow(const Window* w) {
  return w->size[0] < NARROW;
}

void view_find_area(Window* w) {
  int left = w->panels ? LEFT_PANEL + GAP : 0, right = w->panels && !is_narrow(w) ? RIGHT_PANEL + GAP : 0;
  if (left > w->size[0] / 2 + GAP) left = 0;
  const int area[4] = {left, 0, w->size[0] - left - right, w->size[1]};
  memcpy(w->area, area, sizeof(area));
}

void view_panels(ctViewer* v, Window* w, Sight* s) {
  (void)v;
  float width = (float)w->size[0], height = (float)w->size[1];
  view_find_area(w);
  const float middle = (float)w->area[0] + (float)w->area[2] / 2;
  if (w->panels) {
    if (ui_panel("Corten", GAP, GAP, LEFT_PANEL, height - 2 * GAP)) {
      show_simulation(w, s);
      show_options(s);
      show_view(s);
      if (is_narrow(w)) show_model(w, s);
    }
    ui_panel_end();
    if (!is_narrow(w)) {
      if (ui_panel("Model", width - RIGHT_PANEL - GAP, GAP, RIGHT_PANEL, height - 2 * GAP)) show_model(w, s);
      ui_panel_end();
    }
  }
  if (w->help) {
    if (ui_panel("Keys and mouse", fmaxf(0, middle - 310), height / 2 - 160, 620, 320)) {
      for (int i = 0; i < COUNT(help); i++) ui_text("%s", help[i]);
    }
    ui_panel_end();
  }
  if (s->message[0]) {
    if (ui_panel("Message", fmaxf(0, middle - 280), height - 150, 560, 130)) {
      ui_warn("%s", s->message);
      if (ui_button("Close")) s->message[0] = 0;
    }
    ui_panel_end();
  }
  const float white[4] = {1, 1, 1, 1}, red[4] = {1, 0.3f, 0.3f, 1};
  if (ct_clock() < w->note_until) ui_write(middle - ui_measure(w->note) / 2, height - 24, white, w->note);
  if (w->video) ui_write(middle - 30, 12, red, "recording");
  if (!w->panels && !w->help && !w->overlay) ui_write(12, height - 24, white, "Tab panels   F1 help");
}
