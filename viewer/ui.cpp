#include "ui.h"

#include <GLFW/glfw3.h>
#include <imgui/backends/imgui_impl_glfw.h>
#include <imgui/backends/imgui_impl_opengl3.h>
#include <imgui/imgui.h>

#include <cstdarg>
#include <cstdio>

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

bool ui_slider(const char* label, double* value, double low, double high) {
  ImGui::SetNextItemWidth(-ImGui::GetFontSize() * 8);
  return ImGui::SliderScalar(label, ImGuiDataType_Double, value, &low, &high, "%.3g");
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
  float unit = ImGui::GetFontSize(), width = ImGui::GetContentRegionAvail().x - 8 * unit;  // the label stands beside it
  ImGui::PlotLines(label, values, count, first, nullptr, low, high, ImVec2(width > unit ? width : unit, 4 * unit));
}

void ui_hint(const char* text) {
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

void ui_same_line(void) {
  ImGui::SameLine();
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
  ImU32 colour = ImGui::ColorConvertFloat4ToU32(ImVec4(rgba[0], rgba[1], rgba[2], rgba[3]));
  ImGui::GetBackgroundDrawList()->AddText(ImVec2(x + 1, y + 1), IM_COL32(0, 0, 0, 200), text);
  ImGui::GetBackgroundDrawList()->AddText(ImVec2(x, y), colour, text);
}
