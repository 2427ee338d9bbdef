import { Component, type ComponentType, type ErrorInfo, type ReactNode } from "react";
import type { Backend } from "@/bridge";
import type { Place } from "@/lib/navigation";

export interface FaultProps {
	/** What was thrown, in words. */
	words: string;
	/** Where among the parts of the window it happened. */
	where: string;
	onRetry: () => void;
}

interface ErrorBoundaryProps {
	/** Takes the place of what failed. */
	fallback: ComponentType<FaultProps>;
	/** Another one is tried anew. */
	place?: Place;
	/** The program that writes the fault to its log. */
	backend: Pick<Backend, "logWindowFault">;
	children: ReactNode;
}

interface State {
	words: string | null;
	where: string;
}

/** A fault in what it holds leaves everything around it in place. */
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

/** Writes a fault to the log of the program. A program that cannot says so nowhere: the window shows the fault. */
export function logFault(backend: Pick<Backend, "logWindowFault">, thrown: unknown, where: string): void {
	void backend.logWindowFault(inWords(thrown), where).catch(() => {});
}

function inWords(thrown: unknown): string {
	return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : (JSON.stringify(thrown) ?? "undefined");
}
