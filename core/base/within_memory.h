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

/// The error for a request that the system has no memory left for.
[[nodiscard]] Error outOfMemory();

/// Runs work(), which returns a Result, and turns exhausted memory into its error. For the outermost function of a
/// thread, and for one of several operations in a program whose other data must survive a trace that is too large. The
/// caller must discard the unfinished results of work().
template <typename Work>
[[nodiscard]] std::invoke_result_t<const Work&> withinMemory(const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {       // from a vector, if a size has wrapped or is absurd
    } catch (const std::system_error& error) { // from a thread, which also fails without memory
        if (error.code() != std::errc::resource_unavailable_try_again) throw;
    }
    return outOfMemory();
}

/// Passes an exception from workers to the thread that waits for them. guard() runs on the workers, rethrow() after all
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
