% octave-cli classify.m RECORD: prints "RECORD,LABEL" for the files RECORD.hea and RECORD.mat of this folder.
%
% A beat is where the signal rises above half of its maximum.  If the intervals between beats change by more than a
% tenth on average, the label is A, otherwise N.  This is the part to replace by your own.
1;

function label = classify(signal, rate)
  highest = max(signal);
  rising = find(2 * signal(1:end-1) < highest & 2 * signal(2:end) >= highest);
  beats = [];
  for i = rising(:)'
    if isempty(beats) || 4 * (i - beats(end)) > rate
      beats(end+1) = i;
    end
  end
  intervals = diff(beats);
  if 10 * sum(abs(diff(intervals))) > sum(intervals)
    label = 'A';
  else
    label = 'N';
  end
end

record = argv(){end};
first = strsplit(fgetl(fopen([record '.hea'])), ' ');
rate = str2double(first{3});
signal = double(load([record '.mat']).val);
printf('%s,%s\n', record, classify(signal, rate));
