package hus;

/** A stand-in for the course's class: a pit to sow from. */
public class HusMove {
    private final int pit;
    private final int player;

    public HusMove(int pit, int player) {
        this.pit = pit;
        this.player = player;
    }

    public int getPit() {
        return pit;
    }

    public int getPlayerID() {
        return player;
    }
}
