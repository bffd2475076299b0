// Actuators: reading them, and turning the words of each shortcut into the general drive.
#include "mjcf/read.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "spec/defaults.h"
#include "spec/format.h"

// ---- DC motors

// From the data sheet to the parameters of the engine.

// Numbers given here replace those of the class one by one.
static void override(double* to, const double* given, int n) {
  for (int i = 0; i < n; i++) {
    if (!isnan(given[i])) to[i] = given[i];
  }
}

static double given_or(double given, double otherwise) {
  return isnan(given) ? otherwise : given;
}

// The motor constant of a nominal point: without load the motor turns at its speed against its damping alone.
static double nominal_constant(double voltage, double stall, double speed, double resistance,
                               double damping) {
  const double ideal = voltage / speed;
  if (!(damping > 0)) return ideal;
  if (resistance > 0) {
    const double root = voltage * voltage - 4 * speed * speed * resistance * damping;
    return root >= 0 ? (voltage + sqrt(root)) / (2 * speed) : ideal;
  }
  const double damped = stall > 0 ? ideal - voltage * damping / stall : ideal;
  return damped > 0 ? damped : ideal;
}

// Torque and back-EMF constants make one; the class and the nominal point fill in what is not given.
static const char* lower_electric(ctiDrive* d, const ctiShortcutWords* w, double damping, bool driven) {
  double voltage = given_or(w->nominal[0], 0), stall = given_or(w->nominal[1], 0),
         speed = given_or(w->nominal[2], 0);
  double k[2] = {given_or(w->motorconst[0], d->gainprm[1]), given_or(w->motorconst[1], 0)};
  double resistance = given_or(w->resistance, d->gainprm[0]);
  if (k[0] < 0 || k[1] < 0) return "motorconst must not be negative";
  bool nominal = voltage > 0 && speed > 0;
  if (nominal && k[1] == 0) k[1] = nominal_constant(voltage, stall, speed, resistance, damping);
  d->gainprm[1] = k[0] > 0 && k[1] > 0 ? sqrt(k[0] * k[1]) : fmax(k[0], k[1]);
  if (!(resistance > 0) && voltage > 0 && stall > 0) resistance = d->gainprm[1] * voltage / stall;
  d->gainprm[0] = resistance;
  if (driven && !(d->gainprm[1] > 0)) return "the motor constant must be positive: set motorconst or nominal";
  if (!(d->gainprm[0] > 0)) return "the resistance must be positive: set resistance or nominal";
  if (!isnan(w->inductance[0])) {
    double constant = given_or(w->inductance[1], 0);
    if (w->inductance[0] < 0 || constant < 0) return "inductance must not be negative";
    d->dynprm[0] = w->inductance[0] > 0 ? w->inductance[0] / d->gainprm[0] : constant;
  }
  return NULL;
}

// Two of heat resistance, capacity and time constant give the third.
static const char* lower_thermal(ctiDrive* d, const ctiShortcutWords* w) {
  if (isnan(w->thermal[0])) return NULL;
  double v[6] = {0};
  override(v, w->thermal, 6);
  double resistance = v[0], capacity = v[1], time = v[2];
  if (resistance < 0 || capacity < 0 || time < 0)
    return "thermal resistance, capacitance and time constant must not be negative";
  if (resistance > 0 && time > 0) capacity = time / resistance;
  if (resistance == 0 && capacity > 0 && time > 0) resistance = time / capacity;
  if (resistance > 0 && !(capacity > 0)) return "thermal capacitance must be positive";
  d->dynprm[2] = resistance;
  d->dynprm[3] = capacity;
  d->dynprm[4] = v[5];
  d->gainprm[2] = v[3];
  d->gainprm[3] = v[4];
  return NULL;
}

static void lower_saturation(ctiActuator* a, const ctiShortcutWords* w) {
  if (isnan(w->saturation[0])) return;
  double v[3] = {0};
  override(v, w->saturation, 3);
  double torque = v[0] > 0 ? v[0] : a->drive.gainprm[1] * v[1];
  a->forcerange[0] = -torque;
  a->forcerange[1] = torque;
  a->drive.dynprm[1] = v[2];
}

// What is wrong with the words, or NULL. The drive comes from the class, with its ctrlspec already chosen.
static const char* dcmotor_from_words(ctiActuator* a, const ctiShortcutWords* w) {
  ctiDrive* d = &a->drive;
  if (d->made_by != CTI_SHORTCUT_DCMOTOR) {
    memset(d->dynprm, 0, sizeof(d->dynprm));
    memset(d->gainprm, 0, sizeof(d->gainprm));
    memset(d->biasprm, 0, sizeof(d->biasprm));
  }
  d->dyntype = CT_DYN_DCMOTOR;
  d->gaintype = CT_GAIN_DCMOTOR;
  d->biastype = CT_BIAS_DCMOTOR;
  const char* complaint = lower_electric(d, w, a->damping[0], !(d->ctrlspec & CTI_INPUT_NONE));
  if (!complaint) complaint = lower_thermal(d, w);
  if (complaint) return complaint;
  lower_saturation(a, w);
  // gains and largest voltage; slew and integral limits
  double controller[6] = {d->gainprm[4], d->gainprm[5], d->gainprm[6],
                          d->dynprm[7],  d->dynprm[8],  d->gainprm[7]};
  override(controller, w->controller, 6);
  memcpy(d->gainprm + 4, controller, 3 * sizeof(double));
  memcpy(d->dynprm + 7, controller + 3, 2 * sizeof(double));
  d->gainprm[7] = controller[5];
  // friction of bristles: stiffness and damping; Coulomb, static and Stribeck numbers
  override(d->dynprm + 5, w->lugre, 2);
  override(d->biasprm + 3, w->lugre + 2, 3);
  override(d->biasprm, w->cogging, 3);
  return NULL;
}

// ---- reading

// Every shortcut is lowered to the general form as soon as it is read. A class keeps one drive for each
// shortcut. A shortcut starts from the drive that its own kind, or a <general>, has left in the nearest
// class; a <general> starts from whatever was written last, and is a starting point for all.

typedef struct Lowering {
  ctiActuator* actuator;
  ctiDrive* drive;  // of the actuator, from the class, to be rewritten
  const ctiShortcutWords* words;
  const char** complaint;  // what is wrong with the words, NULL: nothing
} Lowering;

static double or_else(double given, double otherwise) {
  return isnan(given) ? otherwise : given;
}

// Forget everything but what the caller has saved.
static void clear_drive(ctiDrive* d, int dyn, int gain, int bias) {
  ctiDrive old = *d;
  cti_default_drive(d);
  d->made_by = old.made_by;
  d->known = old.known;
  d->ctrlspec = old.ctrlspec;
  d->dyntype = dyn;
  d->gaintype = gain;
  d->biastype = bias;
  d->gainprm[0] = 0;
}

// Proportional gain on the error, with damping: a positive third bias number is a damping ratio.
static void lower_servo(const Lowering* l, int dyn) {
  ctiDrive* d = l->drive;
  double kp = or_else(l->words->kp, d->gainprm[0]), damping = d->biasprm[2];
  if (!isnan(l->words->kv)) damping = -l->words->kv;
  if (!isnan(l->words->dampratio)) damping = l->words->dampratio;
  clear_drive(d, dyn, CT_GAIN_FIXED, CT_BIAS_AFFINE);
  d->gainprm[0] = kp;
  d->biasprm[1] = -kp;
  d->biasprm[2] = damping;
}

static void lower_general(const Lowering* l) {
  (void)l;
}

static void lower_motor(const Lowering* l) {
  clear_drive(l->drive, CT_DYN_NONE, CT_GAIN_FIXED, CT_BIAS_NONE);
  l->drive->gainprm[0] = 1;
}

static void lower_position(const Lowering* l) {
  ctiDrive* d = l->drive;
  bool own = d->made_by == CTI_SHORTCUT_POSITION;
  double filter = or_else(l->words->timeconst[0], own ? d->dynprm[0] : 1);
  bool filters = isnan(l->words->timeconst[0]) ? own && d->dyntype == CT_DYN_FILTEREXACT : filter > 0;
  lower_servo(l, filters ? CT_DYN_FILTEREXACT : CT_DYN_NONE);
  d->dynprm[0] = filter;
}

static void lower_velocity(const Lowering* l) {
  ctiDrive* d = l->drive;
  double kv = or_else(l->words->kv, d->gainprm[0]);
  clear_drive(d, CT_DYN_NONE, CT_GAIN_FIXED, CT_BIAS_AFFINE);
  d->gainprm[0] = kv;
  d->biasprm[2] = -kv;
}

static void lower_intvelocity(const Lowering* l) {
  lower_servo(l, CT_DYN_INTEGRATOR);
}

static void lower_damper(const Lowering* l) {
  ctiDrive* d = l->drive;
  double kv = or_else(l->words->kv, d->made_by == CTI_SHORTCUT_DAMPER ? -d->gainprm[2] : 0);
  clear_drive(d, CT_DYN_NONE, CT_GAIN_AFFINE, CT_BIAS_NONE);
  d->gainprm[2] = -kv;
}

static void lower_cylinder(const Lowering* l) {
  ctiDrive* d = l->drive;
  const ctiShortcutWords* w = l->words;
  double filter = or_else(w->timeconst[0], d->dynprm[0]), area = or_else(w->area, d->gainprm[0]), bias[3];
  if (!isnan(w->diameter)) area = 3.14159265358979323846 / 4 * w->diameter * w->diameter;
  for (int i = 0; i < 3; i++) bias[i] = or_else(w->bias[i], d->biasprm[i]);
  clear_drive(d, CT_DYN_FILTER, CT_GAIN_FIXED, CT_BIAS_AFFINE);
  d->dynprm[0] = filter;
  d->gainprm[0] = area;
  memcpy(d->biasprm, bias, sizeof(bias));
}

static void lower_muscle(const Lowering* l) {
  static const double documented_time[3] = {0.01, 0.04, 0};
  static const double documented[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  ctiDrive* d = l->drive;
  const ctiShortcutWords* w = l->words;
  bool own = d->gaintype == CT_GAIN_MUSCLE;
  const double given[9] = {w->range[0], w->range[1], w->force, w->scale, w->lmin,
                           w->lmax,     w->vmax,     w->fpmax, w->fvmax};
  const double given_time[3] = {w->timeconst[0], w->timeconst[1], w->tausmooth};
  double prm[9], time[3];
  // what is negative stands for what is not given
  for (int i = 0; i < 9; i++) prm[i] = given[i] >= 0 ? given[i] : (own ? d->gainprm[i] : documented[i]);
  for (int i = 0; i < 3; i++)
    time[i] = given_time[i] >= 0 ? given_time[i] : (own ? d->dynprm[i] : documented_time[i]);
  clear_drive(d, CT_DYN_MUSCLE, CT_GAIN_MUSCLE, CT_BIAS_MUSCLE);
  memcpy(d->dynprm, time, sizeof(time));
  memcpy(d->gainprm, prm, sizeof(prm));
  memcpy(d->biasprm, prm, sizeof(prm));
}

static void lower_adhesion(const Lowering* l) {
  double gain = or_else(l->words->gain, l->drive->gainprm[0]);
  clear_drive(l->drive, CT_DYN_NONE, CT_GAIN_FIXED, CT_BIAS_NONE);
  l->drive->gainprm[0] = gain;
}

// Gains on the errors of position and velocity; states only where they are asked for.
static void lower_pid(const Lowering* l) {
  ctiDrive* d = l->drive;
  const ctiShortcutWords* w = l->words;
  bool own = d->made_by == CTI_SHORTCUT_PID;
  double kp = or_else(w->kp, own ? -d->biasprm[1] : 1), damping = own ? d->biasprm[2] : 0;
  double ki = or_else(w->ki, own ? d->gainprm[0] : 0), imax = or_else(w->imax, own ? d->dynprm[0] : 0),
         slewmax = or_else(w->slewmax, own ? d->dynprm[1] : 0);
  if (!isnan(w->kv)) damping = -w->kv;
  if (!isnan(w->dampratio)) damping = w->dampratio;
  if (ki < 0 || imax < 0 || slewmax < 0) *l->complaint = "ki, imax and slewmax must not be negative";
  clear_drive(d, ki > 0 || slewmax > 0 ? CT_DYN_PID : CT_DYN_NONE, CT_GAIN_PID, CT_BIAS_AFFINE);
  d->gainprm[0] = ki;
  d->biasprm[1] = -kp;
  d->biasprm[2] = damping;
  d->dynprm[0] = ki > 0 ? imax : 0;
  d->dynprm[1] = slewmax;
}

static void lower_orientation(const Lowering* l) {
  lower_servo(l, CT_DYN_NONE);
  l->drive->gaintype = CT_GAIN_SO3;
  l->drive->biastype = CT_BIAS_SO3;
}

static void lower_dcmotor(const Lowering* l) {
  *l->complaint = dcmotor_from_words(l->actuator, l->words);
}

// How each shortcut is lowered.
static const struct {
  const char* tag;
  void (*lower)(const Lowering* l);
} shortcuts[CTI_SHORTCUT_COUNT] = {
#define X(id, word) [CTI_SHORTCUT_##id] = {#word, lower_##word},
    CTI_SHORTCUTS(X)
#undef X
};

// What the controls of a shortcut mean when it does not say so.
static const int usual_inputs[CTI_SHORTCUT_COUNT] = {
    [CTI_SHORTCUT_POSITION] = CTI_INPUT_POS,
    [CTI_SHORTCUT_VELOCITY] = CTI_INPUT_VEL,
    [CTI_SHORTCUT_INTVELOCITY] = CTI_INPUT_VEL,
    [CTI_SHORTCUT_ORIENTATION] = CTI_CHART_EXPMAP,
    [CTI_SHORTCUT_PID] = CTI_INPUT_POS | CTI_INPUT_VEL,
    [CTI_SHORTCUT_CYLINDER] = CTI_INPUT_PRESSURE,
    [CTI_SHORTCUT_DCMOTOR] = CTI_INPUT_VOLTAGE,
};

int cti_find_shortcut(const char* tag) {
  for (int i = 0; i < CTI_SHORTCUT_COUNT; i++) {
    if (cti_text_equal(shortcuts[i].tag, tag)) return i;
  }
  return -1;
}

// inheritrange="0" inherits nothing, and may stand beside a range.
static bool is_off(const ctiXmlAttr* a) {
  double value;
  return cti_text_equal(a->name, "inheritrange") &&
         cti_parse_real(a->value, a->value + strlen(a->value), &value) == CTI_NUMBER_OK && value == 0;
}

static ctStatus check_conflicts(ctiReader* r, const ctiXml* e) {
  static const char* const exclusive[][2] = {
      {"kv", "dampratio"}, {"ctrlrange", "inheritrange"}, {"actrange", "inheritrange"}, {"area", "diameter"}};
  for (int i = 0; i < CT_COUNT_OF(exclusive); i++) {
    const ctiXmlAttr* second = cti_xml_find(e, exclusive[i][1]);
    if (!cti_xml_find(e, exclusive[i][0]) || !second || is_off(second)) continue;
    return cti_xml_error(r->err, CT_ERR_INVALID, e, second, "%s and %s exclude each other: keep one",
                         exclusive[i][0], exclusive[i][1]);
  }
  return CT_OK;
}

// What an actuator says itself: bits of its two tables.
typedef struct Said {
  const ctiAttrTable* table;  // of what every actuator can say
  uint64_t attrs, words;
} Said;

static bool says(const Said* said, const char* name) {
  return cti_mjcf_given(said->table, said->attrs, name);
}

// What the controls of a general actuator mean when nothing is said.
static int general_inputs(int gaintype) {
  switch (gaintype) {
    case CT_GAIN_SO3: return CTI_CHART_EXPMAP;
    case CT_GAIN_PID: return CTI_INPUT_POS | CTI_INPUT_VEL;
    case CT_GAIN_DCMOTOR: return CTI_INPUT_VOLTAGE;
    default: return 0;
  }
}

// Inputs that are named count; else those of the same shortcut in the class; else the shortcut's own. A
// general actuator that chooses its own gain no longer means what an inherited shortcut meant.
static void choose_inputs(const Said* said, int kind, ctiActuator* a) {
  bool inherits = kind == CTI_SHORTCUT_GENERAL ? !says(said, "gaintype")
                                               : a->drive.made_by == kind && a->drive.ctrlspec != 0;
  if (says(said, "input") && a->input > 0) {
    a->drive.ctrlspec = a->input;
  } else if (!inherits) {
    a->drive.ctrlspec = kind == CTI_SHORTCUT_GENERAL ? general_inputs(a->drive.gaintype) : usual_inputs[kind];
  }
}

// Work out the drive from where the shortcut starts and what it says. NULL, or what is wrong.
static const char* lower(int kind, ctiActuator* a, const ctiShortcutWords* words, const Said* said) {
  const char* complaint = NULL;
  choose_inputs(said, kind, a);
  shortcuts[kind].lower(&(Lowering){a, &a->drive, words, &complaint});
  if (complaint) return complaint;
  a->drive.made_by = kind;
  // a range given here cancels the one that the shortcut itself would inherit
  const char* own = kind == CTI_SHORTCUT_INTVELOCITY ? "actrange" : "ctrlrange";
  if (kind != CTI_SHORTCUT_GENERAL && says(said, own)) a->inheritrange = 0;
  if (says(said, "inheritrange") && a->inheritrange != 0) memset(a->ctrlrange, 0, sizeof(a->ctrlrange));
  return NULL;
}

// Read what the element says into `a`, whose drive is where the shortcut starts from.
static ctStatus read_into(ctiReader* r, const ctiXml* e, int kind, ctiActuator* a, ctiShortcutWords* words,
                          Said* said) {
  CT_TRY(check_conflicts(r, e));
  CT_TRY(cti_mjcf_read_attrs(r, e, said->table, a, &said->attrs));
  // two words for one range: the more special counts
  const ctiXmlAttr* special = cti_xml_find(e, "posrange");
  if (special && cti_xml_find(e, "ctrlrange"))
    CT_TRY(cti_read_range(a->ctrlrange, NULL, e, special, 2, 2, r->err));
  cti_default_words(words);
  CT_TRY(cti_mjcf_read_attrs(r, e, &cti_attrs_shortcut[kind], words, &said->words));
  const char* complaint = lower(kind, a, words, said);
  return complaint ? cti_xml_error(r->err, CT_ERR_INVALID, e, NULL, "%s", complaint) : CT_OK;
}

const char* cti_actuator_update_drive(ctiActuator* a) {
  const Said said = {a->head.attrs, a->head.given, a->words_given};
  ctiDrive old = a->drive;
  // a general actuator writes its drive itself
  if (a->shortcut != CTI_SHORTCUT_GENERAL) a->drive = a->start;
  const char* complaint = lower(a->shortcut, a, &a->words, &said);
  if (complaint) a->drive = old;
  return complaint;
}

// What a class says replaces what it said before, and what excludes it.
static void keep_words(ctiShortcutWords* kept, const ctiShortcutWords* words, int kind, uint64_t said) {
  static const size_t exclusive[][2] = {
      {offsetof(ctiShortcutWords, kv), offsetof(ctiShortcutWords, dampratio)},
      {offsetof(ctiShortcutWords, area), offsetof(ctiShortcutWords, diameter)}};
  const ctiAttrTable* table = &cti_attrs_shortcut[kind];
  for (int i = 0; i < table->count; i++) {
    if (!(said >> i & 1)) continue;
    for (int k = 0; k < 4; k++) {
      if (table->rows[i].offset == exclusive[k / 2][k % 2])
        *(double*)(void*)((char*)kept + exclusive[k / 2][1 - k % 2]) = NAN;
    }
    cti_attr_copy(&table->rows[i], kept, words);
  }
}

ctStatus cti_mjcf_read_actuator_default(ctiReader* r, const ctiXml* e, ctiClass* class_) {
  int kind = cti_find_shortcut(e->name);
  ctiActuator* a = &class_->actuator;
  if (kind != CTI_SHORTCUT_GENERAL) a->drive = class_->drive[kind];
  ctiShortcutWords words;
  Said said = {.table = &cti_attrs_actuator[kind]};
  CT_TRY(read_into(r, e, kind, a, &words, &said));
  a->drive.known = true;
  keep_words(&class_->words[kind], &words, kind, said.words);
  // a general default is where every shortcut starts from now; another one only its own kind and the next
  // general
  for (int i = 0; i < CTI_SHORTCUT_COUNT; i++) {
    if (kind == CTI_SHORTCUT_GENERAL || i == kind || i == CTI_SHORTCUT_GENERAL) class_->drive[i] = a->drive;
  }
  return CT_OK;
}

ctStatus cti_mjcf_read_actuators(ctiReader* r, const ctiXml* section) {
  for (const ctiXml* e = section->first; e; e = e->next) {
    ctiClass* from;
    CT_TRY(cti_mjcf_class_of(r, e, NULL, &from));
    ctiActuator* a = cti_spec_add_actuator(r->spec, from);
    if (!a) return cti_error_memory(r->err);
    bool plugin = cti_text_equal(e->name, "plugin");
    a->shortcut = plugin ? CTI_SHORTCUT_GENERAL : cti_find_shortcut(e->name);
    a->drive = from->drive[a->shortcut];
    cti_mjcf_place(r, e, &a->head);
    a->head.attrs = plugin ? &cti_attrs_plugin_actuator : &cti_attrs_actuator[a->shortcut];
    a->head.more = &cti_attrs_shortcut[a->shortcut];
    a->start = a->drive;
    Said said = {.table = a->head.attrs};
    CT_TRY(read_into(r, e, a->shortcut, a, &a->words, &said));
    if (plugin) CT_TRY(cti_mjcf_read_config(r, e, &a->use));
    a->head.given = said.attrs;
    a->words_given = said.words;
  }
  return CT_OK;
}
