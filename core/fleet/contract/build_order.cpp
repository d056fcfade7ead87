#include "core/fleet/contract/build_order.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::fleet {
namespace {

/// The name of a build as numbers: the prefix, and each number without leading zeros.
struct NumberedBuild {
    std::string prefix;
    std::vector<std::string> numbers;
};

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::optional<NumberedBuild> numberedBuild(std::string_view name) {
    NumberedBuild build;
    while (!name.empty() && isLetter(name.front())) {
        build.prefix += name.front();
        name.remove_prefix(1);
    }
    while (true) {
        std::string number;
        bool hasDigits = false;
        for (; !name.empty() && isDigit(name.front()); name.remove_prefix(1)) {
            hasDigits = true;
            if (!number.empty() || name.front() != '0') number += name.front();
        }
        if (!hasDigits) return std::nullopt;
        build.numbers.push_back(std::move(number));
        if (name.empty()) return build;
        if (name.front() != '.') return std::nullopt;
        name.remove_prefix(1);
    }
}

bool isLowerNumber(const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
}

/// Sorts by number if all names consist of the same letters followed by numbers; otherwise returns false. Builds
/// without a name come first.
bool sortByNumber(std::vector<BuildValue>& builds) {
    std::map<std::string, NumberedBuild> numbered;
    for (const auto& build : builds) {
        if (build.build.empty()) continue;
        auto number = numberedBuild(build.build);
        if (!number || (!numbered.empty() && numbered.begin()->second.prefix != number->prefix)) return false;
        numbered.emplace(build.build, std::move(*number));
    }
    std::ranges::stable_sort(builds, [&](const auto& a, const auto& b) {
        return std::ranges::lexicographical_compare(numbered[a.build].numbers, numbered[b.build].numbers,
                                                    isLowerNumber);
    });
    return true;
}

} // namespace

void BuildOrder::add(const summary::RunFacts& run) {
    auto& first = firstOf_[run.build];
    if (run.recordedAt && (!first || *run.recordedAt < *first)) first = run.recordedAt;
}

std::vector<BuildValue> BuildOrder::builds() const {
    std::vector<BuildValue> inOrder;
    for (const auto& [build, first] : firstOf_)
        inOrder.push_back({build, first, {}});
    if (sortByNumber(inOrder)) return inOrder;
    std::ranges::stable_sort(inOrder, [](const auto& a, const auto& b) {
        if (!a.firstRecordedAt || !b.firstRecordedAt) return a.firstRecordedAt.has_value() && !b.firstRecordedAt;
        return *a.firstRecordedAt < *b.firstRecordedAt;
    });
    return inOrder;
}

} // namespace highwater::fleet
