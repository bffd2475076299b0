#include "collide/filter.h"

CT_FN bool cti_body_collides(const ctModel* m, int body) {
  return m->body_geomnum[body] > 0 && (m->body_contype[body] || m->body_conaffinity[body]);
}

// A weld group that no joint moves: static, or a mocap body.
static CT_FN bool filter_fixed(const ctModel* m, int weld) {
  return m->body_dofnum[weld] == 0;
}

CT_FN bool cti_bodies_sleep(const ctModel* m, const ctData* d, int body1, int body2) {
  if (!(m->opt.enableflags & CT_ENBL_SLEEP)) return false;
  return d->body_awake[body1] != CT_AWAKE && d->body_awake[body2] != CT_AWAKE;
}

static CT_FN bool filter_excluded(const ctModel* m, int body1, int body2) {
  uint32_t wanted = cti_body_signature(body1, body2);
  int lo = 0, hi = m->nexclude;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    uint32_t have = (uint32_t)m->exclude_signature[mid];
    if (have == wanted) return true;
    if (have < wanted) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return false;
}

CT_FN bool cti_bodies_may_touch(const ctModel* m, const ctData* d, int body1, int body2) {
  if (!cti_masks_match(m->body_contype[body1], m->body_conaffinity[body1], m->body_contype[body2],
                       m->body_conaffinity[body2])) {
    return false;
  }
  int weld1 = m->body_weldid[body1], weld2 = m->body_weldid[body2];
  if (weld1 == weld2 || (filter_fixed(m, weld1) && filter_fixed(m, weld2))) return false;
  if (cti_bodies_sleep(m, d, body1, body2)) return false;
  // parent and child, each as a weld group; the world is no parent in this sense
  if (!(m->opt.disableflags & CT_DSBL_FILTERPARENT) && weld1 != 0 && weld2 != 0) {
    int parent1 = m->body_weldid[m->body_parentid[weld1]], parent2 = m->body_weldid[m->body_parentid[weld2]];
    if (weld1 == parent2 || weld2 == parent1) return false;
  }
  return !(m->nexclude && filter_excluded(m, body1, body2));
}
