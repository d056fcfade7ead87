#include "core/symbols/answers/symbol_table.h"

#include <algorithm>
#include <numeric>

namespace highwater::symbols {
namespace {

constexpr std::uint32_t kNotTaken = 0xFFFFFFFFu;

/// Copies answers one by one, with the texts that they need.
class NameCollector {
  public:
    NameCollector(const ResolvedAddresses& source, ResolvedAddresses& out)
        : source_(&source),
          out_(out),
          functions_(source.functions.size(), kNotTaken),
          files_(source.files.size(), kNotTaken) {}

    void take(std::size_t address) {
        for (auto i = source_->firstFrame[address]; i < source_->firstFrame[address + 1]; ++i) {
            auto frame = source_->frames[i];
            frame.function = functionId(frame.function);
            if (frame.file != kNoFile) frame.file = fileId(frame.file);
            out_.frames.push_back(frame);
        }
        out_.firstFrame.push_back(static_cast<std::uint32_t>(out_.frames.size()));
    }

  private:
    /// A function of both sources is stored twice. Readers compare names, not ids.
    std::uint32_t functionId(std::uint32_t id) {
        if (functions_[id] == kNotTaken) {
            functions_[id] = static_cast<std::uint32_t>(out_.functions.size());
            out_.functions.push_back(source_->functions[id]);
        }
        return functions_[id];
    }
    std::uint32_t fileId(std::uint32_t id) {
        if (files_[id] == kNotTaken) {
            files_[id] = static_cast<std::uint32_t>(out_.files.size());
            out_.files.push_back(source_->files[id]);
        }
        return files_[id];
    }

    const ResolvedAddresses* source_;
    ResolvedAddresses& out_;
    std::vector<std::uint32_t> functions_, files_;
};

} // namespace

ModuleNames mergedNames(const ModuleNames& first, std::span<const Rva> addresses, const ResolvedAddresses& names) {
    std::vector<std::size_t> order(addresses.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return addresses[a] < addresses[b]; });
    // Source of an address (first or second), and its index there.
    struct Taken {
        Rva address;
        std::size_t index;
        bool isNew;
    };
    std::vector<Taken> taken;
    std::size_t old = 0;
    const auto& known = first.addresses();
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto address = addresses[order[i]];
        if (i + 1 < order.size() && addresses[order[i + 1]] == address) continue;
        for (; old < known.size() && known[old] < address; ++old)
            taken.push_back({known[old], old, false});
        if (old < known.size() && known[old] == address) ++old;
        taken.push_back({address, order[i], true});
    }
    for (; old < known.size(); ++old)
        taken.push_back({known[old], old, false});

    ResolvedAddresses out;
    NameCollector fromOld(first.names(), out);
    NameCollector fromNew(names, out);
    std::vector<Rva> all;
    all.reserve(taken.size());
    for (const auto& one : taken) {
        (one.isNew ? fromNew : fromOld).take(one.index);
        all.push_back(one.address);
    }
    return {std::move(all), std::move(out)};
}

std::shared_ptr<const NameView> SymbolTable::view() const {
    const std::lock_guard lock(mutex_);
    if (!view_) view_ = std::make_shared<const NameView>(current_);
    return view_;
}

void SymbolTable::change() {
    ++current_.revision_;
    view_.reset();
}

void SymbolTable::add(store::ModuleIndex module, std::span<const Rva> addresses, const ResolvedAddresses& names) {
    const std::lock_guard lock(mutex_);
    auto& modules = current_.modules_;
    if (modules.size() <= module.value) modules.resize(module.value + std::size_t{1});
    auto& known = modules[module.value];
    known = std::make_shared<const ModuleNames>(mergedNames(known ? *known : ModuleNames(), addresses, names));
    change();
}

void SymbolTable::forget(store::ModuleIndex module) {
    const std::lock_guard lock(mutex_);
    if (module.value < current_.modules_.size()) current_.modules_[module.value].reset();
    change();
}

void SymbolTable::forgetAll() {
    const std::lock_guard lock(mutex_);
    current_.modules_.clear();
    change();
}

std::vector<Rva> SymbolTable::unanswered(store::ModuleIndex module, std::span<const Rva> addresses) const {
    const auto current = view();
    const auto* known = current->module(module);
    std::vector<Rva> open;
    for (const auto address : addresses) {
        if (known == nullptr || !known->framesAt(address)) open.push_back(address);
    }
    std::sort(open.begin(), open.end());
    open.erase(std::unique(open.begin(), open.end()), open.end());
    return open;
}

} // namespace highwater::symbols
