# SPDX-License-Identifier: Apache-2.0
"""Stiction from Python: ctypes bindings that build themselves from the library's describe().

    import stiction
    lib = stiction.load()
    with stiction.Scene(lib) as scene:
        sheet = scene.add_cloth("sheet", positions, triangles)
        floor = scene.add_collider("floor", "plane")
        floor["friction"] = 0.4
        scene.advance_to_frame(24)
        print(sheet.array("position"), scene.statistics.residual)

Only the way to the rows is written down here: stn_row, stn_manifest and the head of stn_api.
Structs, constants and entries come from the rows, so a library with more needs no new module.

Numbers go in from anything with the buffer protocol (numpy arrays, array.array, memoryview) or from
nested sequences. float32, float64, int32 and uint32 are handed over as they lie, strided or not;
all else is copied first. They come out as numpy arrays, or as memoryviews where numpy is missing.

CPython 3.7 or later. Calls release the GIL; one scene takes one call at a time (Error, busy).
"""

import array as arrays
import contextlib
import ctypes
import json
import numbers
import operator
import os
import re
import sys
import types
import weakref
from collections import namedtuple

try:
    import numpy
except ImportError:
    numpy = None

ABI_VERSION = 1
SHOT = "stiction.shot/1", "stn_ext_shot"  # the extension's name and its table
Row = namedtuple("Row", "kind owner name type offset size")


class Error(Exception):
    """A call that failed: its status, the status' name, and the library's text."""

    def __init__(self, status, name, text):
        super().__init__("%s: %s" % (name, text))
        self.status, self.name, self.text = status, name, text


# ---- the way to the rows -------------------------------------------------------------------------

class _Row(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_char_p), ("owner", ctypes.c_char_p), ("name", ctypes.c_char_p),
                ("type", ctypes.c_char_p), ("offset", ctypes.c_int64), ("size", ctypes.c_uint64)]


class _Manifest(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("version", ctypes.c_uint32),
                ("rows", ctypes.POINTER(_Row)), ("count", ctypes.c_uint64)]


class _ApiHead(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("version", ctypes.c_uint32),
                ("describe", ctypes.CFUNCTYPE(ctypes.POINTER(_Manifest)))]


def _plain(value):
    """What ctypes gives, as Python has it: texts and tuples."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return tuple(value) if isinstance(value, ctypes.Array) else value


def _read_rows(api_address):
    manifest = _ApiHead.from_address(api_address).describe().contents
    return [Row(*(_plain(getattr(manifest.rows[i], name)) for name in Row._fields))
            for i in range(manifest.count)]


# ---- from rows to ctypes -------------------------------------------------------------------------

_SCALARS = {
    "void": None, "char": ctypes.c_char, "float": ctypes.c_float, "double": ctypes.c_double,
    "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32, "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64, "stn_status": ctypes.c_int32, "stn_id": ctypes.c_uint64,
}
_FUNCTION = re.compile(r"([^(]+?) ?(?:\(\*\) ?)?\(([^()]*)\)")


class _Types(dict):
    """C types by name. A type that the rows do not tell of is opaque, to be pointed at only."""

    def __init__(self, rows):
        super().__init__(_SCALARS)
        structs = [row for row in rows if row.kind == "struct"]
        self.update((row.name, type(row.name, (ctypes.Structure,), {})) for row in structs)
        self.update((row.name, self.parse(row.type)) for row in rows if row.kind == "callback")
        for struct in structs:
            self._lay_out(struct, [row for row in rows if row.owner == struct.name])

    def parse(self, text):
        """The ctypes type of a C type: "const stn_view *", "double[3]", "void (double)"."""
        text = text.strip()
        function = _FUNCTION.fullmatch(text)
        if function:
            arguments = [] if function[2] in ("", "void") else function[2].split(",")
            return ctypes.CFUNCTYPE(self.parse(function[1]), *map(self.parse, arguments))
        if text.endswith("]"):
            item, count = text[:-1].split("[")
            return self.parse(item) * int(count)
        if text == "const char *":
            return ctypes.c_char_p
        target = text[:-1].replace("const ", "").strip() if text.endswith("*") else None
        if target in ("void", "char") or target and target.isidentifier() and target not in self:
            return ctypes.c_void_p
        if target:
            return ctypes.POINTER(self.parse(target))
        if text not in self:
            raise ImportError("the library describes a type that is not known here: '%s'" % text)
        return self[text]

    def _lay_out(self, struct, rows):
        cls = self[struct.name]
        cls._fields_ = [(row.name, self.parse(row.type)) for row in rows]
        for row in rows:
            field = getattr(cls, row.name)
            if (field.offset, field.size) != (row.offset, row.size):
                raise ImportError("%s.%s is described at %d with %d bytes, but is at %d with %d" % (
                    struct.name, row.name, row.offset, row.size, field.offset, field.size))
        if ctypes.sizeof(cls) != struct.size:
            raise ImportError("%s is described with %d bytes, but has %d"
                              % (struct.name, struct.size, ctypes.sizeof(cls)))


class Library:
    """A loaded library. It has the header's constants and structs under their own names
    (lib.STN_KIND_CLOTH, lib.stn_view), the entries in `api` (lib.api.step), `rows` as described,
    and the tables of `parameters` and `arrays` as lists of dicts."""

    def __init__(self, path):
        get_api = ctypes.CDLL(path).stn_get_api
        get_api.argtypes, get_api.restype = [ctypes.c_uint32], ctypes.c_void_p
        address = get_api(ABI_VERSION)
        if not address:
            raise ImportError("%s does not have version %d of the ABI" % (path, ABI_VERSION))
        self.path, self.rows = path, _read_rows(address)
        self._types, self._records = _Types(self.rows), {}
        for row in self.rows:
            if row.kind == "const":
                setattr(self, row.name, row.offset)
            elif row.kind == "struct":
                setattr(self, row.name, self._types[row.name])
        self.api = self._bind("stn_api", address)
        self.version = _plain(self.api.library_version())
        self.parameters = self._table("parameter", self.stn_parameter_info)
        self.arrays = self._table("array", self.stn_array_info)

    def _bind(self, table, address):
        struct = self._types[table].from_address(address)
        return types.SimpleNamespace(**{row.name: getattr(struct, row.name) for row in self.rows
                                        if (row.kind, row.owner) == ("entry", table)})

    def extension(self, name, table):
        """The entries of an extension: lib.extension("stiction.shot/1", "stn_ext_shot")."""
        address = self.api.get_extension(name.encode())
        if not address:
            raise ImportError("%s does not have the extension '%s'" % (self.path, name))
        return self._bind(table, address)

    def make(self, struct, **members):
        """A struct with its struct_size, ready for a call."""
        return struct(struct_size=ctypes.sizeof(struct), **members)

    def record(self, value):
        """A struct that the library filled, as a namedtuple without struct_size and reserved."""
        cls = type(value)
        if cls not in self._records:
            names = [name for name, _ in cls._fields_ if name not in ("struct_size", "reserved")]
            self._records[cls] = namedtuple(cls.__name__, names)
        names = self._records[cls]._fields
        return self._records[cls](*(_plain(getattr(value, name)) for name in names))

    def error(self, status, text):
        return Error(status, _plain(self.api.status_name(status)), _plain(text))

    def check(self, status, last_error=None):
        """For entries without a scene: the status, or an Error with this thread's text."""
        if status < 0:
            raise self.error(status, (last_error or self.api.last_error)(None))
        return status

    def _table(self, what, struct):
        count, info = getattr(self.api, what + "_count"), getattr(self.api, what + "_info")
        rows = [self.make(struct) for _ in range(count())]
        for i, row in enumerate(rows):
            self.check(info(i, row))
        return [dict(self.record(row)._asdict()) for row in rows]


def load(path=None):
    """Loads the library: from `path`, else from $STICTION_LIBRARY, else from beside this module,
    else from a build folder of the source tree that this module lies in."""
    names = {"win32": "stiction.dll", "darwin": "libstiction.dylib"}
    name = names.get(sys.platform, "libstiction.so")
    here = os.path.dirname(os.path.abspath(__file__))
    build = os.path.join(os.path.dirname(os.path.dirname(here)), "build")
    places = [here] + [os.path.join(build, b, "plugin_abi") for b in ("release", "gcc", "clang")]
    path = path or os.environ.get("STICTION_LIBRARY") or next(
        filter(os.path.exists, (os.path.join(place, name) for place in places)), None)
    if not path:
        raise ImportError("there is no %s in any of: %s" % (name, ", ".join(places)))
    return Library(os.path.abspath(path))


# ---- arguments: what ctypes would take in silence, cut or wrap -----------------------------------

def _c_text(data):
    if b"\0" in data:
        raise ValueError("a text for the library must not have a zero byte: %r" % data)
    return data


def _name(name):
    """For an entry that takes a name; None is NULL."""
    if not isinstance(name, (str, type(None))):
        raise TypeError("a name must be a str, not %s" % type(name).__name__)
    return name if name is None else _c_text(name.encode())


def _path(path):
    return path if path is None else _c_text(os.fsencode(path))


def _threads(count):
    if not 0 <= operator.index(count) < 2**32:
        raise ValueError("threads is %d, expected 0 (one per core) or more, within 32 bits" % count)
    return count


def _check_numbers(values):
    if isinstance(values, (str, bytes, bytearray)):
        raise TypeError("numbers are needed, not %s" % type(values).__name__)


def _tuple(what, values, *counts):
    """One of so many numbers; without counts any."""
    _check_numbers(values)
    values = (values,) if isinstance(values, numbers.Real) else tuple(values)
    if counts and len(values) not in counts:
        raise ValueError("%s has %d numbers, expected %s"
                         % (what, len(values), " or ".join(map(str, counts))))
    return values


# ---- numbers in and out --------------------------------------------------------------------------

class _PyBuffer(ctypes.Structure):
    """CPython's Py_buffer: where an object's numbers lie."""
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                ("format", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
                ("strides", ctypes.POINTER(ctypes.c_ssize_t)), ("suboffsets", ctypes.c_void_p),
                ("internal", ctypes.c_void_p)]


_get_buffer = ctypes.pythonapi.PyObject_GetBuffer
_get_buffer.argtypes = [ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int]
_release_buffer = ctypes.pythonapi.PyBuffer_Release
_release_buffer.argtypes, _release_buffer.restype = [ctypes.POINTER(_PyBuffer)], None
_READ, _WRITE = 0x1C, 0x1D  # PyBUF_RECORDS_RO, PyBUF_RECORDS: strides and format

_NATIVE = "@=<" if sys.byteorder == "little" else "@=>"
_FORMATS = {"f4": "STN_FORMAT_F32", "d8": "STN_FORMAT_F64", "i4": "STN_FORMAT_I32",
            "l4": "STN_FORMAT_I32", "I4": "STN_FORMAT_U32", "L4": "STN_FORMAT_U32"}


def _describe_buffer(buffer, components):
    """Members of the view of a buffer, or None if a view cannot say it."""
    code = (buffer.format or b"B").decode().lstrip(_NATIVE)
    form = _FORMATS.get("%s%d" % (code, buffer.itemsize))
    if not form or buffer.ndim not in (1, 2):
        return None
    count, stride, width, inner = buffer.shape[0], buffer.strides[0], 1, buffer.itemsize
    if buffer.ndim == 2:
        width, inner = buffer.shape[1], buffer.strides[1]
    elif components and components > 1 and count % components == 0:  # rows laid end to end
        count, stride, width, inner = count // components, stride * components, components, stride
    if width > 1 and inner != buffer.itemsize or count > 1 and stride == 0:
        return None
    return dict(format=form, data=buffer.buf, count=count, components=width, stride=stride)


def _copy(values, reals):
    """Any numbers as an array that a view can be of. Nothing is rounded or wrapped."""
    values = [values] if isinstance(values, numbers.Real) else values
    if numpy is None:
        return _copy_plain(values, reals)
    source = numpy.asarray(values)
    if reals or source.dtype.kind not in "iu":
        return numpy.array(source, numpy.float64, order="C")
    result = source.astype(numpy.uint32 if source.max(initial=0) >= 2**31 else numpy.int32, "C")
    if (result != source).any():
        raise OverflowError("an index does not fit into 32 bits")
    return result


def _copy_plain(values, reals):
    values = values.tolist() if hasattr(values, "tolist") else list(values)
    nested = bool(values) and hasattr(values[0], "__len__")
    flat = [number for row in values for number in row] if nested else values
    if nested and any(len(row) != len(values[0]) for row in values):
        raise ValueError("the rows have different lengths")
    code = "d" if reals else "i" if max(flat, default=0) < 2**31 else "I"
    view = memoryview(arrays.array(code, flat))
    return view.cast("B").cast(code, [len(values), len(values[0])]) if nested and flat else view


def _zeros(count, components, reals):
    shape = [count, components] if components > 1 else [count]
    if numpy is not None:
        return numpy.zeros(shape, numpy.float64 if reals else numpy.int32)
    code = "d" if reals else "i"
    view = memoryview(arrays.array(code, [0]) * (count * components))
    return view.cast("B").cast(code, shape) if count else view


@contextlib.contextmanager
def _view(lib, values, components=None, reals=True, out=False):
    """A pointer to an stn_view of `values` (an stn_mut_view if `out`), NULL for None."""
    if values is None:
        yield None
        return
    if not out:
        _check_numbers(values)
    buffer = _PyBuffer()
    try:
        with contextlib.suppress(*(() if out else (TypeError, BufferError, ValueError))):
            _get_buffer(memoryview(values), buffer, _WRITE if out else _READ)
        view = _describe_buffer(buffer, components) if buffer.obj else None
        if out and not view:
            raise TypeError("rows of float32, float64, int32 or uint32 are needed to write into")
        are_integers = view and view["format"].endswith(("I32", "U32"))
        if not view or are_integers and reals and not out:
            _release_buffer(buffer)
            _get_buffer(memoryview(_copy(values, reals)), buffer, _READ)
            view = _describe_buffer(buffer, components)
        if not view:
            raise ValueError("rows of numbers are needed, not %d dimensions" % buffer.ndim)
        view["format"] = getattr(lib, view["format"])
        yield ctypes.pointer(lib.make(lib.stn_mut_view if out else lib.stn_view, **view))
    finally:
        _release_buffer(buffer)


# ---- scenes and objects --------------------------------------------------------------------------

def _host(lib, log, progress, raised):
    """An stn_host with Python callbacks, or None. What they raise is kept in `raised` until the
    call is over; a progress that raised cancels it."""
    def guarded(function, answer):
        def callback(_user, number, text):
            try:
                return answer(function(number, _plain(text)))
            except BaseException as exception:  # it cannot pass through the library
                raised.append(exception)
                return answer(True)
        return callback

    prototypes, callbacks = dict(lib.stn_host._fields_), {}
    for name, function, answer in (("log", log, lambda _: None), ("progress", progress, bool)):
        if function is None:
            continue
        if not callable(function):
            raise TypeError("%s must be callable, not %s" % (name, type(function).__name__))
        callbacks[name] = prototypes[name](guarded(function, answer))
    return lib.make(lib.stn_host, **callbacks) if callbacks else None


def _field(lib, function, raised):
    """An stn_field that calls a Python function. What it raises is kept in `raised` until the call is
    over; its forces are NaN, so that the step is not taken."""
    prototype = dict(lib.stn_force_desc._fields_)["field"]
    if function is None:
        return prototype()  # NULL
    if not callable(function):
        raise TypeError("field must be callable, not %s" % type(function).__name__)

    def rows(pointer, count):
        block = ctypes.cast(pointer, ctypes.POINTER(ctypes.c_double * 3 * count)).contents
        return numpy.ctypeslib.as_array(block) if numpy is not None else block

    def callback(_user, seconds, count, positions, velocities, forces):
        forces = rows(forces, count)
        try:
            function(seconds, rows(positions, count), rows(velocities, count), forces)
        except BaseException as exception:  # it cannot pass through the library
            raised.append(exception)
            forces[0][0] = float("nan")

    return prototype(callback)


class _Handle:
    """Something that the library made and that is to be given back: a scene or a shot."""

    _owner = None  # a shot's scene goes with the shot

    def _adopt(self, lib, table, handle, raised, destroy=None, host=None):
        self.lib, self._table, self._handle, self._raised = lib, table, handle, raised
        self._kept = []  # callbacks that the library may call
        # The host goes along, so that its callbacks live as long as what calls them.
        self._destroy = destroy and weakref.finalize(self, lambda h, _: destroy(h), handle, host)

    def _live(self):
        if not self._handle or self._owner and not self._owner._handle:
            raise self.lib.error(self.lib.STN_ERROR_INVALID_ARGUMENT,
                                 "the %s is closed" % type(self).__name__.lower())
        return self._handle

    def _call(self, entry, *arguments):
        status = getattr(self._table, entry)(self._live(), *arguments)
        if self._raised and status != self.lib.STN_ERROR_BUSY:  # busy: it is another call's
            exception = self._raised[0]
            del self._raised[:]
            raise exception
        if status < 0:
            raise self.lib.error(status, self._table.last_error(self._handle))
        return status

    def _read(self, struct, entry, *arguments):
        value = self.lib.make(struct)
        self._call(entry, *arguments, ctypes.byref(value))
        return self.lib.record(value)

    def _number(self, entry, *arguments):
        value = ctypes.c_uint64()
        self._call(entry, *arguments, ctypes.byref(value))
        return value.value

    def close(self):
        """Gives it back. Calls after that are errors; closing again is not."""
        if self._handle and self._destroy:
            _, destroy, (handle, host), _ = self._destroy.peek()
            status = destroy(handle, host)
            if status < 0:
                raise self.lib.error(status, self._table.last_error(handle))
            self._destroy.detach()
        self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class _Parameters:
    """owner["name"] reads and writes parameters: numbers, or tuples of three."""

    def __getitem__(self, name):
        rows = self._scene.lib.parameters
        count = next((row["components"] for row in rows if row["name"] == name), 1)
        values = (ctypes.c_double * count)()
        self._scene._call("parameter_get", self.id, _name(name), values, count)
        return values[0] if count == 1 else tuple(values)

    def __setitem__(self, name, value):
        value = _tuple(name, value)
        values = (ctypes.c_double * len(value))(*value)
        self._scene._call("parameter_set", self.id, _name(name), values, len(values))


class Scene(_Handle, _Parameters):
    """A scene; its own parameters are scene["gravity"] and so on.

    log(level, text) and progress(fraction, stage) are called on the thread that calls the scene;
    progress cancels by returning something true. What they raise comes out of the call."""

    id = 0  # STN_SCENE_ID
    _scene = property(lambda self: self)

    def __init__(self, lib, threads=0, start_frame=1.0, log=None, progress=None):
        raised, handle = [], ctypes.c_void_p()
        host = _host(lib, log, progress, raised)
        desc = lib.make(lib.stn_scene_desc, threads=_threads(threads), start_frame=start_frame,
                        host=host and ctypes.pointer(host))
        lib.check(lib.api.scene_create(desc, handle))
        self._adopt(lib, lib.api, handle.value, raised, lib.api.scene_destroy, host)

    def add_cloth(self, name, positions, triangles=None, velocities=None, masses=None,
                  rest_positions=None):
        """Positions, velocities and rest positions are rows of 3; masses one number per vertex."""
        with contextlib.ExitStack() as stack:
            def view(values, components, reals=True):
                return stack.enter_context(_view(self.lib, values, components, reals))
            desc = self.lib.make(
                self.lib.stn_cloth_desc, name=_name(name), positions=view(positions, 3),
                triangles=view(triangles, 3, False), velocities=view(velocities, 3),
                masses=view(masses, 1), rest_positions=view(rest_positions, 3))
            return Object(self, self._number("cloth_create", desc))

    def add_hair(self, name, points, strand_sizes, rest_points=None, root_rotations=None,
                 surface=None, root_triangles=None, root_barycentrics=None, guides=None):
        """Points are rows of 3, strand by strand, root first; surface is the collider under them."""
        with contextlib.ExitStack() as stack:
            def view(values, components, reals=True):
                return stack.enter_context(_view(self.lib, values, components, reals))
            desc = self.lib.make(
                self.lib.stn_hair_desc, name=_name(name), points=view(points, 3),
                strand_sizes=view(strand_sizes, 1, False), rest_points=view(rest_points, 3),
                root_rotations=view(root_rotations, 4), surface=surface.id if surface else 0,
                root_triangles=view(root_triangles, 1, False),
                root_barycentrics=view(root_barycentrics, 3), guides=view(guides, 1, False))
            return Object(self, self._number("hair_create", desc))

    def add_collider(self, name, shape, size=(), position=(0, 0, 0), rotation=(1, 0, 0, 0),
                     positions=None, triangles=None):
        """shape: "plane", "sphere", ... or STN_SHAPE_...; size: a number or up to three."""
        shape = self._constant("shape", shape)
        size, pose = _tuple("size", size, 0, 1, 2, 3), self._pose(position, rotation)
        with _view(self.lib, positions, 3) as points, _view(self.lib, triangles, 3, False) as faces:
            desc = self.lib.make(
                self.lib.stn_collider_desc, name=_name(name), shape=shape, size=size,
                pose=ctypes.pointer(pose), positions=points, triangles=faces)
            return Object(self, self._number("collider_create", desc))

    def add_force(self, name, type, position=(0, 0, 0), rotation=(1, 0, 0, 0), field=None,
                  function=None, signature=None, per="mass"):
        """type: "wind", "turbulence", "vortex", "point" or "custom". A custom force has a field, to be
        called with seconds, positions, velocities and forces (rows of 3; it writes the forces), or
        the address and the signature of a compiled function. per: "mass" or "drag"."""
        pose = self._pose(position, rotation)
        callback = _field(self.lib, field, self._raised)
        (self._owner or self)._kept.append((callback, function))
        desc = self.lib.make(
            self.lib.stn_force_desc, name=_name(name), type=self._constant("force", type),
            pose=ctypes.pointer(pose), field=callback, per=self._constant("field_per", per),
            function=function and ctypes.cast(function, ctypes.c_void_p), signature=_name(signature))
        return Object(self, self._number("force_create", desc))

    def _constant(self, what, name):
        """The value of STN_SHAPE_BOX from ("shape", "box"); numbers stay as they are."""
        if not isinstance(name, str):
            return name
        prefix = "STN_%s_" % what.upper()
        values = {row.name[len(prefix):].lower(): row.offset for row in self.lib.rows
                  if row.kind == "const" and row.name.startswith(prefix)}
        if name not in values:
            raise ValueError("there is no %s '%s'; %ss are %s"
                             % (what, name, what, ", ".join(values)))
        return values[name]

    def _pose(self, position, rotation):
        return self.lib.make(self.lib.stn_pose, position=_tuple("position", position, 3),
                             rotation=_tuple("rotation", rotation, 4))

    def objects(self):
        """All objects in the order of creation."""
        ids = (ctypes.c_uint64 * self._number("object_list", None, 0))()
        self._number("object_list", ids, len(ids))
        return [Object(self, i) for i in ids]

    def find(self, name):
        return Object(self, self._number("object_find", _name(name)))

    def step(self, dt):
        """One step of dt seconds; 0, STN_NOT_CONVERGED or STN_CANCELLED."""
        return self._call("step", dt)

    def advance_to_frame(self, frame):
        """Whole substeps up to the frame; 0, STN_NOT_CONVERGED or STN_CANCELLED."""
        return self._call("advance_to_frame", frame)

    def cancel(self):
        """Stops a step or advance call that is running; from any thread."""
        self.lib.check(self.lib.api.cancel(self._live()))

    @property
    def time(self):
        """frame, seconds, steps"""
        return self._read(self.lib.stn_time, "time_get")

    @property
    def statistics(self):
        """Of the last step or advance call; the members of stn_statistics."""
        return self._read(self.lib.stn_statistics, "statistics_get")

    def save_state(self):
        block = ctypes.create_string_buffer(self._number("state_size"))
        size = self._number("state_save", block, len(block))
        return block.raw[:size]

    def load_state(self, state):
        self._call("state_load", bytes(state), len(state))

    def hash(self):
        return self._number("state_hash")


class Object(_Parameters):
    """A cloth, a collider, ... in a scene; its parameters are object["friction"] and so on."""

    def __init__(self, scene, object_id):
        self._scene, self.id = scene, object_id

    def __eq__(self, other):
        return isinstance(other, Object) and (self._scene, self.id) == (other._scene, other.id)

    def __hash__(self):
        return hash(self.id)

    @property
    def info(self):
        """kind, name, nodes, triangles, shape, size, ..."""
        return self._scene._read(self._scene.lib.stn_object_info, "object_info", self.id)

    @property
    def name(self):
        return self.info.name

    def destroy(self):
        self._scene._call("object_destroy", self.id)

    def _components(self, name):
        return self._array_row(name).get("components", 1)

    def _array_row(self, name):
        """The array's row of the table; empty for a name that the library will refuse."""
        return next((row for row in self._scene.lib.arrays if row["name"] == name), {})

    def array(self, name, out=None):
        """An array as it is now: a new one, or written into `out`, a buffer of the right shape."""
        if out is None:
            lib, row, info = self._scene.lib, self._array_row(name), self.info
            counts = {lib.STN_ELEMENT_TRIANGLE: info.triangles, lib.STN_ELEMENT_STRAND: info.strands}
            is_real = not row.get("flags", 0) & lib.STN_ARRAY_INTEGER
            out = _zeros(counts.get(row.get("element"), info.nodes), self._components(name), is_real)
        with _view(self._scene.lib, out, self._components(name), out=True) as view:
            self._scene._call("array_get", self.id, _name(name), view)
        return out

    def set_array(self, name, values):
        with _view(self._scene.lib, values, self._components(name)) as view:
            self._scene._call("array_set", self.id, _name(name), view)

    def set_array_at(self, name, indices, values):
        """Writes the elements `indices`: one value for all, or one for each."""
        with _view(self._scene.lib, indices, 1, reals=False) as at, \
                _view(self._scene.lib, values, self._components(name)) as view:
            self._scene._call("array_set_at", self.id, _name(name), at, view)

    def set_pose(self, position, rotation=(1, 0, 0, 0), jump=False):
        """Where the object will be at the end of the next call; rotation is w, x, y, z."""
        pose, flag = self._scene._pose(position, rotation), self._scene.lib.STN_POSE_JUMP
        self._scene._call("pose_set", self.id, pose, flag if jump else 0)

    def set_matrix(self, matrix, jump=False):
        """The same from a 4x4 matrix: four rows (numpy, Blender) or 16 numbers by column (Maya)."""
        lib = self._scene.lib
        if len(matrix) == 4:
            columns = zip(*(_tuple("a row of the matrix", row, 4) for row in matrix))
            matrix = [number for column in columns for number in column]
        pose, by_column = lib.make(lib.stn_pose), _tuple("matrix", matrix, 16)
        lib.check(lib.api.pose_from_matrix((ctypes.c_float * 16)(*by_column), pose))
        self.set_pose(pose.position, pose.rotation, jump)

    def pose(self):
        """position and rotation (w, x, y, z)"""
        return self._scene._read(self._scene.lib.stn_pose, "pose_get", self.id)


# ---- scene files ---------------------------------------------------------------------------------

class Shot(_Handle):
    """A scene file that runs from its first frame to its last, with output files.

        with stiction.Shot(lib, "scenes/default.json") as shot:
            shot.begin()
            while shot.info.frame < shot.info.last_frame:
                shot.next_frame()
    """

    def __init__(self, lib, scene_path, output_folder=None, threads=0, resume=False, output=True,
                 log=None, progress=None):
        table, raised, handle = lib.extension(*SHOT), [], ctypes.c_void_p()
        host = _host(lib, log, progress, raised)
        flags = (lib.STN_SHOT_RESUME if resume else 0) | (0 if output else lib.STN_SHOT_NO_OUTPUT)
        desc = lib.make(lib.stn_shot_desc, threads=_threads(threads), scene_path=_path(scene_path),
                        output_folder=_path(output_folder),
                        host=host and ctypes.pointer(host), flags=flags)
        lib.check(table.open(desc, handle), table.last_error)
        self._adopt(lib, table, handle.value, raised, table.close, host)

    @property
    def scene(self):
        """The shot's scene, to look at between frames; it goes with the shot."""
        scene = Scene.__new__(Scene)
        scene._adopt(self.lib, self.lib.api, self._table.scene(self._live()), self._raised)
        scene._owner = self
        return scene

    @property
    def info(self):
        """title, first_frame, last_frame, frame, files, ..."""
        return self._read(self.lib.stn_shot_info, "info")

    def files(self):
        """Paths of the output files."""
        return [os.fsdecode(self._table.file_path(self._handle, i)) for i in range(self.info.files)]

    def begin(self):
        return self._call("begin")

    def next_frame(self):
        """0, STN_NOT_CONVERGED, or STN_CANCELLED: then the next call finishes the frame."""
        return self._call("next_frame")

    def checkpoint(self):
        return self._call("checkpoint")


def file_info(lib, path):
    """What a file is, as a dict: scene files, checkpoints, PC2 and OBJ files."""
    table, size = lib.extension(*SHOT), 4096
    while True:
        text = ctypes.create_string_buffer(size)
        status = table.file_info(_path(path), text, size)
        if status != lib.STN_ERROR_BUFFER_TOO_SMALL:
            lib.check(status, table.last_error)
            return json.loads(_plain(text.value))
        size *= 4
