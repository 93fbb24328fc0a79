/* SPDX-License-Identifier: Apache-2.0 */
#include "fitted.h"

#include <stddef.h>
#include <string.h>

static stn_status fit(const stn_ext_rods *rods, const double *points, uint64_t count,
                      uint32_t elements, fitted *out)
{
    out->elements = elements;
    out->fit = (stn_rod_fit){.struct_size = sizeof out->fit};
    return rods->fit(points, count, elements, NULL, out->lengths, out->curvatures, &out->fit);
}

stn_status fitted_find(const stn_ext_rods *rods, const double *points, uint64_t count,
                       uint32_t elements, double accuracy, fitted *out)
{
    if (accuracy == 0.0) return fit(rods, points, count, elements, out);
    for (uint32_t n = 1; n < elements; n++) {
        const stn_status status = fit(rods, points, count, n, out);
        if (status < 0 || out->fit.error <= accuracy) return status;
    }
    return fit(rods, points, count, elements, out);
}

/* Rods know where their points are; what they are made of does not matter for that. */
static stn_status make_rod(const stn_ext_rods *rods, const fitted *f, stn_rods **out)
{
    const stn_rod_material any = {.struct_size = sizeof any,
                                  .density = 1.0,
                                  .bend = {1.0, 1.0},
                                  .twist = 1.0,
                                  .stretch = 1.0,
                                  .radius = 1.0};
    const stn_rods_desc desc = {.struct_size = sizeof desc,
                                .rods = 1,
                                .elements = f->elements,
                                .model = "super-helix",
                                .material = &any,
                                .lengths = f->lengths,
                                .natural = f->curvatures,
                                .roots = f->fit.root,
                                .threads = 1};
    return rods->create(&desc, out);
}

stn_status fitted_sample(const stn_ext_rods *rods, const fitted *f, uint64_t count, double *out)
{
    stn_rods *rod = NULL;
    stn_status status = make_rod(rods, f, &rod);
    for (uint64_t k = 0; k < count && status >= 0; k++) {
        const double s = count > 1 ? f->fit.length * (double)k / (double)(count - 1) : 0.0;
        double place[7];
        status = rods->places(rod, 0, 1, &s, place);
        if (status >= 0) memcpy(out + 3 * k, place, 3 * sizeof *out);
    }
    rods->destroy(rod);
    return status;
}
