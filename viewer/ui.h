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
// Labels of a list stand in a column as wide as the widest, ui_measure() gives that of one; too wide ones are
// cut, and shown whole under the mouse.
float ui_measure(const char* label);
bool ui_slider(const char* label, float label_width, double* value, double low, double high);
bool ui_speed(const char* id, double* value, double low, double high);  // on a scale of factors
bool ui_number(const char* label, double* value, const char* format);   // when it was typed in
bool ui_whole(const char* label, int* value);
bool ui_choice(const char* label, int* which, const char* const* names, int count);
bool ui_input(const char* label, char* text, size_t size);
// A node of a tree; `clicked` receives whether it was. ui_node_end() follows when it is open and no leaf.
bool ui_node(const char* label, bool leaf, bool selected, bool open, bool* clicked);
void ui_node_end(void);
// A curve, with its name and its last value in it.
void ui_plot(const char* label, const float* values, int count, int first, float low, float high);
void ui_hint(const char* text);  // about the last widget
void ui_same_line(void);
void ui_flow(const char* label);  // a button follows: beside the last widget where it fits
void ui_second_column(void);      // the next widget stands beside the last, in the middle of the panel
void ui_line(void);
void ui_push(int id);  // widgets of the same label, told apart
void ui_pop(void);

// On the picture itself, pixels of the window.
void ui_write(float x, float y, const float rgba[4], const char* text);
void ui_rect(const float box[4], const float rgba[4]);  // left, top, right, bottom
void ui_line_between(const float ends[4], float width, const float rgba[4]);
// Text in up to two columns, `align` of it at `at`; a box behind it when `back` is seen.
void ui_columns(const float at[2], const float align[2], float scale, const float rgba[4],
                const float back[4], const char* text);
// An image in the driver, 0 when there is none.
unsigned ui_image_make(const unsigned char* rgb, int width, int height);
void ui_image_free(unsigned image);
void ui_image(unsigned image, const float box[4]);

#ifdef __cplusplus
}
#endif
