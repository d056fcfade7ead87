#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace highwater {

/// Runs it soon on a thread that does nothing else, one after the other, in the order of the calls; without waiting for
/// it. What is left when the program ends runs before its static objects go. Where no thread can be had, and after that,
/// it runs at once. `release` must not throw. Any thread.
void releaseInBackground(std::function<void()> release);

/// Deletes that way.
struct BackgroundDelete {
    template <typename T>
    void operator()(T* object) const {
        releaseInBackground([object] { delete object; });
    }
};

/// As std::make_shared, for what takes long to delete (the columns of a large trace: 50 ms): whoever lets go of it last,
/// be it the GUI thread, does not wait for that.
template <typename T, typename... Arguments>
[[nodiscard]] std::shared_ptr<T> makeReleasedInBackground(Arguments&&... arguments) {
    return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...), BackgroundDelete{});
}

} // namespace highwater
