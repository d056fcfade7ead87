#include "core/source/etw/heap_session_extension.h"

namespace highwater::source {
namespace {

enum class Item : std::uint32_t { Pids = 2, StackWalkFilter = 3 };

void addItem(std::vector<std::uint32_t>& words, Item item, std::span<const std::uint32_t> data) {
    const auto length = static_cast<std::uint32_t>(data.size() + 1);
    words.push_back(static_cast<std::uint32_t>(item) << 16 | length);
    words.insert(words.end(), data.begin(), data.end());
}

} // namespace

std::vector<std::uint32_t> heapHooks(bool stacksOnFree) {
    std::vector<std::uint32_t> hooks{heap_hook::kAlloc, heap_hook::kReAlloc};
    if (stacksOnFree) hooks.push_back(heap_hook::kFree);
    return hooks;
}

std::vector<std::uint32_t> heapSessionExtension(std::span<const std::uint32_t> pids,
                                                std::span<const std::uint32_t> hooks) {
    constexpr std::uint32_t kNobody[] = {0};
    constexpr std::uint32_t kItems = 2;
    std::vector<std::uint32_t> words(1);
    addItem(words, Item::Pids, pids.empty() ? std::span<const std::uint32_t>(kNobody) : pids);
    addItem(words, Item::StackWalkFilter, hooks);
    words.front() = kItems << 16 | static_cast<std::uint32_t>(words.size());
    return words;
}

} // namespace highwater::source
