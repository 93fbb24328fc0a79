/* SPDX-License-Identifier: Apache-2.0
 *
 * Seconds from a clock that never jumps. For statistics only: no result may depend on it.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

double clock_now(void);

#endif
