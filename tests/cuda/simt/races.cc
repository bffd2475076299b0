#include "races.h"

#include <cstdio>
#include <cstring>

namespace simt {

void Races::begin_launch(const std::vector<std::string>* sources) {
  sources_ = sources;
  launch_ = epoch_;
}

void Races::begin_warp(const uint32_t team[LANES]) {
  for (int i = 0; i < LANES; i++) {
    team_[i] = team[i];
    parted_ = 0;
    lane_epoch_[i] = i > 0 && team[i] == team[i - 1] ? epoch_ : ++epoch_;
  }
}

void Races::forget(uint64_t at, size_t bytes) {
  for (uint64_t page = at / PAGE; page <= (at + bytes) / PAGE; page++) pages_.erase(page);
  last_page_ = ~(uint64_t)0;
}

Races::Cell& Races::cell(uint64_t at) {
  if (at / PAGE != last_page_) {
    last_page_ = at / PAGE;
    last_ = &pages_[last_page_];
    if (last_->empty()) last_->resize(PAGE);
  }
  return (*last_)[at % PAGE];
}

void Races::wait(uint32_t mask, const uint64_t* waits, bool barrier) {
  while (mask) {
    const uint32_t team = (uint32_t)waits[__builtin_ctz(mask)];
    if (barrier) {
      epoch_++;
      each_lane(mask & team, [&](int i) { lane_epoch_[i] = epoch_; });
    }
    parted_ &= ~team;
    mask &= ~team;
  }
}

void Races::part(const Function* f, const Instruction& x, uint32_t mask, uint32_t some) {
  for (uint32_t left = mask; left;) {
    uint32_t team = 0;
    const int first = __builtin_ctz(left);
    each_lane(left, [&](int i) { team |= (uint32_t)(team_[i] == team_[first]) << i; });
    left &= ~team;
    if ((team & some) == 0 || (team & ~some) == 0) continue;
    each_lane(team & ~parted_, [&](int i) { parted_at_[i] = {f, &x}; });
    parted_ |= team;
  }
}

void Races::read(const Function* f, const Instruction& x, uint32_t mask, const uint64_t* at, int bytes) {
  const Site now = {f, &x};
  for (uint32_t left = mask; left;) {
    const int i = __builtin_ctz(left);
    uint32_t same = 0;
    each_lane(left, [&](int j) { same |= (uint32_t)(at[j] == at[i] && team_[j] == team_[i]) << j; });
    left &= ~same;
    for (int k = 0; k < bytes; k++) {
      Cell& c = cell(at[i] + (uint64_t)k);
      const Access& w = c.write;
      if (w.epoch > launch_ && w.team != team_[i]) report("reads what another team wrote", w, now, i, at[i]);
      if (w.epoch == lane_epoch_[i] && (same & ~w.lanes))
        report("reads what another lane wrote", w, now, i, at[i]);
      Access& r = c.read;
      if (r.epoch <= launch_) c.many_read = false;
      if (r.epoch > launch_ && r.team != team_[i]) c.many_read = true;
      if (r.epoch != lane_epoch_[i]) r = {lane_epoch_[i], team_[i], 0, now};
      if (same & ~r.lanes) r.site = now;
      r.lanes |= same;
    }
  }
}

// Requests are aligned: two lanes write the same bytes, or none together.
void Races::write(const Function* f, const Instruction& x, uint32_t mask, const uint64_t* at, int bytes,
                  const char (*values)[32]) {
  const Site now = {f, &x};
  for (uint32_t left = mask; left;) {
    const int i = __builtin_ctz(left);
    uint32_t same = 0;
    each_lane(left, [&](int j) {
      if (at[j] != at[i] || team_[j] != team_[i]) return;
      same |= (uint32_t)1 << j;
      if (memcmp(values[j], values[i], (size_t)bytes) != 0)
        report("writes another number than its neighbour", {lane_epoch_[i], team_[i], same, now}, now, j,
               at[j]);
    });
    left &= ~same;
    // those that need not be here now: with a lane that is alone, all others
    const uint32_t others = parted_ >> i & 1 && (same & (same - 1)) ? ~(uint32_t)0 : ~same;
    for (int k = 0; k < bytes; k++) {
      const uint64_t byte = at[i] + (uint64_t)k;
      Cell& c = cell(byte);
      Access &r = c.read, &w = c.write;
      if (w.epoch > launch_ && w.team != team_[i]) report("writes what another team wrote", w, now, i, byte);
      if (r.epoch > launch_ && (r.team != team_[i] || c.many_read))
        report("writes what another team read", r, now, i, byte);
      auto check = [&](const char* did, const Access& a) {
        if (a.epoch != lane_epoch_[i] || (a.lanes & others) == 0) return;
        if (*(const char*)(uintptr_t)byte == values[i][k]) return;
        std::string what = std::string("writes what another lane ") + did;
        if ((a.lanes & ~same) == 0) what = name(parted_at_[i]) + " parted, " + what;
        report(what, a, now, i, byte);
      };
      check("wrote", w);
      check("read", r);
      if (w.epoch != lane_epoch_[i]) w = {lane_epoch_[i], team_[i], 0, now};
      if (same & ~w.lanes) w.site = now;
      w.lanes |= same;
    }
  }
}

std::string Races::name(const Site& s) const {
  const std::string file = s.x->file < 0 ? s.f->name : (*sources_)[(size_t)s.x->file];
  const size_t from = file.rfind("/src/");
  return file.substr(from == std::string::npos ? 0 : from + 5) + ":" + std::to_string(s.x->source_line);
}

// Each pair of lines once.
void Races::report(const std::string& what, const Access& before, Site now, int lane, uint64_t at) {
  count_++;
  const std::string text = what + ": " + name(now) + ", after " + name(before.site);
  if (!known_.insert(text).second) return;
  fprintf(stderr, "race: %s (lane %d, lanes %x, %llx; lines %d, %d of the text of %s, %s)\n", text.c_str(),
          lane, before.lanes, (unsigned long long)at, now.x->line, before.site.x->line, now.f->name.c_str(),
          before.site.f->name.c_str());
}

}  // namespace simt
