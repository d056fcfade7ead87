#pragma once

#include "core/base/result.h"
#include "core/base/seeded_hash.h"
#include "core/files/mapped_file.h"
#include "core/symbols/answers/shared_names.h"
#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/pdb/pdb_il_lines.h"
#include "core/symbols/pdb/pdb_layout.h"
#include "core/symbols/pdb/pdb_publics.h"
#include "core/symbols/pdb/pdb_type_names.h"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <tsl/robin_map.h>

namespace highwater::symbols {

struct AddressAnswers;
class PdbModule;
using PdbExports = tsl::robin_map<std::uint32_t, std::uint32_t, SeededHash>;

/// Names from a PDB. Reads the DBI stream at once, the publics with the first request, and the symbols, lines and
/// inline sites of a module only when one of its addresses is requested; modules in parallel. Does not use LLVM's PDB
/// session, because that reads a module's records again for every address, and trusts them.
class PdbSymbolFile final : public SymbolFile {
  public:
    /// `bytes` of a PDB, kept alive by `owner`.
    [[nodiscard]] static Result<std::unique_ptr<SymbolFile>> open(ByteSpan bytes, std::shared_ptr<const void> owner);

    [[nodiscard]] const SymbolIdentity& identity() const override { return layout_.identity(); }
    [[nodiscard]] bool hasPrivateSymbols() const override;
    [[nodiscard]] bool knowsIl() const override { return true; }
    [[nodiscard]] ResolvedAddresses resolve(std::span<const Rva> addresses, std::stop_token stop) override;

  private:
    struct Question {
        Rva linked = 0;
        std::size_t index = 0;
    };

    PdbSymbolFile(MsfFile msf, PdbLayout layout, std::shared_ptr<const void> owner);
    void readSharedStreams();
    void answerIl(std::span<const Rva> addresses, AddressAnswers& out);
    void answerModule(std::uint16_t module, std::span<const Question> questions, AddressAnswers& out);
    void answer(const PdbModule& module, std::span<const Question> questions, AddressAnswers& out);
    void answerPublic(Rva linked, AddressAnswers& out) const;
    [[nodiscard]] std::string inlineeName(const PdbModule& module, std::uint32_t inlinee) const;
    /// The id of the IPI stream for an id of a module; `moduleName`: offset into the file names.
    [[nodiscard]] std::optional<std::uint32_t> exportedId(std::uint32_t moduleName, std::uint32_t id) const;
    [[nodiscard]] std::string_view fileText(const PdbModule& module, std::uint32_t file) const;
    [[nodiscard]] std::string_view fileText(std::uint32_t name) const;
    [[nodiscard]] std::string_view undecorated(std::string_view name) const;

    std::shared_ptr<const void> owner_;
    MsfFile msf_;
    PdbLayout layout_;
    std::mutex mutex_; ///< one resolve() at a time
    StreamBytes fileNames_;
    mutable std::mutex fileNamesMutex_;
    mutable std::optional<SharedNames> sharedNames_;
    mutable std::map<std::uint32_t, std::string_view> fileTexts_; ///< by offset
    /// Remaining budget for inlined calls: visited calls, and the texts and frames made from them.
    std::atomic<std::int64_t> inliningLeft_ = std::int64_t{1} << 30;
    std::unique_ptr<PdbPublics> publics_;
    std::unique_ptr<PdbTypeNames> typeNames_;
    std::unique_ptr<PdbIlLines> ilLines_; ///< nullptr: not requested yet
    mutable std::mutex exportsMutex_;
    mutable std::map<std::string, std::size_t> moduleOfName_; ///< in lower case; filled by the first request
    /// Exports of modules that others refer to. Each is read once and used often.
    mutable std::map<std::size_t, PdbExports> exports_;
};

} // namespace highwater::symbols
