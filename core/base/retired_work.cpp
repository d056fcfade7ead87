#include "core/base/retired_work.h"

#include <chrono>
#include <memory>
#include <system_error>
#include <utility>

namespace highwater {

void RetiredWork::add(std::function<void()> end) {
    std::erase_if(waiting_,
                  [](const auto& gone) { return gone.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
    // The captures of `end` are also destroyed on that thread, not with the future.
    const auto run = [work = std::make_shared<std::function<void()>>(std::move(end))] {
        std::exchange(*work, nullptr)();
    };
    try {
        waiting_.push_back(std::async(std::launch::async, run));
    } catch (const std::system_error&) {
        run();
    }
}

} // namespace highwater
