/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the watched scene and prints its hash, for test_same_scene.py to compare with its own.
 */
#include "drape.h"

#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    drape d;
    stn_status status = drape_create(&d, NULL, 0);
    if (status == STN_OK) status = drape_run(&d, 1, DRAPE_FRAMES);
    if (status == STN_OK)
        printf("%016" PRIx64 "\n", drape_hash(&d));
    else
        fprintf(stderr, "%s\n", stn_get_api(STN_ABI_VERSION)->last_error(d.scene));
    drape_destroy(&d);
    return status == STN_OK ? 0 : 1;
}
