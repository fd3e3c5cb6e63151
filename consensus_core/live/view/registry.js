// Which card draws which kind of quantity. A card's file registers it; nothing else need be told.

const makers = new Map();

// `make(view, part, picture)` gives the card of one picture of a run.
export const register = (name, maker) => makers.set(name, maker);
export const cardFor = (view, part, picture) => makers.get(picture.card)?.(view, part, picture) || null;
export const registered = () => [...makers.keys()];
