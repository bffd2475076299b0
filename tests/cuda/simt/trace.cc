#include "trace.h"

#include <algorithm>

namespace simt {

static Event event_of(const Instruction& x) {
  Event e = Event();
  e.unit = ALU;
  e.issues = 1;
  e.latency = 5;
  const bool wide = type_bytes(x.type) == 8;
  switch (x.op) {
    case MOV:
    case CVTA: e.unit = FREE, e.issues = 0; break;
    case ADD:
    case SUB: e.issues = x.type != F64 && wide ? 2 : 1; break;
    case DIV:
      e = Event{SLOW, (uint8_t)(x.type == F32 ? 10 : 25), 0, 0, (uint16_t)(x.type == F32 ? 50 : 90)};
      break;
    case REM: e = Event{SLOW, 20, 0, 0, 80}; break;
    case SQRT: e = Event{SLOW, 9, 0, 0, 45}; break;
    case RCP: e = Event{SLOW, 7, 0, 0, 35}; break;
    case CVT: e.latency = 12; break;
    case SHFL_IDX: e.unit = SLOW, e.latency = 24; break;
    case BALLOT: e.unit = SLOW, e.latency = 14; break;
    case REDUX_MAX: e.unit = SLOW, e.latency = 24, e.issues = 2; break;
    case BAR_WARP: e.unit = VOTE, e.latency = 8, e.last = 1; break;
    case BARRIER: e.unit = MEET, e.last = 1; break;
    case BRA: e.unit = JUMP, e.latency = 10, e.last = 1; break;
    case CALL: e.unit = ENTER, e.latency = 15, e.issues = 4, e.last = 1; break;
    case RET: e.unit = JUMP, e.latency = 15, e.issues = 2, e.last = 1; break;
    case LD:
      e.unit = x.param ? FREE : x.shared ? SHARED_LOAD : LOAD;
      e.issues = !x.param;
      break;
    case ST:
      e.unit = x.param ? FREE : x.shared ? SHARED_STORE : STORE;
      e.issues = !x.param;
      break;
    default: break;
  }
  return e;
}

void Tracer::begin(Trace* trace, uint64_t warp) {
  trace_ = trace;
  warp_ = warp;
  maker_.assign(maker_.size(), 0);
  stack_maker_.clear();
}

static void need(Event* e, uint32_t made) {
  for (uint32_t& n : e->needs) {
    if (n == made) return;
    if (n == 0) {
      n = made;
      return;
    }
  }
  e->needs[0] = std::max(e->needs[0], made);
}

void Tracer::need(Event* e, const Operand& o, size_t first) const {
  if (o.kind != Operand::REG || o.reg < 0) return;
  const size_t id = first + (size_t)o.reg;
  if (id < maker_.size()) simt::need(e, maker_[id]);
}

void Tracer::note(const Instruction& x, size_t first, double* cycles) {
  Event e = event_of(x);
  e.cycles = cycles;
  const uint32_t number = (uint32_t)trace_->events.size();
  for (const Operand& o : x.src) need(&e, o, first);
  if (x.op == ST) {
    for (const Operand& o : x.dst) need(&e, o, first);
  } else {
    for (const Operand& o : x.dst) {
      if (o.kind != Operand::REG || o.reg < 0) continue;
      const size_t id = first + (size_t)o.reg;
      if (id >= maker_.size()) maker_.resize(id + 1024, 0);
      maker_[id] = number;
    }
  }
  if (x.guarded) {
    Operand guard;
    guard.kind = Operand::REG;
    guard.reg = x.guard;
    need(&e, guard, first);
  }
  trace_->events.push_back(e);
}

// Words of one bank are read one after the other, unless they are the same.
static int bank_waves(uint32_t mask, const uint64_t* at, int bytes) {
  std::vector<uint64_t> words[32];
  size_t most = 1;
  each_lane(mask, [&](int i) {
    for (int k = 0; k < bytes; k += 4) {
      const uint64_t word = (at[i] + (uint64_t)k) / 4;
      std::vector<uint64_t>& bank = words[word % 32];
      if (std::find(bank.begin(), bank.end(), word) == bank.end()) bank.push_back(word);
      most = std::max(most, bank.size());
    }
  });
  return (int)most;
}

int Tracer::note_request(Memory memory, uint32_t mask, const uint64_t* at, int bytes, bool store,
                         uint64_t offset) {
  Event& e = trace_->events.back();
  if (memory == STACK) return note_stack(&e, bytes, store, offset);
  if (e.unit == FREE) return 0;
  if (memory == SHARED) {
    e.unit = store ? SHARED_STORE : SHARED_LOAD;
    e.waves = (uint8_t)bank_waves(mask, at, bytes);
    return e.waves;
  }
  std::vector<uint64_t>& sectors = trace_->sectors;
  e.first = (uint32_t)sectors.size();
  std::vector<uint64_t> lines;
  each_lane(mask, [&](int i) {
    for (uint64_t s = at[i] / 32; s <= (at[i] + (uint64_t)bytes - 1) / 32; s++) {
      if (std::find(sectors.begin() + e.first, sectors.end(), s) == sectors.end()) sectors.push_back(s);
      if (std::find(lines.begin(), lines.end(), s / 4) == lines.end()) lines.push_back(s / 4);
    }
  });
  e.sectors = (uint16_t)(sectors.size() - e.first);
  e.waves = (uint8_t)lines.size();
  return e.waves;
}

// Parameters of calls are registers; other memory of a lane lies beside that of its neighbours.
int Tracer::note_stack(Event* e, int bytes, bool store, uint64_t offset) {
  if (e->unit == FREE) {
    if (store) {
      stack_maker_[offset] = (uint32_t)trace_->events.size() - 1;
    } else if (stack_maker_.count(offset)) {
      simt::need(e, stack_maker_[offset]);
    }
    return 0;
  }
  e->first = (uint32_t)trace_->sectors.size();
  for (int k = 0; k < bytes; k++)
    trace_->sectors.push_back((uint64_t)1 << 60 | warp_ << 24 | (offset + (uint64_t)k));
  e->sectors = (uint16_t)bytes;
  e->waves = (uint8_t)((bytes + 3) / 4);
  return e->waves;
}

}  // namespace simt
