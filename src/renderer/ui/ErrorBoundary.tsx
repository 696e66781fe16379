import { Component, type ReactNode } from 'react';

type Props = {
  children: ReactNode;
  /** When this changes after a failure, the children are rendered again. */
  of?: unknown;
  onError: (error: unknown) => void;
  /** Rendered in place of the children; `again` remounts them. */
  fallback: (again: () => void) => ReactNode;
};

/** Contains render errors of its children. Without a boundary, React unmounts the whole window. */
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
