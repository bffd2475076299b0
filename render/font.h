// Letters for labels: ASCII, Latin-1 and Greek. Each has nine rows, a row of five dots, the left one the
// highest bit. Small letters may go below the seventh row, marks of capitals above the first.
#pragma once

#include <stdbool.h>

enum { FONT_WIDTH = 5, FONT_HEIGHT = 9, FONT_FIRST = ' ', FONT_LAST = '~' };

// clang-format off
static const unsigned char font[FONT_LAST - FONT_FIRST + 1][FONT_HEIGHT] = {
  {0, 0, 0, 0, 0, 0, 0, 0, 0},  // space
  {4, 4, 4, 4, 4, 0, 4, 0, 0},  // !
  {10, 10, 10, 0, 0, 0, 0, 0, 0},  // "
  {10, 10, 31, 10, 31, 10, 10, 0, 0},  // #
  {4, 15, 20, 14, 5, 30, 4, 0, 0},  // $
  {25, 25, 2, 4, 8, 19, 19, 0, 0},  // %
  {12, 18, 20, 8, 21, 18, 13, 0, 0},  // &
  {4, 4, 4, 0, 0, 0, 0, 0, 0},  // '
  {2, 4, 8, 8, 8, 4, 2, 0, 0},  // (
  {8, 4, 2, 2, 2, 4, 8, 0, 0},  // )
  {0, 4, 21, 14, 21, 4, 0, 0, 0},  // *
  {0, 4, 4, 31, 4, 4, 0, 0, 0},  // +
  {0, 0, 0, 0, 0, 4, 4, 8, 0},  // ,
  {0, 0, 0, 31, 0, 0, 0, 0, 0},  // -
  {0, 0, 0, 0, 0, 0, 4, 0, 0},  // .
  {0, 1, 2, 4, 8, 16, 0, 0, 0},  // /
  {14, 17, 19, 21, 25, 17, 14, 0, 0},  // 0
  {4, 12, 4, 4, 4, 4, 14, 0, 0},  // 1
  {14, 17, 1, 2, 4, 8, 31, 0, 0},  // 2
  {31, 2, 4, 2, 1, 17, 14, 0, 0},  // 3
  {2, 6, 10, 18, 31, 2, 2, 0, 0},  // 4
  {31, 16, 30, 1, 1, 17, 14, 0, 0},  // 5
  {6, 8, 16, 30, 17, 17, 14, 0, 0},  // 6
  {31, 1, 2, 4, 8, 8, 8, 0, 0},  // 7
  {14, 17, 17, 14, 17, 17, 14, 0, 0},  // 8
  {14, 17, 17, 15, 1, 2, 12, 0, 0},  // 9
  {0, 0, 4, 0, 0, 4, 0, 0, 0},  // :
  {0, 0, 4, 0, 0, 4, 4, 8, 0},  // ;
  {1, 2, 4, 8, 4, 2, 1, 0, 0},  // <
  {0, 0, 31, 0, 31, 0, 0, 0, 0},  // =
  {16, 8, 4, 2, 4, 8, 16, 0, 0},  // >
  {14, 17, 1, 2, 4, 0, 4, 0, 0},  // ?
  {14, 17, 23, 21, 22, 16, 14, 0, 0},  // @
  {14, 17, 17, 31, 17, 17, 17, 0, 0},  // A
  {30, 17, 17, 30, 17, 17, 30, 0, 0},  // B
  {14, 17, 16, 16, 16, 17, 14, 0, 0},  // C
  {30, 17, 17, 17, 17, 17, 30, 0, 0},  // D
  {31, 16, 16, 30, 16, 16, 31, 0, 0},  // E
  {31, 16, 16, 30, 16, 16, 16, 0, 0},  // F
  {14, 17, 16, 23, 17, 17, 15, 0, 0},  // G
  {17, 17, 17, 31, 17, 17, 17, 0, 0},  // H
  {14, 4, 4, 4, 4, 4, 14, 0, 0},  // I
  {7, 2, 2, 2, 2, 18, 12, 0, 0},  // J
  {17, 18, 20, 24, 20, 18, 17, 0, 0},  // K
  {16, 16, 16, 16, 16, 16, 31, 0, 0},  // L
  {17, 27, 21, 21, 17, 17, 17, 0, 0},  // M
  {17, 17, 25, 21, 19, 17, 17, 0, 0},  // N
  {14, 17, 17, 17, 17, 17, 14, 0, 0},  // O
  {30, 17, 17, 30, 16, 16, 16, 0, 0},  // P
  {14, 17, 17, 17, 21, 18, 13, 0, 0},  // Q
  {30, 17, 17, 30, 20, 18, 17, 0, 0},  // R
  {15, 16, 16, 14, 1, 1, 30, 0, 0},  // S
  {31, 4, 4, 4, 4, 4, 4, 0, 0},  // T
  {17, 17, 17, 17, 17, 17, 14, 0, 0},  // U
  {17, 17, 17, 17, 17, 10, 4, 0, 0},  // V
  {17, 17, 17, 21, 21, 27, 17, 0, 0},  // W
  {17, 17, 10, 4, 10, 17, 17, 0, 0},  // X
  {17, 17, 10, 4, 4, 4, 4, 0, 0},  // Y
  {31, 1, 2, 4, 8, 16, 31, 0, 0},  // Z
  {14, 8, 8, 8, 8, 8, 14, 0, 0},  // [
  {0, 16, 8, 4, 2, 1, 0, 0, 0},  // backslash
  {14, 2, 2, 2, 2, 2, 14, 0, 0},  // ]
  {4, 10, 17, 0, 0, 0, 0, 0, 0},  // ^
  {0, 0, 0, 0, 0, 0, 0, 31, 0},  // _
  {8, 4, 2, 0, 0, 0, 0, 0, 0},  // `
  {0, 0, 14, 1, 15, 17, 15, 0, 0},  // a
  {16, 16, 22, 25, 17, 17, 30, 0, 0},  // b
  {0, 0, 14, 16, 16, 17, 14, 0, 0},  // c
  {1, 1, 13, 19, 17, 17, 15, 0, 0},  // d
  {0, 0, 14, 17, 31, 16, 14, 0, 0},  // e
  {6, 9, 8, 28, 8, 8, 8, 0, 0},  // f
  {0, 0, 15, 17, 17, 17, 15, 1, 14},  // g
  {16, 16, 22, 25, 17, 17, 17, 0, 0},  // h
  {4, 0, 12, 4, 4, 4, 14, 0, 0},  // i
  {2, 0, 6, 2, 2, 2, 2, 18, 12},  // j
  {16, 16, 18, 20, 24, 20, 18, 0, 0},  // k
  {12, 4, 4, 4, 4, 4, 14, 0, 0},  // l
  {0, 0, 26, 21, 21, 17, 17, 0, 0},  // m
  {0, 0, 22, 25, 17, 17, 17, 0, 0},  // n
  {0, 0, 14, 17, 17, 17, 14, 0, 0},  // o
  {0, 0, 30, 17, 17, 17, 30, 16, 16},  // p
  {0, 0, 15, 17, 17, 17, 15, 1, 1},  // q
  {0, 0, 22, 25, 16, 16, 16, 0, 0},  // r
  {0, 0, 15, 16, 14, 1, 30, 0, 0},  // s
  {8, 8, 28, 8, 8, 9, 6, 0, 0},  // t
  {0, 0, 17, 17, 17, 19, 13, 0, 0},  // u
  {0, 0, 17, 17, 17, 10, 4, 0, 0},  // v
  {0, 0, 17, 17, 21, 21, 10, 0, 0},  // w
  {0, 0, 17, 10, 4, 10, 17, 0, 0},  // x
  {0, 0, 17, 17, 17, 17, 15, 1, 14},  // y
  {0, 0, 31, 2, 4, 8, 31, 0, 0},  // z
  {3, 4, 4, 8, 4, 4, 3, 0, 0},  // {
  {4, 4, 4, 4, 4, 4, 4, 0, 0},  // |
  {24, 4, 4, 2, 4, 4, 24, 0, 0},  // }
  {0, 0, 8, 21, 2, 0, 0, 0, 0},  // ~
};
// clang-format on

// Letters beyond ASCII: those of Latin-1 and Greek, by code point.
typedef struct OwnLetter {
  unsigned short code;
  unsigned char rows[FONT_HEIGHT];
} OwnLetter;

// clang-format off
static const OwnLetter own_letters[] = {
  {0x0a1, {4, 0, 4, 4, 4, 4, 4, 0, 0}},  // ¡
  {0x0a2, {0, 4, 14, 20, 20, 14, 4, 0, 0}},  // ¢
  {0x0a3, {6, 9, 8, 28, 8, 9, 30, 0, 0}},  // £
  {0x0a4, {0, 17, 14, 10, 14, 17, 0, 0, 0}},  // ¤
  {0x0a5, {17, 10, 4, 31, 4, 31, 4, 0, 0}},  // ¥
  {0x0a6, {4, 4, 4, 0, 4, 4, 4, 0, 0}},  // ¦
  {0x0a7, {14, 16, 12, 18, 9, 6, 1, 14, 0}},  // §
  {0x0a8, {10, 0, 0, 0, 0, 0, 0, 0, 0}},  // ¨
  {0x0a9, {14, 17, 23, 20, 23, 17, 14, 0, 0}},  // ©
  {0x0aa, {12, 2, 14, 18, 14, 0, 30, 0, 0}},  // ª
  {0x0ab, {0, 5, 10, 20, 10, 5, 0, 0, 0}},  // «
  {0x0ac, {0, 0, 0, 31, 1, 1, 0, 0, 0}},  // ¬
  {0x0ae, {14, 17, 29, 29, 21, 17, 14, 0, 0}},  // ®
  {0x0af, {31, 0, 0, 0, 0, 0, 0, 0, 0}},  // ¯
  {0x0b0, {12, 18, 18, 12, 0, 0, 0, 0, 0}},  // °
  {0x0b1, {4, 4, 31, 4, 4, 0, 31, 0, 0}},  // ±
  {0x0b2, {12, 18, 4, 8, 30, 0, 0, 0, 0}},  // ²
  {0x0b3, {28, 2, 12, 2, 28, 0, 0, 0, 0}},  // ³
  {0x0b5, {0, 0, 17, 17, 17, 19, 29, 16, 16}},  // µ
  {0x0b6, {15, 29, 29, 13, 5, 5, 5, 0, 0}},  // ¶
  {0x0b7, {0, 0, 0, 4, 0, 0, 0, 0, 0}},  // ·
  {0x0b8, {0, 0, 0, 0, 0, 0, 0, 4, 8}},  // ¸
  {0x0b9, {8, 24, 8, 8, 28, 0, 0, 0, 0}},  // ¹
  {0x0ba, {12, 18, 18, 12, 0, 30, 0, 0, 0}},  // º
  {0x0bb, {0, 20, 10, 5, 10, 20, 0, 0, 0}},  // »
  {0x0bc, {18, 20, 20, 8, 10, 23, 17, 0, 0}},  // ¼
  {0x0bd, {18, 20, 20, 10, 13, 18, 23, 0, 0}},  // ½
  {0x0be, {26, 12, 24, 12, 10, 23, 17, 0, 0}},  // ¾
  {0x0bf, {4, 0, 4, 8, 16, 17, 14, 0, 0}},  // ¿
  {0x0c6, {15, 20, 20, 31, 20, 20, 23, 0, 0}},  // Æ
  {0x0d0, {30, 9, 9, 29, 9, 9, 30, 0, 0}},  // Ð
  {0x0d7, {0, 0, 17, 10, 4, 10, 17, 0, 0}},  // ×
  {0x0d8, {13, 18, 19, 21, 25, 9, 22, 0, 0}},  // Ø
  {0x0de, {16, 30, 17, 17, 30, 16, 16, 0, 0}},  // Þ
  {0x0df, {12, 18, 18, 22, 17, 17, 22, 0, 0}},  // ß
  {0x0e6, {0, 0, 26, 5, 31, 20, 27, 0, 0}},  // æ
  {0x0f0, {10, 4, 10, 2, 15, 17, 14, 0, 0}},  // ð
  {0x0f7, {0, 4, 0, 31, 0, 4, 0, 0, 0}},  // ÷
  {0x0f8, {0, 0, 13, 18, 21, 9, 22, 0, 0}},  // ø
  {0x0fe, {16, 16, 30, 17, 17, 17, 30, 16, 16}},  // þ
  {0x131, {0, 0, 12, 4, 4, 4, 14, 0, 0}},  // ı
  {0x393, {31, 16, 16, 16, 16, 16, 16, 0, 0}},  // Γ
  {0x394, {4, 10, 10, 10, 17, 17, 31, 0, 0}},  // Δ
  {0x398, {14, 17, 17, 31, 17, 17, 14, 0, 0}},  // Θ
  {0x39b, {4, 4, 10, 10, 17, 17, 17, 0, 0}},  // Λ
  {0x39e, {31, 0, 0, 14, 0, 0, 31, 0, 0}},  // Ξ
  {0x3a0, {31, 17, 17, 17, 17, 17, 17, 0, 0}},  // Π
  {0x3a3, {31, 16, 8, 4, 8, 16, 31, 0, 0}},  // Σ
  {0x3a6, {4, 14, 21, 21, 21, 14, 4, 0, 0}},  // Φ
  {0x3a8, {21, 21, 21, 14, 4, 4, 4, 0, 0}},  // Ψ
  {0x3a9, {14, 17, 17, 17, 10, 10, 27, 0, 0}},  // Ω
  {0x3b1, {0, 0, 13, 18, 18, 18, 13, 0, 0}},  // α
  {0x3b2, {12, 18, 18, 30, 17, 17, 30, 16, 16}},  // β
  {0x3b3, {0, 0, 17, 17, 10, 10, 4, 4, 4}},  // γ
  {0x3b4, {14, 8, 4, 14, 17, 17, 14, 0, 0}},  // δ
  {0x3b5, {0, 0, 14, 16, 12, 16, 14, 0, 0}},  // ε
  {0x3b6, {30, 2, 4, 8, 16, 16, 14, 1, 6}},  // ζ
  {0x3b7, {0, 0, 22, 25, 17, 17, 17, 1, 1}},  // η
  {0x3b8, {14, 17, 17, 31, 17, 17, 14, 0, 0}},  // θ
  {0x3b9, {0, 0, 12, 4, 4, 5, 2, 0, 0}},  // ι
  {0x3ba, {0, 0, 18, 20, 24, 20, 18, 0, 0}},  // κ
  {0x3bb, {16, 8, 8, 4, 10, 10, 17, 0, 0}},  // λ
  {0x3be, {14, 16, 12, 16, 16, 12, 6, 1, 6}},  // ξ
  {0x3c0, {0, 0, 31, 10, 10, 10, 19, 0, 0}},  // π
  {0x3c1, {0, 0, 14, 17, 17, 17, 30, 16, 16}},  // ρ
  {0x3c2, {0, 0, 14, 16, 16, 12, 2, 2, 4}},  // ς
  {0x3c3, {0, 0, 15, 20, 18, 18, 12, 0, 0}},  // σ
  {0x3c4, {0, 0, 31, 4, 4, 5, 2, 0, 0}},  // τ
  {0x3c5, {0, 0, 17, 17, 17, 17, 14, 0, 0}},  // υ
  {0x3c6, {0, 0, 22, 21, 21, 21, 14, 4, 4}},  // φ
  {0x3c7, {0, 0, 17, 10, 4, 4, 10, 17, 17}},  // χ
  {0x3c8, {0, 0, 21, 21, 21, 21, 14, 4, 4}},  // ψ
  {0x3c9, {0, 0, 10, 17, 21, 21, 10, 0, 0}},  // ω
};
// clang-format on

// Marks of letters: three rows, the last of which lies on the letter; the cedilla hangs below.
typedef enum Accent {
  ACCENT_NONE,
  ACCENT_GRAVE,
  ACCENT_ACUTE,
  ACCENT_CIRCUMFLEX,
  ACCENT_TILDE,
  ACCENT_DIAERESIS,
  ACCENT_RING,
  ACCENT_BOTH,  // diaeresis and acute
  ACCENT_CEDILLA,
  ACCENT_COUNT
} Accent;
static const unsigned char accents[ACCENT_COUNT][3] = {
    {0, 0, 0}, {8, 4, 0}, {2, 4, 0}, {4, 10, 0}, {13, 18, 0}, {0, 10, 0}, {4, 10, 4}, {4, 21, 0}, {4, 8, 0}};

// Letters that look like another one, or like that with a mark.
typedef struct MarkedLetter {
  unsigned short code, base;
  Accent accent;
} MarkedLetter;

// clang-format off
static const MarkedLetter marked_letters[] = {
  {0x0a0, 0x020, ACCENT_NONE}, {0x0ad, 0x02d, ACCENT_NONE}, {0x0b4, 0x020, ACCENT_ACUTE},
  {0x0c0, 0x041, ACCENT_GRAVE}, {0x0c1, 0x041, ACCENT_ACUTE}, {0x0c2, 0x041, ACCENT_CIRCUMFLEX},
  {0x0c3, 0x041, ACCENT_TILDE}, {0x0c4, 0x041, ACCENT_DIAERESIS}, {0x0c5, 0x041, ACCENT_RING},
  {0x0c7, 0x043, ACCENT_CEDILLA}, {0x0c8, 0x045, ACCENT_GRAVE}, {0x0c9, 0x045, ACCENT_ACUTE},
  {0x0ca, 0x045, ACCENT_CIRCUMFLEX}, {0x0cb, 0x045, ACCENT_DIAERESIS}, {0x0cc, 0x049, ACCENT_GRAVE},
  {0x0cd, 0x049, ACCENT_ACUTE}, {0x0ce, 0x049, ACCENT_CIRCUMFLEX}, {0x0cf, 0x049, ACCENT_DIAERESIS},
  {0x0d1, 0x04e, ACCENT_TILDE}, {0x0d2, 0x04f, ACCENT_GRAVE}, {0x0d3, 0x04f, ACCENT_ACUTE},
  {0x0d4, 0x04f, ACCENT_CIRCUMFLEX}, {0x0d5, 0x04f, ACCENT_TILDE}, {0x0d6, 0x04f, ACCENT_DIAERESIS},
  {0x0d9, 0x055, ACCENT_GRAVE}, {0x0da, 0x055, ACCENT_ACUTE}, {0x0db, 0x055, ACCENT_CIRCUMFLEX},
  {0x0dc, 0x055, ACCENT_DIAERESIS}, {0x0dd, 0x059, ACCENT_ACUTE}, {0x0e0, 0x061, ACCENT_GRAVE},
  {0x0e1, 0x061, ACCENT_ACUTE}, {0x0e2, 0x061, ACCENT_CIRCUMFLEX}, {0x0e3, 0x061, ACCENT_TILDE},
  {0x0e4, 0x061, ACCENT_DIAERESIS}, {0x0e5, 0x061, ACCENT_RING}, {0x0e7, 0x063, ACCENT_CEDILLA},
  {0x0e8, 0x065, ACCENT_GRAVE}, {0x0e9, 0x065, ACCENT_ACUTE}, {0x0ea, 0x065, ACCENT_CIRCUMFLEX},
  {0x0eb, 0x065, ACCENT_DIAERESIS}, {0x0ec, 0x131, ACCENT_GRAVE}, {0x0ed, 0x131, ACCENT_ACUTE},
  {0x0ee, 0x131, ACCENT_CIRCUMFLEX}, {0x0ef, 0x131, ACCENT_DIAERESIS}, {0x0f1, 0x06e, ACCENT_TILDE},
  {0x0f2, 0x06f, ACCENT_GRAVE}, {0x0f3, 0x06f, ACCENT_ACUTE}, {0x0f4, 0x06f, ACCENT_CIRCUMFLEX},
  {0x0f5, 0x06f, ACCENT_TILDE}, {0x0f6, 0x06f, ACCENT_DIAERESIS}, {0x0f9, 0x075, ACCENT_GRAVE},
  {0x0fa, 0x075, ACCENT_ACUTE}, {0x0fb, 0x075, ACCENT_CIRCUMFLEX}, {0x0fc, 0x075, ACCENT_DIAERESIS},
  {0x0fd, 0x079, ACCENT_ACUTE}, {0x0ff, 0x079, ACCENT_DIAERESIS}, {0x384, 0x020, ACCENT_ACUTE},
  {0x385, 0x0a8, ACCENT_ACUTE}, {0x386, 0x041, ACCENT_ACUTE}, {0x388, 0x045, ACCENT_ACUTE},
  {0x389, 0x048, ACCENT_ACUTE}, {0x38a, 0x049, ACCENT_ACUTE}, {0x38c, 0x04f, ACCENT_ACUTE},
  {0x38e, 0x059, ACCENT_ACUTE}, {0x38f, 0x3a9, ACCENT_ACUTE}, {0x390, 0x3b9, ACCENT_BOTH},
  {0x391, 0x041, ACCENT_NONE}, {0x392, 0x042, ACCENT_NONE}, {0x395, 0x045, ACCENT_NONE},
  {0x396, 0x05a, ACCENT_NONE}, {0x397, 0x048, ACCENT_NONE}, {0x399, 0x049, ACCENT_NONE},
  {0x39a, 0x04b, ACCENT_NONE}, {0x39c, 0x04d, ACCENT_NONE}, {0x39d, 0x04e, ACCENT_NONE},
  {0x39f, 0x04f, ACCENT_NONE}, {0x3a1, 0x050, ACCENT_NONE}, {0x3a4, 0x054, ACCENT_NONE},
  {0x3a5, 0x059, ACCENT_NONE}, {0x3a7, 0x058, ACCENT_NONE}, {0x3aa, 0x049, ACCENT_DIAERESIS},
  {0x3ab, 0x059, ACCENT_DIAERESIS}, {0x3ac, 0x3b1, ACCENT_ACUTE}, {0x3ad, 0x3b5, ACCENT_ACUTE},
  {0x3ae, 0x3b7, ACCENT_ACUTE}, {0x3af, 0x3b9, ACCENT_ACUTE}, {0x3b0, 0x3c5, ACCENT_BOTH},
  {0x3bc, 0x0b5, ACCENT_NONE}, {0x3bd, 0x076, ACCENT_NONE}, {0x3bf, 0x06f, ACCENT_NONE},
  {0x3ca, 0x3b9, ACCENT_DIAERESIS}, {0x3cb, 0x3c5, ACCENT_DIAERESIS}, {0x3cc, 0x06f, ACCENT_ACUTE},
  {0x3cd, 0x3c5, ACCENT_ACUTE}, {0x3ce, 0x3c9, ACCENT_ACUTE}, {0x3d1, 0x3b8, ACCENT_NONE},
  {0x3d5, 0x3c6, ACCENT_NONE}, {0x3f5, 0x3b5, ACCENT_NONE}, {0x2126, 0x3a9, ACCENT_NONE},
};
// clang-format on

enum { FONT_ABOVE = 3 };  // rows of marks over capitals

// A letter with what stands above it: rows from top to bottom.
typedef struct Glyph {
  unsigned char rows[FONT_ABOVE + FONT_HEIGHT];
} Glyph;

static inline const unsigned char* font_plain_rows(unsigned code) {
  if (code >= FONT_FIRST && code <= FONT_LAST) return font[code - FONT_FIRST];
  for (unsigned i = 0; i < sizeof(own_letters) / sizeof(own_letters[0]); i++) {
    if (own_letters[i].code == code) return own_letters[i].rows;
  }
  return 0;
}

static inline const MarkedLetter* font_marked(unsigned code) {
  for (unsigned i = 0; i < sizeof(marked_letters) / sizeof(marked_letters[0]); i++) {
    if (marked_letters[i].code == code) return marked_letters + i;
  }
  return 0;
}

static inline bool font_has(unsigned code) {
  return font_plain_rows(code) || font_marked(code);
}

// The letter of a code point; those that the font has not are '?'.
static inline Glyph font_glyph(unsigned code) {
  Glyph g = {{0}};
  const MarkedLetter* marked = font_marked(code);
  const Accent accent = marked ? marked->accent : ACCENT_NONE;
  const unsigned char* rows = font_plain_rows(marked ? marked->base : code);
  if (!rows) rows = font_plain_rows('?');
  int top = 0;
  for (int i = 0; i < FONT_HEIGHT; i++) g.rows[FONT_ABOVE + i] = rows[i];
  while (top < 2 && !rows[top]) top++;
  int first = accent == ACCENT_CEDILLA ? FONT_ABOVE + 7 : top;
  for (int i = 0; i < 3 && first + i < FONT_ABOVE + FONT_HEIGHT; i++) g.rows[first + i] |= accents[accent][i];
  return g;
}

// The next code point of a text in UTF-8, which ends with a zero; what is no UTF-8 is '?', byte by byte.
static inline unsigned font_next(const char** text) {
  const unsigned char* p = (const unsigned char*)*text;
  int more = p[0] < 0x80                   ? 0
             : p[0] >= 0xc2 && p[0] < 0xe0 ? 1
             : p[0] >= 0xe0 && p[0] < 0xf0 ? 2
             : p[0] >= 0xf0 && p[0] < 0xf5 ? 3
                                           : -1;
  unsigned code = more <= 0 ? p[0] : p[0] & (0x3fu >> more);
  for (int i = 1; i <= more; i++) {
    if ((p[i] & 0xc0) != 0x80) more = -1;
    code = code << 6 | (p[i] & 0x3fu);
  }
  *text += more < 0 ? 1 : more + 1;
  return more < 0 ? '?' : code;
}
