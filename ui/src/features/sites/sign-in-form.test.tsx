import { screen, waitFor } from "@testing-library/react";
import { vi } from "vitest";
import type { CertificateView, Problem } from "@/bridge";
import { memoryBackend } from "@/bridge/memory";
import { axeFindings, renderWith, signedInSite } from "@/test/render";
import { SignInForm } from "./sign-in-form";

const certificate: CertificateView = {
	server: "gis.example.org",
	origin: "https://gis.example.org",
	subject: "CN=gis.example.org",
	issuer: "CN=City CA",
	names: ["gis.example.org"],
	notBefore: "2026-01-01T00:00:00Z",
	notAfter: "2027-01-01T00:00:00Z",
	fingerprint: "AB:CD",
	chain: [],
	reason: { kind: "unknownIssuer" },
	also: [],
	acceptedBefore: null,
};

test("a refused certificate is described, and trusting it is for its address and goes on with what was typed", async () => {
	const { site } = signedInSite();
	const problem: Problem = { kind: "certificate", site: site.id, certificate };
	const fail: { signIn?: Problem } = { signIn: problem };
	const backend = memoryBackend({ world: { sites: [site] }, fail });
	const { user } = renderWith(<SignInForm site={site} />, backend);
	await user.type(screen.getByLabelText("Password"), "secret");
	await user.click(screen.getByRole("button", { name: "Sign in" }));

	expect(await screen.findByText(/Nobody this computer trusts issued it/)).toBeVisible();
	expect(screen.getByText(/SHA-256 AB:CD/)).toBeVisible();
	expect(await axeFindings()).toEqual([]);
	delete fail.signIn;
	await user.click(screen.getByRole("button", { name: "Trust this certificate" }));

	await waitFor(async () => expect(await backend.session(site.id)).not.toBeNull());
	const [saved] = await backend.listSites();
	expect(saved?.connection.pins).toEqual([{ origin: "https://gis.example.org", fingerprint: "AB:CD" }]);
});

test("a withdrawn certificate cannot be trusted", async () => {
	const { site } = signedInSite();
	const revoked: Problem = {
		kind: "certificate",
		site: site.id,
		certificate: { ...certificate, reason: { kind: "revoked" } },
	};
	const { user } = renderWith(<SignInForm site={site} />, { world: { sites: [site] }, fail: { signIn: revoked } });
	await user.type(screen.getByLabelText("Password"), "secret");
	await user.click(screen.getByRole("button", { name: "Sign in" }));

	expect(await screen.findByText(/withdrawn it/)).toBeVisible();
	expect(screen.queryByRole("button", { name: "Trust this certificate" })).toBeNull();
});

test("the browser is offered where the portal knows this program", async () => {
	const { site } = signedInSite();
	const done = vi.fn();
	const { user } = renderWith(<SignInForm site={{ ...site, clientId: "sitesteward" }} onDone={done} />, {
		world: { sites: [site] },
	});

	await user.click(screen.getByRole("button", { name: "Sign in through the browser" }));

	await waitFor(() => expect(done).toHaveBeenCalled());
});
