package hus;

import java.util.ArrayList;

/** A stand-in for the course's class: the fields have the names and types of the real one, the rules are left out. */
public class HusBoardState {
    private int[][] board = new int[2][32];
    private int turn_number;
    private int turn_player;

    public HusBoardState() {
        for (int pit = 0; pit < 24; pit++) {
            board[0][pit] = 2;
            board[1][pit] = 2;
        }
    }

    public int[][] getPits() {
        return board;
    }

    public int getTurnNumber() {
        return turn_number;
    }

    public int getTurnPlayer() {
        return turn_player;
    }

    public ArrayList<HusMove> getLegalMoves() {
        ArrayList<HusMove> moves = new ArrayList<>();
        for (int pit = 0; pit < 32; pit++) {
            if (board[turn_player][pit] > 1) {
                moves.add(new HusMove(pit, turn_player));
            }
        }
        return moves;
    }
}
