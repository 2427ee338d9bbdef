import { renderHook } from "@testing-library/react";
import { DraftsProvider, draftKey, useDraft } from "./drafts";

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
