// Splits a range of independent items over threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace metaphrase {

// Calls `work(begin, end, thread)` on consecutive blocks of [0, count). Which thread takes which block is
// left to chance, so `work` must write only to places that belong to its items. The first exception is
// rethrown.
template <class Work>
void parallel_blocks(std::size_t count, std::size_t block, int threads, Work&& work) {
  const std::size_t blocks = (count + block - 1) / block;
  const int workers =
      static_cast<int>(std::min<std::size_t>(std::max(threads, 1), std::max<std::size_t>(blocks, 1)));
  if (workers == 1) {
    if (count > 0) work(std::size_t{0}, count, 0);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  auto run = [&](int thread) {
    try {
      for (std::size_t b = next++; b < blocks; b = next++) {
        work(b * block, std::min(count, (b + 1) * block), thread);
      }
    } catch (...) {
      const std::lock_guard guard(failure_lock);
      if (!failure) failure = std::current_exception();
      next = blocks;
    }
  };
  std::vector<std::thread> pool;
  try {
    for (int t = 1; t < workers; ++t) pool.emplace_back(run, t);
  } catch (const std::exception&) {
    // No room for another thread: those that there are, this one at least, do all the work.
  }
  run(0);
  for (auto& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

// Calls `work(worker, item)` on every item of [0, count). Each thread has a worker of its own, which `make`
// makes when it is first needed.
template <class Make, class Work>
void parallel_items(std::size_t count, std::size_t block, int threads, Make&& make, Work&& work) {
  using Worker = decltype(make());
  std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(std::max(threads, 1)));
  parallel_blocks(count, block, threads, [&](std::size_t begin, std::size_t end, int thread) {
    auto& worker = workers[static_cast<std::size_t>(thread)];
    if (!worker) worker.reset(new Worker(make()));
    for (std::size_t item = begin; item < end; ++item) work(*worker, item);
  });
}

}  // namespace metaphrase
