#include "stage/sleep/policy.h"

#include "data/awake.h"

#include "stage/position/reflected.h"

static bool is_automatic(int policy) {
  return policy != CT_SLEEP_NEVER && policy != CT_SLEEP_ALLOWED && policy != CT_SLEEP_INIT;
}

static void keep_awake(ctModel* m, int tree) {
  if (tree >= 0 && is_automatic(m->tree_sleep_policy[tree])) m->tree_sleep_policy[tree] = CT_SLEEP_AUTO_NEVER;
}

static int site_tree(const ctModel* m, int site) {
  return site < 0 ? -1 : m->body_treeid[m->site_bodyid[site]];
}

// The tree of one station of a tendon's path.
static int station_tree(const ctModel* m, int wrap) {
  int id = m->wrap_objid[wrap];
  switch (m->wrap_type[wrap]) {
    case CT_WRAP_JOINT: return m->dof_treeid[m->jnt_dofadr[id]];
    case CT_WRAP_SITE: return site_tree(m, id);
    case CT_WRAP_SPHERE:
    case CT_WRAP_CYLINDER: return m->body_treeid[m->geom_bodyid[id]];
    default: return -1;
  }
}

static void keep_path_awake(ctModel* m, int tendon) {
  for (int w = m->tendon_adr[tendon]; w < m->tendon_adr[tendon] + m->tendon_num[tendon]; w++)
    keep_awake(m, station_tree(m, w));
}

// What is driven does not fall asleep by itself.
static void keep_driven_awake(ctModel* m, int actuator) {
  const int* target = m->actuator_trnid + 2 * actuator;
  switch (m->actuator_trntype[actuator]) {
    case CT_TRN_JOINT:
    case CT_TRN_JOINTINPARENT: keep_awake(m, m->dof_treeid[m->jnt_dofadr[target[0]]]); break;
    case CT_TRN_SO3:
      if (target[1] < 0) {
        keep_awake(m, m->dof_treeid[m->jnt_dofadr[target[0]]]);
        break;
      }
      // fall through
    case CT_TRN_SITE:
    case CT_TRN_SLIDERCRANK:
      keep_awake(m, site_tree(m, target[0]));
      keep_awake(m, site_tree(m, target[1]));
      break;
    case CT_TRN_BODY: keep_awake(m, m->body_treeid[target[0]]); break;
    case CT_TRN_TENDON: keep_path_awake(m, target[0]); break;
    default: break;
  }
}

static bool is_elastic(const ctModel* m, int tendon) {
  const ctReal* poly = m->tendon_stiffnesspoly + CT_NPOLY * tendon;
  ctiDamping damping = cti_tendon_damping(m, tendon);
  return m->tendon_stiffness[tendon] != 0 || poly[0] != 0 || poly[1] != 0 || cti_damps(&damping);
}

// Whether elastic forces hold a deformable together.
static bool is_elastic_flex(const ctModel* m, int flex) {
  if (m->flex_rigid[flex]) return false;
  if (m->flex_bendingadr[flex] >= 0) return true;
  int adr = m->flex_stiffnessadr[flex], end = m->nflexstiffness;
  for (int f = flex + 1; f < m->nflex && adr >= 0; f++) {
    if (m->flex_stiffnessadr[f] >= 0) {
      end = m->flex_stiffnessadr[f];
      break;
    }
  }
  for (int i = adr; adr >= 0 && i < end; i++) {
    if (m->flex_stiffness[i] != 0) return true;
  }
  return false;
}

// Vertices that nothing ties to each other stay awake; passive contacts count as a tie.
static void keep_loose_awake(ctModel* m, int flex) {
  if (m->flex_edgeequality[flex] || m->flex_passive[flex] || is_elastic_flex(m, flex)) return;
  int n;
  const int* body = cti_flex_bodies(m, flex, &n);
  for (int i = 0; i < n; i++) {
    if (body[i] >= 0) keep_awake(m, m->body_treeid[body[i]]);
  }
}

ctStatus cti_sleep_policies(ctModel* m, ctiSleepConflict* conflict) {
  for (int t = 0; t < m->ntree; t++) {
    if (is_automatic(m->tree_sleep_policy[t])) m->tree_sleep_policy[t] = CT_SLEEP_AUTO_ALLOWED;
  }
  for (int i = 0; i < m->nactuator; i++) keep_driven_awake(m, i);
  for (int i = 0; i < m->nflex; i++) keep_loose_awake(m, i);
  for (int i = 0; i < m->ntendon; i++) {
    bool many = m->tendon_treenum[i] > 2;
    if (m->tendon_treenum[i] < 2 || (!many && !is_elastic(m, i))) continue;
    for (int w = m->tendon_adr[i]; w < m->tendon_adr[i] + m->tendon_num[i]; w++) {
      int tree = station_tree(m, w), policy = tree < 0 ? CT_SLEEP_NEVER : m->tree_sleep_policy[tree];
      if (policy == CT_SLEEP_ALLOWED || policy == CT_SLEEP_INIT) {
        *conflict = (ctiSleepConflict){tree, i, many};
        return CT_ERR_INVALID;
      }
    }
    keep_path_awake(m, i);
  }
  return CT_OK;
}

int cti_tendon_equality(const ctModel* m) {
  for (int i = 0; i < m->neq; i++) {
    if (m->eq_type[i] == CT_EQ_TENDON && m->eq_active0[i]) return i;
  }
  return -1;
}
