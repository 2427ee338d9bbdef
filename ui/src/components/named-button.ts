import classes from "./named-button.module.css";

/** Classes of a button that names what it acts on. */
export const namedButton = { root: classes.root ?? "", label: classes.label ?? "" };
