/* SPDX-License-Identifier: Apache-2.0
 *
 * One frame of a Maya cache as bytes: big-endian IFF, with sizes of 4 bytes (FOR4, filled up to 4)
 * or of 8 (FOR8, filled up to 8).
 *
 *     group  FOR4: 'FOR4' u32 size tag children          FOR8: 'FOR8' u32 0 u64 size tag children
 *     chunk  FOR4: tag u32 size data, zeros              FOR8: tag u32 0 u64 size data, zeros
 *
 * A group's size counts its tag and its children with their zeros, a chunk's size only its data.
 * A frame is CACH {VRSN "0.1", STIM and ETIM i32 ticks} and then MYCH with, for each channel, CHNM
 * (name and a zero byte), SIZE i32 points and FVCA 3 f32 for each.
 */
#ifndef IO_MAYA_FRAME_H
#define IO_MAYA_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct maya_frame {
    bool wide; /* FOR8 */
    int32_t ticks;
    size_t points;
    const char *channel; /* of the positions; the velocities have "_velocity" behind it */
    bool velocities;
} maya_frame;

/* Bytes of the frame. */
size_t maya_frame_measure(const maya_frame *f);
/* `velocities` is NULL if there are none. */
void maya_frame_build(const maya_frame *f, const float *positions, const float *velocities,
                      char *out);
/* The numbers from where they stand in such a frame. */
void maya_frame_take(const maya_frame *f, const char *bytes, float *positions, float *velocities);

#endif
