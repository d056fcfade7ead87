#include "core/pipeline/trace_archives.h"

#include "core/base/text.h"
#include "core/files/mapped_file.h"
#include "core/source/etl_files/zip_archive.h"
#include "core/symbols/places/symbol_path.h"

#include <algorithm>
#include <mutex>
#include <string_view>

namespace highwater::pipeline {
namespace {

constexpr std::string_view kSymbols = "symbols/";
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30; ///< for one file

/// Windows programs write either kind of slash.
std::string withSlashes(std::string name) {
    std::replace(name.begin(), name.end(), '\\', '/');
    return name;
}

/// "symbols/name/key/name", at the top or below a folder; Windows names are case-insensitive.
bool isFileOf(const source::ZipEntry& entry, const std::string& wanted) {
    const auto name = withSlashes(entry.name);
    if (name.size() < wanted.size()) return false;
    const auto rest = name.size() - wanted.size();
    return (rest == 0 || name[rest - 1] == '/') && equalsIgnoringCase(std::string_view(name).substr(rest), wanted);
}

class ZipSymbolArchive final : public symbols::SymbolArchive {
  public:
    explicit ZipSymbolArchive(std::filesystem::path path) : path_(std::move(path)) {}

    [[nodiscard]] const std::filesystem::path& path() const override { return path_; }
    [[nodiscard]] std::optional<Result<std::vector<std::byte>>> read(const std::string& pdbName,
                                                                     const std::string& key) const override {
        const auto* archive = opened();
        if (archive == nullptr) return std::nullopt; // reported when the trace was opened
        const auto wanted = std::string(kSymbols) + pdbName + '/' + key + '/' + pdbName;
        const auto& entries = archive->entries();
        const auto found =
            std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return isFileOf(entry, wanted); });
        if (found == entries.end()) return std::nullopt;
        source::UnpackingRoom room{kMostBytes};
        auto content = TRY(archive->read(*found, room));
        if (!content.isWhole) return Error{ErrorKind::Damaged, "is damaged or cut off"};
        const auto bytes = content.bytes;
        return std::vector<std::byte>(bytes.begin(), bytes.end());
    }

  private:
    [[nodiscard]] const source::ZipArchive* opened() const {
        const std::lock_guard lock(mutex_);
        if (!isTried_) {
            isTried_ = true;
            auto file = MappedFile::open(path_);
            if (!file.hasValue()) return nullptr;
            file_ = std::move(file).value();
            auto archive = source::ZipArchive::open(file_->bytes(), utf8(path_));
            if (archive.hasValue()) archive_.emplace(std::move(archive).value());
        }
        return archive_ ? &*archive_ : nullptr;
    }

    std::filesystem::path path_;
    mutable std::mutex mutex_; ///< guards the next three until they are set
    mutable bool isTried_ = false;
    mutable std::shared_ptr<const MappedFile> file_;
    mutable std::optional<source::ZipArchive> archive_;
};

} // namespace

std::vector<std::shared_ptr<const symbols::SymbolArchive>>
traceArchives(std::span<const std::filesystem::path> traces) {
    std::vector<std::shared_ptr<const symbols::SymbolArchive>> archives;
    for (const auto& trace : traces) {
        if (symbols::isTraceArchive(trace)) archives.push_back(std::make_shared<ZipSymbolArchive>(trace));
    }
    return archives;
}

} // namespace highwater::pipeline
