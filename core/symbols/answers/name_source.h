#pragma once

#include "core/store/published/process_table.h"
#include "core/symbols/answers/resolved_addresses.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace highwater::symbols {

/// The names of one module's addresses that are known so far. Immutable: any thread, no lock.
class ModuleNames {
  public:
    ModuleNames() = default;
    /// `addresses` are sorted and unique; `names` has their answers in the same order.
    ModuleNames(std::vector<Rva> addresses, ResolvedAddresses names);

    [[nodiscard]] const std::vector<Rva>& addresses() const { return addresses_; }
    [[nodiscard]] const ResolvedAddresses& names() const { return names_; }
    [[nodiscard]] ResolvedAddresses takeNames() && { return std::move(names_); }
    /// The frames at an address, innermost (inlined) first; empty: no name; nullopt: not requested so far.
    [[nodiscard]] std::optional<std::span<const ResolvedFrame>> framesAt(Rva address) const;
    /// The function that contains the code at the address, not one that was inlined into it; nullptr: no name.
    [[nodiscard]] const ResolvedFunction* functionAt(Rva address) const;
    [[nodiscard]] const ResolvedFunction& function(const ResolvedFrame& frame) const {
        return names_.functions[frame.function];
    }
    /// "": unknown.
    [[nodiscard]] std::string_view file(const ResolvedFrame& frame) const {
        return frame.file == kNoFile ? std::string_view() : std::string_view(names_.files[frame.file]);
    }

  private:
    std::vector<Rva> addresses_;
    ResolvedAddresses names_;
};

/// The names of a trace that are known at one moment. Immutable: any thread, no lock.
class NameView {
  public:
    /// Grows with every change. Views of equal revisions are equal.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    /// nullptr: no names for the module.
    [[nodiscard]] const ModuleNames* module(store::ModuleIndex module) const {
        return module.value < modules_.size() ? modules_[module.value].get() : nullptr;
    }

    /// The names of `first`, and those of `second` for modules that `first` does not have.
    [[nodiscard]] static NameView joined(const NameView& first, const NameView& second);

  private:
    friend class SymbolTable;
    std::uint64_t revision_ = 0;
    std::vector<std::shared_ptr<const ModuleNames>> modules_; ///< by ModuleIndex
};

/// The source of names for labels: the interface between analysis and symbols. A reader uses one view for a whole
/// answer, and asks again when the revision has changed. Labels of addresses without a name stay `module!+0x1234`.
class NameSource {
  public:
    virtual ~NameSource() = default;
    NameSource(const NameSource&) = delete;
    NameSource& operator=(const NameSource&) = delete;

    [[nodiscard]] virtual std::shared_ptr<const NameView> view() const = 0;

  protected:
    NameSource() = default;
};

} // namespace highwater::symbols
