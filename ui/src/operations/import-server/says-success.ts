/** Whether the status of an import report is a success; a report without one is taken by its messages. */
export function saysSuccess(status: string): boolean {
	return status === "" || /^\s*success/i.test(status);
}
