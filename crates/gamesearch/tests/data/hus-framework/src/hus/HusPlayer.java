package hus;

import boardgame.Player;

/** A stand-in for the course's class: the base of all players. */
public abstract class HusPlayer extends Player {
    protected int opponent_id;

    public HusPlayer(String name) {
        super(name);
    }

    public final void setColor(int color) {
        player_id = color;
        opponent_id = 1 - color;
    }

    public abstract HusMove chooseMove(HusBoardState state);
}
