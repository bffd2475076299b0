// Machine code of a GPU in its portable form (PTX), read and made ready to run: see warp.h.
//
// Only what nvcc makes of the engine is known; anything else stops the program with a message. Addresses are
// those of the process: all spaces of memory are one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace simt {

enum Type : uint8_t { B8, B16, B32, B64, U8, U16, U32, U64, S8, S16, S32, S64, F32, F64, PRED, NO_TYPE };

int type_bytes(Type t);

enum Op : uint8_t {
  ABS,
  ACTIVEMASK,
  ADD,
  AND,
  ATOM_ADD,
  BALLOT,
  BAR_WARP,
  BARRIER,
  BFE,
  BFI,
  BFIND_SHIFT,
  BRA,
  BREV,
  CALL,
  CLZ,
  CVT,
  CVTA,
  DIV,
  FMA,
  LD,
  MAD_LO,
  MAX,
  MIN,
  MOV,
  MUL,
  MUL_HI,
  MUL_LO,
  MUL_WIDE,
  NEG,
  NOT,
  OR,
  POPC,
  PRMT,
  RCP,
  REDUX_MAX,
  REM,
  RET,
  SELP,
  SETP,
  SHF_R,
  SHFL_IDX,
  SHL,
  SHR,
  SQRT,
  ST,
  SUB,
  TRAP,
  XOR
};

enum Compare : uint8_t { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NOT_A_NUMBER };

// Special registers have numbers below zero, -1 for the first.
enum Special { TID_X, TID_Y, NTID_X, NTID_Y, CTAID_X, NCTAID_X, SHARED_SIZE, SPECIAL_COUNT };

struct Function;

// A number in a register or in the code; with an address that of something: of a variable (its own), or of
// the frame of the function, which is another for each lane.
struct Operand {
  enum Kind : uint8_t { NONE, REG, IMM, FRAME, PARAM } kind = NONE;
  int reg = 0;       // or which parameter
  uint64_t imm = 0;  // or offset
};

struct Instruction {
  Op op;
  Type type = NO_TYPE, from = NO_TYPE;
  Compare compare = EQ;
  uint8_t width = 1;        // of vectors
  bool to_integer = false;  // cvt rounds to a whole number
  bool guarded = false, guard_not = false;
  bool shared = false, local = false, param = false;  // memory that is known not to be that of the device
  int guard = 0;
  int line = 0;                    // of the text
  int file = -1, source_line = 0;  // where it comes from: Program::sources()
  int target = -1;                 // of a branch
  Operand dst[4], src[4];          // of vectors: those of memory
  int call = -1;                   // index of Function::calls
};

struct Call {
  Function* callee = nullptr;  // or by address
  std::string name;
  Operand address;
  std::vector<int> args;  // offsets in the frame
  int result = -1;
};

struct Function {
  std::string name;
  bool entry = false;
  std::vector<Instruction> code;
  std::vector<int>
      meet;  // where the lanes that part at this instruction are together again; -1: when all have returned
  std::vector<Call> calls;
  int nreg = 0;                               // without special ones
  std::vector<int> param_bytes, param_align;  // the result, if there is one, is the first
  bool returns = false;
  int frame_bytes = 0;  // a lane
  // how often warps have run each instruction, and how long its requests took at the port to the cache, while
  // that is reported
  std::vector<int64_t> count, waves;
  std::vector<double> cycles;
};

// All modules of a program: functions by name, of static ones by module.
class Program {
 public:
  void add(const std::string& path, char* shared);
  void link();  // once all have been added
  Function* kernel(const std::string& part_of_name) const;
  const std::vector<std::unique_ptr<Function>>& functions() const { return all_; }
  const std::vector<std::string>& sources() const { return sources_; }

 private:
  friend class Reader;
  std::vector<std::unique_ptr<Function>> all_;
  std::map<std::string, Function*> by_name_;
  std::vector<std::unique_ptr<char[]>> memory_;
  std::vector<std::string> sources_;
  struct Address {  // of a function in a table or in the code
    uint64_t* at;
    Function* in;
    int instruction, operand;
    std::string name;
  };
  std::vector<Address> wanted_;
};

}  // namespace simt
