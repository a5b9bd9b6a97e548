// Results in memory: datasets as arrays, texts, files.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <sstream>

#include "arrays.h"
#include "module.h"
#include "torsor/page/report.h"
#include "torsor/result/json_ledger.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_table.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace torsor::python {
namespace {

nb::bytes bytes(const std::string& text) { return nb::bytes(text.data(), text.size()); }

const ResultDataset& dataset(const ResultTable& table, const std::string& path) {
  const ResultDataset* found = table.find(path);
  if (!found) throw nb::key_error(path.c_str());
  return *found;
}

/// Runs what calls HDF5.
template <class Call>
auto with_hdf5(const Call& call) {
  nb::gil_scoped_release release;
  const std::lock_guard lock(hdf5_mutex());
  return call();
}

}  // namespace

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

void bind_result(nb::module_& module) {
  nb::class_<ResultTable>(module, "ResultTable", "Datasets of a run and the texts beside them.")
      .def("__len__", [](const ResultTable& t) { return t.rows; })
      .def("paths",
           [](const ResultTable& t) {
             std::vector<std::string> all;
             for (const ResultDataset& d : t.datasets) all.push_back(d.path);
             return all;
           })
      .def("unit", [](const ResultTable& t, const std::string& path) { return dataset(t, path).unit; })
      .def("components",
           [](const ResultTable& t, const std::string& path) { return dataset(t, path).components; })
      .def("integral",
           [](const ResultTable& t, const std::string& path) { return dataset(t, path).integral; })
      .def(
          "array",
          [](nb::handle_t<ResultTable> self, const std::string& path) {
            const ResultTable& table = nb::cast<const ResultTable&>(self);
            const ResultDataset& d = dataset(table, path);
            const npy_intp shape[] = {npy_intp(table.rows), npy_intp(d.width())};
            return view_of(d.values.data(), d.width() == 1 ? 1 : 2, shape, self);
          },
          "path"_a, nb::sig("def array(self, path: str) -> numpy.typing.NDArray[numpy.float64]"),
          "A view of a dataset; it keeps the table alive.")
      .def_prop_ro("model", [](const ResultTable& t) { return bytes(t.model); })
      .def_prop_ro("scene", [](const ResultTable& t) { return bytes(t.scene); })
      .def_prop_ro("settings", [](const ResultTable& t) { return bytes(t.settings); })
      .def_prop_ro("version", [](const ResultTable& t) { return t.version; })
      .def_prop_ro("ledger", [](const ResultTable& t) { return bytes(t.ledger); })
      .def("extrema",
           [](const ResultTable& t) {
             std::vector<std::tuple<std::string, std::string, double, double, double, double>> all;
             for (const Extremum& e : extrema_of(t)) {
               all.emplace_back(e.name, e.unit, e.least, e.least_time, e.greatest, e.greatest_time);
             }
             return all;
           })
      .def(
          "part",
          [](const ResultTable& t, const std::vector<std::string>& record, int every) {
            if (every < 1) throw ModelError("every", "1 or more", std::to_string(every));
            return part_of(t, record, every, "record");
          },
          "record"_a, "every"_a)
      .def(
          "write",
          [](const ResultTable& t, const std::string& path, bool units, const std::vector<std::string>& read,
             bool force) {
            with_hdf5([&] {
              require_replaceable(path, "file", read, force);
              write_result(t, path, "file", units);
            });
          },
          "path"_a, "units"_a, "read"_a, "force"_a);
  module.def("read_result",
             [](const std::string& path) { return with_hdf5([&] { return read_result(path); }); });
  module.def(
      "make_table",
      [](const std::vector<std::tuple<std::string, std::string, std::vector<std::string>, bool>>& columns,
         const nb::list& arrays, std::size_t rows, const std::vector<nb::bytes>& texts) {
        ResultTable table;
        table.rows = rows;
        if (texts.size() != 5 || nb::len(arrays) != columns.size()) throw nb::value_error("texts or arrays");
        std::string* const places[] = {&table.model, &table.scene, &table.settings, &table.version,
                                       &table.ledger};
        for (int i = 0; i < 5; ++i) places[i]->assign(texts[i].c_str(), texts[i].size());
        for (std::size_t i = 0; i < columns.size(); ++i) {
          const auto& [path, unit, components, integral] = columns[i];
          const nb::object array = nb::steal(
              require(PyArray_FROMANY(nb::object(arrays[i]).ptr(), NPY_DOUBLE, 1, 2, NPY_ARRAY_CARRAY_RO)));
          auto* numbers = reinterpret_cast<PyArrayObject*>(array.ptr());
          if (std::size_t(PyArray_SIZE(numbers)) != rows * components.size()) throw nb::value_error("sizes");
          const auto* data = static_cast<const double*>(PyArray_DATA(numbers));
          table.datasets.push_back({path, unit, components, integral, {data, data + PyArray_SIZE(numbers)}});
        }
        return table;
      },
      nb::sig("def make_table(columns: typing.Any, arrays: typing.Any, rows: int, texts: typing.Any) -> "
              "ResultTable"),
      "The inverse of what pickle takes apart.");
  module.def("ledger_text", [](const nb::bytes& json) {
    std::ostringstream out;
    out << parse_ledger(std::string(json.c_str(), json.size()));
    return nb::bytes(out.str().data(), out.str().size());
  });
  module.def(
      "write_report",
      [](const std::vector<std::string>& results, const std::string& path, std::optional<int> every,
         const std::vector<std::string>& read, bool force) {
        with_hdf5([&] {
          require_replaceable(path, "file", results, force);
          require_replaceable(path, "file", read, force);
          write_report({results, every}, path, "file");
        });
      },
      "results"_a, "path"_a, "every"_a.none(), "read"_a, "force"_a);
}

}  // namespace torsor::python
