import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Plays Hus by lines of numbers with a player of the course's Java framework. Nothing of the framework is needed to compile this:
 * the board is built and the player asked by reflection.
 *
 * Usage: java -cp PATHS HusGlue CLASS
 */
public class HusGlue {
    private static final String STATE = "hus.HusBoardState";

    private final Class<?> stateClass;
    private final Constructor<?> makePlayer;
    private Object player;
    private int side = -1;

    private HusGlue(String name) throws ReflectiveOperationException {
        stateClass = Class.forName(STATE);
        makePlayer = Class.forName(name).getDeclaredConstructor();
        makePlayer.setAccessible(true);
    }

    public static void main(String[] arguments) throws Exception {
        // A player may print what it likes; the answers have a stream of their own.
        PrintStream answers = System.out;
        System.setOut(System.err);
        HusGlue glue;
        try {
            glue = new HusGlue(arguments[0]);
        } catch (ClassNotFoundException missing) {
            System.err.println("there is no class `" + missing.getMessage() + "`");
            System.exit(1);
            return;
        } catch (NoSuchMethodException missing) {
            System.err.println("the class `" + arguments[0] + "` has no constructor without parameters");
            System.exit(1);
            return;
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split("\\s+");
            switch (words[0]) {
                case "new":
                    glue.player = null;
                    break;
                case "move":
                    answers.println(glue.choose(words));
                    answers.flush();
                    break;
                case "quit":
                    // A player may have left threads behind.
                    System.exit(0);
                    break;
                default:
                    break;
            }
        }
        System.exit(0);
    }

    /** The pit that the player sows from: words[1] is the number of moves made so far, the seeds begin at words[3]. */
    private int choose(String[] words) throws ReflectiveOperationException {
        int plies = Integer.parseInt(words[1]);
        int mover = plies % 2;
        int[][] board = new int[2][32];
        for (int pit = 0; pit < 32; pit++) {
            board[mover][pit] = Integer.parseInt(words[3 + pit]);
            board[1 - mover][pit] = Integer.parseInt(words[35 + pit]);
        }
        Object state = make(stateClass.getDeclaredConstructor());
        set(state, "board", board);
        set(state, "turn_player", mover);
        set(state, "turn_number", plies / 2);
        if (player == null || side != mover) {
            player = make(makePlayer);
            side = mover;
            find(player.getClass(), "setColor", int.class).invoke(player, mover);
        }
        try {
            Object move = find(player.getClass(), "chooseMove", stateClass).invoke(player, state);
            if (move == null) {
                throw new IllegalStateException("the player chose no move");
            }
            return (Integer) find(move.getClass(), "getPit").invoke(move);
        } catch (InvocationTargetException failure) {
            failure.getCause().printStackTrace();
            System.exit(1);
            return -1;
        }
    }

    private static Object make(Constructor<?> constructor) throws ReflectiveOperationException {
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    private void set(Object state, String name, Object value) throws ReflectiveOperationException {
        Field field = stateClass.getDeclaredField(name);
        field.setAccessible(true);
        field.set(state, value);
    }

    /** A method of a class or of those it extends. */
    private static Method find(Class<?> kind, String name, Class<?>... parameters) throws NoSuchMethodException {
        for (Class<?> at = kind; at != null; at = at.getSuperclass()) {
            try {
                Method method = at.getDeclaredMethod(name, parameters);
                method.setAccessible(true);
                return method;
            } catch (NoSuchMethodException elsewhere) {
                // Further up.
            }
        }
        throw new NoSuchMethodException("the class `" + kind.getName() + "` has no method `" + name + "`");
    }
}
