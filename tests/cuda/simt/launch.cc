// The device of the emulation: its memory is that of the process, its work is done when it is asked for.
#include <dirent.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include "host.h"
#include "warp.h"

// ---- what is asked for is done at once, or noted for a graph ----

typedef std::vector<std::function<void()>> Work;
struct CUgraph_st : Work {};
struct CUgraphExec_st : Work {};
static thread_local CUgraph_st* recorded = nullptr;  // NULL: nothing is recorded

// CORTEN_SIMT_GRAPHS: a program that has launched none by its end has failed.
static struct Graphs {
  std::atomic<int> launched{0};
  ~Graphs() {
    if (!getenv("CORTEN_SIMT_GRAPHS") || launched > 0) return;
    fprintf(stderr, "no graph was launched\n");
    abort();
  }
} graphs;

cudaError_t simt_do(std::function<void()> work) {
  if (recorded) {
    recorded->push_back(std::move(work));
  } else {
    work();
  }
  return cudaSuccess;
}

// ---- memory ----

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
  *version = 0;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) {
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* prop, int) {
  *prop = cudaDeviceProp{"emulated GPU", 132};
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int) {
  const char* shared = getenv("CORTEN_SIMT_SHARED");  // bytes that a block may have
  *value = attribute == cudaDevAttrClockRate ? 1000000 : shared ? atoi(shared) : (int)simt::SHARED_BYTES;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(enum cudaLimit, size_t) {
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  *available = *total = (size_t)4 << 30;
  return cudaSuccess;
}
// What nobody has written is garbage, as on a device.
cudaError_t cudaMalloc(void** out, size_t bytes) {
  *out = aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!*out) return cudaErrorMemoryAllocation;
  memset(*out, 0xa5, bytes);
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void** out, size_t bytes) {
  return cudaMalloc(out, bytes);
}
cudaError_t cudaFree(void* memory) {
  free(memory);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  return cudaFree(memory);
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
  return simt_do([=] { memset(to, value, bytes); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind, cudaStream_t) {
  return simt_do([=] { memcpy(to, from, bytes); });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind, cudaStream_t) {
  return simt_do([=] {
    for (size_t i = 0; i < height; i++)
      memcpy((char*)to + i * to_pitch, (const char*)from + i * from_pitch, width);
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = nullptr;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode) {
  recorded = new CUgraph_st;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  *graph = recorded;
  recorded = nullptr;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  *exec = new CUgraphExec_st;
  (*exec)->assign(graph->begin(), graph->end());
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t) {
  graphs.launched++;
  for (auto& work : *exec) work();
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  return cudaSuccess;
}
struct CUevent_st {
  std::chrono::steady_clock::time_point at;
};
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return cudaEventCreate(event);
}
// There is one order, in which everything is asked for.
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  event->at = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->at - begin->at).count();
  return cudaSuccess;
}
cudaError_t cudaGetLastError(void) {
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory" : "unknown error";
}

}  // extern "C"

// ---- launches ----

namespace {

std::mutex one_at_a_time;

// What launches did; only those that are reported count.
struct Sum {
  simt::Counts c;

  void add(const simt::Counts& x, bool reports) {
    if (!reports) return;
    c.launches += x.launches;
    c.warps += x.warps;
    c.instructions += x.instructions;
    c.lanes += x.lanes;
    c.requests += x.requests;
    c.sectors += x.sectors;
    c.distinct += x.distinct;
    c.estimate.cycles += x.estimate.cycles;
    c.estimate.issued += x.estimate.issued;
    c.estimate.hits += x.estimate.hits;
    c.estimate.misses += x.estimate.misses;
    c.estimate.written += x.estimate.written;
  }
};

// The code of a form: all files of the build whose names begin with it.
struct Form {
  simt::Program program;
  std::map<std::string, Sum> counts;  // by kernel
};

// CORTEN_SIMT_REPORT names a file for what warps did since it was set: kernels, with the time that all of
// them would take on CORTEN_SIMT_PROCESSORS multiprocessors of an H200, or on one (timing.h), the part of it
// in which schedulers issue, and that of the sectors that are in the cache; then lines of the sources, with
// the time of the first warps of blocks.
struct Forms : std::map<std::string, std::unique_ptr<Form>> {
  ~Forms() {
    const char* path = getenv("CORTEN_SIMT_REPORT");
    FILE* to = path ? fopen(path, "w") : nullptr;
    if (!to) return;
    fprintf(
        to,
        "form,kernel,launches,warps,instructions,lanes,requests,sectors,distinct,microseconds,issue,hit\n");
    for (auto& f : *this) {
      for (auto& k : f.second->counts) {
        const simt::Counts& c = k.second.c;
        if (c.launches == 0) continue;
        const simt::Estimate& e = c.estimate;
        fprintf(to, "%s,%s,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%.1f,%.3f,%.3f\n", f.first.c_str(),
                k.first.c_str(), (long long)c.launches, (long long)c.warps, (long long)c.instructions,
                (long long)c.lanes, (long long)c.requests, (long long)c.sectors, (long long)c.distinct,
                e.cycles / 1755, e.issued / 4 / e.cycles, e.hits / (e.hits + e.misses));
      }
    }
    fprintf(to, "\nform,function,source,line,instructions,waves,microseconds\n");
    for (auto& f : *this) lines(to, f.first, f.second->program);
    fclose(to);
  }

  static void lines(FILE* to, const std::string& form, const simt::Program& program) {
    for (auto& fn : program.functions()) {
      struct Line {
        int64_t count = 0, waves = 0;
        double cycles = 0;
      };
      std::map<std::pair<int, int>, Line> sum;
      for (size_t i = 0; i < fn->code.size(); i++) {
        if (!fn->count[i]) continue;
        auto& line = sum[{fn->code[i].file, fn->code[i].source_line}];
        line.count += fn->count[i];
        line.waves += fn->waves[i];
        line.cycles += fn->cycles[i];
      }
      for (auto& s : sum) {
        const char* file = s.first.first < 0 ? "" : program.sources()[(size_t)s.first.first].c_str();
        fprintf(to, "%s,%s,%s,%d,%lld,%lld,%.1f\n", form.c_str(), fn->name.c_str(), file, s.first.second,
                (long long)s.second.count, (long long)s.second.waves, s.second.cycles / 1755);
      }
    }
  }
};

Form* load(const std::string& form) {
  static Forms forms;
  std::unique_ptr<Form>& f = forms[form];
  if (f) return f.get();
  f.reset(new Form);
  std::vector<std::string> files;
  DIR* folder = opendir(SIMT_CODE);
  for (dirent* e = folder ? readdir(folder) : nullptr; e; e = readdir(folder)) {
    std::string name = e->d_name;
    if (name.rfind(form, 0) == 0 && name.size() > 4 && name.substr(name.size() - 4) == ".ptx")
      files.push_back(name);
  }
  if (folder) closedir(folder);
  std::sort(files.begin(), files.end());
  for (auto& name : files) f->program.add(std::string(SIMT_CODE) + "/" + name, simt::shared_memory());
  f->program.link();
  return f.get();
}

// "name<number>" as it is part of the names of the code.
std::string mangled(const std::string& kernel) {
  size_t angle = kernel.find('<');
  std::string name = kernel.substr(0, angle);
  std::string out = std::to_string(name.size()) + name;
  if (angle != std::string::npos) out += "ILi" + std::to_string(atoi(kernel.c_str() + angle + 1)) + "E";
  return out;
}

// What blocks have of a multiprocessor: registers, as the build asks for (src/cuda/CMakeLists.txt), and
// shared memory, which they take from the cache. A little is kept for each.
void share(simt::Grid* g, const std::string& form) {
  const int all = 256 << 10, kept = 1 << 10, registers = form == "teams" ? 64 : 128;
  const char* processors = getenv("CORTEN_SIMT_PROCESSORS");
  g->processors = processors ? atoi(processors) : 1;
  const int threads = (int)(g->block_x * g->block_y), own = (int)g->shared_bytes + kept;
  g->at_a_time = std::min({65536 / (registers * threads), ((int)simt::SHARED_BYTES + kept) / own, 32});
  g->at_a_time = std::max(g->at_a_time, 1);
  g->cache_bytes = all - g->at_a_time * own;
}

}  // namespace

static void run_kernel(const char* form, const char* kernel, const std::string& what, dim3 grid, dim3 block,
                       size_t shared, const std::vector<char>& params) {
  std::lock_guard<std::mutex> lock(one_at_a_time);
  const bool reports = getenv("CORTEN_SIMT_REPORT") != nullptr;
  Form* f = load(form);
  const char* name = *kernel == '&' ? kernel + 1 : kernel;
  simt::Function* code = f->program.kernel(mangled(name));
  if (!code || shared > simt::SHARED_BYTES) {
    fprintf(stderr, "cannot launch %s of %s with %zu bytes of shared memory\n", name, form, shared);
    abort();
  }
  simt::Grid g;
  g.blocks = grid.x;
  g.block_x = block.x;
  g.block_y = block.y;
  g.shared_bytes = shared;
  g.team = strcmp(form, "threads") == 0 ? 1 : block.x;
  if (reports) share(&g, form);
  const simt::Watch watch = {reports, !reports, &f->program.sources()};
  const simt::Counts c = simt::run(code, g, params, watch);
  f->counts[name + what].add(c, reports);
  if (c.races > 0) {
    fprintf(stderr, "%lld races in %s of %s\n", (long long)c.races, name, form);
    abort();
  }
}

void simt_launch(const char* form, const std::string& kernel, const std::string& what, dim3 grid, dim3 block,
                 size_t shared, const std::vector<char>& params) {
  simt_do([=] { run_kernel(form, kernel.c_str(), what, grid, block, shared, params); });
}
