/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ABI_EXT_RODS_H
#define ABI_EXT_RODS_H

#include <stiction/ext_rods.h>

extern const stn_ext_rods ext_rods_table;

#endif
