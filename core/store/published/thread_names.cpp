#include "core/store/published/thread_names.h"

namespace highwater::store {

ThreadNames::ThreadNames() : names_{std::make_shared<const std::string>()} {}

ThreadNameId ThreadNames::intern(std::string_view name) {
    if (const auto known = ids_.find(name); known != ids_.end()) return known->second;
    const ThreadNameId id{static_cast<std::uint32_t>(names_.size())};
    names_.push_back(std::make_shared<const std::string>(name));
    ids_.emplace(*names_.back(), id);
    return id;
}

bool ThreadNames::set(ThreadId thread, ThreadLife life, std::string_view name) {
    if (name.empty()) return false;
    const auto id = intern(name);
    const auto [entry, isNew] = ofThreads_.try_emplace(Key{thread.value, life}, id);
    if (!isNew && entry->second == id) return false;
    entry.value() = id;
    return true;
}

} // namespace highwater::store
