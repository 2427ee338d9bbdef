import { renderWith, signedInSite } from "@/test/render";
import { selectAll } from "./command-center";

beforeEach(() => document.addEventListener("keydown", selectAll));
afterEach(() => {
	document.removeEventListener("keydown", selectAll);
	document.getSelection()?.removeAllRanges();
});

function open() {
	const { world } = signedInSite();
	return renderWith(
		<main>
			<button type="button">Export</button>
			<p>Beside</p>
			<input aria-label="Folder" defaultValue="/srv/backup" />
			<table>
				<tbody>
					<tr>
						<td>Hydrants</td>
						<td>
							<button type="button">Details</button>
						</td>
					</tr>
				</tbody>
			</table>
			<pre>curl --url</pre>
		</main>,
		{ world },
	);
}

const selected = () => document.getSelection()?.toString().trim() ?? "";

test("on a button, or nowhere, nothing is selected", async () => {
	const { user, getByText } = open();
	await user.click(getByText("Export"));
	await user.keyboard("{Control>}a{/Control}");
	expect(selected()).toBe("");
});

test("in a field its own text is selected", async () => {
	const { user, getByLabelText } = open();
	const input = getByLabelText("Folder") as HTMLInputElement;
	await user.click(input);
	await user.keyboard("{Control>}a{/Control}x");
	expect(input).toHaveValue("x");
});

test("in a table, or a text that is meant to be copied, that one and nothing beside it", async () => {
	const { user, getByText } = open();
	await user.click(getByText("Details"));
	await user.keyboard("{Control>}a{/Control}");
	expect(selected()).toContain("Hydrants");
	expect(selected()).not.toContain("Beside");

	const command = getByText("curl --url");
	await user.click(command);
	document.getSelection()?.collapse(command.firstChild, 2);
	await user.keyboard("{Control>}a{/Control}");
	expect(selected()).toBe("curl --url");

	// The focus moved elsewhere after the text was selected.
	document.getSelection()?.collapse(command.firstChild, 2);
	getByText("Export").focus();
	await user.keyboard("{Control>}a{/Control}");
	expect(selected()).toBe("");
});
