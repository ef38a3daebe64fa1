package boardgame;

/** A stand-in for the course's class: what a player is to the server. */
public abstract class Player {
    protected int player_id;
    private final String name;

    public Player(String name) {
        this.name = name;
    }

    public String getName() {
        return name;
    }
}
