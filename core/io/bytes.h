/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as bytes in a given order, whatever the order of the machine.
 */
#ifndef IO_BYTES_H
#define IO_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* The highest byte first. */
void bytes_put_be32(void *to, uint32_t value);
void bytes_put_be64(void *to, uint64_t value);
uint32_t bytes_get_be32(const void *from);
uint64_t bytes_get_be64(const void *from);
void bytes_put_be_float(void *to, float value);
float bytes_get_be_float(const void *from);

/* The lowest byte first. */
void bytes_put_le32(void *to, uint32_t value);
void bytes_put_le64(void *to, uint64_t value);
uint32_t bytes_get_le32(const void *from);
uint64_t bytes_get_le64(const void *from);

uint64_t bytes_of_double(double value);
double bytes_to_double(uint64_t bits);

#endif
