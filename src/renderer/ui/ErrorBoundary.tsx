import { Component, type ReactNode } from 'react';

type Props = {
  children: ReactNode;
  /** Another one is tried by itself after a failure. */
  of?: unknown;
  onError: (error: unknown) => void;
  /** In place of the children; `again` draws them anew, from their beginning. */
  fallback: (again: () => void) => ReactNode;
};

/** Holds back what its children throw while they are drawn: without one, React takes the whole window away. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.hasFailed && before.of !== this.props.of) this.#again();
  }

  #again = (): void => this.setState({ hasFailed: false });

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback(this.#again) : this.props.children;
  }
}
