import { useSortable } from "@dnd-kit/sortable";
import { ActionIcon, Box } from "@mantine/core";
import { IconGripVertical } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { CardMenuProps } from "./card-menu";
import { SiteCard } from "./site-card";

/** A card with a grip; while it is dragged it stands above the others. */
export function SortableCard(props: CardMenuProps) {
	const { site } = props;
	const { t } = useTranslation("sites");
	const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
		id: site.id,
		attributes: { roleDescription: t("card.movable") },
	});
	// One alone goes nowhere.
	const grip =
		props.onUp || props.onDown ? (
			<ActionIcon
				ref={setActivatorNodeRef}
				{...attributes}
				{...listeners}
				variant="subtle"
				color="gray"
				size="lg"
				aria-label={t("card.grip", { site: site.name })}
				style={{ cursor: isDragging ? "grabbing" : "grab", touchAction: "none" }}
			>
				<IconGripVertical size={18} stroke={1.5} aria-hidden />
			</ActionIcon>
		) : null;
	return (
		<Box
			ref={setNodeRef}
			role="listitem"
			aria-label={site.name}
			pos="relative"
			style={{
				// Moved as a whole: cards of a row are of one height, and none is stretched to another's.
				...(transform ? { transform: `translate3d(${transform.x}px, ${transform.y}px, 0)` } : {}),
				...(transition ? { transition } : {}),
				...(isDragging ? { zIndex: 1 } : {}),
			}}
		>
			<SiteCard {...props} grip={grip} raised={isDragging} />
		</Box>
	);
}
