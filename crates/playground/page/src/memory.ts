// What the browser keeps for this page between visits; some browsers keep nothing for a file.

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`gamesearch-${key}`, value);
  } catch {
    // Then it is forgotten.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`gamesearch-${key}`);
  } catch {
    return null;
  }
}
