package student_player.mytools;

import hus.HusMove;

import java.util.List;

public class Tools {
    public static int seeds(int[] pits) {
        int sum = 0;
        for (int count : pits) {
            sum += count;
        }
        return sum;
    }

    public static HusMove last(List<HusMove> moves) {
        return moves.get(moves.size() - 1);
    }
}
