"""From a table of judged columns to a Reading: which column is what, labels or features, faults with their places."""

from __future__ import annotations

from dataclasses import replace

from ..errors import InputError
from .choices import BESIDE, FEATURE, ID, LABEL, MISSING_TEXTS, OUT, REST, TRUTH, Choices, check_choices
from .column import Column
from .findings import DATA_ROLE, FoundColumn, Offer
from .guess import orientation
from .guess.assignment import Assignment, assigned
from .reading import Reading
from .remarks import remarks
from .table import HEAD, Table
from .values import beside, classes, first_gap, labels, measurements, numbers_for_missing
from .wording import listed, shown

_KINDS = {"labels": "These are base labels", "features": "These are features"}


def understood(table: Table, choices: Choices, alone: bool = True) -> Reading:
    """What the table is taken for; a Reading with a fault where it cannot be used as it stands.

    Not `alone`: it is to be joined to another table, so that it need not hold base labels or features itself.
    """
    try:
        check_choices(choices, table.file)
        if choices.transposed and not table.oriented:  # truth and kind are asked of the turned table
            table = orientation.turned(table, choices, "Objects stand in columns: as chosen.")
        found = assigned(table, choices, alone)
        if not table.oriented:
            data = found.columns(LABEL, FEATURE)
            swap, because = orientation.orientation(table, found.kind, data, found.one(TRUTH) is not None, choices)
            if swap:
                table = orientation.turned(table, choices, because)
                found = assigned(table, choices, alone)
            else:
                table = replace(table, because=(*table.because, because))
    except InputError as trouble:
        return unread(table, choices, trouble)
    return _Sorted(table, choices, found, alone).reading()


def unread(table: Table | None, choices: Choices, trouble: InputError, file: str = "") -> Reading:
    """What is known of a file that cannot be understood: its columns, with the roles that were chosen for them."""
    if table is not None:
        seen = [(column.name, _head(column)) for column in table.columns]
        return _unread(table.file, table.form, seen, table.parts, choices, trouble)
    seen, parts = getattr(trouble, "seen", ()), getattr(trouble, "parts", ())
    return _unread(file, "", seen, parts, choices, trouble)


def _unread(file, form, seen, parts, choices, trouble) -> Reading:
    columns = tuple(
        FoundColumn(name, choices.role_of(name) or "", "The file could not be read so far.", head=tuple(head))
        for name, head in seen
    )
    return Reading(file, form, columns=columns, parts=tuple(parts), choices=choices, fault=str(trouble))


def _head(column: Column) -> tuple[str, ...]:
    return tuple(column.cell(i) for i in range(min(HEAD, len(column))))


class _Sorted:
    """A table whose columns have their roles; what is left is to take their values."""

    def __init__(self, table: Table, choices: Choices, found: Assignment, alone: bool):
        self.table, self.choices, self.found, self.alone = table, choices, found, alone
        self.kind = "labels" if found.columns(LABEL) else "features" if found.columns(FEATURE) else found.kind

    def reading(self) -> Reading:
        found, table = self.found, self.table
        ids, truth = found.one(ID), found.one(TRUTH)
        reading = Reading(
            table.file,
            table.form,
            kind=self.kind,
            n=table.n,
            columns=tuple(self._described(column) for column in table.columns),
            because=(f"{_KINDS[found.kind]}: {found.why}.", *table.because, *self._roles()),
            notes=(*table.notes, *found.notes),
            suspicions=tuple(found.suspicions),
            parts=table.parts,
            choices=self._used(),
        )
        asked = orientation.doubt(table, found.kind, found.columns(FEATURE), ids, self.choices)
        if asked is not None and self.alone:
            reading = replace(reading, suspicions=(asked, *reading.suspicions))
        try:
            self._refuse_too_little()
            return replace(reading, **self._values(ids, truth))
        except InputError as trouble:
            return replace(reading, fault=str(trouble), remedies=getattr(trouble, "remedies", ()))

    def _described(self, column: Column) -> FoundColumn:
        given = self.found.roles[column.name]
        return FoundColumn(column.name, given.role, given.why, column.sort, given.chosen, _head(column))

    def _values(self, ids: Column | None, truth: Column | None) -> dict:
        table, found = self.table, self.found
        absent = numbers_for_missing(table, self.choices)
        label_columns = {c.name: self._mended(c, labels, table, c, absent) for c in found.columns(LABEL)}
        measured = found.columns(FEATURE)
        feature_columns = {c.name: self._mended(c, measurements, table, c) for c in measured}
        gap, where = first_gap(table, measured)
        data = label_columns or feature_columns
        return {
            "label_columns": label_columns,
            "feature_columns": feature_columns,
            "covariates": {c.name: beside(c) for c in found.columns(BESIDE)},
            "truth": None if truth is None else self._mended(truth, classes, table, truth),
            "truth_name": truth.name if truth is not None else None,
            "ids": ids.names() if ids is not None else None,
            "id_name": ids.name if ids is not None else None,
            "gap": gap,
            "remedies": self._remedies(where) if gap else (),
            "notes": (
                *table.notes,
                *found.notes,
                *remarks(data, self.kind, table.n, ids, complete=self.kind == "features" and not gap),
            ),
        }

    def _mended(self, column: Column, make, *arguments):
        """What is made of a column; a fault in it comes with what may be done about the column."""
        try:
            return make(*arguments)
        except InputError as trouble:
            trouble.remedies = self._remedies(column.name)
            raise

    def _remedies(self, name: str) -> tuple[Offer, ...]:
        also = [column.name for column in self.found.columns(FEATURE) if column.sort == "text" and column.name != name]
        named = listed([name, *also], 3)
        return tuple(
            Offer(f"{what} {named}{after}", {"roles": dict.fromkeys([name, *also], role)})
            for what, after, role in (("Keep", " beside, unused", BESIDE), ("Leave", " out", OUT))
        )

    def _refuse_too_little(self) -> None:
        table, data = self.table, self.found.columns(LABEL, FEATURE)
        if table.n == 0:
            raise table.fault(
                "there is a header but no row of data" if table.has_header else "there is no row of data",
                "add the rows, or check that the whole table was saved",
            )
        if self.alone and not data:
            raise table.fault(
                "no column of data is left besides ids and truth", "add columns, or choose ids and truth anew"
            )
        if table.n < 2:
            raise table.fault("there is only one object", "give a table with at least two")
        if not self.alone:
            return
        other = ", or choose another separator" if table.is_text else ""
        if len(data) == 1 and self.kind == "labels":
            raise table.fault(
                f"there is only one column of labels, {shown(data[0].name)}",
                f"give at least two base clusterings{other}",
            )
        if len(table.columns) == 1 and self.choices.kind is None:
            raise table.fault(
                f"there is only one column, {shown(data[0].name)}",
                ("choose another separator, or " if table.is_text else "")
                + "choose features if one feature is all there is",
            )

    def _roles(self):
        """Sentences about ids and truth, and about columns that are neither them nor data."""
        for role, called in ((ID, "ids"), (TRUTH, "truth")):
            column = self.found.one(role)
            if column is not None:
                given = self.found.roles[column.name]
                yield f"Column {shown(column.name)} is taken as {called}: {given.why[:1].lower()}{given.why[1:]}"
            elif any(REST == name for name, _ in self.choices.roles):
                yield f"No column is taken as {called}: as chosen."
            elif not (self.table.turn is not None and role == ID):
                yield f"No column is taken as {called}: none is called so or stands out as one."
        for role, what in ((BESIDE, "kept beside"), (OUT, "left out")):
            names = [column.name for column in self.found.columns(role)]
            if names:
                one = len(names) == 1
                yield f"{'Column' if one else 'Columns'} {listed(names)} {'is' if one else 'are'} {what}."

    def _used(self) -> Choices:
        rest = DATA_ROLE[self.kind]
        others = tuple((name, given.role) for name, given in self.found.roles.items() if given.role != rest)
        order = {name: place for place, name in enumerate(self.table.names)}
        return replace(
            self.table.used,
            kind=self.kind,
            transposed=self.table.turn is not None,
            roles=(*sorted(others, key=lambda pair: order[pair[0]]), (REST, rest)),
            missing=self.choices.missing if self.choices.missing is not None else MISSING_TEXTS,
        )
