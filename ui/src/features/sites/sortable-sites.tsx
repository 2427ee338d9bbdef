import {
	type Announcements,
	closestCenter,
	DndContext,
	KeyboardSensor,
	PointerSensor,
	useSensor,
	useSensors,
} from "@dnd-kit/core";
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from "@dnd-kit/sortable";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SiteId, SiteView } from "@/bridge";
import { formatNumber } from "@/lib/format";

interface SortableSitesProps {
	/** In the order in which they stand. */
	sites: readonly SiteView[];
	/** Moves a site to the place of another. */
	onPlace: (site: SiteId, at: number) => void;
	children: ReactNode;
}

/** Cards that can be put elsewhere by their grips: with the pointer, or with space and the arrow keys. */
export function SortableSites({ sites, onPlace, children }: SortableSitesProps) {
	const { t } = useTranslation("sites");
	const sensors = useSensors(
		// A click is no drag.
		useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
		useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
	);
	const ids = sites.map(({ id }) => id);
	const nameOf = (id: unknown) => sites.find((site) => site.id === id)?.name ?? "";
	const at = (id: unknown) => ({ place: formatNumber(ids.indexOf(String(id)) + 1), total: formatNumber(ids.length) });
	const lifted: Announcements["onDragStart"] = ({ active }) =>
		t("card.lifted", { site: nameOf(active.id), ...at(active.id) });
	const announcements: Announcements = {
		onDragStart: lifted,
		// It is over its own place at first, and when it comes back.
		onDragOver: ({ active, over }) =>
			over === null || over.id === active.id
				? lifted({ active })
				: t("card.over", { site: nameOf(active.id), ...at(over.id) }),
		// Where it has come to is said once it is kept.
		onDragEnd: () => undefined,
		onDragCancel: ({ active }) => t("card.leftThere", { site: nameOf(active.id), ...at(active.id) }),
	};
	return (
		<DndContext
			sensors={sensors}
			collisionDetection={closestCenter}
			onDragEnd={({ active, over }) => {
				if (over && over.id !== active.id) onPlace(String(active.id), ids.indexOf(String(over.id)));
			}}
			accessibility={{ announcements, screenReaderInstructions: { draggable: t("card.how") } }}
		>
			<SortableContext items={ids} strategy={rectSortingStrategy}>
				{children}
			</SortableContext>
		</DndContext>
	);
}
