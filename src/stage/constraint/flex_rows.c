#include "stage/constraint/flex_rows.h"

#include "data/arena.h"

// Add the dofs of a body to an ascending list without repeats.
static CT_FN int add_dofs(int* dof, int n, const ctModel* m, int body) {
  for (int k = cti_last_dof(m, body); k >= 0; k = m->dof_parentid[k]) {
    int at = n;
    while (at > 0 && dof[at - 1] > k) at--;
    if (at > 0 && dof[at - 1] == k) continue;
    for (int i = n; i > at; i--) dof[i] = dof[i - 1];
    dof[at] = k;
    n++;
  }
  return n;
}

CT_FN bool cti_strain_begin(ctiStrain* s, const ctModel* m, ctData* d, int eq, int* dof) {
  const int f = m->eq_obj1id[eq];
  const ctReal* data = m->eq_data + CT_NEQDATA * eq;
  ctiCage cage = cti_cage(m, f);
  ctReal* x = CTI_SCRATCH(d, ctReal, 3 * (int64_t)m->flex_nodenum[f], "strain.nodes");
  if (!x) return false;
  cti_cage_positions(m, d, &cage, x);
  int element = (int)data[0];
  if (!cage.shell) element = ((int)data[0] * cage.cells[1] + (int)data[1]) * cage.cells[2] + (int)data[2];
  ctiCageElement e;
  cti_cage_element(&e, m, f, &cage, element, x);
  s->flex = f;
  s->nodes = e.n;
  s->modes = e.S + 1;
  s->count = (int)e.S[0];
  s->x = x;
  s->rest = m->flex_node0 + 3 * (int64_t)cage.first;
  for (int k = 0; k < 9; k++) s->rot[k] = e.rot[k];
  s->weight = 0;
  s->n = 0;
  for (int i = 0; i < e.n; i++) {
    int body = m->flex_nodebodyid[cage.first + e.node[i]];
    s->node[i] = e.node[i];
    s->weight += m->body_invweight0[2 * body] / (ctReal)e.n;
    if (CT_LANE == 0) s->n = add_dofs(dof, s->n, m, body);
  }
  s->n = cti_team_max(s->n);
  CT_TEAM_SYNC();
  return true;
}

CT_FN ctReal cti_strain_row(const ctiStrain* s, const ctModel* m, const ctData* d, int k, const int* dof,
                            ctReal* value, ctReal* row) {
  const ctReal* w = s->modes + 3 * (int64_t)s->nodes * k;
  const int first = m->flex_nodeadr[s->flex];
  ctReal pos = 0;
  CT_LANES(i, s->n) row[dof[i]] = 0;
  CT_TEAM_SYNC();
  for (int i = 0; i < s->nodes; i++) {
    ctReal u[3], turned[3];
    int node = s->node[i], body = m->flex_nodebodyid[first + node];
    cti_mul_mat_t_vec3(u, s->rot, s->x + 3 * node);
    cti_sub3(u, u, s->rest + 3 * node);
    pos += cti_dot3(w + 3 * i, u);
    cti_mul_mat_vec3(turned, s->rot, w + 3 * i);
    if (CT_LANE == 0) cti_add_point_force(m, d, row, turned, s->x + 3 * node, body);
  }
  CT_TEAM_SYNC();
  CT_LANES(i, s->n) value[i] = row[dof[i]];
  CT_TEAM_SYNC();
  return pos;
}
