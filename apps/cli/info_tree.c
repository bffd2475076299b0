#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"

#define MOST_BODIES 40  // lines of a tree that still fit on a screen
#define MOST_DEPTH  16  // levels that are drawn; deeper ones are drawn at this depth
#define MOST_JOINTS 6   // listed for one body

static const char* joint_type(int type) {
#define X(id, text, ...) [CT_JOINT_##id] = text,
  static const char* const texts[CT_JOINT_COUNT] = {CT_JOINT_LIST(X)};
#undef X
  return texts[type];
}

// Branches to the left of a body: for each ancestor a line goes on below if it has another sibling to come.
// Writes UTF-8 or ASCII, returns the columns used.
static int print_branches(const cli_Style* s, const ctModel* m, int body, const int* last_child) {
  int chain[MOST_DEPTH], depth = 0;
  for (int b = body; m->body_parentid[b] != 0 && depth < MOST_DEPTH; b = m->body_parentid[b])
    chain[depth++] = b;
  fputs(s->dim, s->file);
  for (int i = depth - 1; i >= 0; i--) {
    bool last = last_child[m->body_parentid[chain[i]]] == chain[i];
    const char* here = s->utf8 ? (last ? "└─ " : "├─ ") : (last ? "`- " : "|- ");
    const char* past = last ? "   " : s->utf8 ? "│  " : "|  ";
    fputs(i == 0 ? here : past, s->file);
  }
  fputs(s->plain, s->file);
  return 3 * depth;
}

static void print_joints(const cli_Style* s, const ctModel* m, int body) {
  int count = m->body_jntnum[body];
  for (int i = 0; i < count && i < MOST_JOINTS; i++) {
    int j = m->body_jntadr[body] + i;
    const char* name = ct_model_id2name(m, CT_OBJ_JOINT, j);
    fputs(i > 0 ? ", " : "   ", s->file);
    if (name) fprintf(s->file, "%s ", name);
    fprintf(s->file, "%s%s%s", s->dim, joint_type(m->jnt_type[j]), s->plain);
  }
  if (count > MOST_JOINTS) fprintf(s->file, ", %d more", count - MOST_JOINTS);
}

static void print_body(const cli_Style* s, const ctModel* m, int body, const int* last_child) {
  const char* name = ct_model_id2name(m, CT_OBJ_BODY, body);
  char number[32];
  snprintf(number, sizeof(number), "body %d", body);
  fprintf(s->file, "    ");
  int used = print_branches(s, m, body, last_child);
  fputs(name ? name : number, s->file);
  used += cli_columns(name ? name : number);
  fprintf(s->file, "%*s", used < 34 ? 34 - used : 1, "");
  fprintf(s->file, "%8s kg", cli_number((double)m->body_mass[body]));
  print_joints(s, m, body);
  fprintf(s->file, "\n");
}

void info_tree(const cli_Style* s, const ctModel* m, bool all) {
  if (m->nbody < 2) return;
  int* last_child = calloc((size_t)m->nbody, sizeof(int));
  if (!last_child) return;
  for (int i = 1; i < m->nbody; i++) last_child[m->body_parentid[i]] = i;
  int shown = all || m->nbody - 1 <= MOST_BODIES ? m->nbody - 1 : MOST_BODIES;
  fprintf(s->file, "\n  %sbodies%s\n", s->bold, s->plain);
  for (int i = 1; i <= shown; i++) print_body(s, m, i, last_child);
  if (shown < m->nbody - 1) {
    fprintf(s->file, "    %sand %s more; --all lists them%s\n", s->dim, cli_count(m->nbody - 1 - shown),
            s->plain);
  }
  free(last_child);
}
