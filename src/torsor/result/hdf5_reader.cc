#include "torsor/result/hdf5_reader.h"

#include <algorithm>

#include "torsor/result/hdf5_file.h"
#include "torsor/result/journaled_file.h"

namespace torsor {
namespace {

/// Of a list with commas.
std::vector<std::string> parts(const std::string& list) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(", ", at), list.size());
    all.push_back(list.substr(at, end - at));
    at = end + 2;
  }
  return all;
}

Hdf5Numbers numbers_of(const Hdf5File& file, const std::string& dataset) {
  const Hdf5Object* object = file.find(dataset);
  if (!object) file.bytes().refuse(dataset, "a dataset of the result file", "none");
  return {file.bytes(), *object, dataset};
}

}  // namespace

Hdf5Reader::Hdf5Reader(const std::string& path, bool lenient) {
  finish_journal(path);
  file_ = std::make_unique<Hdf5File>(path, lenient ? MissingEnd::zeros : MissingEnd::refused);
}
Hdf5Reader::Hdf5Reader(Hdf5Reader&&) noexcept = default;
Hdf5Reader::~Hdf5Reader() = default;

int Hdf5Reader::rows(const std::string& dataset) const {
  return static_cast<int>(numbers_of(*file_, dataset).rows());
}
int Hdf5Reader::columns(const std::string& dataset) const {
  return static_cast<int>(numbers_of(*file_, dataset).columns());
}

Hdf5Reader::Table Hdf5Reader::table(const std::string& dataset) const {
  const Hdf5Numbers numbers = numbers_of(*file_, dataset);
  const Hdf5Object& object = *file_->find(dataset);
  numbers.charge(numbers.rows());
  Table table{static_cast<int>(numbers.rows()),
              static_cast<int>(numbers.columns()),
              std::vector<double>(numbers.rows() * numbers.columns()),
              file_->attribute_text(object, "unit"),
              parts(file_->attribute_text(object, "components")),
              object.type.kind != Hdf5Type::Kind::real};
  numbers.read(0, numbers.rows(), table.values.data());
  return table;
}

bool Hdf5Reader::has_text(const std::string& name) const {
  return file_->find("text/" + name) != nullptr || file_->root().attributes.contains(name);
}

std::string Hdf5Reader::text(const std::string& name) const {
  const std::string path = "text/" + name;
  return file_->find(path) ? file_->dataset_text(path) : file_->attribute_text(file_->root(), name);
}

std::vector<std::string> Hdf5Reader::members(const std::string& group) const { return file_->members(group); }

std::vector<std::string> Hdf5Reader::datasets() const {
  std::vector<std::string> paths;
  file_->for_each_dataset([&](const std::string& path, const Hdf5Object&) {
    if (!path.starts_with("checkpoint/") && !path.starts_with("text/")) paths.push_back(path);
  });
  return paths;
}

}  // namespace torsor
