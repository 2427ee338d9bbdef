import type { ImportReport, InjectedFault, ReportMessage } from "../bindings";

function plain(level: string, message: string): ReportMessage {
	return { level, message, service: null };
}

function failed(service: string, message: string, machines: string[]): ReportMessage {
	return {
		level: "WARNING",
		message: `The service ${service} could not be started.`,
		service: {
			service,
			state: "FAILED",
			message,
			machines: machines.map((machine) => ({
				machine,
				state: "FAILED",
				reports: [
					{ state: "FAILED", message },
					{ state: "STOPPED", message: "The service process ended during start-up." },
				],
			})),
		},
	};
}

/** Report with status `success`, although two services did not start. A simulated fault stops one more. */
export function importReport(fault: InjectedFault | null = null): ImportReport {
	const stopped = fault === "serviceWillNotStart" ? ["Geocoder.GeocodeServer"] : [];
	return {
		safetyBackup: null,
		proof: null,
		reactivated: null,
		status: "success",
		counts: { errors: 0, failedServices: 2 + stopped.length, warnings: 1, notes: 4 },
		sources: [
			{
				source: "SITE",
				messages: [
					plain("INFO", "The configuration store was replaced."),
					plain("INFO", "Security configuration was imported."),
					plain("WARNING", "Web adaptors must be registered again."),
					plain("INFO", "3 server directories were found."),
				],
			},
			{
				source: "SERVICES",
				messages: [
					failed("Parcels/Zoning.MapServer", "The data path \\\\nas\\gis\\parcels.gdb is not reachable.", [
						"GIS-SRV-1.EXAMPLE.ORG",
						"GIS-SRV-2.EXAMPLE.ORG",
					]),
					failed("Water/Mains.FeatureServer", "The database /enterpriseDatabases/water refused the sign-in.", [
						"GIS-SRV-1.EXAMPLE.ORG",
					]),
					...stopped.map((service) => failed(service, "The service did not start.", ["GIS-SRV-1.EXAMPLE.ORG"])),
					plain("INFO", "10 services were started."),
				],
			},
		],
	};
}
