/* SPDX-License-Identifier: Apache-2.0 */
#include "support/temporary_folder.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unity.h>

enum { PATH_SIZE = 1024, ANSWERS = 8 };

static char root[PATH_SIZE];

void temporary_make(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(root, sizeof root, "%s/stiction-test-XXXXXX", parent && parent[0] ? parent : "/tmp");
    TEST_ASSERT_NOT_NULL_MESSAGE(mkdtemp(root), "no temporary folder");
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static void remove_tree(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *item; folder && (item = readdir(folder));) {
        if (is_dots(item->d_name)) continue;
        char child[2 * PATH_SIZE];
        struct stat found;
        snprintf(child, sizeof child, "%s/%s", path, item->d_name);
        if (lstat(child, &found) == 0 && S_ISDIR(found.st_mode)) {
            remove_tree(child);
        } else {
            unlink(child);
        }
    }
    if (folder) closedir(folder);
    rmdir(path);
}

static bool set_limit(long bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN); /* the write fails instead */
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    limit.rlim_cur = bytes < 0 ? limit.rlim_max : (rlim_t)bytes;
    return setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

void temporary_limit_files(long bytes)
{
    TEST_ASSERT_TRUE(set_limit(bytes));
}

/* Without assertions: in a test that has failed they would end the cleaning up. */
void temporary_remove(void)
{
    set_limit(-1);
    if (root[0]) remove_tree(root);
    root[0] = '\0';
}

const char *temporary_path(const char *name)
{
    static char answers[ANSWERS][2 * PATH_SIZE];
    static unsigned next;
    char *answer = answers[next++ % ANSWERS];
    snprintf(answer, sizeof answers[0], "%s/%s", root, name);
    return answer;
}

void temporary_write(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(temporary_path(name), "wb");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, name);
    const size_t written = fwrite(data, 1, size, file);
    TEST_ASSERT_EQUAL_INT(0, fclose(file));
    TEST_ASSERT_EQUAL_size_t(size, written);
}

void temporary_write_text(const char *name, const char *text)
{
    temporary_write(name, text, strlen(text));
}

char *temporary_read(const char *name, size_t *size)
{
    FILE *file = fopen(temporary_path(name), "rb");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, name);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *data = calloc(*size + 1, 1);
    TEST_ASSERT_NOT_NULL(data);
    const size_t got = fread(data, 1, *size, file);
    fclose(file);
    TEST_ASSERT_EQUAL_size_t(*size, got);
    return data;
}

bool temporary_exists(const char *name)
{
    struct stat found;
    return lstat(temporary_path(name), &found) == 0;
}

size_t temporary_count(const char *name)
{
    DIR *folder = opendir(temporary_path(name));
    TEST_ASSERT_NOT_NULL_MESSAGE(folder, name);
    size_t count = 0;
    for (struct dirent *item; (item = readdir(folder));) count += !is_dots(item->d_name);
    closedir(folder);
    return count;
}

void temporary_check_equal(const char *name_a, const char *name_b)
{
    size_t size_a = 0, size_b = 0;
    char *a = temporary_read(name_a, &size_a), *b = temporary_read(name_b, &size_b);
    const bool equal = size_a == size_b && memcmp(a, b, size_a) == 0;
    free(a);
    free(b);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(size_a, size_b, name_b);
    TEST_ASSERT_TRUE_MESSAGE(equal, name_b);
}
