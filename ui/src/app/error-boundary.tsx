import { Component, type ComponentType, type ErrorInfo, type ReactNode } from "react";
import type { Backend } from "@/bridge";
import type { Place } from "@/lib/navigation";

export interface FaultProps {
	/** Message of the error. */
	words: string;
	/** Component stack. */
	where: string;
	onRetry: () => void;
}

interface ErrorBoundaryProps {
	fallback: ComponentType<FaultProps>;
	/** Place that is shown. After an error, a visit to another place renders the content again. */
	place?: Place;
	/** Writes errors to the log. */
	backend: Pick<Backend, "logWindowFault">;
	children: ReactNode;
}

interface State {
	words: string | null;
	where: string;
}

/** Contains an error in its content, so that the rest of the window stays. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
	override state: State = { words: null, where: "" };

	static getDerivedStateFromError(thrown: unknown): State {
		return { words: inWords(thrown), where: "" };
	}

	override componentDidCatch(thrown: unknown, { componentStack }: ErrorInfo): void {
		const where = componentStack?.trim() ?? "";
		this.setState({ where });
		logFault(this.props.backend, thrown, where);
	}

	override componentDidUpdate({ place }: ErrorBoundaryProps): void {
		if (place !== this.props.place && this.state.words !== null) this.setState({ words: null });
	}

	override render() {
		const { words, where } = this.state;
		const { fallback: Fault, children } = this.props;
		if (words === null) return children;
		return <Fault words={words} where={where} onRetry={() => this.setState({ words: null })} />;
	}
}

/** Writes an error to the log. If that fails, the error is still shown in the window. */
export function logFault(backend: Pick<Backend, "logWindowFault">, thrown: unknown, where: string): void {
	void backend.logWindowFault(inWords(thrown), where).catch(() => {});
}

function inWords(thrown: unknown): string {
	return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : (JSON.stringify(thrown) ?? "undefined");
}
