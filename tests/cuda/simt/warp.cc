#include "warp.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_set>

namespace simt {

namespace {

enum { STACK_BYTES = 1 << 20 };

char* mapped(size_t bytes, int flags) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags,
                  -1, 0);
  if (at == MAP_FAILED) {
    fprintf(stderr, "no memory for warps\n");
    abort();
  }
  return (char*)at;
}

// ---- numbers in registers ----

template <typename T>
T get(uint64_t bits) {
  T x;
  memcpy(&x, &bits, sizeof(T));
  return x;
}
template <typename T>
uint64_t put(T x) {
  uint64_t bits = 0;
  memcpy(&bits, &x, sizeof(T));
  return bits;
}

// The smaller or larger number; one that is none loses.
template <typename T>
T lesser(T a, T b) {
  if constexpr (std::is_floating_point<T>::value) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? a : b;
  }
  return a < b ? a : b;
}
template <typename T>
T greater(T a, T b) {
  if constexpr (std::is_floating_point<T>::value) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a > b ? a : b;
}

template <typename T>
bool compared(Compare c, T a, T b) {
  bool unordered = false;
  if constexpr (std::is_floating_point<T>::value) unordered = std::isnan(a) || std::isnan(b);
  switch (c) {
    case EQ: return a == b;
    case NE: return !unordered && a != b;
    case LT: return a < b;
    case LE: return a <= b;
    case GT: return a > b;
    case GE: return a >= b;
    case EQU: return unordered || a == b;
    case NEU: return unordered || a != b;
    case LTU: return unordered || a < b;
    case LEU: return unordered || a <= b;
    case GTU: return unordered || a > b;
    case GEU: return unordered || a >= b;
    case NUM: return !unordered;
    case NOT_A_NUMBER: return unordered;
  }
  return false;
}

// To an integer towards zero; what does not fit becomes the nearest that does, and no number 0.
template <typename I, typename R>
I whole(R x) {
  if (std::isnan(x)) return 0;
  const R low = (R)std::numeric_limits<I>::min(), high = -(R)std::numeric_limits<I>::min();
  if (std::is_signed<I>::value) {
    if (x <= low) return std::numeric_limits<I>::min();
    if (x >= high) return std::numeric_limits<I>::max();
  } else {
    if (x <= 0) return 0;
    if (x >= std::ldexp((R)1, std::numeric_limits<I>::digits)) return std::numeric_limits<I>::max();
  }
  return (I)x;
}

template <typename S>
uint64_t converted(Type to, S x) {
  constexpr bool real = std::is_floating_point<S>::value;
  switch (to) {
    case B8:
    case U8: return real ? put(whole<uint8_t>((double)x)) : put((uint8_t)x);
    case S8: return real ? put(whole<int8_t>((double)x)) : put((int8_t)x);
    case B16:
    case U16: return real ? put(whole<uint16_t>((double)x)) : put((uint16_t)x);
    case S16: return real ? put(whole<int16_t>((double)x)) : put((int16_t)x);
    case B32:
    case U32: return real ? put(whole<uint32_t>((double)x)) : put((uint32_t)x);
    case S32: return real ? put(whole<int32_t>((double)x)) : put((int32_t)x);
    case B64:
    case U64: return real ? put(whole<uint64_t>((double)x)) : put((uint64_t)x);
    case S64: return real ? put(whole<int64_t>((double)x)) : put((int64_t)x);
    case F32: return put((float)x);
    case F64: return put((double)x);
    default: return 0;
  }
}

uint64_t permuted(uint32_t a, uint32_t b, uint32_t how) {
  uint64_t all = (uint64_t)b << 32 | a;
  uint32_t out = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t pick = how >> 4 * i & 0xf;
    uint32_t byte = (uint32_t)(all >> 8 * (pick & 7)) & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
    out |= byte << 8 * i;
  }
  return out;
}

// ---- a warp ----

struct Frame {
  Function* f;
  uint64_t* reg;          // [nreg][LANES]
  size_t base;            // of the frame in the stack of each lane
  char* param[64];        // of lane 0
  size_t param_step[64];  // from lane to lane
};

// Lanes at one place, until they come to `end`.
struct Path {
  int at, end;
  uint32_t lanes;
};

class Warp {
 public:
  Warp() : stack_(mapped((size_t)LANES * STACK_BYTES, 0)), registers_(mapped(REGISTER_BYTES, 0)) {}

  Counts counts;
  bool counts_distinct = false;
  Tracer tracer;
  Races races;
  unsigned block = 0, warp = 0;
  uint64_t shared_bytes = 0;  // of a block
  uint64_t special[SPECIAL_COUNT][LANES];

  void start(Function* kernel, char* params, uint32_t lanes) {
    stack_used_ = registers_used_ = 0;
    Frame frame;
    frame.f = kernel;
    size_t at = 0;
    for (size_t i = 0; i < kernel->param_bytes.size(); i++) {
      size_t align = (size_t)kernel->param_align[i];
      at = (at + align - 1) / align * align;
      frame.param[i] = params + at;
      frame.param_step[i] = 0;
      at += (size_t)kernel->param_bytes[i];
    }
    execute(&frame, lanes);
    counts.distinct += (int64_t)sectors_.size();
    sectors_.clear();
  }

 private:
  std::unordered_set<uint64_t> sectors_;
  static constexpr size_t REGISTER_BYTES = (size_t)1 << 30;
  char *stack_, *registers_;
  size_t stack_used_ = 0, registers_used_ = 0;

  [[noreturn]] void stop(const Frame* f, int at, const char* what) const {
    fprintf(stderr, "block %u, warp %u: %s: instruction %d (line %d of the text) of %s\n", block, warp, what,
            at, f->f->code[(size_t)at].line, f->f->name.c_str());
    abort();
  }

  char* lane_stack(int lane) const { return stack_ + (size_t)lane * STACK_BYTES; }

  // The 32 numbers of an operand; those that are not in registers are written to `room`.
  const uint64_t* row(const Frame* f, const Operand& o, uint64_t room[LANES]) const {
    switch (o.kind) {
      case Operand::REG: return o.reg >= 0 ? f->reg + (size_t)o.reg * LANES : special[-1 - o.reg];
      case Operand::FRAME:
        for (int i = 0; i < LANES; i++) room[i] = (uint64_t)(uintptr_t)(lane_stack(i) + f->base) + o.imm;
        return room;
      case Operand::PARAM:
        for (int i = 0; i < LANES; i++)
          room[i] = (uint64_t)(uintptr_t)(f->param[o.reg] + (size_t)i * f->param_step[o.reg]) + o.imm;
        return room;
      default:
        for (int i = 0; i < LANES; i++) room[i] = o.imm;
        return room;
    }
  }

  uint64_t* to(const Frame* f, const Operand& o) const { return f->reg + (size_t)o.reg * LANES; }

  // Addresses of a load or a store.
  const uint64_t* addresses(const Frame* f, const Operand& o, uint64_t room[LANES]) const {
    if (o.kind != Operand::REG) return row(f, o, room);
    const uint64_t* base = row(f, o, room);
    for (int i = 0; i < LANES; i++) room[i] = base[i] + o.imm;
    return room;
  }

  void execute(Frame* f, uint32_t lanes) {
    Function* fn = f->f;
    f->base = stack_used_;
    stack_used_ += (size_t)fn->frame_bytes;
    f->reg = (uint64_t*)(void*)(registers_ + registers_used_);
    registers_used_ += (size_t)fn->nreg * LANES * sizeof(uint64_t);
    if (stack_used_ > STACK_BYTES || registers_used_ > REGISTER_BYTES) stop(f, 0, "the stack is full");
    std::vector<Path> paths{{0, -1, lanes}};
    uint32_t returned = 0;
    const int n = (int)fn->code.size();
    while (!paths.empty()) {
      Path& p = paths.back();
      uint32_t active = p.lanes & ~returned;
      if (active == 0 || p.at == p.end || p.at >= n) {
        if (p.at >= n) returned |= active;
        paths.pop_back();
        continue;
      }
      const int at = p.at++;
      const Instruction& x = fn->code[(size_t)at];
      uint32_t mask = active;
      if (x.guarded) {
        const uint64_t* guard = f->reg + (size_t)x.guard * LANES;
        uint32_t yes = 0;
        each_lane(active, [&](int i) { yes |= (uint32_t)((guard[i] & 1) != x.guard_not) << i; });
        mask = yes;
      }
      if (waits_for(x.op) && wait(&paths, f, x, at, mask)) continue;
      counts.instructions++;
      counts.lanes += __builtin_popcount(mask);
      if (tracer.on()) {
        fn->count[(size_t)at]++;
        tracer.note(x, ((size_t)((char*)f->reg - registers_)) / (LANES * sizeof(uint64_t)),
                    &fn->cycles[(size_t)at]);
      }
      if (x.op == BRA) {
        branch(&paths, fn, x, at, active, mask);
      } else if (mask == 0) {
        continue;
      } else if (x.op == RET) {
        returned |= mask;
      } else if (x.op == CALL) {
        call(f, x, mask);
      } else {
        one(f, x, at, mask);
      }
    }
    stack_used_ = f->base;
    registers_used_ -= (size_t)fn->nreg * LANES * sizeof(uint64_t);
  }

  static bool waits_for(Op op) { return op == BAR_WARP || op == BALLOT || op == REDUX_MAX || op == SHFL_IDX; }

  // Lanes that have parted, and whose ways meet only further on, may wait for each other all the same: those
  // that come first let the others catch up. True when this is not yet to be run.
  bool wait(std::vector<Path>* paths, const Frame* f, const Instruction& x, int at, uint32_t mask) const {
    uint64_t room[LANES];
    const uint64_t* waits = row(f, x.src[x.op == BAR_WARP ? 0 : x.op == SHFL_IDX ? 3 : 1], room);
    uint32_t others = 0;
    each_lane(mask, [&](int i) { others |= (uint32_t)waits[i]; });
    if ((others & ~mask) == 0) return false;
    Path own = paths->back();
    for (size_t i = paths->size() - 1; i-- > 0;) {
      Path& p = (*paths)[i];
      if (p.end != own.end || (p.lanes & own.lanes) != 0 || (p.lanes & others) == 0) continue;
      own.at = at;
      paths->pop_back();
      if (p.at == at) {  // here already
        p.lanes |= own.lanes;
        std::swap((*paths)[i], paths->back());
      } else {
        Path next = p;
        p = own;
        paths->push_back(next);
      }
      return true;
    }
    return false;  // together() says so
  }

  void branch(std::vector<Path>* paths, Function* fn, const Instruction& x, int at, uint32_t active,
              uint32_t taken) {
    Path& p = paths->back();
    if (taken == active) {
      p.at = x.target;
      return;
    }
    if (taken == 0) return;
    if (races.on) races.part(fn, x, active, taken);
    const int meet = fn->meet[(size_t)at];
    const Path fall{at + 1, meet, active & ~taken}, jump{x.target, meet, taken};
    if (p.end == meet) {
      paths->pop_back();
    } else {
      p.at = meet >= 0 ? meet : (int)fn->code.size();
    }
    if (fall.at != meet) paths->push_back(fall);
    if (jump.at != meet) paths->push_back(jump);
    // those that are there already wait in the path below, which has all of them
  }

  void call(Frame* f, const Instruction& x, uint32_t mask) {
    const Call& c = f->f->calls[(size_t)x.call];
    if (c.callee) return enter(f, c, c.callee, mask);
    uint64_t room[LANES];
    const uint64_t* address = row(f, c.address, room);
    while (mask) {  // lanes that call the same
      uint64_t first = address[__builtin_ctz(mask)];
      uint32_t same = 0;
      each_lane(mask, [&](int i) { same |= (uint32_t)(address[i] == first) << i; });
      enter(f, c, (Function*)(uintptr_t)first, same);
      mask &= ~same;
    }
  }

  void enter(Frame* f, const Call& c, Function* callee, uint32_t mask) {
    Frame inner;
    inner.f = callee;
    size_t n = 0;
    auto pass = [&](int offset) {
      inner.param[n] = lane_stack(0) + f->base + offset;
      inner.param_step[n++] = STACK_BYTES;
    };
    if (callee->returns) pass(c.result);
    for (int a : c.args) pass(a);
    execute(&inner, mask);
  }

  // All lanes that a lane waits for are here, and wait for the same.
  void together(const Frame* f, int at, uint32_t mask, const uint64_t* waits) {
    each_lane(mask, [&](int i) {
      uint32_t others = (uint32_t)waits[i];
      if (!(others >> i & 1)) stop(f, at, "a lane waits for others, but not for itself");
      if (others & ~mask) stop(f, at, "a lane waits for one that is elsewhere");
      each_lane(others, [&](int k) {
        if ((uint32_t)waits[k] != others) stop(f, at, "lanes wait for different ones");
      });
    });
    if (races.on) races.wait(mask, waits, f->f->code[(size_t)at].op == BAR_WARP);
  }

  void count_sectors(uint32_t mask, const uint64_t* at, int bytes) {
    uint64_t seen[2 * LANES];
    int n = 0;
    each_lane(mask, [&](int i) {
      for (uint64_t sector = at[i] / 32; sector <= (at[i] + (uint64_t)bytes - 1) / 32; sector++) {
        bool known = false;
        for (int k = n - 1; k >= 0 && !known; k--) known = seen[k] == sector;
        if (!known && n < 2 * LANES) seen[n++] = sector;
      }
    });
    counts.requests++;
    counts.sectors += n;
    if (counts_distinct) sectors_.insert(seen, seen + n);
  }

  Memory memory_of(uint64_t address) const {
    const char* p = (const char*)(uintptr_t)address;
    if (p >= stack_ && p < stack_ + (size_t)LANES * STACK_BYTES) return STACK;
    return p >= shared_memory() && p < shared_memory() + SHARED_BYTES ? SHARED : DEVICE;
  }

  // A block has as much shared memory as its launch asked for.
  void check_shared(const Function* f, const Instruction& x, uint64_t at, int bytes) const {
    const uint64_t offset = at - (uint64_t)(uintptr_t)shared_memory();
    if (offset + (uint64_t)bytes <= shared_bytes) return;
    fprintf(stderr, "%s, source line %d: byte %llu of %llu bytes of shared memory\n", f->name.c_str(),
            x.source_line, (unsigned long long)offset, (unsigned long long)shared_bytes);
    abort();
  }

  // A load or a store of so many bytes: true when others can see it.
  bool request(Function* f, const Instruction& x, uint32_t mask, const uint64_t* at, int bytes) {
    const uint64_t first = at[__builtin_ctz(mask)];
    const Memory memory = memory_of(first);
    if (memory == DEVICE && !x.param) count_sectors(mask, at, bytes);
    if (memory == SHARED) each_lane(mask, [&](int i) { check_shared(f, x, at[i], bytes); });
    if (tracer.on()) {
      const uint64_t offset = (first - (uint64_t)(uintptr_t)stack_) % STACK_BYTES;
      f->waves[(size_t)(&x - f->code.data())] +=
          tracer.note_request(memory, mask, at, bytes, x.op == ST, offset);
    }
    return memory != STACK && !x.param;
  }

  void load(Frame* f, const Instruction& x, uint32_t mask) {
    uint64_t room[LANES];
    const uint64_t* at = addresses(f, x.src[0], room);
    const int bytes = type_bytes(x.type);
    if (request(f->f, x, mask, at, bytes * x.width) && races.on)
      races.read(f->f, x, mask, at, bytes * x.width);
    for (int k = 0; k < x.width; k++) {
      uint64_t* r = to(f, x.dst[k]);
      each_lane(mask, [&](int i) {
        const char* p = (const char*)(uintptr_t)at[i] + k * bytes;
        uint64_t bits = 0;
        memcpy(&bits, p, (size_t)bytes);
        if (x.type == S8) bits = put((int64_t)(int8_t)bits);
        if (x.type == S16) bits = put((int64_t)(int16_t)bits);
        if (x.type == S32) bits = put((int64_t)(int32_t)bits);
        r[i] = bits;
      });
    }
  }

  void store(Frame* f, const Instruction& x, uint32_t mask) {
    uint64_t room[LANES], values[LANES];
    const uint64_t* at = addresses(f, x.src[0], room);
    const int bytes = type_bytes(x.type);
    const bool seen = request(f->f, x, mask, at, bytes * x.width);
    char numbers[LANES][32];
    for (int k = 0; k < x.width; k++) {
      const uint64_t* v = row(f, x.dst[k], values);
      each_lane(mask, [&](int i) { memcpy(numbers[i] + k * bytes, &v[i], (size_t)bytes); });
    }
    if (seen && races.on) races.write(f->f, x, mask, at, bytes * x.width, numbers);
    each_lane(mask, [&](int i) { memcpy((char*)(uintptr_t)at[i], numbers[i], (size_t)(bytes * x.width)); });
  }

  template <typename T, typename F>
  void unary(Frame* f, const Instruction& x, uint32_t mask, F op) {
    uint64_t room[LANES];
    const uint64_t* a = row(f, x.src[0], room);
    uint64_t* r = to(f, x.dst[0]);
    each_lane(mask, [&](int i) { r[i] = put((T)op(get<T>(a[i]))); });
  }
  template <typename T, typename F>
  void binary(Frame* f, const Instruction& x, uint32_t mask, F op) {
    uint64_t room[2][LANES];
    const uint64_t *a = row(f, x.src[0], room[0]), *b = row(f, x.src[1], room[1]);
    uint64_t* r = to(f, x.dst[0]);
    each_lane(mask, [&](int i) { r[i] = put((T)op(get<T>(a[i]), get<T>(b[i]))); });
  }

#define INTEGERS(F)       \
  switch (x.type) {       \
    case B16:             \
    case U16: F(uint16_t) \
    case S16: F(int16_t)  \
    case B32:             \
    case U32: F(uint32_t) \
    case S32: F(int32_t)  \
    case B64:             \
    case U64: F(uint64_t) \
    case S64: F(int64_t)  \
    default: break;       \
  }
#define NUMBERS(F)       \
  switch (x.type) {      \
    case F32: F(float)   \
    case F64: F(double)  \
    default: INTEGERS(F) \
  }

  void one(Frame* f, const Instruction& x, int at, uint32_t mask) {
    uint64_t room[4][LANES];
    switch (x.op) {
      case LD: return load(f, x, mask);
      case ST: return store(f, x, mask);
      case MOV: return move(f, x, mask);
      case CVTA: return move(f, x, mask);
      case CVT: return convert(f, x, at, mask);
#define DO(T) return binary<T>(f, x, mask, [](T a, T b) { return (T)(a + b); });
      case ADD: NUMBERS(DO) break;
#undef DO
#define DO(T) return binary<T>(f, x, mask, [](T a, T b) { return (T)(a - b); });
      case SUB: NUMBERS(DO) break;
#undef DO
#define DO(T) return binary<T>(f, x, mask, [](T a, T b) { return (T)(a * b); });
      case MUL: NUMBERS(DO) break;
      case MUL_LO: INTEGERS(DO) break;
#undef DO
#define DO(T) return binary<T>(f, x, mask, [](T a, T b) { return b == 0 ? (T) ~(T)0 : (T)(a / b); });
      case DIV:
        if (x.type == F32) return binary<float>(f, x, mask, [](float a, float b) { return a / b; });
        if (x.type == F64) return binary<double>(f, x, mask, [](double a, double b) { return a / b; });
        INTEGERS(DO) break;
#undef DO
#define DO(T) return binary<T>(f, x, mask, [](T a, T b) { return b == 0 ? a : (T)(a % b); });
      case REM: INTEGERS(DO) break;
#undef DO
#define DO(T) return binary<T>(f, x, mask, [](T a, T b) { return lesser(a, b); });
      case MIN: NUMBERS(DO) break;
#undef DO
#define DO(T) return binary<T>(f, x, mask, [](T a, T b) { return greater(a, b); });
      case MAX: NUMBERS(DO) break;
#undef DO
      case AND: return binary<uint64_t>(f, x, mask, [](uint64_t a, uint64_t b) { return a & b; });
      case OR: return binary<uint64_t>(f, x, mask, [](uint64_t a, uint64_t b) { return a | b; });
      case XOR: return binary<uint64_t>(f, x, mask, [](uint64_t a, uint64_t b) { return a ^ b; });
      case NOT:
        if (x.type == PRED) return unary<uint64_t>(f, x, mask, [](uint64_t a) { return a ^ 1; });
#define DO(T) return unary<T>(f, x, mask, [](T a) { return (T)~a; });
        INTEGERS(DO) break;
#undef DO
#define DO(T) return unary<T>(f, x, mask, [](T a) { return (T)-a; });
      case NEG: NUMBERS(DO) break;
#undef DO
      case ABS:
        if (x.type == F32) return unary<float>(f, x, mask, [](float a) { return std::fabs(a); });
        if (x.type == F64) return unary<double>(f, x, mask, [](double a) { return std::fabs(a); });
#define DO(T) return unary<T>(f, x, mask, [](T a) { return a < 0 ? (T)-a : a; });
        INTEGERS(DO) break;
#undef DO
      case SQRT:
        if (x.type == F32) return unary<float>(f, x, mask, [](float a) { return std::sqrt(a); });
        return unary<double>(f, x, mask, [](double a) { return std::sqrt(a); });
      case RCP:
        if (x.type == F32) return unary<float>(f, x, mask, [](float a) { return 1 / a; });
        return unary<double>(f, x, mask, [](double a) { return 1 / a; });
      case SHL: return shift(f, x, mask, true);
      case SHR: return shift(f, x, mask, false);
      case POPC:
        return unary<uint32_t>(f, x, mask, [](uint32_t a) { return (uint32_t)__builtin_popcount(a); });
      case CLZ:
        return unary<uint32_t>(f, x, mask, [](uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : 32u; });
      case BFIND_SHIFT:
        return unary<uint32_t>(f, x, mask, [](uint32_t a) { return a ? (uint32_t)__builtin_clz(a) : ~0u; });
      case BREV:
        return unary<uint32_t>(f, x, mask, [](uint32_t a) {
          uint32_t r = 0;
          for (int i = 0; i < 32; i++) r |= (a >> i & 1) << (31 - i);
          return r;
        });
      default: break;
    }
    const uint64_t *a = row(f, x.src[0], room[0]), *b = row(f, x.src[1], room[1]),
                   *c = row(f, x.src[2], room[2]), *d = row(f, x.src[3], room[3]);
    uint64_t* r = x.dst[0].kind == Operand::REG ? to(f, x.dst[0]) : nullptr;
    switch (x.op) {
      case MAD_LO:
        each_lane(mask, [&](int i) {
          r[i] = x.type == S64 || x.type == U64 || x.type == B64 ? a[i] * b[i] + c[i]
                                                                 : (uint32_t)(a[i] * b[i] + c[i]);
        });
        return;
      case MUL_WIDE:
        each_lane(mask, [&](int i) {
          if (x.type == S32) r[i] = (uint64_t)((int64_t)get<int32_t>(a[i]) * get<int32_t>(b[i]));
          if (x.type == U32) r[i] = (uint64_t)get<uint32_t>(a[i]) * get<uint32_t>(b[i]);
          if (x.type == U16) r[i] = (uint32_t)get<uint16_t>(a[i]) * get<uint16_t>(b[i]);
          if (x.type == S16) r[i] = put((int32_t)get<int16_t>(a[i]) * get<int16_t>(b[i]));
        });
        return;
      case MUL_HI:
        each_lane(mask, [&](int i) {
          if (x.type == S32) r[i] = put((int32_t)((int64_t)get<int32_t>(a[i]) * get<int32_t>(b[i]) >> 32));
          if (x.type == U32) r[i] = (uint64_t)get<uint32_t>(a[i]) * get<uint32_t>(b[i]) >> 32;
          if (x.type == U64) r[i] = (uint64_t)((unsigned __int128)a[i] * b[i] >> 64);
          if (x.type == S64) r[i] = (uint64_t)((__int128)(int64_t)a[i] * (int64_t)b[i] >> 64);
        });
        return;
      case FMA:
        each_lane(mask, [&](int i) {
          r[i] = x.type == F32 ? put(std::fma(get<float>(a[i]), get<float>(b[i]), get<float>(c[i])))
                               : put(std::fma(get<double>(a[i]), get<double>(b[i]), get<double>(c[i])));
        });
        return;
      case SELP: each_lane(mask, [&](int i) { r[i] = c[i] & 1 ? a[i] : b[i]; }); return;
      case SETP:
#define DO(T)                                                                              \
  each_lane(mask, [&](int i) { r[i] = compared(x.compare, get<T>(a[i]), get<T>(b[i])); }); \
  return;
        NUMBERS(DO) break;
#undef DO
      case BFE:
        each_lane(mask, [&](int i) {
          uint32_t from = b[i] & 0xff, n = c[i] & 0xff;
          uint64_t v = from < 64 ? a[i] >> from : 0;
          r[i] = n >= 64 ? v : v & (((uint64_t)1 << n) - 1);
          if (x.type == S32 && n > 0 && n < 32 && (r[i] >> (n - 1) & 1))
            r[i] = (uint32_t)(r[i] | ~(((uint64_t)1 << n) - 1));
        });
        return;
      case BFI:
        each_lane(mask, [&](int i) {
          uint32_t from = c[i] & 0xff, n = d[i] & 0xff;
          uint64_t field = (n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1) << (from < 64 ? from : 63);
          r[i] = (b[i] & ~field) | (a[i] << from & field);
          if (type_bytes(x.type) == 4) r[i] = (uint32_t)r[i];
        });
        return;
      case SHF_R:
        each_lane(mask, [&](int i) { r[i] = (uint32_t)((b[i] << 32 | (uint32_t)a[i]) >> (c[i] & 31)); });
        return;
      case PRMT:
        each_lane(mask, [&](int i) { r[i] = permuted((uint32_t)a[i], (uint32_t)b[i], (uint32_t)c[i]); });
        return;
      case ATOM_ADD:
        each_lane(mask, [&](int i) {
          uint32_t old, sum,
              *p = (uint32_t*)(uintptr_t)(a[i] + (x.src[0].kind == Operand::REG ? x.src[0].imm : 0));
          memcpy(&old, p, 4);
          sum = old + (uint32_t)b[i];
          memcpy(p, &sum, 4);
          if (r) r[i] = old;
        });
        return;
      case ACTIVEMASK: each_lane(mask, [&](int i) { r[i] = mask; }); return;
      case TRAP: stop(f, at, "the code says that this cannot be");
      case BARRIER: return;  // for speed alone
      case BAR_WARP: return together(f, at, mask, a);
      case BALLOT: {
        together(f, at, mask, b);
        uint32_t votes = 0;
        each_lane(mask, [&](int i) { votes |= (uint32_t)(a[i] & 1) << i; });
        each_lane(mask, [&](int i) { r[i] = votes & (uint32_t)b[i]; });
        return;
      }
      case REDUX_MAX: {
        together(f, at, mask, b);
        uint64_t out[LANES];
        each_lane(mask, [&](int i) {
          uint32_t best = (uint32_t)a[i];
          each_lane((uint32_t)b[i], [&](int k) {
            bool more = x.type == S32 ? (int32_t)a[k] > (int32_t)best : (uint32_t)a[k] > best;
            if (more) best = (uint32_t)a[k];
          });
          out[i] = best;
        });
        each_lane(mask, [&](int i) { r[i] = out[i]; });
        return;
      }
      case SHFL_IDX: {
        together(f, at, mask, d);
        uint64_t out[LANES];
        each_lane(mask, [&](int i) {
          const int from = (int)(b[i] & 31);
          if (!(mask >> from & 1)) stop(f, at, "a lane reads from one that is elsewhere");
          out[i] = a[from];
        });
        each_lane(mask, [&](int i) { r[i] = out[i]; });
        return;
      }
      default: stop(f, at, "cannot be run");
    }
  }

  void move(Frame* f, const Instruction& x, uint32_t mask) {
    uint64_t room[2][LANES];
    if (x.width == 2) {  // halves
      const int half = 4 * type_bytes(x.type);
      const uint64_t low = ((uint64_t)1 << half) - 1;
      if (x.dst[1].kind != Operand::NONE) {
        const uint64_t* a = row(f, x.src[0], room[0]);
        each_lane(mask, [&](int i) {
          const uint64_t all = a[i];
          if (x.dst[0].kind == Operand::REG) to(f, x.dst[0])[i] = all & low;
          to(f, x.dst[1])[i] = all >> half & low;
        });
      } else {
        const uint64_t *a = row(f, x.src[0], room[0]), *b = row(f, x.src[1], room[1]);
        uint64_t* r = to(f, x.dst[0]);
        each_lane(mask, [&](int i) { r[i] = (a[i] & low) | (b[i] & low) << half; });
      }
      return;
    }
    const uint64_t* a = row(f, x.src[0], room[0]);
    uint64_t* r = to(f, x.dst[0]);
    each_lane(mask, [&](int i) { r[i] = a[i]; });
  }

  void convert(Frame* f, const Instruction& x, int at, uint32_t mask) {
    uint64_t room[LANES];
    const uint64_t* a = row(f, x.src[0], room);
    uint64_t* r = to(f, x.dst[0]);
#define DO(T)                                                              \
  each_lane(mask, [&](int i) { r[i] = converted(x.type, get<T>(a[i])); }); \
  return;
    switch (x.from) {
      case B8:
      case U8: DO(uint8_t)
      case S8: DO(int8_t)
      case B16:
      case U16: DO(uint16_t)
      case S16: DO(int16_t)
      case B32:
      case U32: DO(uint32_t)
      case S32: DO(int32_t)
      case B64:
      case U64: DO(uint64_t)
      case S64: DO(int64_t)
      case F32: DO(float)
      case F64: DO(double)
      default: stop(f, at, "cannot be converted");
    }
#undef DO
  }

  void shift(Frame* f, const Instruction& x, uint32_t mask, bool left) {
    uint64_t room[2][LANES];
    const uint64_t *a = row(f, x.src[0], room[0]), *b = row(f, x.src[1], room[1]);
    uint64_t* r = to(f, x.dst[0]);
    const uint32_t bits = 8 * (uint32_t)type_bytes(x.type);
    const bool sign = x.type == S16 || x.type == S32 || x.type == S64;
    const uint64_t low = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
    each_lane(mask, [&](int i) {
      const uint32_t n = (uint32_t)b[i];
      const uint64_t v = a[i] & low;
      if (left) {
        r[i] = n >= bits ? 0 : v << n & low;
      } else if (sign) {
        const int64_t wide = (int64_t)(v << (64 - bits)) >> (64 - bits);
        r[i] = (uint64_t)(wide >> (n >= bits ? bits - 1 : n)) & low;
      } else {
        r[i] = n >= bits ? 0 : v >> n;
      }
    });
  }
};

}  // namespace

char* shared_memory() {
  static char* memory = mapped(SHARED_BYTES + 64, MAP_32BIT);
  return memory;
}

static Warp& the_warp() {
  static Warp w;  // one launch at a time
  return w;
}

Counts run(Function* kernel, const Grid& grid, const std::vector<char>& params, const Watch& watch) {
  Warp& w = the_warp();
  w.counts = Counts();
  w.counts.launches = 1;
  w.counts_distinct = watch.times;
  w.shared_bytes = grid.shared_bytes;
  w.races.on = watch.races;
  const int64_t before = w.races.count();
  if (watch.races) w.races.begin_launch(watch.sources);
  std::vector<char> copy(params);
  std::vector<Trace> traces;
  const unsigned threads = grid.block_x * grid.block_y;
  for (unsigned b = 0; b < grid.blocks; b++) {
    memset(shared_memory(), 0xa5, grid.shared_bytes);
    if (watch.races) w.races.forget((uint64_t)(uintptr_t)shared_memory(), grid.shared_bytes);
    w.block = b;
    for (unsigned first = 0; first < threads; first += LANES) {
      const unsigned n = threads - first < LANES ? threads - first : (unsigned)LANES;
      w.warp = first / LANES;
      for (unsigned i = 0; i < LANES; i++) {
        w.special[TID_X][i] = (first + i) % grid.block_x;
        w.special[TID_Y][i] = (first + i) / grid.block_x;
        w.special[NTID_X][i] = grid.block_x;
        w.special[NTID_Y][i] = grid.block_y;
        w.special[CTAID_X][i] = b;
        w.special[NCTAID_X][i] = grid.blocks;
        w.special[SHARED_SIZE][i] = grid.shared_bytes;
      }
      w.counts.warps++;
      if (watch.races) {
        uint32_t team[LANES];
        for (unsigned i = 0; i < LANES; i++) team[i] = (b * threads + first + i) / (unsigned)grid.team;
        w.races.begin_warp(team);
      }
      if (watch.times) traces.emplace_back();
      w.tracer.begin(watch.times ? &traces.back() : nullptr, (uint64_t)b * 32 + w.warp);
      w.start(kernel, copy.data(), n == LANES ? 0xffffffffu : ((uint32_t)1 << n) - 1);
    }
  }
  w.counts.races = w.races.count() - before;
  if (watch.times) {
    Block block = {(int)(threads + LANES - 1) / LANES, grid.at_a_time, grid.cache_bytes, grid.processors};
    w.counts.estimate = estimate(traces, block);
  }
  return w.counts;
}

}  // namespace simt
