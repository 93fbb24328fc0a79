/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's description of its own ABI, row by row.
 */
#ifndef ABI_DESCRIBE_H
#define ABI_DESCRIBE_H

#include <stiction/stiction.h>

const stn_manifest *describe_manifest(void);

#endif
