import { readFileSync } from "node:fs";
import type { ReportMessage } from "@/bridge";
import { severityOf } from "./lines";

const cases: { severity: string; message: ReportMessage }[] = JSON.parse(
	readFileSync("../tests/fixtures/severities.json", "utf8"),
);

test.each(cases)(
	"a message is of severity $severity: $message.level, $message.service.state",
	({ severity, message }) => {
		expect(severityOf(message)).toBe(severity);
	},
);
