import { render, renderHook, screen } from "@testing-library/react";
import { DraftsProvider, draftKey, useDraft, useSessionState } from "./drafts";

test("two forms of the same site never share a draft, and neither do two sites of one form", () => {
	const [names, numbers] = [draftKey<string>(), draftKey<number>()];
	const { result } = renderHook(
		() => ({ city: useDraft(names("city")), harbor: useDraft(names("harbor")), count: useDraft(numbers("city")) }),
		{ wrapper: DraftsProvider },
	);
	result.current.city.keep("typed");
	expect(result.current.city.kept).toBe("typed");
	expect(result.current.harbor.kept).toBeNull();
	expect(result.current.count.kept).toBeNull();
	// @ts-expect-error: the key says what is kept
	result.current.count.keep("typed");
});

test("what arrives after a page was left is there when the user returns", () => {
	const key = draftKey<string>()("city");
	let take: (read: string) => void = () => {};
	function Page() {
		const [read, setRead] = useSessionState(key, "nothing");
		take = setRead;
		return <p>{read}</p>;
	}
	const { rerender } = render(<Page />, { wrapper: DraftsProvider });
	expect(screen.getByText("nothing")).toBeVisible();
	rerender(<p>elsewhere</p>);
	take("the file");
	rerender(<Page />);
	expect(screen.getByText("the file")).toBeVisible();
});
