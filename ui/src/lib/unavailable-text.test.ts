import { i18n, languages, speak } from "@/messages/i18n";
import { unavailableAdvice, unavailableText } from "./use-read-only";

afterEach(() => speak("en"));

test.each(languages)("a hosted organization has a reason and an advice of its own in %s", async (language) => {
	await speak(language);
	const t = i18n.getFixedT(language, "common");
	const said = (deploymentType: "kubernetes" | "online" | "standaloneServer") => {
		const obstacle = { kind: "notOnSite" as const, deploymentType };
		return [unavailableText(t, obstacle), unavailableAdvice(t, obstacle)];
	};
	for (const words of said("online")) expect(words).not.toMatch(/Kubernetes|obstacle\./);
	for (const words of said("standaloneServer")) expect(words).not.toMatch(/Kubernetes|obstacle\./);
	for (const words of said("kubernetes")) expect(words).toMatch(/Kubernetes/);
});
