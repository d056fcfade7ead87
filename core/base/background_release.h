#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace highwater {

/// Runs `release` soon on a dedicated thread without waiting for it. Calls run one after the other, in their order.
/// Those that remain when the program ends run before its static objects are destroyed. If no thread can be started,
/// and after that point, it runs immediately. `release` must not throw. Any thread.
void releaseInBackground(std::function<void()> release);

/// Deletes an object with releaseInBackground().
struct BackgroundDelete {
    template <typename T>
    void operator()(T* object) const {
        releaseInBackground([object] { delete object; });
    }
};

/// Like std::make_shared, for objects that take long to delete (the columns of a large trace: 50 ms). The last owner,
/// which may be the GUI thread, does not wait for the deletion.
template <typename T, typename... Arguments>
[[nodiscard]] std::shared_ptr<T> makeReleasedInBackground(Arguments&&... arguments) {
    return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...), BackgroundDelete{});
}

} // namespace highwater
