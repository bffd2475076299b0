#include "ui.h"

#include <GLFW/glfw3.h>
#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/backends/imgui_impl_opengl3.h>
#include <imgui/imgui.h>

#include <cfloat>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "font.h"

// Dear ImGui's own font has the letters of Latin-1: those of Greek are added from the font of labels.
static void add_greek(ImFontAtlas* atlas) {
  const float advance = 7, baseline = 10;  // of its font: pixels to the next letter, and from the top
  const int first = 0x370, last = 0x3ff, height = FONT_ABOVE + FONT_HEIGHT;
  ImFont* font = atlas->AddFontDefault();
  int places[last - first + 1];
  for (int code = first; code <= last; code++) {
    const ImVec2 offset(1, baseline - FONT_ABOVE - 7);  // letters stand on their seventh row
    places[code - first] = font_has(code) ? atlas->AddCustomRectFontGlyph(font, (ImWchar)code, FONT_WIDTH, height, advance, offset) : -1;
  }
  unsigned char* pixels;
  int width, rows;
  atlas->GetTexDataAsAlpha8(&pixels, &width, &rows);  // builds it
  for (int code = first; code <= last; code++) {
    const ImFontAtlasCustomRect* at = places[code - first] >= 0 ? atlas->GetCustomRectByIndex(places[code - first]) : nullptr;
    const Glyph glyph = font_glyph((unsigned)code);
    for (int y = 0; y < height && at; y++) {
      for (int x = 0; x < FONT_WIDTH; x++) pixels[(at->Y + y) * width + at->X + x] = glyph.rows[y] >> (FONT_WIDTH - 1 - x) & 1 ? 255 : 0;
    }
  }
}

void ui_open(GLFWwindow* window, float scale) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // nothing is written behind the user's back
  io.FontGlobalScale = scale;
  add_greek(io.Fonts);
  ImGui::StyleColorsDark();
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 4;
  style.FrameRounding = 3;
  style.ScaleAllSizes(scale);
  style.Colors[ImGuiCol_WindowBg].w = 0.88f;
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

void ui_close(void) {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void ui_begin(void) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void ui_end(void) {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool ui_has_mouse(void) {
  return ImGui::GetIO().WantCaptureMouse;
}

bool ui_has_keys(void) {
  return ImGui::GetIO().WantTextInput;
}

bool ui_panel(const char* title, float x, float y, float width, float height) {
  ImGui::SetNextWindowPos(ImVec2(x, y));
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, height));
  return ImGui::Begin(title, nullptr,
                      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                          ImGuiWindowFlags_AlwaysAutoResize);
}

void ui_panel_end(void) {
  ImGui::End();
}

bool ui_section(const char* title, bool open) {
  return ImGui::CollapsingHeader(title, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

void ui_box(const char* id, float height) {
  ImGui::BeginChild(id, ImVec2(0, height), true);
}

void ui_box_end(void) {
  ImGui::EndChild();
}

void ui_text(const char* format, ...) {
  va_list args;
  va_start(args, format);
  ImGui::TextV(format, args);
  va_end(args);
}

void ui_warn(const char* format, ...) {
  va_list args;
  va_start(args, format);
  ImGui::PushTextWrapPos(0);
  ImGui::TextColoredV(ImVec4(1, 0.6f, 0.4f, 1), format, args);
  ImGui::PopTextWrapPos();
  va_end(args);
}

bool ui_button(const char* label) {
  return ImGui::Button(label);
}

bool ui_check(const char* label, bool* on) {
  return ImGui::Checkbox(label, on);
}

float ui_measure(const char* label) {
  return ImGui::CalcTextSize(label).x;
}

bool ui_slider(const char* label, float label_width, double* value, double low, double high) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, whole = ImGui::GetContentRegionAvail().x, least = 7 * ImGui::GetFontSize();
  float width = whole - label_width - gap;
  if (width < least) width = least;
  ImGui::SetNextItemWidth(width);
  bool moved = ImGui::SliderScalar(label, ImGuiDataType_Double, value, &low, &high, "%.3g");
  if (ImGui::CalcTextSize(label).x > whole - width - gap) ui_hint(label);
  return moved;
}

bool ui_speed(const char* id, double* value, double low, double high) {
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 8);
  return ImGui::SliderScalar(id, ImGuiDataType_Double, value, &low, &high, "", ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput);
}

bool ui_number(const char* label, double* value, const char* format) {
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 9);
  ImGui::InputDouble(label, value, 0, 0, format);
  return ImGui::IsItemDeactivatedAfterEdit();
}

bool ui_whole(const char* label, int* value) {
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 9);
  ImGui::InputInt(label, value, 1, 10);
  return ImGui::IsItemDeactivatedAfterEdit();
}

bool ui_choice(const char* label, int* which, const char* const* names, int count) {
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 9);
  return ImGui::Combo(label, which, names, count, 16);
}

bool ui_input(const char* label, char* text, size_t size) {
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 5);
  return ImGui::InputText(label, text, size);
}

bool ui_node(const char* label, bool leaf, bool selected, bool open, bool* clicked) {
  int flags = ImGuiTreeNodeFlags_OpenOnArrow | ImGuiTreeNodeFlags_SpanAvailWidth;
  if (leaf) flags |= ImGuiTreeNodeFlags_Leaf | ImGuiTreeNodeFlags_NoTreePushOnOpen;
  if (selected) flags |= ImGuiTreeNodeFlags_Selected;
  if (open) flags |= ImGuiTreeNodeFlags_DefaultOpen;
  bool is_open = ImGui::TreeNodeEx(label, flags);
  *clicked = ImGui::IsItemClicked();
  return is_open && !leaf;
}

void ui_node_end(void) {
  ImGui::TreePop();
}

void ui_plot(const char* label, const float* values, int count, int first, float low, float high) {
  char text[160];
  snprintf(text, sizeof(text), "%s: %.4g", label, (double)values[(first + count - 1) % count]);
  ImGui::PushID(label);
  ImGui::PlotLines("", values, count, first, text, low, high, ImVec2(ImGui::GetContentRegionAvail().x, 4 * ImGui::GetFontSize()));
  ImGui::PopID();
}

void ui_hint(const char* text) {
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

void ui_same_line(void) {
  ImGui::SameLine();
}

void ui_flow(const char* label) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float width = ImGui::CalcTextSize(label).x + 2 * style.FramePadding.x;
  const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (ImGui::GetItemRectMax().x + style.ItemSpacing.x + width <= end) ImGui::SameLine();
}

void ui_second_column(void) {
  ImGui::SameLine(ImGui::GetWindowContentRegionMin().x + (ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x) / 2);
}

void ui_line(void) {
  ImGui::Separator();
}

void ui_push(int id) {
  ImGui::PushID(id);
}

void ui_pop(void) {
  ImGui::PopID();
}

void ui_write(float x, float y, const float rgba[4], const char* text) {
  const float place[2] = {x, y}, corner[2] = {0, 0}, nothing[4] = {0, 0, 0, 0};
  ui_columns(place, corner, 1, rgba, nothing, text);
}

static ImU32 colour(const float rgba[4]) {
  return ImGui::ColorConvertFloat4ToU32(ImVec4(rgba[0], rgba[1], rgba[2], rgba[3]));
}

void ui_rect(const float box[4], const float rgba[4]) {
  ImGui::GetBackgroundDrawList()->AddRectFilled(ImVec2(box[0], box[1]), ImVec2(box[2], box[3]), colour(rgba));
}

void ui_line_between(const float ends[4], float width, const float rgba[4]) {
  ImGui::GetBackgroundDrawList()->AddLine(ImVec2(ends[0], ends[1]), ImVec2(ends[2], ends[3]), colour(rgba), width);
}

void ui_columns(const float at[2], const float align[2], float scale, const float rgba[4], const float back[4], const char* text) {
  ImFont* font = ImGui::GetFont();
  const float size = ImGui::GetFontSize() * scale, gap = 0.8f * size, edge = 0.4f * size;
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  float widths[2] = {0, 0}, height = 0;
  float x = 0, y = 0;
  // the first round measures, the second writes
  for (int round = 0; round < 2; round++) {
    if (round == 1) {
      float width = widths[0] + (widths[1] > 0 ? gap + widths[1] : 0);
      x = at[0] - align[0] * width;
      y = at[1] - align[1] * height;
      if (back[3] > 0) list->AddRectFilled(ImVec2(x - edge, y - edge), ImVec2(x + width + edge, y + height + edge), colour(back));
    }
    for (const char* line = text; line;) {
      const char *next = strchr(line, '\n'), *end = next ? next : line + strlen(line);
      const char* tab = static_cast<const char*>(memchr(line, '\t', static_cast<size_t>(end - line)));
      const char* const from[2] = {line, tab ? tab + 1 : end};
      const char* const to[2] = {tab ? tab : end, end};
      for (int k = 0; k < 2; k++) {
        if (round == 0) {
          float width = font->CalcTextSizeA(size, FLT_MAX, 0, from[k], to[k]).x;
          if (width > widths[k]) widths[k] = width;
        } else if (from[k] < to[k]) {
          const ImVec2 place(x + (k ? widths[0] + gap : 0), y);
          list->AddText(font, size, ImVec2(place.x + 1, place.y + 1), IM_COL32(0, 0, 0, 200), from[k], to[k]);
          list->AddText(font, size, place, colour(rgba), from[k], to[k]);
        }
      }
      (round == 0 ? height : y) += 1.15f * size;
      line = next ? next + 1 : nullptr;
    }
  }
}

// The calls of the driver that images need; Dear ImGui keeps its own to itself.
template <typename Call>
static Call driver(const char* name) {
  return reinterpret_cast<Call>(glfwGetProcAddress(name));
}

unsigned ui_image_make(const unsigned char* rgb, int width, int height) {
  auto generate = driver<void (*)(GLsizei, GLuint*)>("glGenTextures");
  auto bind = driver<void (*)(GLenum, GLuint)>("glBindTexture");
  auto parameter = driver<void (*)(GLenum, GLenum, GLint)>("glTexParameteri");
  auto store = driver<void (*)(GLenum, GLint)>("glPixelStorei");
  auto upload = driver<void (*)(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void*)>("glTexImage2D");
  if (!generate || !bind || !parameter || !store || !upload) return 0;
  GLuint image = 0;
  generate(1, &image);
  bind(GL_TEXTURE_2D, image);
  parameter(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  parameter(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  store(GL_UNPACK_ALIGNMENT, 1);
  upload(GL_TEXTURE_2D, 0, GL_RGB, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb);
  bind(GL_TEXTURE_2D, 0);
  return image;
}

void ui_image_free(unsigned image) {
  auto remove = driver<void (*)(GLsizei, const GLuint*)>("glDeleteTextures");
  if (image && remove) remove(1, &image);
}

void ui_image(unsigned image, const float box[4]) {
  if (image) ImGui::GetBackgroundDrawList()->AddImage(reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(image)), ImVec2(box[0], box[1]), ImVec2(box[2], box[3]));
}
