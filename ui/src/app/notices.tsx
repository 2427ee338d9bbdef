import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";
import classes from "./app.module.css";

/** Container of notifications. Notifications shown before it is loaded are queued. */
export function Notices() {
	return <Notifications position="top-right" className={classes.notices ?? ""} />;
}
