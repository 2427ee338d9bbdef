import classes from "./named-button.module.css";

export const namedButton = { root: classes.root ?? "", label: classes.label ?? "" };
