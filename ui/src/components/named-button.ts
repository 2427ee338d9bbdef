import classes from "./named-button.module.css";

/** Styles of a button whose label names its target. */
export const namedButton = { root: classes.root ?? "", label: classes.label ?? "" };
