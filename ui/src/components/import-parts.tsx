import { SimpleGrid, Text } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatTimeOfDay } from "@/lib/format";
import { useRecord } from "@/lib/queries/history";
import { dotted } from "@/messages/isolated";
import { fieldFirst, ReasonField, TypedConfirmation } from "./dialog";
import type { Done } from "./operation-screen";
import { Fact } from "./outcome";
import { Exact } from "./text";

interface ConfirmImportProps {
	/** Text to type; empty if no confirmation is required. */
	toType: string;
	/** Portal or server that is replaced. */
	target: string;
	/** Whether the change summary is shown, so that the user knows what is confirmed. */
	isReady: boolean;
	confirmation: string;
	getInputProps: (field: "confirmation" | "reason") => GetInputPropsReturnType;
}

/** Fields for the text that confirms an import, and for its reason. */
export function ConfirmImport({ toType, target, isReady, confirmation, getInputProps }: ConfirmImportProps) {
	const { t } = useTranslation("run", { keyPrefix: "confirmImport" });
	return (
		<SimpleGrid cols={{ base: 1, xs: 2 }}>
			{isReady && toType ? (
				<TypedConfirmation name={toType} replaces={target} {...getInputProps("confirmation")} value={confirmation} />
			) : (
				<Text>{t(isReady ? "noTyping" : "later")}</Text>
			)}
			<ReasonField inputWrapperOrder={fieldFirst} {...getInputProps("reason")} />
		</SimpleGrid>
	);
}

interface ImportFactsProps {
	done: Pick<Done<unknown, unknown>, "at" | "took" | "record">;
	/** Name or path of the file. */
	file: string;
	/** Further facts. */
	children?: ReactNode;
}

/** When and by whom an import was made, and its file. */
export function ImportFacts({ done: { at, took, record }, file, children }: ImportFactsProps) {
	const { t } = useTranslation("siteProof", { keyPrefix: "imported" });
	const entry = useRecord(record).data?.entry;
	const [from, to] = [formatDateTime(at - took), formatDateTime(at)];
	const span = from === to ? to : t("fromTo", { from, to: formatTimeOfDay(at) });
	return (
		<>
			<Fact name={t("title")}>
				<Exact at={at} words={dotted(span, entry?.username ?? "", entry?.reason ?? "")} />
			</Fact>
			<Fact name={t("file")}>{file}</Fact>
			{children}
		</>
	);
}
