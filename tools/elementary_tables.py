#!/usr/bin/env python3
"""Write src/math/elementary_tables.h: constants, tables and minimax polynomials of the elementary functions.

    python3 tools/elementary_tables.py > src/math/elementary_tables.h

Needs mpmath. Every number is computed here with 100 digits or more; the polynomials come from the Remez exchange below.
The comment above each polynomial states its interval and the largest relative error it causes in the function,
with the coefficients already rounded to the precision they are stored in.
"""

import struct

from mpmath import mp, mpf

mp.dps = 100


# Rounding and printing -------------------------------------------------------------------------------------

def round_to(value, single):
    """Nearest double, or nearest float, as a Python float."""
    value = float(value)
    return struct.unpack("f", struct.pack("f", value))[0] if single else value


def literal(value, single):
    """Exact hexadecimal literal without trailing zeros."""
    mantissa, exponent = float(value).hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{exponent}" + ("f" if single else "")


def truncate(value, bit):
    """Largest multiple of 2^-bit that is not above value."""
    return mpf(mp.floor(value * mpf(2) ** bit)) / mpf(2) ** bit


def emit_define(name, value, single):
    print(f"#define {name} {literal(round_to(value, single), single)}")


def emit_rows(kind, name, shape, rows):
    print(f"CT_CONST {kind} {name}{shape} = {{")
    for row in rows:
        print(f"    {row},")
    print("};\n")


def emit_parts(name, value, bits, single):
    """Split value into parts that end at the given bits; the last part takes the rest."""
    rest = value
    for index, bit in enumerate(bits):
        part = truncate(rest, bit)
        emit_define(f"{name}_{index + 1}", part, single)
        rest -= part
    emit_define(f"{name}_{len(bits) + 1}", rest, single)


# Minimax polynomials ---------------------------------------------------------------------------------------

def evaluate(coefficients, x):
    result = mpf(0)
    for c in reversed(coefficients):
        result = result * x + c
    return result


def remez(target, weight, low, high, count):
    """Coefficients of the polynomial p with `count` terms that minimises max |weight (p - target)| on [low, high]."""
    low, high = mpf(low), mpf(high)

    def chebyshev(n):
        return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]

    nodes = chebyshev(count + 1)
    grid = chebyshev(60 * (count + 1))
    samples = [(x, target(x), weight(x)) for x in grid]
    for _ in range(8):
        matrix = mp.matrix(count + 1, count + 1)
        right = mp.matrix(count + 1, 1)
        for i, x in enumerate(nodes):
            for j in range(count):
                matrix[i, j] = x ** j
            matrix[i, count] = (-1) ** i / weight(x)
            right[i] = target(x)
        coefficients = list(mp.lu_solve(matrix, right))[:count]
        nodes = alternating_extrema([(x, w * (evaluate(coefficients, x) - f)) for x, f, w in samples], count + 1)
    return coefficients


def alternating_extrema(errors, wanted):
    """One point of largest error per run of equal sign, and of those the `wanted` neighbours with the largest errors."""
    extrema = []
    for x, e in errors:
        if extrema and (extrema[-1][1] > 0) == (e > 0):
            if abs(e) > abs(extrema[-1][1]):
                extrema[-1] = (x, e)
        else:
            extrema.append((x, e))
    while len(extrema) > wanted:
        extrema.pop(0 if abs(extrema[0][1]) < abs(extrema[-1][1]) else -1)
    if len(extrema) < wanted:
        raise RuntimeError("remez: too few sign changes")
    return [x for x, _ in extrema]


def rounded_minimax(target, weight, low, high, count, single):
    """Minimax coefficients in the stored precision. Where zero is an end of the interval, the leading coefficient,
    whose rounding costs most, is rounded first, and the others make up for it."""
    coefficients = remez(target, weight, low, high, count)
    if low > 0 and count > 2:
        first = round_to(coefficients[0], single)
        coefficients[1:] = remez(lambda x: (target(x) - first) / x, lambda x: weight(x) * x, low, high, count - 1)
    return [round_to(c, single) for c in coefficients]


def emit_poly(name, text, target, weight, low, high, count, single):
    coefficients = rounded_minimax(target, weight, low, high, count, single)
    low, high = mpf(low), mpf(high)
    points = [low + (high - low) * (i + mpf(1) / 3) / 500 for i in range(500)]
    error = max(abs(weight(x) * (evaluate(coefficients, x) - target(x))) for x in points)
    print(f"// {text}, argument in [{mp.nstr(low, 4)}, {mp.nstr(high, 4)}]: relative error 2^{mp.nstr(mp.log(error, 2), 4)}")
    kind = "float" if single else "double"
    emit_rows(kind, name, f"[{count}]", [literal(c, single) for c in coefficients])


def odd_tail(function):
    """(f(x) - x) / x^3 as a function of z = x^2, and the weight that makes errors relative to f."""
    def target(z):
        x = mp.sqrt(z)
        return (function(x) - x) / x ** 3

    def weight(z):
        x = mp.sqrt(z)
        return x ** 3 / function(x)

    return target, weight


def cubic_tail(function, second):
    """(f(x) - x - second x^2) / x^3, for f = exp(x) - 1 or log(1 + x); errors relative to f, or to 1 + f for exp."""
    def target(x):
        return (function(x) - x - second * x * x) / x ** 3

    def weight(x):
        return abs(x ** 3 / function(x))

    return target, weight


TINY = mpf(2) ** -40  # keeps the quotients above away from 0/0; far below any argument that matters


def emit_polynomials(single):
    tag = "f32" if single else "f64"
    quarter = (mp.pi / 4 * (1 + mpf(2) ** -10)) ** 2  # reduction may overstep pi/4 a little

    def poly(name, text, pair, low, high, count):
        emit_poly(f"cti_poly_{name}_{tag}", text, pair[0], pair[1], low, high, count, single)

    def cosine(z):
        return (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2

    def cosine_weight(z):
        return z ** 2 / mp.cos(mp.sqrt(z))

    terms = {"sin": 4, "cos": 3, "atan": 3, "asin": 6} if single else {"sin": 6, "cos": 6, "atan": 8, "asin": 13}
    poly("sin", "sin(x) = x + x z p(z), z = x^2", odd_tail(mp.sin), TINY, quarter, terms["sin"])
    poly("cos", "cos(x) = 1 - z/2 + z^2 p(z), z = x^2", (cosine, cosine_weight), TINY, quarter, terms["cos"])
    poly("atan", "atan(x) = x + x z p(z), z = x^2", odd_tail(mp.atan), TINY, ATAN_REACH ** 2, terms["atan"])
    poly("asin", "asin(x) = x + x z p(z), z = x^2", odd_tail(mp.asin), TINY, mpf(1) / 4, terms["asin"])

    reach = mp.log(2) / 2 * mpf(1.001) if single else mp.log(2) / (2 * EXP_ROWS) * mpf(1.001)
    exp_tail = (cubic_tail(mp.expm1, mpf(1) / 2)[0], lambda x: abs(x ** 3 / mp.exp(x)))
    poly("exp", "exp(x) = 1 + x + x^2/2 + x^3 p(x)", exp_tail, -reach + TINY, reach, 5 if single else 3)
    low, high = (mp.sqrt(0.5) - 1, mp.sqrt(2) - 1) if single else (-LOG_REACH, LOG_REACH)
    poly("log", "log(1 + x) = x - x^2/2 + x^3 p(x)", cubic_tail(mp.log1p, mpf(-1) / 2), low + TINY, high,
         9 if single else 7)
    if not single:
        poly("cbrt", "cbrt(x) = p(x), a first estimate", (mp.cbrt, lambda x: 1 / mp.cbrt(x)), 1, 2, 4)


# Tables ----------------------------------------------------------------------------------------------------

EXP_ROWS = 128   # 2^(i/128)
LOG_ROWS = 128   # centres 1 + i/128, i = 0 .. 128
LOG_SPLIT = 54   # rows from here on (1 + i/128 > sqrt 2) count as halves, so that log 1 is met from both sides
LOG_REACH = mpf(1) / 256 * mpf(1.07)
ATAN_CENTRES = (mpf(0), mpf(1) / 4, mpf(1) / 2, mpf(1))
ATAN_REACH = mpf(0.1627)  # what is left of any ratio up to 1 with a fitting centre, a little rounded up
TWO_OVER_PI_WORDS = 42


def pair_text(value, single):
    head = round_to(value, single)
    return f"{literal(head, single)}, {literal(round_to(value - mpf(head), single), single)}"


def log_row(i):
    """Reciprocal of the centre, short enough (12 bits) to multiply without rounding, and minus its logarithm."""
    inverse = mpf(mp.nint(4096 / (1 + mpf(i) / LOG_ROWS))) / 4096
    value = -mp.log(inverse if i < LOG_SPLIT else 2 * inverse)
    head = mpf(mp.nint(value * mpf(2) ** 42)) / mpf(2) ** 42
    step = mpf(1) / LOG_ROWS / 2
    assert all(abs((1 + mpf(i) / LOG_ROWS + s) * inverse - 1) < LOG_REACH for s in (-step, step))
    return f"{{{literal(inverse, False)}, {literal(head, False)}, {literal(float(value - head), False)}}}"


def emit_tables():
    with mp.workprec(32 * TWO_OVER_PI_WORDS + 64):
        digits = int(mp.floor(2 / mp.pi * mpf(2) ** (32 * TWO_OVER_PI_WORDS)))
    words = [0, 0] + [digits >> 32 * i & 0xFFFFFFFF for i in reversed(range(TWO_OVER_PI_WORDS))]
    print("// 2/pi, 32 bits a word, after two words of zeros: word i has weight 2^(-32 (i - 1)).")
    lines = [", ".join(f"0x{w:08x}u" for w in words[k:k + 8]) for k in range(0, len(words), 8)]
    emit_rows("uint32_t", "cti_two_over_pi", f"[{len(words)}]", lines)

    print(f"// 2^(i/{EXP_ROWS}), head and tail.")
    rows = [f"{{{pair_text(mpf(2) ** (mpf(i) / EXP_ROWS), False)}}}" for i in range(EXP_ROWS)]
    emit_rows("double", "cti_exp_table", f"[{EXP_ROWS}][2]", rows)

    print(f"// 1/c rounded to 12 bits, and minus its logarithm as a multiple of 2^-42 plus tail; c = 1 + i/{LOG_ROWS}.")
    print("// From CTI_LOG_SPLIT on, log 2 is taken off.")
    emit_rows("double", "cti_log_table", f"[{LOG_ROWS + 1}][3]", [log_row(i) for i in range(LOG_ROWS + 1)])

    for single in (False, True):
        tag, kind = ("f32", "float") if single else ("f64", "double")
        print("// c and atan(c), head and tail.")
        rows = [f"{{{literal(c, single)}, {pair_text(mp.atan(c), single)}}}" for c in ATAN_CENTRES]
        emit_rows(kind, f"cti_atan_table_{tag}", f"[{len(rows)}][3]", rows)


def emit_constants():
    half_pi, ln2 = mp.pi / 2, mp.log(2)
    print("// pi/2 in parts of 33 bits, so that multiples below 2^20 are exact; part 3 + 4 also as one.")
    emit_parts("CTI_PIO2_F64", half_pi, [32, 65, 98], False)
    rest = half_pi - truncate(half_pi, 65)
    emit_define("CTI_PIO2_F64_3_4", rest, False)
    print("\n// pi/2 in parts of 17 bits, so that multiples below 2^7 are exact.")
    emit_parts("CTI_PIO2_F32", half_pi, [16, 33], True)
    print("\n// log(2)/128 in a part of 35 bits, for multiples below 2^18, and the rest.")
    emit_parts("CTI_LN2_128_F64", ln2 / EXP_ROWS, [42], False)
    print("\n// log(2) as a multiple of 2^-42 and the rest; the same for float with 2^-16.")
    emit_parts("CTI_LN2_F64", ln2, [42], False)
    emit_parts("CTI_LN2_F32", ln2, [16], True)
    print()
    for single in (False, True):
        emit_define(f"CTI_TWO_OVER_PI_{'F32' if single else 'F64'}", 2 / mp.pi, single)
    emit_define("CTI_LOG2E_F32", 1 / ln2, True)
    emit_define("CTI_LOG2E_128_F64", EXP_ROWS / ln2, False)
    for name, value in (("PI", mp.pi), ("HALF_PI", half_pi)):
        for single in (False, True):
            tag = "F32" if single else "F64"
            head = round_to(value, single)
            emit_define(f"CTI_{name}_{tag}", head, single)
            emit_define(f"CTI_{name}_TAIL_{tag}", value - mpf(head), single)
    emit_define("CTI_CBRT2_F64", mp.cbrt(2), False)
    emit_define("CTI_CBRT4_F64", mp.cbrt(4), False)
    print(f"#define CTI_LOG_SPLIT {LOG_SPLIT}\n")


def main():
    print("// Numbers of the elementary functions: constants, tables, minimax polynomials.")
    print("// Written by tools/elementary_tables.py; change that, not this.")
    print("// clang-format off")
    print('#pragma once\n\n#include "base/fn.h"\n')
    emit_constants()
    emit_polynomials(False)
    emit_polynomials(True)
    emit_tables()
    print("// clang-format on")


if __name__ == "__main__":
    main()
