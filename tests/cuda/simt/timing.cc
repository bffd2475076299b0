// The model: four schedulers that issue one instruction a cycle each, a port to the first cache and shared
// memory, and one to the second cache. A warp issues the instructions of a stretch of straight code as soon
// as what they need is there, in any order, as a good compiler would have them; stretches follow each other.
//
// What a launch has not touched yet comes from device memory: worlds are many, and the second cache is small.
//
// Warps of a block that meet at a barrier go on when the last has come.
//
// Not in it: waiting for instructions, spilled registers.
#include "timing.h"

#include <algorithm>
#include <list>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace simt {

namespace {

// Of an H200, in cycles; the second cache is shared by all multiprocessors, which are all at work.
enum {
  SCHEDULERS = 4,
  L1_LATENCY = 37,
  L2_LATENCY = 270,
  DRAM_LATENCY = 650,
  SHARED_LATENCY = 27,
  BARRIER_LATENCY = 20
};
const double L2_CYCLES = 1.3, DRAM_CYCLES = 1.6;  // for a sector

// The first cache: lines of 128 bytes, the one that was not used for longest makes room.
class Cache {
 public:
  explicit Cache(int bytes) : room_((size_t)bytes / 128) {}

  // Is the sector there? It is now.
  bool touch(uint64_t sector) {
    uint64_t line = sector / 4;
    uint8_t bit = (uint8_t)(1 << sector % 4);
    auto found = lines_.find(line);
    if (found == lines_.end()) {
      if (lines_.size() >= room_) {
        lines_.erase(order_.back());
        order_.pop_back();
      }
      order_.push_front(line);
      lines_[line] = Line{order_.begin(), bit};
      return false;
    }
    order_.splice(order_.begin(), order_, found->second.at);
    bool there = found->second.sectors & bit;
    found->second.sectors |= bit;
    return there;
  }

 private:
  struct Line {
    std::list<uint64_t>::iterator at;
    uint8_t sectors;
  };
  size_t room_;
  std::list<uint64_t> order_;
  std::unordered_map<uint64_t, Line> lines_;
};

struct Running {
  const Trace* trace;
  size_t next = 1;
  int scheduler = 0, block = 0;
  bool first = false;         // of its block
  std::vector<double> ready;  // when the result of an event is there
};

class Multiprocessor {
 public:
  Multiprocessor(const std::vector<Trace>& warps, const Block& block)
      : warps_(warps), block_(block), cache_(block.cache_bytes) {}

  Estimate run() {
    const int blocks = ((int)warps_.size() + block_.warps - 1) / block_.warps;
    left_.assign((size_t)blocks, 0);
    meeting_.resize((size_t)blocks);
    running_.resize(warps_.size());
    for (int b = 0; b < blocks && b < block_.at_a_time; b++) begin(0);
    while (!queue_.empty()) {
      auto [t, w] = queue_.top();
      queue_.pop();
      Running& r = running_[(size_t)w];
      double end = stretch(&r, t);
      if (r.next < warps_[(size_t)w].events.size()) {
        if (warps_[(size_t)w].events[r.next - 1].unit != MEET) {
          queue_.push({end, w});
          continue;
        }
        meeting_[(size_t)r.block].push_back({end, w});
      } else {
        sum_.cycles = std::max(sum_.cycles, end);
        r.ready = {};
        if (--left_[(size_t)r.block] == 0) begin(end);
      }
      go_on((size_t)r.block);
    }
    return sum_;
  }

 private:
  const std::vector<Trace>& warps_;
  Block block_;
  Cache cache_;
  Estimate sum_;
  std::vector<Running> running_;
  std::vector<int> left_;  // warps of a block that have not ended
  std::vector<std::vector<std::pair<double, int>>>
      meeting_;  // those that wait at its barrier, and since when
  int next_block_ = 0;
  double issue_free_[SCHEDULERS] = {0}, port_free_ = 0, l2_free_ = 0, dram_free_ = 0;
  std::unordered_set<uint64_t> seen_;
  double now_ = 0;
  typedef std::pair<double, int> At;
  std::priority_queue<At, std::vector<At>, std::greater<At>> queue_;

  // When all are there they leave the barrier.
  void go_on(size_t block) {
    auto& here = meeting_[block];
    if (here.empty() || (int)here.size() < left_[block]) return;
    double last = 0;
    for (auto& w : here) last = std::max(last, w.first);
    for (auto& w : here) {
      queue_.push({last + BARRIER_LATENCY, w.second});
      const Running& r = running_[(size_t)w.second];
      if (w.second % block_.warps == 0)
        *r.trace->events[r.next - 1].cycles += last + BARRIER_LATENCY - w.first;
    }
    here.clear();
  }

  void begin(double t) {
    if (next_block_ >= (int)left_.size()) return;
    const int b = next_block_++;
    for (int k = 0; k < block_.warps; k++) {
      const size_t w = (size_t)(b * block_.warps + k);
      if (w >= warps_.size()) break;
      running_[w].trace = &warps_[w];
      running_[w].scheduler = (int)(w % SCHEDULERS);
      running_[w].block = b;
      running_[w].first = k == 0;
      running_[w].ready.assign(warps_[w].events.size(), 0);
      left_[(size_t)b]++;
      queue_.push({t, (int)w});
    }
  }

  // Ports serve requests as they come, and what is done later leaves room for others until then: what counts
  // is how much there was to do since the stretch began.
  double port(const Event& e, double t) {
    const double at = std::max(t, port_free_);
    port_free_ = std::max(port_free_, now_) + e.waves;
    return at;
  }

  // When a request of device memory is answered.
  double memory(const Trace& trace, const Event& e, double t) {
    const double at = port(e, t);
    double done = at + e.waves - 1 + L1_LATENCY;
    for (uint32_t i = 0; i < e.sectors; i++) {
      bool hit = cache_.touch(trace.sectors[e.first + i]);
      if (e.unit == LOAD && hit) {
        sum_.hits++;
        continue;
      }
      (e.unit == LOAD ? sum_.misses : sum_.written)++;
      const bool near = !seen_.insert(trace.sectors[e.first + i]).second;
      double& port = near ? l2_free_ : dram_free_;
      port = std::max(port, now_) + (near ? L2_CYCLES : DRAM_CYCLES);
      if (e.unit == LOAD) done = std::max(done, std::max(at, port) + (near ? L2_LATENCY : DRAM_LATENCY));
    }
    return done;
  }

  double result(const Trace& trace, const Event& e, double t) {
    switch (e.unit) {
      case FREE: return t;
      case LOAD:
      case STORE: return memory(trace, e, t);
      case SHARED_LOAD:
      case SHARED_STORE: return port(e, t) + e.waves - 1 + SHARED_LATENCY;
      default: return t + e.latency;
    }
  }

  // One stretch of code from t on; when the next can begin.
  double stretch(Running* w, double t) {
    const Trace& trace = *w->trace;
    size_t end = w->next;
    int issues = 0;
    for (;; end++) {
      issues += trace.events[end].issues;
      if (trace.events[end].last || end + 1 == trace.events.size()) break;
    }
    end++;
    // a scheduler whose other warps wait has room in between: it is taken as a whole
    now_ = t;
    double& issue = issue_free_[w->scheduler];
    double from = std::max(t, issue);
    issue = from + issues;
    sum_.issued += issues;
    double slot = from, last = from;
    for (size_t i = w->next; i < end; i++) {
      const Event& e = trace.events[i];
      double at = slot;
      for (uint32_t n : e.needs) at = std::max(at, w->ready[n]);
      slot += e.issues;
      w->ready[i] = result(trace, e, at);
      if (e.unit != FREE) last = std::max(last, at + e.issues);
      if (e.unit == VOTE || e.unit == JUMP || e.unit == ENTER) last = std::max(last, w->ready[i]);
    }
    last = std::max(last, slot);
    if (w->first) *trace.events[w->next].cycles += last - t;
    w->next = end;
    return last;
  }
};

}  // namespace

Estimate estimate(std::vector<Trace>& warps, const Block& block) {
  std::vector<std::vector<Trace>> dealt((size_t)std::max(block.processors, 1));
  for (size_t w = 0; w < warps.size(); w++)
    dealt[w / (size_t)block.warps % dealt.size()].push_back(std::move(warps[w]));
  Estimate sum;
  for (auto& some : dealt) {
    if (some.empty()) continue;
    const Estimate e = Multiprocessor(some, block).run();
    sum.cycles = std::max(sum.cycles, e.cycles);
    sum.issued += e.issued;
    sum.hits += e.hits;
    sum.misses += e.misses;
    sum.written += e.written;
  }
  return sum;
}

}  // namespace simt
