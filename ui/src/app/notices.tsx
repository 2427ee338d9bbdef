import "@mantine/notifications/styles.layer.css";
import { Notifications } from "@mantine/notifications";
import classes from "./app.module.css";

/** Where short messages come up. One that is shown before this is there waits for it. */
export function Notices() {
	return <Notifications position="top-right" className={classes.notices ?? ""} />;
}
