#pragma once
// One algorithm on one state or on many: a single state goes straight to the algorithm, many are cut into packs of
// eight that all cores work on, without the interpreter's lock.

#include <atomic>
#include <exception>
#include <system_error>
#include <thread>

#include "model.h"
#include "states.h"
#include "torsor/tree/scalars.h"
#include "workspaces.h"

namespace torsor::python {

struct PyDynamics {
  PyDynamics(const PyModel& m, bool cut_loops);

  const Model* model;  ///< kept alive by its Python object
  Tree tree;
  AllWorkspaces single;  ///< for single states, under the interpreter's lock
  Pool<AllWorkspaces> pool;
  Pool<Workspaces<Pack8>> packed_pool;
  int threads;

  Tail coordinates() const { return {1, {tree.coordinate_count}}; }
  Tail rates() const { return {1, {tree.rate_count}}; }
  Tail rate_matrix() const { return {2, {tree.rate_count, tree.rate_count}}; }
  Tail rate_cube() const { return {3, {tree.rate_count, tree.rate_count, tree.rate_count}}; }
  Tail bodies(npy_intp each) const { return {2, {npy_intp(tree.body_node.size()), each}}; }
};

template <class S, std::size_t N>
using Given = std::array<std::span<const S>, N>;
template <class S, std::size_t N>
using Wanted = std::array<std::span<S>, N>;

inline constexpr npy_intp kLane = Pack8::size;
inline constexpr npy_intp kPacksAtOnce = 16;  ///< that a thread takes

/// work(begin, end) over parts of [0, count) in as many threads as are worth it.
template <class Work>
void in_threads(npy_intp count, npy_intp grain, int threads, const Work& work) {
  std::atomic<npy_intp> next{0};
  std::exception_ptr fault;
  std::mutex fault_mutex;
  const auto loop = [&] {
    try {
      work([&](npy_intp& begin, npy_intp& end) {
        begin = next.fetch_add(grain);
        end = std::min(begin + grain, count);
        return begin < count;
      });
    } catch (...) {
      const std::lock_guard lock(fault_mutex);
      fault = std::current_exception();
      next = count;
    }
  };
  const npy_intp parts = (count + grain - 1) / grain;
  std::vector<std::thread> helpers;
  try {
    for (npy_intp i = 1; i < std::min<npy_intp>(threads, parts); ++i) helpers.emplace_back(loop);
  } catch (const std::system_error&) {
    // The machine gives no more threads: those that there are do the work.
  }
  loop();
  for (std::thread& helper : helpers) helper.join();
  if (fault) std::rethrow_exception(fault);
}

template <std::size_t In, std::size_t Out>
struct Places {
  std::array<const double*, In> in;
  std::array<npy_intp, In> in_size,
      in_stride;  ///< numbers of a state, and from one to the next (0: the same)
  std::array<double*, Out> out;
  std::array<npy_intp, Out> out_size;
};

template <std::size_t In, std::size_t Out, class Kernel>
void run_each(PyDynamics& d, const Places<In, Out>& p, npy_intp count, const Kernel& kernel) {
  in_threads(count, kLane * kPacksAtOnce, d.threads, [&](const auto& next) {
    auto workspaces = d.pool.take(d.tree);
    for (npy_intp begin, end; next(begin, end);) {
      for (npy_intp s = begin; s < end; ++s) {
        Given<double, In> in;
        Wanted<double, Out> out;
        for (std::size_t i = 0; i < In; ++i)
          in[i] = {p.in[i] + s * p.in_stride[i], std::size_t(p.in_size[i])};
        for (std::size_t i = 0; i < Out; ++i)
          out[i] = {p.out[i] + s * p.out_size[i], std::size_t(p.out_size[i])};
        kernel(*workspaces, in, out);
      }
    }
    d.pool.give_back(std::move(workspaces));
  });
}

/// The last pack repeats the last state where there are fewer than eight left.
template <std::size_t In, std::size_t Out, class Kernel>
void run_packed(PyDynamics& d, const Places<In, Out>& p, npy_intp count, const Kernel& kernel) {
  in_threads((count + kLane - 1) / kLane, kPacksAtOnce, d.threads, [&](const auto& next) {
    auto workspaces = d.packed_pool.take(d.tree);
    std::array<std::vector<Pack8>, In> given;
    std::array<std::vector<Pack8>, Out> wanted;
    Given<Pack8, In> in;
    Wanted<Pack8, Out> out;
    for (std::size_t i = 0; i < In; ++i) given[i].resize(p.in_size[i]), in[i] = given[i];
    for (std::size_t i = 0; i < Out; ++i) wanted[i].resize(p.out_size[i]), out[i] = wanted[i];
    for (npy_intp begin, end; next(begin, end);) {
      for (npy_intp pack = begin; pack < end; ++pack) {
        const npy_intp first = pack * kLane, lanes = std::min(kLane, count - first);
        for (std::size_t i = 0; i < In; ++i) {
          std::array<const double*, kLane> state;
          for (npy_intp lane = 0; lane < kLane; ++lane)
            state[lane] = p.in[i] + (first + std::min(lane, lanes - 1)) * p.in_stride[i];
          Pack8* const row = given[i].data();
          for (npy_intp k = 0; k < p.in_size[i]; ++k) {
            row[k].lanes = Pack8::Lanes{state[0][k], state[1][k], state[2][k], state[3][k],
                                        state[4][k], state[5][k], state[6][k], state[7][k]};
          }
        }
        kernel(*workspaces, in, out);
        for (std::size_t i = 0; i < Out; ++i) {
          const auto* const row = reinterpret_cast<const double*>(wanted[i].data());
          for (npy_intp lane = 0; lane < lanes; ++lane) {
            double* const state = p.out[i] + (first + lane) * p.out_size[i];
            for (npy_intp k = 0; k < p.out_size[i]; ++k) state[k] = row[k * kLane + lane];
          }
        }
      }
    }
    d.packed_pool.give_back(std::move(workspaces));
  });
}

enum class Many { packed, each };

/// `kernel(workspaces, in, out)`, for Many::packed on doubles and on packs alike.
template <Many many, std::size_t In, std::size_t Out, class Kernel>
std::array<nanobind::object, Out> evaluate(PyDynamics& d, const std::array<Input, In>& inputs,
                                           const std::array<Tail, Out>& tails, const Kernel& kernel) {
  const Lead lead(inputs);
  std::array<nanobind::object, Out> arrays;
  Places<In, Out> p;
  for (std::size_t i = 0; i < Out; ++i) {
    arrays[i] = lead.make_array(tails[i]);
    p.out[i] = static_cast<double*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(arrays[i].ptr())));
    p.out_size[i] = tails[i].size();
  }
  if (lead.single()) [[likely]] {
    Given<double, In> in;
    Wanted<double, Out> out;
    for (std::size_t i = 0; i < In; ++i) in[i] = {inputs[i].data(), std::size_t(inputs[i].size())};
    for (std::size_t i = 0; i < Out; ++i) out[i] = {p.out[i], std::size_t(p.out_size[i])};
    kernel(d.single, in, out);
    return arrays;
  }
  for (std::size_t i = 0; i < In; ++i) {
    p.in[i] = inputs[i].data();
    p.in_size[i] = inputs[i].size();
    p.in_stride[i] = inputs[i].lead_rank() ? inputs[i].size() : 0;
  }
  nanobind::gil_scoped_release release;
  if constexpr (many == Many::packed) {
    run_packed(d, p, lead.count(), kernel);
  } else {
    run_each(d, p, lead.count(), kernel);
  }
  return arrays;
}

template <Many many, std::size_t In, class Kernel>
nanobind::object evaluate_one(PyDynamics& d, const std::array<Input, In>& inputs, const Tail& tail,
                              const Kernel& kernel) {
  return std::move(evaluate<many, In, 1>(d, inputs, {tail}, kernel)[0]);
}

}  // namespace torsor::python
