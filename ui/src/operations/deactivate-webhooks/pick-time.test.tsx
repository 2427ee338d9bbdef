import { screen } from "@testing-library/react";
import { axeFindings, renderWith } from "@/test/render";
import PickTime from "./pick-time";

const usual = new Date(2036, 10, 20, 14, 5).getTime();

it.each([
	["en-US", "Nov 20, 2036, 2:05 PM", "02", "PM"],
	["en-GB", "20 Nov 2036, 14:05", "14", null],
])(
	"where the system wants %s, the clock of a reminder has the hours of its field",
	async (wanted, field, hour, half) => {
		vi.spyOn(navigator, "languages", "get").mockReturnValue([wanted]);
		const { user } = renderWith(
			<PickTime service="a" usual={usual} busy={false} onCancel={() => undefined} onPick={() => undefined} />,
		);
		await user.click(await screen.findByText(field));
		expect(await screen.findByLabelText("Hours")).toHaveValue(hour);
		expect(screen.getByLabelText("Minutes")).toHaveValue("05");
		const shown = screen.queryByLabelText<HTMLSelectElement>("AM or PM");
		expect(shown?.value ?? null).toBe(half);
		expect(await axeFindings()).toEqual([]);
	},
);
