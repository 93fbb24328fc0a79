#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes core/cloth/fabrics.c from a file of measured fabrics.

    make_fabrics.py FABRICS.json > core/cloth/fabrics.c

The file has, for each fabric, the density (kg/m^2), six rows [c11, c12, c22, c33] of in-plane
stiffness (N/m; stress = c strain in Green's tensor strain, so that the shear modulus is c33 / 2)
and three rows of five bending stiffnesses (N m). Row 0 of the stretching holds at small strain,
rows 1 to 5 at a stretch of 7/6 along 0, 22.5, 45, 67.5 and 90 degrees from the warp. Bending rows
are for fold lines at 0, 45 and 90 degrees from the warp, columns for five curvatures.

What becomes of them (docs/theory/cloth.md has the formulas):

  * Row 0 is C. Where it has no positive energy, the coupling is cut to 0.9 of the geometric mean.
  * Rows 1 to 5 become fibres: nonnegative stiffnesses such that, stretched along each direction,
    the secant stiffness at 7/6 is as near as can be to the measured one (least squares).
  * Bending was fitted with hinges of energy k l^2 / (8 area) angle^2, area that of both triangles;
    a plate of stiffness D has D l^2 / (2 area) angle^2 there, so D = k / 4. The mean of the five
    curvatures is taken.
  * Two entries are not fabrics: `aluminium` and `paper` have E h and E h^3 / 12 of sheets, and are
    taken as that.

On the error output: for each fabric, what the fibres miss, and the spread of the bending rows.
"""

import json
import math
import sys

STRETCH = 7.0 / 6.0
ONSET = 0.5 * (STRETCH * STRETCH - 1.0)
ANGLES = [math.radians(22.5 * k) for k in range(5)]
SHEETS = {"aluminium", "paper"}
DAMPING = 2e-3
HEAD = '''/* SPDX-License-Identifier: Apache-2.0
 *
 * Made by tools/make_fabrics.py; do not edit. The measurements are those of "Data-driven elastic
 * models for cloth" (ACM Transactions on Graphics 30, 4, 2011).
 */
#include "cloth/materials.h"

const cloth_preset cloth_measured[] = {
'''
TAIL = '''};

const size_t cloth_measured_count = sizeof cloth_measured / sizeof *cloth_measured;
'''


def along(c, angle):
    """Stiffness of the tensor c = [c11, c12, c22, c33] against stretch in one direction."""
    cos2, sin2 = math.cos(angle) ** 2, math.sin(angle) ** 2
    return (c[0] * cos2 * cos2 + 2.0 * (c[1] + c[3]) * cos2 * sin2 + c[2] * sin2 * sin2)


def made_positive(c):
    most = 0.9 * math.sqrt(c[0] * c[2])
    return [c[0], max(-most, min(most, c[1])), c[2], c[3]]


def fibre_share(fibre, angle):
    """Secant stiffness at the onset along `angle` per stiffness of a fibre and its mirror image."""
    images = {fibre, -fibre} if 0.0 < fibre < 0.5 * math.pi - 1e-9 else {fibre}
    return sum(math.cos(angle - image) ** 6 for image in images)


def least_squares(A, b):
    """x >= 0 that minimises |A x - b|, by descent along one coordinate after the other."""
    x = [0.0] * len(A[0])
    for _ in range(20000):
        for j in range(len(x)):
            column = [row[j] for row in A]
            rest = [b[i] - sum(A[i][k] * x[k] for k in range(len(x)) if k != j)
                    for i in range(len(b))]
            x[j] = max(0.0, sum(p * q for p, q in zip(column, rest)) / sum(p * p for p in column))
    return x


def fit_fibres(c, rows):
    A = [[fibre_share(fibre, angle) for fibre in ANGLES] for angle in ANGLES]
    measured = [along(row, angle) for row, angle in zip(rows, ANGLES)]
    b = [k - along(c, angle) for k, angle in zip(measured, ANGLES)]
    x = least_squares(A, b)
    made = [along(c, angle) + sum(a * s for a, s in zip(row, x)) for angle, row in zip(ANGLES, A)]
    return x, [m / k - 1.0 for m, k in zip(made, measured)]


def membrane_of(rows):
    c = made_positive(rows[0])
    fibres, misses = fit_fibres(c, rows[1:])
    numbers = [c[0], c[2], c[1], 0.5 * c[3]]
    text = ", ".join(f"{x:.6g}" for x in numbers)
    return f"{{{text}, {{{', '.join(f'{x:.6g}' for x in fibres)}}}, {ONSET:.6g}}}", misses


def plate_of(rows, factor):
    """Curvature along the weft bends about fold lines along the warp: row 0 is the weft's."""
    weft, bias, warp = (factor * sum(row) / len(row) for row in rows)
    twist = max(bias - 0.25 * (warp + weft), 0.05 * math.sqrt(warp * weft))
    return f"{{{warp:.6g}, {weft:.6g}, 0.0, {twist:.6g}}}"


def entry(name, fabric):
    is_sheet = name in SHEETS
    membrane, misses = membrane_of(fabric["stretching"])
    plate = plate_of(fabric["bending"], 1.0 if is_sheet else 0.25)
    doc = "sheet of known modulus and thickness" if is_sheet else "measured fabric"
    shown = "measured-paper" if name == "paper" else name
    spread = max(max(row) / min(row) for row in fabric["bending"])
    print(f"{name:20} fibres miss {' '.join(f'{100 * m:+6.1f}%' for m in misses)}   "
          f"bending varies {spread:.1f} times with curvature", file=sys.stderr)
    return (f'    {{"{shown}",\n     "{doc}, {1000 * fabric["density"]:.0f} g/m^2",\n'
            f'     {{{fabric["density"]:g},\n      {membrane},\n      {plate},\n'
            f'      {DAMPING:g}}}}},\n')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        fabrics = json.load(file)["fabrics"]
    print(HEAD + "".join(entry(name, fabrics[name]) for name in sorted(fabrics)) + TAIL, end="")


if __name__ == "__main__":
    main()
