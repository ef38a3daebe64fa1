package student_player;

import hus.HusBoardState;
import hus.HusMove;
import hus.HusPlayer;

import student_player.mytools.Tools;

/** Sows from the last pit it may; says on its way what only a rightly built board says. Naïve: this file is ISO 8859-1. */
public class StudentPlayer extends HusPlayer {
    public StudentPlayer() {
        super("260000000");
    }

    @Override
    public HusMove chooseMove(HusBoardState state) {
        System.out.println("turn " + state.getTurnNumber() + " of player " + player_id);
        if (state.getTurnPlayer() != player_id || opponent_id != 1 - player_id) {
            throw new IllegalStateException("not my turn");
        }
        int seeds = Tools.seeds(state.getPits()[player_id]) + Tools.seeds(state.getPits()[opponent_id]);
        if (seeds != 96) {
            throw new IllegalStateException(seeds + " seeds");
        }
        return Tools.last(state.getLegalMoves());
    }
}
