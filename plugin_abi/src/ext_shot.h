/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ABI_EXT_SHOT_H
#define ABI_EXT_SHOT_H

#include <stiction/ext_shot.h>

extern const stn_ext_shot ext_shot_table;

#endif
