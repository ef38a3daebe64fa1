import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A bot of Hus with a known strength: with the chance STRENGTH it sows where that leaves it the most seeds, else anywhere. */
public class Bot {
    static final double STRENGTH = {strength};

    public static void main(String[] arguments) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Random random = new Random();
        int[] own = new int[32];
        int[] other = new int[32];
        int plies = 0;
        List<Integer> legal = new ArrayList<>();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split("\\s+");
            switch (words[0]) {
                case "ugi":
                    say("id name java\noption name UGI_LegalMoves type check default false\nugiok");
                    break;
                case "isready":
                    say("readyok");
                    break;
                case "position":
                    if (words[1].equals("fen")) {
                        String[] rings = words[2].split("/");
                        int mover = Integer.parseInt(words[3]);
                        own = ring(rings[mover]);
                        other = ring(rings[1 - mover]);
                        plies = Integer.parseInt(words[4]);
                    }
                    break;
                case "legal":
                    legal.clear();
                    for (int number = 1; number < words.length; number++) {
                        legal.add(Integer.parseInt(words[number]));
                    }
                    break;
                case "go":
                    Collections.shuffle(legal, random);
                    int move = legal.get(0);
                    if (random.nextDouble() < STRENGTH) {
                        int best = Integer.MIN_VALUE;
                        for (int pit : legal) {
                            int seeds = seedsAfter(own.clone(), other.clone(), pit, plies);
                            if (seeds > best) {
                                best = seeds;
                                move = pit;
                            }
                        }
                    }
                    say("bestmove " + move);
                    break;
                case "quit":
                    return;
                default:
                    break;
            }
        }
    }

    static void say(String text) {
        System.out.println(text);
        System.out.flush();
    }

    static int[] ring(String text) {
        return Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    static int seedsAfter(int[] own, int[] other, int pit, int plies) {
        int hand = own[pit];
        own[pit] = 0;
        int at = pit;
        for (int sowing = 1; sowing < 200; sowing++) {
            for (; hand > 0; hand--) {
                at = (at + 1) % 32;
                own[at]++;
            }
            if (own[at] == 1) {
                return Arrays.stream(own).sum();
            }
            if (plies >= 2 && at >= 16 && other[47 - at] > 0) {
                hand = other[47 - at] + other[at - 16];
                other[47 - at] = 0;
                other[at - 16] = 0;
            } else {
                hand = own[at];
                own[at] = 0;
            }
        }
        return -1;
    }
}
