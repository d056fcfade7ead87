#include "tests/ui/support/small_names.h"

#include <QtGlobal>

#include <iterator>
#include <vector>

namespace highwater::tests {
namespace {

store::ModuleIndex indexOf(const store::PublishedTrace& trace, const std::string& module) {
    const auto& modules = trace.processes->modules();
    for (std::uint32_t i = 0; i < modules.size(); ++i) {
        if (modules[i].name == module) return store::ModuleIndex{i};
    }
    qFatal("no module %s", module.c_str());
}

} // namespace

std::shared_ptr<const symbols::NameView> SmallNames::view() const {
    std::unique_lock lock(mutex_);
    ++waiting_;
    freed_.wait(lock, [this] { return !isHeldBack_; });
    --waiting_;
    return table_.view();
}

void SmallNames::holdBack(bool isHeldBack) {
    const std::lock_guard lock(mutex_);
    isHeldBack_ = isHeldBack;
    freed_.notify_all();
}

bool SmallNames::isWaitedFor() const {
    const std::lock_guard lock(mutex_);
    return waiting_ > 0;
}

void SmallNames::name(const store::PublishedTrace& trace, const std::string& module,
                      const std::map<symbols::Rva, std::string>& functions) {
    symbols::ResolvedAddresses answers;
    std::vector<symbols::Rva> addresses;
    for (auto address = functions.begin()->first; address < 0x1000; ++address) {
        const auto& function = std::prev(functions.upper_bound(address))->second;
        if (!function.empty()) {
            answers.functions.push_back({function, symbols::NameOrigin::Private, 0});
            answers.frames.push_back({static_cast<std::uint32_t>(answers.functions.size() - 1)});
        }
        answers.firstFrame.push_back(static_cast<std::uint32_t>(answers.frames.size()));
        addresses.push_back(address);
    }
    table_.add(indexOf(trace, module), addresses, answers);
}

void SmallNames::nameInlined(const store::PublishedTrace& trace, const std::string& module,
                             const std::map<symbols::Rva, std::string>& functions, const std::string& inlined) {
    symbols::ResolvedAddresses answers;
    answers.functions.push_back({inlined, symbols::NameOrigin::Private, 0});
    std::vector<symbols::Rva> addresses;
    for (auto address = functions.begin()->first; address < 0x1000; ++address) {
        answers.functions.push_back(
            {std::prev(functions.upper_bound(address))->second, symbols::NameOrigin::Private, 0});
        auto& call = answers.frames.emplace_back();
        call.isInlined = true;
        answers.frames.push_back({static_cast<std::uint32_t>(answers.functions.size() - 1)});
        answers.firstFrame.push_back(static_cast<std::uint32_t>(answers.frames.size()));
        addresses.push_back(address);
    }
    table_.add(indexOf(trace, module), addresses, answers);
}

void SmallNames::forget(const store::PublishedTrace& trace, const std::string& module) {
    table_.forget(indexOf(trace, module));
}

} // namespace highwater::tests
