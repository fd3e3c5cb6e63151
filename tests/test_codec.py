"""What is kept comes back to the bit, and bytes made by anybody else do nothing at all."""

from __future__ import annotations

import ast
import dataclasses
import io
import json
import math
import pickle
import zlib
from pathlib import Path

import label_tables
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from consensus_core import METHODS, Ensemble, History, iterate
from consensus_core.data import Data, Generation, Origin, build
from consensus_core.keep import arrays as arrays_room
from consensus_core.keep import codec
from consensus_core.keep.codec import Damaged, Unkeepable, decode, encode
from consensus_core.keep.data_file import as_bytes as data_as_bytes
from consensus_core.keep.data_file import from_bytes as data_from_bytes
from consensus_core.keep.run_file import as_bytes as run_as_bytes
from consensus_core.keep.run_file import from_bytes as run_from_bytes
from consensus_core.keep.structure import COMPRESSED
from consensus_core.keep.types import data_types, name_of, run_types
from consensus_core.live.moment import moment
from consensus_core.method import Step

ROOT = Path(__file__).resolve().parents[1]
TYPES = run_types(METHODS["spce"])
ENSEMBLE = label_tables.ensemble_of(n=40)


def same(a, b) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        layout = a.flags.f_contiguous == b.flags.f_contiguous or a.ndim < 2
        if a.dtype == object:
            return a.shape == b.shape and all(map(same, a.ravel().tolist(), b.ravel().tolist()))
        return layout and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(map(same, a.values(), b.values()))
    if isinstance(a, float):
        return a.hex() == b.hex() or (math.isnan(a) and math.isnan(b))
    return a == b


NUMBERS = st.floats() | st.integers(-(2**100), 2**100) | st.booleans() | st.none()
ARRAYS = st.sampled_from(
    [
        np.arange(6.0).reshape(2, 3),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.arange(300, dtype=np.int64),
        np.array([], dtype=np.float32),
        np.array(7, dtype=np.int16),
        np.array([True, False]),
        np.array([1 + 2j]),
        np.array([-1, 2**63 - 1]),
        np.array([0, 2**64 - 1], dtype=np.uint64),
        np.array(["ä", "", "a\0b", "\U0001f600"]),
        np.array(["one", None, 3, 2.5, math.nan, True, "\ud800"], dtype=object),
        np.array([["a", "b"], ["c", "d"]], dtype=object),
        np.array(["2026-11-18", "NaT"], dtype="datetime64[D]"),
        np.arange(20.0)[::3],
        np.zeros((0, 4)),
    ]
)
LEAVES = NUMBERS | st.text() | ARRAYS | st.sampled_from([np.float64(0.1), np.int32(3), np.bool_(True), math.nan])
VALUES = st.recursive(
    LEAVES,
    lambda inside: (
        st.lists(inside, max_size=9)
        | st.tuples(inside, inside)
        | st.dictionaries(st.text(max_size=3) | st.integers(0, 9), inside, max_size=5)
        | st.lists(st.fixed_dictionaries({"a": inside, "b": st.floats()}), min_size=4, max_size=6)
        | st.lists(st.floats(), min_size=4)
        | st.lists(st.integers(-(2**70), 2**70), min_size=4)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_what_is_written_is_read(value):
    assert same(decode(encode(value, TYPES), TYPES), value)


@pytest.mark.parametrize("kind", COMPRESSED)
def test_compressed_matrices(kind):
    value = getattr(scipy.sparse, kind)(np.eye(4)[:, [1, 0, 2, 3]])
    again = decode(encode(value, TYPES), TYPES)
    assert type(again) is type(value) and (again.toarray() == value.toarray()).all()


def test_arrays_come_back_read_only_and_equal_ones_share_memory():
    one = np.arange(1000.0)
    steps = decode(encode([one, one.copy(), one + 1], TYPES), TYPES)
    assert steps[0] is steps[1] and not any(array.flags.writeable for array in steps)
    assert len(encode([one] * 50, TYPES)) < 1.1 * len(encode([one], TYPES))


class Stranger:
    pass


@pytest.mark.parametrize(
    "value",
    [
        Stranger(),
        {1, 2},
        b"bytes",
        1 << 300,
        np.array([Stranger()], dtype=object),
        np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]),
        np.ma.masked_array([1, 2], [True, False]),
        open,
        Stranger,
        Step,
        slice(3),
    ],
    ids=lambda value: type(value).__name__,  # not its text: that of an object names its place in memory
)
def test_nothing_else_is_written(value):
    with pytest.raises(Unkeepable):
        encode({"inside": [value]}, TYPES)


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def test_depth_has_an_end():
    with pytest.raises(Unkeepable, match="deep"):
        encode(nested(1000), TYPES)
    with pytest.raises(Damaged):
        decode(crafted(nested(30_000)), TYPES)


# --- the classes that are let in ------------------------------------------------------------------------------------


def test_the_classes_let_in_are_these():
    """Found by looking at states, steps and moments. A new line here is a class that anybody who can write into the
    store may have built: it must do nothing when it is."""
    found = {cls for method in METHODS.values() for cls in run_types(method).values()} | set(data_types().values())
    named = {name_of(cls) for cls in found}
    of_methods = {name_of(method.State) for method in METHODS.values()}
    assert of_methods <= named
    assert named - of_methods == {
        "data.origin.Data",
        "data.origin.Generation",
        "data.origin.Joined",
        "data.origin.Origin",
        "ensemble.ensemble.Ensemble",
        "ensemble.order.Order",
        "ensemble.shortlist.ShortList",
        "linalg.blocks.BlockInverse",
        "linalg.envelope.Envelope",
        "linalg.hypergraph.Path",
        "linalg.paired.PairSet",
        "linalg.paired.Paired",
        "linalg.pool.Room",
        "live.moment.Moment",
        "method.loop.Step",
        "method.method.State",
        "partition.dendrogram.Dendrogram",
        "reading.choices.Choices",
    }
    for cls in found:
        assert isinstance(cls, type) and cls.__module__.startswith("consensus_core.")
        if dataclasses.is_dataclass(cls):
            assert all(field.init for field in dataclasses.fields(cls)), cls


# what this program says to processes it has started itself, through pipes that nobody else holds; nothing of a disk
PIPES = {"sweep/crew.py", "sweep/inside.py", "ensemble/files/hands.py"}


def test_nobody_unpickles():
    """No module of the program knows a way to turn bytes into code, but those that speak with processes of its own."""
    for name in PIPES:
        text = (ROOT / "consensus_core" / name).read_text(encoding="utf-8")
        assert not any(way in text for way in (".load(", "read_bytes", 'open("')), f"{name} reads files"
    for file in [*ROOT.glob("consensus_core/**/*.py"), *ROOT.glob("pages/**/*.py"), ROOT / "app.py"]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            roots = {name.split(".")[0] for name in names}
            if any(file == ROOT / "consensus_core" / name for name in PIPES):
                continue
            assert not roots & {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}, file
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert isinstance(node.value, ast.Constant) and node.value.value is False, file


def spce():
    method = METHODS["spce"](k=3)
    history, moments = History(method, ENSEMBLE), []
    for step in iterate(method, ENSEMBLE):
        history.record(step)
        moments.append(moment(method, ENSEMBLE, step))
    return method, history, moments


@pytest.fixture(scope="module")
def step():
    return dataclasses.replace(spce()[1].last, run=None)  # as it is kept


def described(value) -> dict:
    """The structure of a value, to be changed by hand."""
    content = encode(value, TYPES)
    start = codec.HEADER
    short = int.from_bytes(content[start - 16 : start - 8], "little")
    return json.loads(zlib.decompress(content[start : start + short])), content[start + short :]


def crafted(value, table=(), body=b"", sizes=None) -> bytes:
    """A file that is right in form, whoever made it."""
    if isinstance(value, list) and not isinstance(value, str) and table == () and body == b"":
        text = ('{"value":' + deep_json(value) + ',"arrays":[]}').encode()
    else:
        text = json.dumps({"value": value, "arrays": list(table)}).encode()
    small = zlib.compress(text, 1)
    short, long = sizes or (len(small), len(text))
    rest = short.to_bytes(8, "little") + long.to_bytes(8, "little") + small + body
    return codec.MARK + codec._digest(rest) + rest


def deep_json(value) -> str:
    """json.dumps without its own limit of depth."""
    depth, inside = 0, value
    while isinstance(inside, list) and len(inside) == 1 and isinstance(inside[0], list):
        depth, inside = depth + 1, inside[0]
    return "[" * depth + json.dumps(inside) + "]" * depth


def test_an_older_form_is_not_taken_for_todays(step):
    (head, body) = described(step)
    assert decode(crafted(head["value"], head["arrays"], body), TYPES).iteration == step.iteration
    for change in (
        lambda fields: fields.pop("alpha"),
        lambda fields: fields.update(beta=3),
        lambda fields: fields.update(lam="much"),
        lambda fields: fields.update(links=None),
        lambda fields: fields.update(settled=1.5),
        lambda fields: fields.update(Y=["t", 1, 2]),
    ):
        head, body = described(step)
        change(head["value"][2]["state"][2])
        with pytest.raises(Damaged, match=r"fields|another type"):
            decode(crafted(head["value"], head["arrays"], body), TYPES)


@pytest.mark.parametrize(
    "name",
    [
        "os.system",
        "builtins.eval",
        "method.cost.os.system",
        "numpy.testing._private.utils.runstring",
        "consensus_core.method.loop.Step.__init__",
        "methods.eac.EACState",
        "",
        None,
        3,
        ["n"],
    ],
)
def test_a_name_in_the_bytes_is_looked_up_and_never_imported(name):
    for said in (["o", name, {"a": 1}], ["n", name], ["O", 3, name, {"a": ["l", 1, 2, 3]}]):
        with pytest.raises(Damaged):
            decode(crafted(said), TYPES)


# --- what attackers sent to the reader of pickles that stood here ---------------------------------------------------


def global_call(module: str, name: str, argument: str) -> bytes:
    """Protocol 4 resolves dotted names, so a trusted module's imports were trusted: module.name(argument) ran."""

    def short(text):
        return b"\x8c" + bytes([len(text)]) + text.encode()

    return b"\x80\x04" + short(module) + short(name) + b"\x93(" + short(argument) + b"tR."


ESCAPES = [
    ("consensus_core.method.cost", "os.system", "touch {}"),
    ("numpy._core._methods", "os.system", "touch {}"),
    ("consensus_core.data.exports", "platform.os.system", "touch {}"),
    ("numpy.f2py.capi_maps", "os.system", "touch {}"),
    ("numpy.testing._private.utils", "runstring", "open('{}','w')"),
    ("numpy", "testing._private.utils.runstring", "open('{}','w')"),
    ("consensus_core.live.moment", "np.testing._private.utils.runstring", "open('{}','w')"),
]


@pytest.mark.parametrize("escape", ESCAPES, ids=lambda escape: f"{escape[0]}.{escape[1]}")
def test_none_of_the_known_escapes_runs(escape, tmp_path):
    """All seven ran a command with the reader of pickles; one inside a live server, put in a kept run's place."""
    marker = tmp_path / "ran"
    bytes_ = global_call(escape[0], escape[1], escape[2].format(marker))
    for content in (bytes_, zlib.compress(bytes_), crafted(["f", bytes_.hex()])):
        with pytest.raises(Damaged):
            decode(content, TYPES)
        assert run_from_bytes(content, METHODS["spce"](k=3), ENSEMBLE) is None
        assert data_from_bytes(content) is None
    assert not marker.exists()


class Malice:
    def __reduce__(self):
        return exec, ("raise SystemExit('ran')",)


def test_a_pickle_is_damage():
    content = pickle.dumps(Malice())
    for one in (content, zlib.compress(content)):
        assert run_from_bytes(one, METHODS["spce"](k=3), ENSEMBLE) is None and data_from_bytes(one) is None
    with_objects = io.BytesIO()
    np.save(with_objects, np.array([Malice()], dtype=object), allow_pickle=True)
    assert data_from_bytes(with_objects.getvalue()) is None


# --- lies about size ------------------------------------------------------------------------------------------------


def zeros(count: int) -> bytes:
    """`count` million bytes, packed a thousandfold."""
    packing = zlib.compressobj(9)
    return b"".join(packing.compress(bytes(1 << 20)) for _ in range(count)) + packing.flush()


def array(shape, at=0, size=None, body=b"", kind="<f8", stored=None, small=True, order="C"):
    return [kind, shape, order, stored or kind, at, len(body) if size is None else size, small]


BOMB = zeros(600)
LIES = {
    "bomb that says how large it is": crafted(["a", 0], [array([600 << 17], body=BOMB)], BOMB),
    "bomb that says it is small": crafted(["a", 0], [array([4], body=BOMB)], BOMB),
    "structure that unfolds": crafted(1, sizes=(20, 1 << 40)),
    "structure larger than the file": crafted(1, sizes=(1 << 40, 20)),
    "many references to one array": crafted(["l", *[["F", 0]] * 5000], [array([1 << 17], body=(one := zeros(1)))], one),
    "texts of a width without end": crafted(
        ["u", [1000], 1 << 22, 0, 1],
        [array([0], kind="|u1", small=False), array([1000], kind="<i8", body=(z := zlib.compress(bytes(8000))))],
        z,
    ),
    "array beyond the end": crafted(["a", 0], [array([8], at=10, size=64, small=False)], b"short"),
    "array that is not as large as it says": crafted(["a", 0], [array([1000], size=5, small=False)], b"12345"),
    "negative shape": crafted(["a", 0], [array([-1], body=b"", small=False)]),
    "shape of fractions": crafted(["a", 0], [array([1.5], body=b"", small=False)]),
    "objects": crafted(["a", 0], [array([1], kind="|O", size=8, small=False)], bytes(8)),
    "records": crafted(["a", 0], [array([1], kind="V8", size=8, small=False)], bytes(8)),
    "narrower than stored": crafted(["a", 0], [array([1], kind="|i1", stored="<i8", size=8, small=False)], bytes(8)),
    "number that is none": crafted(["x", 7]),
    "last of all": crafted(["a", -1], [array([1], size=8, small=False)], bytes(8)),
    "a truth value that is neither": crafted(["a", 0], [array([1], kind="|b1", size=1, small=False)], b"\x07"),
    "list of a billion nothings": crafted(["D", 10**9, ["l"], []]),
    "columns of different lengths": crafted(["D", 2, ["l", "a", "b"], [["l", 1], ["l", 1, 2]]]),
    "unhashable key": crafted(["d", ["l", ["l", 1]], ["l", 1]]),
    "no JSON": codec.MARK + codec._digest(r := bytes([4, *[0] * 7, 4, *[0] * 7]) + b"junk") + r,
    "another mark": crafted(["pickle", "x"]),
    "a dict of JSON": crafted({"o": 1}),
    "empty": b"",
    "the mark alone": codec.MARK,
}


@pytest.mark.parametrize("lie", LIES)
def test_lies_are_damage_and_take_no_memory(lie, monkeypatch):
    """A bomb of 600 kB unfolds to 600 MB; what is taken stays within what so small a file may honestly hold."""
    unfolded = []
    inflate = arrays_room.inflated
    monkeypatch.setattr(arrays_room, "inflated", lambda data, size: unfolded.append(size) or inflate(data, size))
    with pytest.raises(Damaged):
        decode(LIES[lie], TYPES)
    assert sum(unfolded) <= max(codec.GENEROUS, codec.RATIO * len(LIES[lie]))


def test_what_is_all_zeros_is_no_bomb():
    """Honest values may be as empty as a bomb: they are then left unpacked, and still come back."""
    value = np.zeros(12 << 20)
    content = encode(value, TYPES)
    assert same(decode(content, TYPES), value)
    with pytest.raises(Damaged):
        decode(content, TYPES, most=1 << 20)


@pytest.mark.parametrize(
    "parts",
    [
        (np.ones(2), np.array([0, 1 << 20]), np.array([0, 1, 2])),
        (np.ones(2), np.array([0, -1]), np.array([0, 1, 2])),
        (np.ones(2), np.array([0, 1]), np.array([0, 9, 2])),
        (np.ones(2), np.array([0.0, 1.0]), np.array([0, 1, 2])),
    ],
)
def test_compiled_code_gets_no_indices_that_lead_astray(parts):
    arrays = arrays_room.Arrays()
    numbers = [arrays.add(np.ascontiguousarray(part)) for part in parts]
    body = b"".join(map(bytes, arrays.content(200, 1 << 20)))
    with pytest.raises(Damaged):
        decode(crafted(["s", "csr_array", [2, 2], *numbers], arrays.table, body), TYPES)


def test_flipped_bits_and_lost_ends_are_noticed():
    method, history, moments = spce()
    content = run_as_bytes(history, moments)
    assert run_from_bytes(content, method, ENSEMBLE)
    rng = np.random.default_rng(0)
    for _ in range(60):
        at = int(rng.integers(len(content)))
        flipped = bytearray(content)
        flipped[at] ^= 1 << int(rng.integers(8))
        assert run_from_bytes(bytes(flipped), method, ENSEMBLE) is None
        assert run_from_bytes(content[:at], method, ENSEMBLE) is None


# --- data -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    [Origin(sample="missing"), Origin(sample="iris"), Origin(sample="iris", generation=Generation(m=3, options=()))],
    ids=str,
)
def test_data_come_back(origin):
    data = build(origin)
    again = data_from_bytes(data_as_bytes(data))
    assert again.origin == data.origin and again.ensemble == data.ensemble and again.title == data.title
    assert same(again.features, data.features) and same(again.ids, data.ids)


def test_texts_as_ids_labels_and_truth():
    ids = np.array(["obj \U0001f9ea", "=1+1", "ä\u202e", ""], dtype=object)
    truth = np.array(["a", None, 3.5, "b"], dtype=object)
    ensemble = Ensemble.from_labels([["x", 1], ["x", 2], [None, 2], ["y", 2]], names=["a|b", "`c`"], truth=truth)
    data = Data(Origin(file="t.csv"), "t.csv", ensemble, ids, None, ())
    again = data_from_bytes(data_as_bytes(data))
    assert again.ids.tolist() == ids.tolist() and again.ensemble == ensemble
    assert again.ensemble.fingerprint == ensemble.fingerprint


@pytest.mark.parametrize(
    "wrong",
    [
        {"counts": np.array([1, 1])},
        {"counts": np.array([0, 1, 3])},
        {"member_of": np.array([0, 1, 9, 2], dtype=np.int32)},
        {"member_of": np.array([0, 1, 1, 1], dtype=np.int32)},
        {"rows": np.array([[0, -7], [0, 1], [1, 1]], dtype=np.int32)},
        {"names": ("one",)},
    ],
    ids=str,
)
def test_data_that_do_not_fit_together_are_read_anew(wrong):
    ensemble = Ensemble.from_labels([[0, 1], [0, 2], [1, 2], [1, 2]])
    parts = {name: getattr(ensemble, name) for name in ("rows", "counts", "member_of", "names")}
    data = Data(Origin(file="t.csv"), "t.csv", Ensemble(**{**parts, **wrong}), None, None, ())
    assert data_from_bytes(data_as_bytes(data)) is None
    assert data_from_bytes(data_as_bytes(dataclasses.replace(data, ensemble=ensemble))) is not None
