#include "core/files/pending_file.h"

#include "core/files/nameless_file.h"

#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace highwater {
namespace {

namespace fs = std::filesystem;

constexpr int kMostNames = 1000;

bool isNameTaken(const fs::path& path) {
    std::error_code unknown;
    return fs::exists(fs::symlink_status(path, unknown));
}

} // namespace

Result<PendingFile> PendingFile::beside(const fs::path& place, const std::string& ending, OutputFile::Readers readers) {
    PendingFile pending(place, ending);
    const bool isOwn = readers == OutputFile::Readers::Owner;
    if (auto nameless = createNameless(place, isOwn ? NamelessFile::Readers::Owner : NamelessFile::Readers::AsUsual)) {
        pending.file_ = std::move(nameless->file);
        pending.giveName_ = std::move(nameless->giveName);
        return pending;
    }
    auto made = TRY(createBeside(place, ending, readers));
    pending.path_ = std::move(made.path);
    pending.file_ = std::move(made.file);
    return pending;
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : place_(std::move(other.place_)),
      ending_(std::move(other.ending_)),
      file_(std::move(other.file_)),
      giveName_(std::exchange(other.giveName_, nullptr)),
      path_(std::exchange(other.path_, fs::path())) {}

PendingFile::~PendingFile() {
    file_.reset(); // some systems cannot delete an open file
    std::error_code gone;
    if (!path_.empty()) fs::remove(path_, gone);
}

Result<void> PendingFile::takePlace() {
    if (giveName_) {
        TRY(giveName());
    }
    if (path_.empty()) return {};
    std::error_code failed;
    fs::rename(path_, place_, failed);
    if (failed) return Error{ErrorKind::Io, failed.message()};
    path_.clear();
    return {};
}

/// Uses the final name immediately if it is unused, because only a rename can replace a file.
Result<void> PendingFile::giveName() {
    if (!isNameTaken(place_) && giveName_(place_).hasValue()) {
        giveName_ = nullptr;
        return {};
    }
    for (int number = 1;; ++number) {
        auto path = place_;
        if (number > 1) path += fmt::format(".{}", number);
        path += ending_;
        auto named = giveName_(path);
        if (!named.hasValue() && isNameTaken(path) && number < kMostNames) continue;
        TRY(named);
        giveName_ = nullptr;
        path_ = std::move(path);
        return {};
    }
}

} // namespace highwater
