import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Leaks in one method; another one does not keep memory. java Leaky [ROUNDS]: this many rounds of 20 ms. */
public class Leaky {
    static final List<ByteBuffer> kept = new ArrayList<>();

    static void leak() {
        kept.add(ByteBuffer.allocateDirect(5000));
    }

    static int compute(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; ++i) text.append(i);
        return text.length();
    }

    public static void main(String[] arguments) throws InterruptedException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 50;
        int sum = 0;
        for (int round = 0; round < rounds; ++round) {
            for (int i = 0; i < 500; ++i) leak(); // often enough to be compiled
            sum += compute(500);
            Thread.sleep(20);
        }
        System.out.println(sum);
    }
}
