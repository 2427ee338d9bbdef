import { ColorSwatch } from "@mantine/core";
import type { SiteColor } from "@/bridge";
import { siteAccent } from "@/lib/site-color";

/** Color of a site. Always used beside its name. */
export function SiteDot({ color }: { color: SiteColor }) {
	return <ColorSwatch color={siteAccent(color)} size={12} withShadow={false} aria-hidden flex="none" />;
}
