// What stands after `#` in the address: the game, which the engine reads and writes, and the page's own keys.

/** The page's own part of a link. */
export interface Own {
  /** Who sits where: `you` or a bot. */
  seats?: [string, string];
  /** The limits of the bots. */
  limits?: string;
  /** The tool that is open. */
  tool?: string;
}

const KEYS = { first: 'first', second: 'second', limits: 'limits', tool: 'tool' } as const;

/** The text of an address, with the page's keys after the engine's. */
export function write(link: string, own: Own): string {
  const parts = [link];
  const put = (key: string, value: string | undefined): void => {
    if (value) parts.push(`${key}=${encodeURIComponent(value)}`);
  };
  put(KEYS.first, own.seats?.[0]);
  put(KEYS.second, own.seats?.[1]);
  put(KEYS.limits, own.limits);
  put(KEYS.tool, own.tool);
  return parts.filter(Boolean).join('&');
}

/** The page's own keys of an address. The engine reads the rest, and says what is wrong with it. */
export function read(text: string): Own {
  const found = new Map<string, string>();
  for (const part of text.replace(/^#/, '').split('&')) {
    const [key = '', ...value] = part.split('=');
    found.set(key, unescape(value.join('=')));
  }
  const own: Own = {};
  const [first, second] = [found.get(KEYS.first), found.get(KEYS.second)];
  if (first || second) own.seats = [first || 'you', second || 'you'];
  const [limits, tool] = [found.get(KEYS.limits), found.get(KEYS.tool)];
  if (limits) own.limits = limits;
  if (tool) own.tool = tool;
  return own;
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
