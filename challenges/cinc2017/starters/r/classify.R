# Rscript classify.R RECORD: prints "RECORD,LABEL" for the files RECORD.hea and RECORD.mat of this folder.
#
# A beat is where the signal rises above half of its maximum.  If the intervals between beats change by more than a
# tenth on average, the label is A, otherwise N.  This is the part to replace by your own.

header_bytes <- 24

read_rate <- function(record) {
  as.numeric(strsplit(readLines(paste0(record, ".hea"), n = 1), " ")[[1]][3])
}

# A MATLAB 4 file: a header, then the samples as 16-bit integers.
read_signal <- function(record) {
  file <- paste0(record, ".mat")
  bytes <- readBin(file, "raw", file.size(file))
  readBin(bytes[-seq_len(header_bytes)], "integer", length(bytes), size = 2, endian = "little")
}

classify <- function(signal, rate) {
  highest <- max(signal)
  n <- length(signal)
  beats <- c()
  for (i in which(2 * signal[-n] < highest & 2 * signal[-1] >= highest)) {
    if (length(beats) == 0 || 4 * (i - beats[length(beats)]) > rate) beats <- c(beats, i)
  }
  intervals <- diff(beats)
  if (10 * sum(abs(diff(intervals))) > sum(intervals)) "A" else "N"
}

record <- commandArgs(trailingOnly = TRUE)[1]
cat(record, ",", classify(read_signal(record), read_rate(record)), "\n", sep = "")
