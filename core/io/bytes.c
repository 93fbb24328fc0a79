/* SPDX-License-Identifier: Apache-2.0 */
#include "io/bytes.h"

#include <string.h>

void bytes_put_be32(void *to, uint32_t value)
{
    unsigned char *b = to;
    for (int i = 0; i < 4; i++) b[i] = (unsigned char)(value >> (24 - 8 * i));
}

void bytes_put_be64(void *to, uint64_t value)
{
    bytes_put_be32(to, (uint32_t)(value >> 32));
    bytes_put_be32((char *)to + 4, (uint32_t)value);
}

uint32_t bytes_get_be32(const void *from)
{
    const unsigned char *b = from;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

uint64_t bytes_get_be64(const void *from)
{
    return (uint64_t)bytes_get_be32(from) << 32 | bytes_get_be32((const char *)from + 4);
}

void bytes_put_be_float(void *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put_be32(to, bits);
}

float bytes_get_be_float(const void *from)
{
    const uint32_t bits = bytes_get_be32(from);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void bytes_put_le32(void *to, uint32_t value)
{
    unsigned char *b = to;
    for (int i = 0; i < 4; i++) b[i] = (unsigned char)(value >> 8 * i);
}

void bytes_put_le64(void *to, uint64_t value)
{
    bytes_put_le32(to, (uint32_t)value);
    bytes_put_le32((char *)to + 4, (uint32_t)(value >> 32));
}

uint32_t bytes_get_le32(const void *from)
{
    const unsigned char *b = from;
    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

uint64_t bytes_get_le64(const void *from)
{
    return (uint64_t)bytes_get_le32((const char *)from + 4) << 32 | bytes_get_le32(from);
}

uint64_t bytes_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

double bytes_to_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
