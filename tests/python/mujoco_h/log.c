// Messages and who hears them, callbacks of sensors, memory of the user.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void handler(const mjLogMessage* m) {
  printf("handler %d %d [%s] body %d\n", m->level, m->topic, m->subject, m->body != NULL);
}
static void warned(const char* text) {
  printf("user warning [%s]\n", text);
}

static void sensors(const mjModel* m, mjData* d, int stage) {
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_USER || m->sensor_needstage[i] != stage) continue;
    for (int k = 0; k < m->sensor_dim[i]; k++)
      d->sensordata[m->sensor_adr[i] + k] = 10 * stage + i + 0.25 * k;
  }
}

static int taken = 0;
static void* take(size_t size) {
  taken++;
  return malloc(size);
}
static void give(void* memory) {
  taken -= memory != NULL;
  free(memory);
}

int main(void) {
  setbuf(stdout, NULL);
  printf("there was one: %d\n", mju_setLogHandler(handler) != NULL);
  mju_warning("w %d", 1);
  mju_info(0, "i %d", 2);
  mju_info(1, "t %d", 3);
  mju_info(2, "t2");
  mju_user_warning = warned;
  mju_warning("both");
  printf("ours: %d\n", mju_setLogHandler(NULL) == handler);
  mju_warning("user");
  mju_user_warning = NULL;
  mjLogConfig config = mju_getLogConfig();
  printf("console %d topics %d\n", config.logto_console, config.topics);
  config.logto_file = 0;
  config.topics = 1;
  mju_setLogConfig(config);
  mju_info(0, "plain");
  mju_info(1, "one");
  mju_info(2, "two");
  config.logto_console = 0;
  mju_setLogConfig(config);
  mju_info(0, "silent");
  mju_setLogHandler(handler);
  mjLogMessage m;
  memset(&m, 0, sizeof(m));
  m.level = mjLOG_WARNING;
  strcpy(m.subject, "subject");
  m.body = "body\nlines";
  mju_message(&m);
  mju_error("fatal %d", 5);
  mju_clearHandlers();
  printf("console %d topics %d\n", mju_getLogConfig().logto_console, mju_getLogConfig().topics);

  mju_user_malloc = take;
  mju_user_free = give;
  void* memory = mju_malloc(10);
  printf("taken %d", taken > 0);
  mju_free(memory);
  printf(" %d\n", taken);
  mju_clearHandlers();

  char error[200] = "";
  mjSpec* s = mj_parseXMLString(
      "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><sensor><user dim='2' "
      "needstage='pos'/><jointpos joint='j'/>"
      "<user dim='1' needstage='acc'/><user dim='3' needstage='pos'/></sensor></mujoco>",
      NULL, error, sizeof(error));
  mjModel* model = mj_compile(s, NULL);
  mjData* d = mj_makeData(model);
  mjcb_sensor = sensors;
  mj_forward(model, d);
  for (int i = 0; i < model->nsensordata; i++) printf("%g ", (double)d->sensordata[i]);
  printf("\n");
  mj_resetCallbacks();
  printf("%d\n", mjcb_sensor == NULL);
  mj_deleteData(d);
  mj_deleteModel(model);
  mj_deleteSpec(s);
}
