/* SPDX-License-Identifier: Apache-2.0 */
#include "interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "cli.h"

static struct {
    const stn_api *api;
    const char *notice;
    sigset_t signals;
    pthread_t thread;
    bool running;
    atomic_bool ending;
    atomic_int count;
    pthread_mutex_t lock; /* guards scene: it must not go away while it is being cancelled */
    stn_scene *scene;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void cancel_scene(void)
{
    pthread_mutex_lock(&watch.lock);
    if (watch.scene) watch.api->cancel(watch.scene);
    pthread_mutex_unlock(&watch.lock);
}

static void *wait_for_signals(void *unused)
{
    (void)unused;
    for (int received; sigwait(&watch.signals, &received) == 0 && !watch.ending;) {
        const int count = atomic_fetch_add(&watch.count, 1) + 1;
        if (count == 1 && watch.notice) fprintf(stderr, "\n%s\n", watch.notice);
        if (count == 2) cancel_scene();
        if (count >= 3) _exit(CLI_INTERRUPTED);
    }
    return NULL;
}

static void add_unless_ignored(int number)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
        sigaddset(&watch.signals, number);
    }
}

bool interrupt_begin(const stn_api *api, const char *notice)
{
    watch.api = api;
    watch.notice = notice;
    sigemptyset(&watch.signals);
    sigaddset(&watch.signals, SIGUSR1); /* interrupt_end wakes the thread with it */
    add_unless_ignored(SIGINT);
    add_unless_ignored(SIGTERM);
    pthread_sigmask(SIG_BLOCK, &watch.signals, NULL);
    watch.running = pthread_create(&watch.thread, NULL, wait_for_signals, NULL) == 0;
    if (!watch.running) pthread_sigmask(SIG_UNBLOCK, &watch.signals, NULL);
    return watch.running;
}

void interrupt_watch(stn_scene *scene)
{
    pthread_mutex_lock(&watch.lock);
    watch.scene = scene;
    pthread_mutex_unlock(&watch.lock);
}

int interrupt_count(void) { return watch.count; }

int32_t interrupt_trace(void *user, uint32_t iteration, double residual)
{
    (void)user;
    (void)iteration;
    (void)residual;
    return interrupt_count() > 0;
}

void interrupt_end(void)
{
    if (!watch.running) return;
    interrupt_watch(NULL);
    watch.ending = true;
    pthread_kill(watch.thread, SIGUSR1);
    pthread_join(watch.thread, NULL);
    watch.running = false;
}
