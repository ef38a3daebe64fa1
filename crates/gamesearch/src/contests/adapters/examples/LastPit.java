import java.io.BufferedReader;
import java.io.InputStreamReader;

/** Plays Hus by lines of numbers: it sows from its last pit that may be sown. Run it with "huslines:java LastPit.java". */
public class LastPit {
    public static void main(String[] arguments) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split("\\s+");
            if (words[0].equals("quit")) {
                return;
            }
            if (words[0].equals("move")) {
                // words[1] is the number of moves so far, words[2] the time in milliseconds.
                int[] own = new int[32];
                int[] other = new int[32];
                for (int pit = 0; pit < 32; pit++) {
                    own[pit] = Integer.parseInt(words[3 + pit]);
                    other[pit] = Integer.parseInt(words[35 + pit]);
                }
                System.out.println(choose(own, other));
                System.out.flush();
            }
        }
    }

    /** A pit may be sown if it holds at least two seeds. */
    static int choose(int[] own, int[] other) {
        for (int pit = 31; pit >= 0; pit--) {
            if (own[pit] >= 2) {
                return pit;
            }
        }
        return 0;
    }
}
