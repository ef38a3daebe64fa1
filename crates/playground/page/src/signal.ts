// Something that happens, and those who want to know.

export class Signal<T = void> {
  private readonly listeners: ((value: T) => void)[] = [];

  on(listener: (value: T) => void): void {
    this.listeners.push(listener);
  }

  send(value: T): void {
    for (const listener of this.listeners) listener(value);
  }
}
