// The few widgets that panels are made of, over Dear ImGui.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct GLFWwindow;

void ui_open(struct GLFWwindow* window, float scale);
void ui_close(void);
void ui_begin(void);
void ui_end(void);  // draws everything since ui_begin()
bool ui_has_mouse(void);
bool ui_has_keys(void);

// A panel at a fixed place, as high as what is in it, `height` at most. ui_panel_end() follows whatever it
// returns.
bool ui_panel(const char* title, float x, float y, float width, float height);
void ui_panel_end(void);
bool ui_section(const char* title, bool open);
void ui_box(const char* id, float height);  // a part that scrolls
void ui_box_end(void);

void ui_text(const char* format, ...) __attribute__((format(printf, 1, 2)));
void ui_warn(const char* format, ...) __attribute__((format(printf, 1, 2)));
bool ui_button(const char* label);
bool ui_check(const char* label, bool* on);
bool ui_slider(const char* label, double* value, double low, double high);
bool ui_number(const char* label, double* value, const char* format);  // when it was typed in
bool ui_whole(const char* label, int* value);
bool ui_choice(const char* label, int* which, const char* const* names, int count);
bool ui_input(const char* label, char* text, size_t size);
// A node of a tree; `clicked` receives whether it was. ui_node_end() follows when it is open and no leaf.
bool ui_node(const char* label, bool leaf, bool selected, bool open, bool* clicked);
void ui_node_end(void);
void ui_plot(const char* label, const float* values, int count, int first, float low, float high);
void ui_hint(const char* text);  // about the last widget
void ui_same_line(void);
void ui_line(void);
void ui_push(int id);  // widgets of the same label, told apart
void ui_pop(void);

// On the picture itself, pixels of the window.
void ui_write(float x, float y, const float rgba[4], const char* text);

#ifdef __cplusplus
}
#endif
