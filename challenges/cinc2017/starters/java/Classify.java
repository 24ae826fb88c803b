import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * java Classify RECORD: prints "RECORD,LABEL" for the files RECORD.hea and RECORD.mat of this folder.
 *
 * A beat is where the signal rises above half of its maximum.  If the intervals between beats change by more than a
 * tenth on average, the label is A, otherwise N.  This is the part to replace by your own.
 */
final class Classify {
    private static final int HEADER_BYTES = 24;

    private static double readRate(String record) throws IOException {
        return Double.parseDouble(Files.readString(Path.of(record + ".hea")).split("\\s+")[2]);
    }

    /** A MATLAB 4 file: a header, then the samples as 16-bit integers. */
    private static short[] readSignal(String record) throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(record + ".mat"));
        ShortBuffer samples = ByteBuffer.wrap(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
        short[] signal = new short[samples.remaining()];
        samples.get(signal);
        return signal;
    }

    private static char classify(short[] signal, double rate) {
        int highest = 0;
        for (short value : signal) {
            highest = Math.max(highest, value);
        }
        List<Integer> beats = new ArrayList<>();
        for (int i = 1; i < signal.length; i++) {
            boolean rises = 2 * signal[i - 1] < highest && 2 * signal[i] >= highest;
            if (rises && (beats.isEmpty() || 4 * (i - beats.get(beats.size() - 1)) > rate)) {
                beats.add(i);
            }
        }
        long total = 0;
        long change = 0;
        for (int i = 1; i < beats.size(); i++) {
            total += beats.get(i) - beats.get(i - 1);
        }
        for (int i = 2; i < beats.size(); i++) {
            change += Math.abs(beats.get(i) - 2L * beats.get(i - 1) + beats.get(i - 2));
        }
        return 10 * change > total ? 'A' : 'N';
    }

    public static void main(String[] arguments) throws IOException {
        String record = arguments[0];
        System.out.println(record + "," + classify(readSignal(record), readRate(record)));
    }
}
