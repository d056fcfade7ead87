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
    /// `addresses` sorted without repetition; `names` answers them in that order.
    ModuleNames(std::vector<Rva> addresses, ResolvedAddresses names);

    [[nodiscard]] const std::vector<Rva>& addresses() const { return addresses_; }
    [[nodiscard]] const ResolvedAddresses& names() const { return names_; }
    [[nodiscard]] ResolvedAddresses takeNames() && { return std::move(names_); }
    /// The frames at an address, innermost (inlined) first; empty when it has no name; nullopt when it was never asked.
    [[nodiscard]] std::optional<std::span<const ResolvedFrame>> framesAt(Rva address) const;
    /// The function that holds the address's code, not what was inlined into it; nullptr: no name.
    [[nodiscard]] const ResolvedFunction* functionAt(Rva address) const;
    [[nodiscard]] const ResolvedFunction& function(const ResolvedFrame& frame) const {
        return names_.functions[frame.function];
    }
    /// "" when not known.
    [[nodiscard]] std::string_view file(const ResolvedFrame& frame) const {
        return frame.file == kNoFile ? std::string_view() : std::string_view(names_.files[frame.file]);
    }

  private:
    std::vector<Rva> addresses_;
    ResolvedAddresses names_;
};

/// What is named of a trace at one moment. Immutable: any thread, no lock.
class NameView {
  public:
    /// Grows with every change; equal revisions are equal views.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    /// nullptr: nothing is known of the module.
    [[nodiscard]] const ModuleNames* module(store::ModuleIndex module) const {
        return module.value < modules_.size() ? modules_[module.value].get() : nullptr;
    }

    /// What `first` knows, and of modules that it does not know what `second` does.
    [[nodiscard]] static NameView joined(const NameView& first, const NameView& second);

  private:
    friend class SymbolTable;
    std::uint64_t revision_ = 0;
    std::vector<std::shared_ptr<const ModuleNames>> modules_; ///< by ModuleIndex
};

/// Where labels take names from: the seam between analysis and symbols. A reader keeps the view of one answer and asks
/// again when the revision moved on; labels of addresses that the view does not name stay `module!+0x1234`.
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
