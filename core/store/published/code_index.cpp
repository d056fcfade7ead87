#include "core/store/published/code_index.h"

#include <algorithm>

namespace highwater::store {
namespace {

constexpr std::size_t kMostModules = CodeColumns::kMostEntries;

} // namespace

bool CodeIndex::update(const PublishedTrace& trace) {
    columns_ = trace.columns;
    const auto before = known_;
    for (; known_ < trace.codeEntries; ++known_)
        take(static_cast<std::uint32_t>(known_));
    return known_ != before;
}

void CodeIndex::take(std::uint32_t number) {
    const auto& taken = entry(number);
    if (taken.kind == CodeEntry::Kind::ModuleName) {
        if (taken.module >= kMostModules) return;
        if (taken.module >= moduleTexts_.size()) moduleTexts_.resize(taken.module + std::size_t{1});
        moduleTexts_[taken.module] = taken.text;
        return;
    }
    auto& process = processes_[taken.process.value];
    if (taken.kind == CodeEntry::Kind::Runtime) {
        process.hasRuntime = true;
        return;
    }
    process.index.reset();
    (taken.kind == CodeEntry::Kind::EarlierFunction ? process.earlier : process.later).push_back(number);
}

void CodeIndex::makeIndex(OfProcess& process) const {
    std::vector<EpochSpan> spans;
    spans.reserve(process.earlier.size() + process.later.size());
    std::uint32_t last = 0;
    const auto add = [&](std::uint32_t number, std::uint32_t firstEpoch) {
        const auto& code = entry(number);
        last = std::max(last, firstEpoch);
        spans.push_back({code.start, code.size, firstEpoch, 0xFFFFFFFFu});
    };
    for (const auto number : process.earlier)
        add(number, 0);
    for (const auto number : process.later)
        add(number, entry(number).firstEpoch);
    process.index.emplace(spans, last + 1);
}

std::optional<std::uint32_t> CodeIndex::find(StackRoot root, Address address) {
    if ((address & kKernelBit) != 0) return std::nullopt;
    const auto known = processes_.find(root.process.value);
    if (known == processes_.end()) return std::nullopt;
    auto& process = known.value();
    if (!process.index) makeIndex(process);
    const auto found = process.index->find(root.epoch, address);
    if (!found) return std::nullopt;
    const auto number =
        *found < process.earlier.size() ? process.earlier[*found] : process.later[*found - process.earlier.size()];
    if (entry(number).kind == CodeEntry::Kind::Nothing) return std::nullopt;
    return number;
}

bool CodeIndex::hasNamedCode(ProcessIndex process) const {
    const auto known = processes_.find(process.value);
    return known != processes_.end() && known->second.hasRuntime &&
           !(known->second.earlier.empty() && known->second.later.empty());
}

std::string CodeIndex::moduleName(std::uint32_t number) const {
    const auto module = entry(number).module;
    const auto text = module < moduleTexts_.size() ? moduleTexts_[module] : std::nullopt;
    return text ? columns_->names->code.textAt(*text) : std::string("[dynamic]");
}

std::string CodeIndex::function(std::uint32_t number) const { return columns_->names->code.textAt(entry(number).text); }

std::string CodeIndex::arguments(std::uint32_t number) const {
    const auto at = entry(number).text;
    return columns_->names->code.textAt(at + columns_->names->code.textAt(at).size() + 1);
}

} // namespace highwater::store
