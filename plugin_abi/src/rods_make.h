/* SPDX-License-Identifier: Apache-2.0
 *
 * From descs to handles: strands of a model, trees of helices, rigid bodies.
 */
#ifndef ABI_RODS_MAKE_H
#define ABI_RODS_MAKE_H

#include "rods_handle.h"

status rods_make_strands(const stn_rods_desc *desc, const allocator *from, stn_rods **out,
                         error *err);
status rods_make_trees(const stn_rod_trees_desc *desc, const allocator *from, stn_rods **out,
                       error *err);
status rods_make_rigid(const stn_rods_rigid_desc *desc, const allocator *from, stn_rods **out,
                       error *err);

#endif
