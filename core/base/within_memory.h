#pragma once

#include "core/base/result.h"

#include <exception>
#include <mutex>
#include <new>
#include <stdexcept>
#include <system_error>
#include <type_traits>
#include <utility>

namespace highwater {

/// What is said when the system has no memory left for what was asked.
[[nodiscard]] Error outOfMemory();

/// Runs work(), which returns a Result; memory that runs out in it becomes its error. For the outermost function of a
/// thread, and around one of several things that share a program: what else it holds must survive one trace that is too
/// large. What work() left half done must be thrown away by its caller.
template <typename Work>
[[nodiscard]] std::invoke_result_t<const Work&> withinMemory(const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) { // of a vector, for a size that is a wrapped or absurd number
    } catch (const std::system_error& error) { // of a thread, for which there is no memory either
        if (error.code() != std::errc::resource_unavailable_try_again) throw;
    }
    return outOfMemory();
}

/// Brings an exception from workers to the thread that waits for them. guard() runs on the workers, rethrow() after all
/// have ended.
class FirstException {
  public:
    template <typename Work>
    void guard(const Work& work) noexcept {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!first_) first_ = std::current_exception();
        }
    }
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

  private:
    std::mutex mutex_;
    std::exception_ptr first_;
};

} // namespace highwater
