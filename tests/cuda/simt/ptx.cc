#include "ptx.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <unordered_map>

namespace simt {

int type_bytes(Type t) {
  static const int bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1, 0};
  return bytes[t];
}

namespace {

[[noreturn]] void stop(const std::string& path, int line, const std::string& what) {
  fprintf(stderr, "%s:%d: %s\n", path.c_str(), line, what.c_str());
  abort();
}

const std::unordered_map<std::string, Type>& types() {
  static const std::unordered_map<std::string, Type> names = {
      {"b8", B8},   {"b16", B16}, {"b32", B32}, {"b64", B64}, {"u8", U8},
      {"u16", U16}, {"u32", U32}, {"u64", U64}, {"s8", S8},   {"s16", S16},
      {"s32", S32}, {"s64", S64}, {"f32", F32}, {"f64", F64}, {"pred", PRED}};
  return names;
}

const std::unordered_map<std::string, Compare>& compares() {
  static const std::unordered_map<std::string, Compare> names = {
      {"eq", EQ},   {"ne", NE},   {"lt", LT},   {"le", LE},   {"gt", GT},   {"ge", GE},
      {"lo", LT},   {"ls", LE},   {"hi", GT},   {"hs", GE},   {"equ", EQU}, {"neu", NEU},
      {"ltu", LTU}, {"leu", LEU}, {"gtu", GTU}, {"geu", GEU}, {"num", NUM}, {"nan", NOT_A_NUMBER}};
  return names;
}

// By the name up to the parts that say the type; the longest that fits.
const std::vector<std::pair<std::string, Op>>& ops() {
  static const std::vector<std::pair<std::string, Op>> names = {{"abs", ABS},
                                                                {"activemask", ACTIVEMASK},
                                                                {"add", ADD},
                                                                {"and", AND},
                                                                {"atom.global.add", ATOM_ADD},
                                                                {"vote.sync.ballot", BALLOT},
                                                                {"bar.warp.sync", BAR_WARP},
                                                                {"barrier.sync", BARRIER},
                                                                {"bfe", BFE},
                                                                {"bfi", BFI},
                                                                {"bfind.shiftamt", BFIND_SHIFT},
                                                                {"bra", BRA},
                                                                {"brev", BREV},
                                                                {"call", CALL},
                                                                {"clz", CLZ},
                                                                {"cvt", CVT},
                                                                {"cvta", CVTA},
                                                                {"div", DIV},
                                                                {"fma", FMA},
                                                                {"ld", LD},
                                                                {"mad.lo", MAD_LO},
                                                                {"max", MAX},
                                                                {"min", MIN},
                                                                {"mov", MOV},
                                                                {"mul.hi", MUL_HI},
                                                                {"mul.lo", MUL_LO},
                                                                {"mul.wide", MUL_WIDE},
                                                                {"mul", MUL},
                                                                {"neg", NEG},
                                                                {"not", NOT},
                                                                {"or", OR},
                                                                {"popc", POPC},
                                                                {"prmt", PRMT},
                                                                {"rcp", RCP},
                                                                {"redux.sync.max", REDUX_MAX},
                                                                {"rem", REM},
                                                                {"ret", RET},
                                                                {"exit", RET},
                                                                {"selp", SELP},
                                                                {"setp", SETP},
                                                                {"shf.r.wrap", SHF_R},
                                                                {"shfl.sync.idx", SHFL_IDX},
                                                                {"shl", SHL},
                                                                {"shr", SHR},
                                                                {"sqrt", SQRT},
                                                                {"st", ST},
                                                                {"sub", SUB},
                                                                {"trap", TRAP},
                                                                {"xor", XOR}};
  return names;
}

std::vector<std::string> split(const std::string& s, char at) {
  std::vector<std::string> out;
  size_t from = 0;
  for (size_t i = 0; i <= s.size(); i++) {
    if (i < s.size() && s[i] != at) continue;
    out.push_back(s.substr(from, i - from));
    from = i + 1;
  }
  return out;
}

std::string trimmed(const std::string& s) {
  size_t a = s.find_first_not_of(" \t\n\r"), b = s.find_last_not_of(" \t\n\r");
  return a == std::string::npos ? "" : s.substr(a, b - a + 1);
}

int rounded_up(int n, int align) {
  return (n + align - 1) / align * align;
}

}  // namespace

// One module.
class Reader {
 public:
  Reader(Program* program, const std::string& path, char* shared)
      : program_(program), path_(path), shared_(shared) {}

  void read() {
    std::ifstream file(path_);
    if (!file) stop(path_, 0, "cannot be read");
    std::string text, line;
    while (std::getline(file, line)) {
      line_++;
      size_t comment = line.find("//");
      if (comment != std::string::npos) line.resize(comment);
      line = trimmed(line);
      if (!line.empty()) take(line, &text);
    }
    for (auto& f : own_) {
      connect(f);
      for (auto& x : f->code) x.file = files_.count(x.file) ? files_.at(x.file) : -1;
    }
  }

 private:
  Program* program_;
  std::string path_;
  char* shared_;
  int line_ = 0;
  Function* f_ = nullptr;  // at hand
  bool in_head_ = false;
  int params_end_ = 0;  // of the frame
  std::unordered_map<std::string, int> labels_, params_;
  std::unordered_map<std::string, int> in_frame_;  // offsets
  std::unordered_map<std::string, int> banks_;     // the first register of each kind
  std::unordered_map<std::string, int> regs_;
  std::unordered_map<std::string, uint64_t> variables_;
  std::vector<std::pair<int, std::string>> branches_;
  std::vector<Function*> own_;
  std::string head_;

  // Statements end with a semicolon; heads of functions, labels and braces do not.
  void take(const std::string& line, std::string* text) {
    if (!f_ && !in_head_) {
      if (line.rfind(".version", 0) == 0 || line.rfind(".target", 0) == 0 ||
          line.rfind(".address_size", 0) == 0 || line.rfind(".section", 0) == 0)
        return;
      if (line.rfind(".file", 0) == 0) return source(line);
      if (line.find(".func") != std::string::npos || line.find(".entry") != std::string::npos) {
        in_head_ = true;
        head_.clear();
      }
    }
    if (in_head_) {
      head_ += line + " ";
      if (line == "{") {
        in_head_ = false;
        begin_function();
      } else if (!line.empty() && line.back() == ';') {
        in_head_ = false;  // declared only
      }
      return;
    }
    if (f_ && line.size() > 1 && line.back() == '}') {  // behind the last statement of a block
      take(trimmed(line.substr(0, line.size() - 1)), text);
      return take("}", text);
    }
    if (f_ && text->empty()) {
      if (line == "}" && depth_ == 0) return end_function();
      if (line == "}") {
        depth_--;
        return;
      }
      if (line[0] == '{') {
        depth_++;
        f_->frame_bytes = std::max(f_->frame_bytes, at_);
        at_ = params_end_;
        std::string rest = trimmed(line.substr(1));
        if (!rest.empty()) take(rest, text);
        return;
      }
      if (line.rfind(".pragma", 0) == 0) return;
      if (line.rfind(".loc\t", 0) == 0 || line.rfind(".loc ", 0) == 0) {
        sscanf(line.c_str() + 4, "%d %d", &file_, &source_line_);
        return;
      }
      if (line.back() == ':') {
        labels_[line.substr(0, line.size() - 1)] = (int)f_->code.size();
        return;
      }
    }
    *text += line + " ";
    if (line.back() != ';') return;
    std::string statement = trimmed(*text);
    text->clear();
    statement.pop_back();
    if (f_) {
      inside(trimmed(statement));
    } else {
      variable(statement);
    }
  }

  // .file NUMBER "PATH"
  void source(const std::string& line) {
    size_t quote = line.find('"');
    if (quote == std::string::npos) return;
    files_[atoi(line.c_str() + 5)] = (int)program_->sources_.size();
    program_->sources_.push_back(line.substr(quote + 1, line.find('"', quote + 1) - quote - 1));
  }

  int depth_ = 0, at_ = 0;
  int file_ = -1, source_line_ = 0;
  std::map<int, int> files_;  // numbers here, and in the program

  // ---- variables of a module ----

  void variable(const std::string& s) {
    if (s.find(".shared") != std::string::npos) {
      std::string name = s.substr(s.find_last_of(' ') + 1);
      name = name.substr(0, name.find('['));
      variables_[name] = (uint64_t)(uintptr_t)shared_;
      return;
    }
    size_t equals = s.find('=');
    std::vector<std::string> words = split(trimmed(s.substr(0, equals)), ' ');
    Type type = NO_TYPE;
    for (auto& w : words) {
      if (w[0] == '.' && types().count(w.substr(1))) type = types().at(w.substr(1));
    }
    std::string name = words.back();
    size_t count = 1, bracket = name.find('[');
    if (bracket != std::string::npos) {
      count = strtoul(name.c_str() + bracket + 1, nullptr, 10);
      name.resize(bracket);
    }
    if (type == NO_TYPE) stop(path_, line_, "a variable of unknown type: " + s.substr(0, 80));
    size_t size = (size_t)type_bytes(type);
    program_->memory_.emplace_back(new char[count * size + 64]());
    char* at = program_->memory_.back().get();
    at += 64 - (uintptr_t)at % 64;
    variables_[name] = (uint64_t)(uintptr_t)at;
    if (equals == std::string::npos) return;
    std::string values = s.substr(equals + 1);
    values.erase(std::remove_if(values.begin(), values.end(), [](char c) { return c == '{' || c == '}'; }),
                 values.end());
    for (auto& v : split(values, ',')) {
      std::string word = trimmed(v);
      if (isdigit((unsigned char)word[0]) || word[0] == '-') {
        int64_t number = strtoll(word.c_str(), nullptr, 0);
        memcpy(at, &number, size);
      } else {
        program_->wanted_.push_back({(uint64_t*)(void*)at, nullptr, 0, 0, word});
      }
      at += size;
    }
  }

  // ---- functions ----

  void begin_function() {
    program_->all_.emplace_back(new Function);
    f_ = program_->all_.back().get();
    own_.push_back(f_);
    f_->entry = head_.find(".entry") != std::string::npos;
    labels_.clear();
    params_.clear();
    in_frame_.clear();
    banks_.clear();
    regs_.clear();
    branches_.clear();
    at_ = params_end_ = depth_ = 0;
    size_t brace = head_.find('(');
    std::string before = head_.substr(0, brace == std::string::npos ? head_.find('{') : brace);
    const std::string start = trimmed(before);
    if (start.size() >= 5 &&
        start.compare(start.size() - 5, 5, ".func") == 0) {  // then a result in brackets, and the name
      size_t close = head_.find(')');
      param(head_.substr(brace + 1, close - brace - 1));
      f_->returns = true;
      std::string rest = head_.substr(close + 1);
      brace = rest.find('(');
      f_->name = trimmed(rest.substr(0, std::min(brace, rest.find('{'))));
      if (brace != std::string::npos) params(rest.substr(brace + 1, rest.find(')') - brace - 1));
    } else {
      std::vector<std::string> words = split(trimmed(before), ' ');
      f_->name = words.back();
      if (brace != std::string::npos) params(head_.substr(brace + 1, head_.find(')') - brace - 1));
    }
    program_->by_name_[f_->name] = f_;
  }

  void params(const std::string& list) {
    for (auto& one : split(list, ',')) {
      if (!trimmed(one).empty()) param(one);
    }
  }

  struct Variable {
    std::string name;
    int bytes, align;
  };
  Variable declared(const std::string& text) {
    Variable v{"", 0, 1};
    Type type = B8;
    std::vector<std::string> words = split(trimmed(text), ' ');
    for (size_t i = 0; i < words.size(); i++) {
      std::string w = trimmed(words[i]);
      if (w == ".align") {
        v.align = atoi(words[++i].c_str());
      } else if (w[0] == '.' && types().count(w.substr(1))) {
        type = types().at(w.substr(1));
      } else if (!w.empty() && w[0] != '.') {
        v.name = w;
      }
    }
    v.bytes = type_bytes(type);
    size_t bracket = v.name.find('[');
    if (bracket != std::string::npos) {
      v.bytes *= atoi(v.name.c_str() + bracket + 1);
      v.name.resize(bracket);
    }
    v.align = std::max(v.align, type_bytes(type));
    return v;
  }

  void param(const std::string& text) {
    Variable v = declared(text);
    params_[v.name] = (int)f_->param_bytes.size();
    f_->param_bytes.push_back(v.bytes);
    f_->param_align.push_back(v.align);
  }

  void end_function() {
    for (auto& b : branches_) {
      if (!labels_.count(b.second)) stop(path_, line_, "no label " + b.second);
      f_->code[(size_t)b.first].target = labels_.at(b.second);
    }
    f_->frame_bytes = rounded_up(std::max(f_->frame_bytes, at_), 16);
    f_->count.assign(f_->code.size(), 0);
    f_->waves.assign(f_->code.size(), 0);
    f_->cycles.assign(f_->code.size(), 0);
    f_ = nullptr;
  }

  void inside(const std::string& s) {
    if (s.rfind(".reg", 0) == 0) return registers(s);
    if (s.rfind(".local", 0) == 0) return frame_variable(s, true);
    if (s.rfind(".param", 0) == 0) return frame_variable(s, false);
    if (s.find(".callprototype") != std::string::npos) return;
    instruction(s);
  }

  void registers(const std::string& s) {
    std::string name = trimmed(s.substr(s.find_last_of(" \t") + 1));
    size_t angle = name.find('<');
    if (angle == std::string::npos) {
      regs_[name] = f_->nreg++;
      return;
    }
    int n = atoi(name.c_str() + angle + 1);
    banks_[name.substr(0, angle)] = f_->nreg;
    f_->nreg += n;
  }

  void frame_variable(const std::string& s, bool stays) {
    std::string text = s;
    std::replace(text.begin(), text.end(), '\t', ' ');
    Variable v = declared(text);
    at_ = rounded_up(at_, std::max(v.align, 8));
    in_frame_[v.name] = at_;
    at_ += v.bytes;
    f_->frame_bytes = std::max(f_->frame_bytes, at_);
    if (stays) params_end_ = at_;
  }

  // ---- operands ----

  int reg(const std::string& name) {
    auto one = regs_.find(name);
    if (one != regs_.end()) return one->second;
    size_t digits = name.find_first_of("0123456789");
    auto bank = banks_.find(name.substr(0, digits));
    if (bank == banks_.end() || digits == std::string::npos) stop(path_, line_, "no register " + name);
    return bank->second + atoi(name.c_str() + digits);
  }

  Operand operand(const std::string& word, Type type) {
    static const std::unordered_map<std::string, Special> special = {{"%tid.x", TID_X},
                                                                     {"%tid.y", TID_Y},
                                                                     {"%ntid.x", NTID_X},
                                                                     {"%ntid.y", NTID_Y},
                                                                     {"%ctaid.x", CTAID_X},
                                                                     {"%nctaid.x", NCTAID_X},
                                                                     {"%dynamic_smem_size", SHARED_SIZE}};
    Operand o;
    if (special.count(word)) {
      o.kind = Operand::REG;
      o.reg = -1 - special.at(word);
      return o;
    }
    if (word[0] == '%' || regs_.count(word)) {
      o.kind = Operand::REG;
      o.reg = reg(word);
      return o;
    }
    o.kind = Operand::IMM;
    if (word.rfind("0f", 0) == 0 || word.rfind("0d", 0) == 0) {
      o.imm = strtoull(word.c_str() + 2, nullptr, 16);
      return o;
    }
    if (isdigit((unsigned char)word[0]) || word[0] == '-') {
      o.imm =
          word[0] == '-' ? (uint64_t)strtoll(word.c_str(), nullptr, 0) : strtoull(word.c_str(), nullptr, 0);
      int bytes = type == NO_TYPE ? 8 : type_bytes(type);
      if (bytes < 8) o.imm &= ((uint64_t)1 << 8 * bytes) - 1;
      return o;
    }
    return address(word, 0);
  }

  Operand address(const std::string& word, uint64_t offset) {
    Operand o;
    o.imm = offset;
    if (in_frame_.count(word)) {
      o.kind = Operand::FRAME;
      o.imm += (uint64_t)in_frame_.at(word);
    } else if (params_.count(word)) {
      o.kind = Operand::PARAM;
      o.reg = params_.at(word);
    } else if (variables_.count(word)) {
      o.kind = Operand::IMM;
      o.imm += variables_.at(word);
    } else {  // a function, perhaps of a module that comes later
      o.kind = Operand::IMM;
      program_->wanted_.push_back({nullptr, f_, (int)f_->code.size(), 0, word});
    }
    return o;
  }

  // [base+offset]
  Operand memory(const std::string& text) {
    std::string s = text.substr(1, text.size() - 2);
    size_t plus = s.find('+');
    int64_t offset = plus == std::string::npos ? 0 : strtoll(s.c_str() + plus + 1, nullptr, 0);
    std::string base = s.substr(0, plus);
    if (base[0] == '%') {
      Operand o;
      o.kind = Operand::REG;
      o.reg = reg(base);
      o.imm = (uint64_t)offset;
      return o;
    }
    return address(base, (uint64_t)offset);
  }

  // ---- instructions ----

  static std::vector<std::string> arguments(const std::string& s) {
    std::vector<std::string> out;
    std::string word;
    int deep = 0;
    for (char c : s) {
      if (c == '{' || c == '[' || c == '(') deep++;
      if (c == '}' || c == ']' || c == ')') deep--;
      if (c == ',' && deep == 0) {
        out.push_back(trimmed(word));
        word.clear();
      } else if (c != ' ' && c != '\t') {
        word += c;
      }
    }
    if (!trimmed(word).empty()) out.push_back(trimmed(word));
    return out;
  }

  void instruction(std::string s) {
    Instruction x{};
    x.line = line_;
    x.file = file_;
    x.source_line = source_line_;
    if (s[0] == '@') {
      x.guarded = true;
      x.guard_not = s[1] == '!';
      size_t from = x.guard_not ? 2 : 1, end = s.find_first_of(" \t");
      x.guard = reg(s.substr(from, end - from));
      s = trimmed(s.substr(end));
    }
    size_t space = s.find_first_of(" \t");
    std::string name = s.substr(0, space), rest = space == std::string::npos ? "" : trimmed(s.substr(space));
    const std::pair<std::string, Op>* found = nullptr;
    for (auto& o : ops()) {
      bool fits = name == o.first || name.rfind(o.first + ".", 0) == 0;
      if (fits && (!found || o.first.size() > found->first.size())) found = &o;
    }
    if (!found) stop(path_, line_, "an instruction that is not known: " + s);
    x.op = found->second;
    read_suffixes(&x, name.size() > found->first.size() ? name.substr(found->first.size() + 1) : "");
    if (x.op == CALL) {
      call(&x, rest);
    } else if (x.op == BRA) {
      branches_.emplace_back((int)f_->code.size(), rest);
    } else {
      operands(&x, arguments(rest), s);
    }
    f_->code.push_back(x);
  }

  void read_suffixes(Instruction* x, const std::string& text) {
    if (text.empty()) return;
    for (auto& w : split(text, '.')) {
      if (types().count(w)) {
        if (x->op == CVT && x->type != NO_TYPE) {
          x->from = types().at(w);
        } else {
          x->type = types().at(w);
        }
      } else if (x->op == SETP && compares().count(w)) {
        x->compare = compares().at(w);
      } else if (w == "v2" || w == "v4") {
        x->width = (uint8_t)(w[1] - '0');
      } else if (w == "shared") {
        x->shared = true;
      } else if (w == "local") {
        x->local = true;
      } else if (w == "param") {
        x->param = true;
      } else if (w == "rzi" || w == "rni" || w == "rmi" || w == "rpi") {
        if (w != "rzi") stop(path_, line_, "rounding that is not known: " + text);
        x->to_integer = true;
      } else if (w != "rn" && w != "global" && w != "nc" && w != "uni" && w != "to" && w != "const" &&
                 w != "volatile" && w != "relaxed") {
        stop(path_, line_, "a form that is not known: " + text);
      }
    }
  }

  void operands(Instruction* x, std::vector<std::string> a, const std::string& s) {
    Type type = x->op == CVT ? x->from : x->type;
    auto vector_of = [](const std::string& word) {
      return word[0] == '{' ? split(word.substr(1, word.size() - 2), ',') : std::vector<std::string>{word};
    };
    if (x->op == BARRIER || x->op == RET || x->op == TRAP) return;
    if (x->op == ST) {
      x->src[0] = memory(a[0]);
      int i = 0;
      for (auto& v : vector_of(a[1])) x->dst[i++] = operand(v, type);
      return;
    }
    if (x->op == BAR_WARP) {
      x->src[0] = operand(a[0], B32);
      return;
    }
    if (x->op == MOV && (a[0][0] == '{' || a[1][0] == '{')) {  // halves
      int i = 0;
      for (auto& v : vector_of(a[0])) x->dst[i++] = operand(v, NO_TYPE);
      i = 0;
      for (auto& v : vector_of(a[1])) x->src[i++] = operand(v, NO_TYPE);
      x->width = 2;
      return;
    }
    std::string first = a[0].substr(0, a[0].find('|'));
    int i = 0;
    for (auto& v : vector_of(first)) x->dst[i++] = operand(v, type);
    for (size_t k = 1; k < a.size(); k++) {
      if (k > 4) stop(path_, line_, "too many operands: " + s);
      x->src[k - 1] = a[k][0] == '[' ? memory(a[k]) : operand(a[k], type);
    }
  }

  void call(Instruction* x, const std::string& rest) {
    Call c;
    std::vector<std::string> a = arguments(rest);
    size_t i = 0;
    auto in_frame = [&](const std::string& name) {
      if (!in_frame_.count(name)) stop(path_, line_, "no parameter " + name);
      return in_frame_.at(name);
    };
    if (a[0][0] == '(') c.result = in_frame(a[i++].substr(1, a[0].size() - 2));
    if (a[i][0] == '%') {
      c.address = operand(a[i++], B64);
    } else {
      c.name = a[i++];
    }
    if (i < a.size() && a[i][0] == '(') {
      std::string list = a[i].substr(1, a[i].size() - 2);
      for (auto& p : split(list, ',')) {
        if (!trimmed(p).empty()) c.args.push_back(in_frame(trimmed(p)));
      }
    }
    x->call = (int)f_->calls.size();
    f_->calls.push_back(c);
  }

  // ---- where lanes that part meet again: the first instruction on all ways to the end ----

  void connect(Function* f) {
    const int n = (int)f->code.size();
    f->meet.assign((size_t)n, -1);
    // blocks
    std::vector<int> starts;
    std::vector<char> starts_here((size_t)n + 1, 0);
    starts_here[0] = 1;
    for (int i = 0; i < n; i++) {
      const Instruction& x = f->code[(size_t)i];
      if (x.op == BRA) starts_here[(size_t)x.target] = 1;
      if (x.op == BRA || x.op == RET) starts_here[(size_t)i + 1] = 1;
    }
    std::vector<int> block_of((size_t)n + 1, 0);
    for (int i = 0; i < n; i++) {
      if (starts_here[(size_t)i]) starts.push_back(i);
      block_of[(size_t)i] = (int)starts.size() - 1;
    }
    const int nb = (int)starts.size(), exit = nb;
    std::vector<std::vector<int>> next((size_t)nb + 1), before((size_t)nb + 1);
    for (int b = 0; b < nb; b++) {
      int last = (b + 1 < nb ? starts[(size_t)b + 1] : n) - 1;
      const Instruction& x = f->code[(size_t)last];
      bool falls = !(x.op == RET && !x.guarded) && !(x.op == BRA && !x.guarded);
      if (x.op == BRA) next[(size_t)b].push_back(x.target < n ? block_of[(size_t)x.target] : exit);
      if (x.op == RET) next[(size_t)b].push_back(exit);
      if (falls) next[(size_t)b].push_back(last + 1 < n ? block_of[(size_t)last + 1] : exit);
      for (int to : next[(size_t)b]) before[(size_t)to].push_back(b);
    }
    // post-dominators, in the order in which the exit is reached backwards (Cooper, Harvey, Kennedy)
    std::vector<int> number((size_t)nb + 1, -1), order, dom((size_t)nb + 1, -1);
    std::vector<std::pair<int, size_t>> stack{{exit, 0}};
    std::vector<char> seen((size_t)nb + 1, 0);
    seen[(size_t)exit] = 1;
    while (!stack.empty()) {
      auto& [b, at] = stack.back();
      if (at < before[(size_t)b].size()) {
        int to = before[(size_t)b][at++];
        if (!seen[(size_t)to]) {
          seen[(size_t)to] = 1;
          stack.emplace_back(to, 0);
        }
      } else {
        number[(size_t)b] = (int)order.size();
        order.push_back(b);
        stack.pop_back();
      }
    }
    dom[(size_t)exit] = exit;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = order.size(); k-- > 0;) {
        int b = order[k], best = -1;
        if (b == exit) continue;
        for (int to : next[(size_t)b]) {
          if (dom[(size_t)to] < 0) continue;
          if (best < 0) {
            best = to;
            continue;
          }
          int p = to, q = best;
          while (p != q) {
            while (number[(size_t)p] < number[(size_t)q]) p = dom[(size_t)p];
            while (number[(size_t)q] < number[(size_t)p]) q = dom[(size_t)q];
          }
          best = p;
        }
        if (best >= 0 && dom[(size_t)b] != best) {
          dom[(size_t)b] = best;
          changed = true;
        }
      }
    }
    for (int i = 0; i < n; i++) {
      if (f->code[(size_t)i].op != BRA) continue;
      int d = dom[(size_t)block_of[(size_t)i]];
      f->meet[(size_t)i] = d < 0 || d == exit ? -1 : starts[(size_t)d];
    }
  }
};

void Program::add(const std::string& path, char* shared) {
  Reader reader(this, path, shared);
  reader.read();
}

void Program::link() {
  for (auto& f : all_) {
    for (auto& c : f->calls) {
      if (c.name.empty()) continue;
      auto found = by_name_.find(c.name);
      if (found == by_name_.end()) stop(f->name, 0, "calls a function that is not there: " + c.name);
      c.callee = found->second;
    }
  }
  for (auto& w : wanted_) {
    auto found = by_name_.find(w.name);
    if (found == by_name_.end()) stop(w.name, 0, "is not there");
    uint64_t address = (uint64_t)(uintptr_t)found->second;
    if (w.at) {
      memcpy(w.at, &address, sizeof(address));
    } else {
      w.in->code[(size_t)w.instruction].src[0].imm += address;
    }
  }
}

Function* Program::kernel(const std::string& part_of_name) const {
  for (auto& f : all_) {
    if (f->entry && f->name.find(part_of_name) != std::string::npos) return f.get();
  }
  return nullptr;
}

}  // namespace simt
