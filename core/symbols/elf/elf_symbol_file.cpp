#include "core/symbols/elf/elf_symbol_file.h"

#include "core/base/seeded_hash.h"
#include "core/symbols/answers/address_answers.h"
#include "core/symbols/answers/parallel_parts.h"
#include "core/symbols/elf/dwarf_entries.h"
#include "core/symbols/elf/dwarf_split_files.h"
#include "core/symbols/elf/elf_alt_file.h"
#include "core/symbols/elf/elf_contents.h"
#include "core/symbols/elf/elf_symbols.h"
#include "core/symbols/elf/llvm_results.h"
#include "core/symbols/elf/stripped_symbols.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugLine.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace highwater::symbols {
namespace {

/// Names of one address to compare with the debug records.
constexpr std::size_t kMostFolded = 4096;
/// In a damaged file any number of units may refer to the same long line table, so the bytes that are read are limited
/// to this many times the section.
constexpr std::uint64_t kLineTablesReadOver = 2;
/// A byte becomes a row of 32 bytes, or a file of 240. Real units have a few megabytes at most.
constexpr std::uint64_t kLargestLineTable = std::uint64_t{16} << 20;

using FileKind = llvm::DILineInfoSpecifier::FileLineInfoKind;

struct Question {
    std::uint64_t address = 0;
    std::size_t index = 0;
};

/// Limits the line tables that all threads have in memory at the same time to the limit for a single one. Any thread.
class LineTableRoom {
  public:
    /// Waits until there is room for that many bytes.
    class Stay {
      public:
        Stay(LineTableRoom& room, std::uint64_t bytes) : room_(room), bytes_(bytes) {
            std::unique_lock lock(room_.mutex_);
            room_.isFree_.wait(lock, [&] { return room_.used_ + bytes_ <= kLargestLineTable; });
            room_.used_ += bytes_;
        }
        ~Stay() {
            const std::lock_guard lock(room_.mutex_);
            room_.used_ -= bytes_;
            room_.isFree_.notify_all();
        }
        Stay(const Stay&) = delete;
        Stay& operator=(const Stay&) = delete;

      private:
        LineTableRoom& room_;
        std::uint64_t bytes_;
    };

  private:
    std::mutex mutex_;
    std::condition_variable isFree_;
    std::uint64_t used_ = 0;
};

/// Limits for the line tables of all units.
struct LineTableLimits {
    std::atomic<std::int64_t> bytesLeft{0}; ///< for one resolve()
    LineTableRoom room;
};

/// The lines of one unit, and its file names as text.
class UnitLines {
  public:
    UnitLines(llvm::DWARFContext& context, llvm::DWARFUnit& unit, LineTableLimits& limits, LongTexts& longTexts)
        : longTexts_(longTexts), compilationFolder_(unit.getCompilationDir()) {
        const auto offset = llvm::dwarf::toSectionOffset(unit.getUnitDIE().find(llvm::dwarf::DW_AT_stmt_list));
        if (!offset || !isLineHeaderSound(unit.getLineSection().Data, *offset)) return;
        llvm::DWARFDataExtractor extractor(context.getDWARFObj(), unit.getLineSection(), unit.isLittleEndian(),
                                           unit.getAddressByteSize());
        std::uint64_t at = *offset;
        auto lengthAt = at;
        const auto tableBytes = std::min<std::uint64_t>(extractor.getInitialLength(&lengthAt).first, extractor.size());
        const auto bytes = static_cast<std::int64_t>(tableBytes);
        if (tableBytes > kLargestLineTable || limits.bytesLeft.fetch_sub(bytes) < bytes) return;
        stay_.emplace(limits.room, tableBytes);
        ignoreError(table_.parse(extractor, &at, context, &unit, ignoreError));
    }

    struct Place {
        std::uint32_t file = 0;
        std::uint32_t line = 0;
    };
    [[nodiscard]] std::optional<Place> at(std::uint64_t address) const {
        const auto row = table_.lookupAddress({address, llvm::object::SectionedAddress::UndefSection});
        if (row >= table_.Rows.size()) return std::nullopt;
        return Place{table_.Rows[row].File, table_.Rows[row].Line};
    }
    [[nodiscard]] std::string_view fileText(std::uint32_t file, StringIds& texts) {
        if (const auto known = files_.find(file); known != files_.end()) return known->second;
        if (longTexts_.isUsedUp()) return {};
        std::string path;
        const auto* folder = compilationFolder_ != nullptr ? compilationFolder_ : "";
        const bool isKnown = table_.getFileNameByIndex(file, folder, FileKind::AbsoluteFilePath, path);
        longTexts_.use(path.size());
        const std::string_view text = isKnown ? texts.texts()[texts.idOf(path)] : std::string_view();
        files_[file] = text;
        return text;
    }

  private:
    LongTexts& longTexts_;
    std::optional<LineTableRoom::Stay> stay_; ///< freed after the table
    llvm::DWARFDebugLine::LineTable table_;
    const char* compilationFolder_;
    tsl::robin_map<std::uint32_t, std::string_view, SeededHash> files_;
};

} // namespace

class ElfSymbolFile::Impl {
  public:
    Impl(std::unique_ptr<ElfContents> file, std::shared_ptr<const void> owner, const std::filesystem::path& path,
         const LinkedFiles& linked)
        : owner_(std::move(owner)), file_(std::move(file)), links_(path, linked), stripped_(*file_) {
        identity_.buildId = file_->buildId();
        if (file_->altLink()) alt_ = openAltFile(*file_->altLink(), links_);
    }

    [[nodiscard]] const SymbolIdentity& identity() const { return identity_; }
    [[nodiscard]] bool hasDwarf() const { return file_->hasDwarf(); }
    [[nodiscard]] std::string remark() {
        if (!file_->hasDwarf()) return stripped_.remark();
        if (file_->altLink() && !alt_) return altRemark();
        if (!file_->mayBeSplit()) return {}; // nothing is read before the first request
        const std::lock_guard lock(mutex_);
        readOnce();
        return split_ ? split_->remark(*units_) : std::string();
    }

    ResolvedAddresses resolve(std::span<const Rva> addresses, const std::stop_token& stop) {
        const std::lock_guard lock(mutex_);
        readOnce();
        if (units_) {
            const auto bytes = file_->dwarf()->getDWARFObj().getLineSection().Data.size();
            lineTables_.bytesLeft = static_cast<std::int64_t>(bytes * kLineTablesReadOver);
        }
        struct UnitQuestions {
            const DwarfUnits::Prepared* unit = nullptr;
            std::vector<Question> questions;
        };
        std::vector<Question> sorted(addresses.size());
        for (std::size_t i = 0; i < addresses.size(); ++i)
            sorted[i] = {addresses[i] + file_->linkedBase(), i};
        std::sort(sorted.begin(), sorted.end(), [](auto a, auto b) { return a.address < b.address; });
        tsl::robin_map<const DwarfUnits::Prepared*, std::size_t, SeededHash> ids;
        std::vector<UnitQuestions> byUnit;
        for (const auto& question : sorted) {
            const auto* unit = units_ ? units_->withCodeAt(question.address) : nullptr;
            const auto [id, isNew] = ids.try_emplace(unit, byUnit.size());
            if (isNew) byUnit.push_back({unit, {}});
            byUnit[id->second].questions.push_back(question);
        }
        // The largest units first, so that no thread is left with one at the end.
        std::sort(byUnit.begin(), byUnit.end(), [](const auto& a, const auto& b) { return bytesOf(a) > bytesOf(b); });
        std::vector<AddressAnswers> parts(byUnit.size());
        inParallel(byUnit.size(), [&](std::size_t i) {
            if (!stop.stop_requested()) answer(byUnit[i].unit, byUnit[i].questions, parts[i]);
        });
        return mergeAnswers(addresses.size(), parts);
    }

  private:
    [[nodiscard]] std::string altRemark() const {
        return "some inlined calls are missing because their names are in " + file_->altLink()->path +
               ", which is absent or skipped";
    }
    template <typename UnitQuestions>
    static std::uint64_t bytesOf(const UnitQuestions& part) {
        return part.unit != nullptr ? part.unit->unit->getNextUnitOffset() - part.unit->unit->getOffset() : 0;
    }

    void readOnce() {
        if (isRead_) return;
        isRead_ = true;
        symbols_ = ElfSymbols(stripped_.all());
        if (auto* dwarf = alt_ ? alt_->contents->dwarf() : nullptr; dwarf != nullptr) altUnits_.emplace(*dwarf);
        if (auto* dwarf = file_->dwarf(); dwarf != nullptr) units_.emplace(*dwarf, altUnits_ ? &*altUnits_ : nullptr);
        if (units_) split_.emplace(links_, *file_->dwarf());
    }

    void answer(const DwarfUnits::Prepared* unit, std::span<const Question> questions, AddressAnswers& out) {
        if (unit != nullptr) {
            answerUnit(*unit, questions, out);
            return;
        }
        for (const auto& question : questions)
            finish(question, out.frames.size(), out);
    }

    void answerUnit(const DwarfUnits::Prepared& unit, std::span<const Question> questions, AddressAnswers& out) {
        const auto part = split_->of(unit);
        DwarfEntries entries(part ? *part->units : *units_, part ? *part->unit : unit, scopes_);
        UnitLines lines(*file_->dwarf(), *unit.unit, lineTables_, units_->texts());
        std::vector<std::uint64_t> addresses;
        for (const auto& question : questions)
            addresses.push_back(question.address);
        const auto found = entries.framesAt(addresses);
        for (std::size_t i = 0; i < questions.size(); ++i) {
            const auto firstFrame = out.frames.size();
            auto place = lines.at(questions[i].address);
            for (auto link = found.innermost[i]; link != DwarfFrames::kNone; link = found.links[link].outer) {
                const auto& entry = found.frames[found.links[link].frame];
                FrameAnswer frame{.function = entries.functionName(entry.entry, out.texts),
                                  .isInlined = entry.isInlined};
                if (place) {
                    frame.file = lines.fileText(place->file, out.texts);
                    frame.line = place->line;
                }
                if (!entry.isInlined) frame.offset = static_cast<std::uint32_t>(questions[i].address - entry.begin);
                out.frames.push_back(frame);
                place = UnitLines::Place{entry.callFile, entry.callLine};
            }
            // Code without an entry (assembler): the symbol table has its name, and the line is known.
            if (out.frames.size() == firstFrame && place) {
                out.frames.push_back({.function = {}, .file = lines.fileText(place->file, out.texts)});
                out.frames.back().line = place->line;
            }
            finish(questions[i], firstFrame, out);
        }
    }

    /// Gives the outermost frame the linker's name. Drops frames without any name.
    void finish(const Question& question, std::size_t firstFrame, AddressAnswers& out) const {
        const auto symbols = symbols_.at(question.address);
        if (!symbols.empty()) {
            if (out.frames.size() == firstFrame) out.frames.push_back({.function = {}, .origin = NameOrigin::Public});
            auto& outermost = out.frames.back();
            const auto some = symbols.first(std::min(symbols.size(), kMostFolded));
            const bool isAmong = std::any_of(some.begin(), some.end(),
                                             [&](const auto& symbol) { return symbol.name == outermost.function; });
            if (!isAmong) outermost.function = symbols.front().name;
            outermost.offset = static_cast<std::uint32_t>(question.address - symbols.front().begin);
            outermost.foldedWith = static_cast<std::uint32_t>(symbols.size() - 1);
        }
        const auto hasNoName = [](const FrameAnswer& frame) { return frame.function.empty(); };
        const auto first = out.frames.begin() + static_cast<std::ptrdiff_t>(firstFrame);
        out.frames.erase(std::remove_if(first, out.frames.end(), hasNoName), out.frames.end());
        out.addresses.push_back({question.index, firstFrame, out.frames.size()});
    }

    std::shared_ptr<const void> owner_;
    std::unique_ptr<ElfContents> file_;
    ElfLinks links_;
    StrippedSymbols stripped_;
    SymbolIdentity identity_;
    std::mutex mutex_; ///< one resolve() at a time
    bool isRead_ = false;
    ElfSymbols symbols_;
    std::optional<ElfLinkedFile> alt_;
    std::optional<DwarfUnits> altUnits_;
    std::optional<DwarfUnits> units_;
    std::optional<DwarfSplitFiles> split_;
    DwarfScopesOfUnits scopes_; ///< for both files
    LineTableLimits lineTables_;
};

bool ElfSymbolFile::isElf(ByteSpan bytes) {
    return bytes.size() >= 4 && std::memcmp(bytes.data(),
                                            "\x7F"
                                            "ELF",
                                            4) == 0;
}

Result<std::unique_ptr<SymbolFile>> ElfSymbolFile::open(ByteSpan bytes, std::shared_ptr<const void> owner,
                                                        const std::filesystem::path& path, const LinkedFiles& linked) {
    auto file = TRY(ElfContents::open(bytes));
    if (!file->isLinked())
        return Error{ErrorKind::Unsupported, "Object files are not supported because their code has no addresses yet."};
    return std::unique_ptr<SymbolFile>(
        new ElfSymbolFile(std::make_unique<Impl>(std::move(file), std::move(owner), path, linked)));
}

ElfSymbolFile::ElfSymbolFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ElfSymbolFile::~ElfSymbolFile() = default;

const SymbolIdentity& ElfSymbolFile::identity() const { return impl_->identity(); }
std::string ElfSymbolFile::remark() const { return impl_->remark(); }
bool ElfSymbolFile::hasPrivateSymbols() const { return impl_->hasDwarf(); }

ResolvedAddresses ElfSymbolFile::resolve(std::span<const Rva> addresses, std::stop_token stop) {
    return impl_->resolve(addresses, stop);
}

} // namespace highwater::symbols
