/*
 * Rhythm of a short single-lead ECG: normal (N), atrial fibrillation (A), other (O), too noisy (~).
 *
 *   classify RECORD      reads RECORD.hea and the MATLAB file it names, prints "RECORD,LABEL"
 *
 * 1. Beats: band-pass by differences of moving averages, slope, squaring, moving-window integration, an
 *    adaptive threshold with refractory time and search-back (after Pan and Tompkins, 1985).
 * 2. Quality: how much every QRS complex is like that of the median beat.
 * 3. Rhythm: irregularity of the RR intervals, P wave of the median beat, ectopic beats, rate, QRS width.
 * 4. A few thresholds, in label().
 *
 * The only mathematical function is the square root, which IEEE 754 rounds exactly: the same bytes give
 * the same answer on every processor.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SAMPLES (300 * 120) /* two minutes; longer records are cut */
#define MAX_BEATS 1024
#define MAX_TEMPLATE 512
#define LINE 512
#define MISSING (-32768) /* WFDB's mark of an invalid 16-bit sample */

static double ecg[MAX_SAMPLES];     /* mV */
static double flat[MAX_SAMPLES];    /* ecg without baseline wander, lightly smoothed */
static double band[MAX_SAMPLES];    /* ecg, about 5 to 20 Hz */
static double energy[MAX_SAMPLES];  /* integrated squared slope of band */
static double scratch[MAX_SAMPLES]; /* of average() and quantile() */
static int n_samples;
static double fs; /* Hz */

static int beats[MAX_BEATS]; /* samples of the R peaks */
static int n_beats;

static double median_beat[MAX_TEMPLATE]; /* mV; the R peak stands at samples_of(BEFORE_R) */
static double likeness[MAX_BEATS];       /* correlation of the QRS with that of the median beat */

static const double BEFORE_R = 0.30, AFTER_R = 0.40, QRS_HALF = 0.10; /* s */

static int samples_of(double seconds)
{
	return (int)(seconds * fs + 0.5);
}

/* ---- reading ---------------------------------------------------------------------------------------- */

static void die(const char *file, const char *what)
{
	fprintf(stderr, "classify: %s: %s\n", file, what);
	exit(2);
}

static uint32_t little_endian(const unsigned char *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The name of the signal file and the gain (adc units per mV); sets fs. Lines may end in CRLF. */
static double read_header(const char *path, char signal_file[LINE])
{
	char line[LINE], gain[64] = "";
	FILE *f = fopen(path, "r");
	if (!f)
		die(path, "cannot be opened");
	do
		if (!fgets(line, sizeof line, f))
			die(path, "has no record line");
	while (line[0] == '#');
	if (sscanf(line, "%*s %*d %lf", &fs) != 1 || !(fs >= 50 && fs <= 500))
		die(path, "has no sampling frequency between 50 and 500 Hz");
	do
		if (!fgets(line, sizeof line, f))
			die(path, "has no signal line");
	while (line[0] == '#');
	if (sscanf(line, "%511s %*s %63s", signal_file, gain) < 1)
		die(path, "has no signal line");
	fclose(f);
	double value = atof(gain);
	return value > 0 ? value : 200; /* WFDB's default */
}

/* The matrix of a MATLAB version 4 file: 20 bytes of header, a name, 16-bit samples. */
static void read_samples(const char *path, double gain)
{
	unsigned char head[20], two[2];
	double last = 0;
	FILE *f = fopen(path, "rb");
	if (!f)
		die(path, "cannot be opened");
	if (fread(head, 1, sizeof head, f) != sizeof head || little_endian(head) != 30)
		die(path, "is no MATLAB 4 matrix of 16-bit integers");
	uint64_t size = (uint64_t)little_endian(head + 4) * little_endian(head + 8);
	if (fseek(f, sizeof head + (long)little_endian(head + 16), SEEK_SET) != 0)
		die(path, "ends inside its header");
	while (n_samples < MAX_SAMPLES && (uint64_t)n_samples < size && fread(two, 1, 2, f) == 2) {
		int value = (int16_t)(two[0] | two[1] << 8);
		if (value != MISSING)
			last = value / gain;
		ecg[n_samples++] = last; /* a missing sample holds the value before it */
	}
	fclose(f);
}

static void read_record(const char *record)
{
	char path[3 * LINE], signal_file[LINE];
	const char *slash = strrchr(record, '/');
	int folder = slash ? (int)(slash - record) + 1 : 0;
	if (strlen(record) >= LINE)
		die("RECORD", "is too long");
	snprintf(path, sizeof path, "%s.hea", record);
	double gain = read_header(path, signal_file);
	snprintf(path, sizeof path, "%.*s%s", folder, record, signal_file);
	read_samples(path, gain);
}

/* ---- small tools ------------------------------------------------------------------------------------ */

/* Centred moving average; at the ends over the samples there are. x and y may be the same array. */
static void average(const double *x, double *y, int width)
{
	static double sum[MAX_SAMPLES + 1];
	int half = width / 2;
	for (int i = 0; i < n_samples; i++)
		sum[i + 1] = sum[i] + x[i];
	for (int i = 0; i < n_samples; i++) {
		int from = i < half ? 0 : i - half;
		int to = i + half + 1 > n_samples ? n_samples : i + half + 1;
		y[i] = (sum[to] - sum[from]) / (to - from);
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double quantile(const double *x, int n, double q)
{
	if (n == 0)
		return 0;
	memcpy(scratch, x, n * sizeof *x);
	qsort(scratch, n, sizeof *scratch, ascending);
	return scratch[(int)(q * (n - 1) + 0.5)];
}

/* ---- beats ------------------------------------------------------------------------------------------ */

static void filter(void)
{
	static double slow[MAX_SAMPLES];
	average(ecg, band, samples_of(0.023));
	average(band, band, samples_of(0.023));
	average(band, slow, samples_of(0.12));
	average(slow, slow, samples_of(0.12));
	for (int i = 0; i < n_samples; i++)
		band[i] -= slow[i];
	for (int i = 2; i + 2 < n_samples; i++) {
		double slope = 2 * band[i + 2] + band[i + 1] - band[i - 1] - 2 * band[i - 2];
		energy[i] = slope * slope;
	}
	average(energy, energy, samples_of(0.12));

	average(ecg, slow, samples_of(0.6));
	average(slow, slow, samples_of(0.6));
	average(ecg, flat, 5);
	for (int i = 0; i < n_samples; i++)
		flat[i] -= slow[i];
}

/* Maxima of the energy that rule their neighbourhood of one refractory time on both sides. */
static int find_maxima(int *at, int refractory)
{
	int n = 0;
	for (int i = 1; i + 1 < n_samples; i++) {
		if (energy[i] <= energy[i - 1] || energy[i] < energy[i + 1])
			continue;
		int highest = 1;
		for (int k = i < refractory ? 0 : i - refractory; highest && k < i; k++)
			highest = energy[k] < energy[i];
		for (int k = i + 1; highest && k <= i + refractory && k < n_samples; k++)
			highest = energy[k] <= energy[i];
		if (highest)
			at[n++] = i;
	}
	return n;
}

static double typical_peak(void)
{
	static double peaks[MAX_SAMPLES];
	int n = 0, width = samples_of(1.5);
	for (int from = 0; from + width <= n_samples; from += width, n++) {
		peaks[n] = 0;
		for (int i = from; i < from + width; i++)
			if (energy[i] > peaks[n])
				peaks[n] = energy[i];
	}
	return quantile(peaks, n, 0.5);
}

static void detect_beats(void)
{
	static int maxima[MAX_SAMPLES];
	int refractory = samples_of(0.22);
	int n = find_maxima(maxima, refractory);
	double typical = typical_peak();
	double signal = typical, noise = 0.05 * typical, rr = 0.8 * fs;
	for (int c = 0; c < n && n_beats + 2 < MAX_BEATS; c++) {
		double height = energy[maxima[c]], threshold = noise + 0.25 * (signal - noise);
		int last = n_beats ? beats[n_beats - 1] : 0;
		if (n_beats && maxima[c] - last > 1.66 * rr) { /* search back */
			int best = -1;
			for (int k = c - 1; k >= 0 && maxima[k] > last + refractory; k--)
				if (energy[maxima[k]] > 0.4 * threshold && (best < 0 || energy[maxima[k]] > energy[best]))
					best = maxima[k];
			if (best >= 0) {
				beats[n_beats++] = last = best;
				signal = 0.75 * signal + 0.25 * energy[best];
			}
		}
		if (height > threshold) {
			double interval = maxima[c] - last;
			if (n_beats && interval > 0.3 * fs && interval < 2 * fs)
				rr = 0.8 * rr + 0.2 * interval;
			beats[n_beats++] = maxima[c];
			/* one burst of noise must not blind the detector */
			signal = 0.875 * signal + 0.125 * (height > 3 * typical ? 3 * typical : height);
		} else {
			noise = 0.875 * noise + 0.125 * height;
		}
	}
}

/* Move every beat to the R peak (or S peak, if the lead is upside down). */
static void refine_beats(void)
{
	int reach = samples_of(0.08);
	double up = 0, down = 0;
	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < n_beats; k++) {
			int top = beats[k], bottom = beats[k];
			for (int i = beats[k] - reach; i <= beats[k] + reach; i++) {
				if (i < 0 || i >= n_samples)
					continue;
				top = band[i] > band[top] ? i : top;
				bottom = band[i] < band[bottom] ? i : bottom;
			}
			if (pass == 0) {
				up += band[top];
				down -= band[bottom];
			} else {
				beats[k] = up >= 0.8 * down ? top : bottom;
			}
		}
}

/* ---- quality ---------------------------------------------------------------------------------------- */

static void make_median_beat(void)
{
	double column[MAX_BEATS];
	int before = samples_of(BEFORE_R), length = before + samples_of(AFTER_R);
	for (int i = 0; i < length; i++) {
		int n = 0;
		for (int k = 0; k < n_beats; k++) {
			int at = beats[k] - before + i;
			if (at >= 0 && at < n_samples)
				column[n++] = flat[at];
		}
		median_beat[i] = quantile(column, n, 0.5);
	}
}

static double correlation(int beat)
{
	int reach = samples_of(QRS_HALF), n = 0;
	const double *r = median_beat + samples_of(BEFORE_R);
	double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
	for (int j = -reach; j <= reach; j++) {
		if (beat + j < 0 || beat + j >= n_samples)
			continue;
		double x = flat[beat + j], y = r[j];
		sx += x, sy += y, sxx += x * x, syy += y * y, sxy += x * y, n++;
	}
	double vx = sxx - sx * sx / n, vy = syy - sy * sy / n;
	return vx > 0 && vy > 0 ? (sxy - sx * sy / n) / sqrt(vx * vy) : 0;
}

/* Share of the beats whose QRS is nearly that of the median beat. */
static double share_of_like_beats(void)
{
	int like = 0;
	for (int k = 0; k < n_beats; k++) {
		likeness[k] = correlation(beats[k]);
		like += likeness[k] > 0.9;
	}
	return (double)like / n_beats;
}

/* ---- rhythm ----------------------------------------------------------------------------------------- */

struct rhythm {
	double rate;        /* beats a minute, from the median RR interval */
	double irregular;   /* median |RR[k+1] - RR[k]| / median RR */
	double irregular2;  /* the same for |RR[k+2] - RR[k]|: small in bigeminy */
	double irregular90; /* as irregular, 90th percentile */
	double premature;   /* early beats followed by a pause, share of the beats */
	double p_wave;      /* largest deflection before the QRS / height of the QRS, in the median beat */
	double qrs_seconds;
};

static void measure_intervals(struct rhythm *r)
{
	double rr[MAX_BEATS], step[MAX_BEATS];
	int n = n_beats - 1, premature = 0;
	for (int k = 0; k < n; k++)
		rr[k] = (beats[k + 1] - beats[k]) / fs;
	double median = quantile(rr, n, 0.5);
	r->rate = 60 / median;
	for (int k = 0; k + 1 < n; k++) {
		step[k] = fabs(rr[k + 1] - rr[k]) / median;
		premature += rr[k] < 0.85 * median && rr[k + 1] > 1.10 * median;
	}
	r->irregular = quantile(step, n - 1, 0.5);
	r->irregular90 = quantile(step, n - 1, 0.9);
	r->premature = (double)premature / n_beats;
	for (int k = 0; k + 2 < n; k++)
		step[k] = fabs(rr[k + 2] - rr[k]) / median;
	r->irregular2 = quantile(step, n - 2, 0.5);
}

static void measure_median_beat(struct rhythm *r)
{
	int reach = samples_of(QRS_HALF), peak = samples_of(BEFORE_R);
	double top = 0, bottom = 0, steepest = 0;
	for (int i = peak - reach; i <= peak + reach; i++) {
		top = median_beat[i] > top ? median_beat[i] : top;
		bottom = median_beat[i] < bottom ? median_beat[i] : bottom;
		double slope = fabs(median_beat[i + 1] - median_beat[i]);
		steepest = slope > steepest ? slope : steepest;
	}
	int first = peak + reach, last = peak - reach;
	for (int i = peak - reach; i < peak + reach; i++)
		if (fabs(median_beat[i + 1] - median_beat[i]) > 0.15 * steepest) {
			first = i < first ? i : first;
			last = i;
		}
	r->qrs_seconds = (last - first) / fs;

	/* deflection from the chord between the end of the T wave and the start of the QRS */
	int from = peak - samples_of(0.26), to = peak - samples_of(0.06);
	double deflection = 0;
	for (int i = from; i <= to; i++) {
		double chord = median_beat[from] + (median_beat[to] - median_beat[from]) * (i - from) / (to - from);
		double d = fabs(median_beat[i] - chord);
		deflection = d > deflection ? d : deflection;
	}
	r->p_wave = top > bottom ? deflection / (top - bottom) : 0;
}

static char label(void)
{
	struct rhythm r;
	if (n_beats < 6)
		return '~';
	make_median_beat();
	double like = share_of_like_beats();
	double typical_likeness = quantile(likeness, n_beats, 0.5);
	measure_intervals(&r);
	measure_median_beat(&r);
	if (getenv("CLASSIFY_VERBOSE"))
		fprintf(stderr,
			"beats %d, like %.3f, likeness %.3f, rate %.1f, irregular %.4f (two apart %.4f, 90 %% %.3f), "
			"premature %.3f, P %.4f, QRS %.3f s\n",
			n_beats, like, typical_likeness, r.rate, r.irregular, r.irregular2, r.irregular90, r.premature,
			r.p_wave, r.qrs_seconds);
	if (typical_likeness < 0.90 || like < 0.45 || r.qrs_seconds > 0.14)
		return '~';
	if (r.irregular > 0.12 && r.irregular2 < 0.06)
		return 'O'; /* every second beat comes early */
	if (r.irregular > 0.12 || (r.irregular > 0.055 && r.p_wave < 0.045))
		return 'A';
	if (r.rate < 50 || r.rate > 100 || r.qrs_seconds > 0.09)
		return 'O';
	if (r.premature > 0 && r.irregular90 > 0.15)
		return 'O';
	return 'N';
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: classify RECORD\n");
		return 2;
	}
	read_record(argv[1]);
	const char *slash = strrchr(argv[1], '/');
	const char *name = slash ? slash + 1 : argv[1];
	if (n_samples < 2 * fs) {
		printf("%s,~\n", name);
		return 0;
	}
	filter();
	detect_beats();
	refine_beats();
	printf("%s,%c\n", name, label());
	return 0;
}
