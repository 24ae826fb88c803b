/*
 * boot: program 1 of the initial file system.  It loads the modules, finds the read-only root, and becomes the guest
 * agent.
 *
 * It needs no console and asks nothing; what goes wrong is one line on the console, and the machine is switched off.  A
 * single static program, because under emulation each start of a program costs as much as a module.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define AGENT "import sys; sys.path.insert(0, '/run/evaluate'); import agent; agent.main()"

enum { LOOKS = 5000, LOOK_MICROSECONDS = 2000 };

static _Noreturn void fail(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    FILE *console = fopen("/dev/console", "w");
    if (console) {
        fprintf(console, "evaluate: %s: %s\n", text, strerror(errno));
        fclose(console);
    }
    reboot(RB_POWER_OFF);
    for (;;)
        pause();
}

static void mount_or_fail(const char *source, const char *target, const char *kind, unsigned long flags,
                          const char *options)
{
    if (mount(source, target, kind, flags, options) < 0)
        fail("%s cannot be mounted at %s", source, target);
}

/* In the order of /modules/order, one name a line. */
static void load_modules(void)
{
    char name[64], path[96];
    FILE *order = fopen("/modules/order", "r");
    if (!order)
        fail("/modules/order");
    while (fgets(name, sizeof name, order)) {
        name[strcspn(name, "\n")] = 0;
        snprintf(path, sizeof path, "/modules/%s.ko", name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0 || syscall(SYS_finit_module, fd, "", 0) < 0)
            fail("module %s cannot be loaded", name);
        close(fd);
        unlink(path); /* the memory of the initial file system is not given back otherwise */
    }
    fclose(order);
}

static bool has_serial(const char *disk, const char *wanted)
{
    char path[300], serial[32] = "";
    snprintf(path, sizeof path, "/sys/block/%s/serial", disk);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool is = fgets(serial, sizeof serial, file) != NULL;
    fclose(file);
    serial[strcspn(serial, "\n")] = 0;
    return is && strcmp(serial, wanted) == 0;
}

/* The supervisor names each disk by its serial; the letters depend on the order in which they are found. */
static void find_disk(const char *serial, char *device, size_t size)
{
    for (int i = 0; i < LOOKS; i++) {
        DIR *disks = opendir("/sys/block");
        for (struct dirent *disk; disks && (disk = readdir(disks));)
            if (strncmp(disk->d_name, "vd", 2) == 0 && has_serial(disk->d_name, serial)) {
                snprintf(device, size, "/dev/%s", disk->d_name);
                closedir(disks);
                return;
            }
        if (disks)
            closedir(disks);
        usleep(LOOK_MICROSECONDS);
    }
    errno = ENODEV;
    fail("no disk with the serial '%s' after 10 s", serial);
}

/* Through a loop device, so that what was read stays in memory; see mount_through_loop() in kernel.py. */
static void mount_root(const char *disk, const char *target)
{
    char device[32];
    int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    int number = control < 0 ? -1 : ioctl(control, LOOP_CTL_GET_FREE);
    if (number < 0)
        fail("no loop device");
    snprintf(device, sizeof device, "/dev/loop%d", number);
    int below = open(disk, O_RDONLY | O_CLOEXEC), loop = open(device, O_RDONLY | O_CLOEXEC);
    struct loop_config config = {.fd = (unsigned)below,
                                 .info.lo_flags = LO_FLAGS_READ_ONLY | LO_FLAGS_AUTOCLEAR};
    if (below < 0 || loop < 0 || ioctl(loop, LOOP_CONFIGURE, &config) < 0)
        fail("%s cannot be shown by %s", disk, device);
    mount_or_fail(device, target, "squashfs", MS_RDONLY, "");
    close(below);
    close(loop);
    close(control);
}

static void copy(const char *source, const char *target);

static void copy_folder(const char *source, const char *target)
{
    char from[512], to[512];
    if (mkdir(target, 0755) < 0)
        fail("%s", target);
    DIR *folder = opendir(source);
    if (!folder)
        fail("%s", source);
    for (struct dirent *item; (item = readdir(folder));) {
        if (item->d_name[0] == '.')
            continue;
        snprintf(from, sizeof from, "%s/%s", source, item->d_name);
        snprintf(to, sizeof to, "%s/%s", target, item->d_name);
        copy(from, to);
    }
    closedir(folder);
}

/* A file, which is removed, or a folder with all that is in it. */
static void copy(const char *source, const char *target)
{
    struct stat status;
    if (stat(source, &status) < 0)
        fail("%s", source);
    if (S_ISDIR(status.st_mode)) {
        copy_folder(source, target);
        return;
    }
    int in = open(source, O_RDONLY | O_CLOEXEC);
    int out = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, status.st_mode & 0777);
    if (in < 0 || out < 0)
        fail("%s", target);
    ssize_t n;
    while ((n = sendfile(out, in, NULL, 1 << 24)) > 0)
        ;
    if (n < 0)
        fail("%s", target);
    close(in);
    close(out);
    unlink(source);
}

int main(void)
{
    static char *const argv[] = {"/usr/bin/python3", "-P", "-s", "-S", /* as -I, but with PYTHONHASHSEED */
                                 "-c", AGENT, NULL};
    char device[300];

    umask(022);
    mount_or_fail("dev", "/dev", "devtmpfs", 0, "");
    mount_or_fail("proc", "/proc", "proc", 0, "");
    mount_or_fail("sys", "/sys", "sysfs", 0, "");
    load_modules();
    find_disk("base", device, sizeof device);
    mount_root(device, "/newroot");
    mount_or_fail("run", "/newroot/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755");
    copy_folder("/evaluate", "/newroot/run/evaluate");
    mount_or_fail("/dev", "/newroot/dev", "", MS_MOVE, "");
    mount_or_fail("/proc", "/newroot/proc", "", MS_MOVE, "");
    mount_or_fail("/sys", "/newroot/sys", "", MS_MOVE, "");
    int console = open("/newroot/dev/console", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(console, fd);
    if (console > 2)
        close(console);
    if (chdir("/newroot") < 0)
        fail("/newroot");
    mount_or_fail(".", "/", "", MS_MOVE, "");
    if (chroot(".") < 0 || chdir("/") < 0)
        fail("the root");
    execve(argv[0], argv, environ);
    fail("the guest agent cannot be started");
}
