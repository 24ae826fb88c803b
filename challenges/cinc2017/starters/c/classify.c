/*
 * classify RECORD: prints "RECORD,LABEL" for the files RECORD.hea and RECORD.mat of this folder.
 *
 * A beat is where the signal rises above half of its maximum.  If the intervals between beats change by more than a
 * tenth on average, the label is A, otherwise N.  This is the part to replace by your own.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEADER_BYTES = 24, MOST_SAMPLES = 1 << 20, MOST_BEATS = 1 << 14 };

static int16_t signal[MOST_SAMPLES];
static long beats[MOST_BEATS];

static FILE *opened(const char *record, const char *suffix)
{
    char name[256];
    snprintf(name, sizeof name, "%s%s", record, suffix);
    FILE *file = fopen(name, "rb");
    if (!file) {
        perror(name);
        exit(1);
    }
    return file;
}

/* Samples a second, from the first line of the header: "NAME 1 300 3600". */
static long read_rate(const char *record)
{
    long rate = 300;
    FILE *file = opened(record, ".hea");
    if (fscanf(file, "%*s %*d %ld", &rate) != 1)
        fprintf(stderr, "%s.hea: no sampling rate; 300 is used\n", record);
    fclose(file);
    return rate;
}

/* A MATLAB 4 file: 24 bytes of header, then the samples. */
static size_t read_signal(const char *record)
{
    FILE *file = opened(record, ".mat");
    fseek(file, HEADER_BYTES, SEEK_SET);
    size_t n = fread(signal, sizeof *signal, MOST_SAMPLES, file);
    fclose(file);
    return n;
}

static char classify(size_t n, long rate)
{
    int highest = 0;
    size_t n_beats = 0;
    for (size_t i = 0; i < n; i++)
        if (signal[i] > highest)
            highest = signal[i];
    for (size_t i = 1; i < n && n_beats < MOST_BEATS; i++) {
        int rises = 2 * signal[i - 1] < highest && 2 * signal[i] >= highest;
        if (rises && (n_beats == 0 || 4 * ((long)i - beats[n_beats - 1]) > rate))
            beats[n_beats++] = (long)i;
    }
    long total = 0, change = 0;
    for (size_t i = 1; i < n_beats; i++)
        total += beats[i] - beats[i - 1];
    for (size_t i = 2; i < n_beats; i++)
        change += labs(beats[i] - 2 * beats[i - 1] + beats[i - 2]);
    return 10 * change > total ? 'A' : 'N';
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: classify RECORD\n");
        return 2;
    }
    printf("%s,%c\n", argv[1], classify(read_signal(argv[1]), read_rate(argv[1])));
    return 0;
}
