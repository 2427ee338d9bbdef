import type { ImportReportViewerProps } from "@/lib/operation-ui";
export function ImportReportViewer(_: ImportReportViewerProps) {
	return null;
}
