import { Component, type ReactNode } from 'react';

interface Props {
  /** What is shown; when it becomes another one, it is tried anew. */
  of: unknown;
  /** Shown in place of what cannot be shown. */
  instead: (again: () => void) => ReactNode;
  children: ReactNode;
}

/**
 * Keeps what goes wrong in one part of the window to that part. Without it one row that cannot be
 * shown would leave nothing of the window, and the same again after every start.
 */
export class Boundary extends Component<Props, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidUpdate(before: Props) {
    if (this.state.broken && before.of !== this.props.of) this.setState({ broken: false });
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return this.props.instead(() => this.setState({ broken: false }));
  }
}
