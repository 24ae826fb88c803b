/*
 * A library for the programs that install packages into an image: files reach the disk when the kernel writes them.  dpkg
 * waits for the disk some thousand times, for a root of which nothing is kept if the machine fails; the finished image is
 * synced.
 */
int fsync(int file)
{
    (void)file;
    return 0;
}

int fdatasync(int file)
{
    return fsync(file);
}

int syncfs(int file)
{
    return fsync(file);
}

int sync_file_range(int file, long from, long bytes, unsigned flags)
{
    (void)from, (void)bytes, (void)flags;
    return fsync(file);
}

void sync(void)
{
}
