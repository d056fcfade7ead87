#include "core/symbols/store/part_file.h"

#include "core/files/output_file.h"

#include <fstream>
#include <span>
#include <string_view>
#include <utility>

namespace highwater::symbols {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPartEnding = ".part";
constexpr const char* kTagEnding = ".tag";
constexpr const char* kUnpackedEnding = ".unpacked";

constexpr int kTreeDepth = 2; ///< root / name / identity / file

bool isHex(std::string_view text) { return text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos; }

/// The cache may be any folder, and other programs use the same extensions. So both name and place must match.
bool isOurs(const fs::path& path) {
    constexpr std::size_t kIdentityDigits = 16; ///< at least
    const auto identity = path.parent_path().filename().string();
    if (identity.size() < kIdentityDigits || !isHex(identity)) return false;
    return path.extension() == kUnpackedEnding || isPartName(path);
}

void removeIfUnused(const fs::path& path) {
    const auto file = LockedFile::open(path, LockedFile::Mode::Existing);
    if (file.state() != LockedFile::State::Open) return;
    std::error_code error;
    fs::remove(fs::path(path).replace_extension(kTagEnding), error);
    fs::remove(path, error);
}

} // namespace

bool isPartName(const fs::path& path) {
    constexpr std::size_t kKeyDigits = 16;
    const auto key = path.stem().extension().string(); // including the dot
    return path.extension() == kPartEnding && key.size() == kKeyDigits + 1 && isHex(std::string_view(key).substr(1));
}

PartFile PartFile::open(const fs::path& target, const std::string& key) {
    PartFile part;
    part.path_ = target;
    part.path_ += "." + key + kPartEnding;
    do {
        part.file_ = LockedFile::open(part.path_, LockedFile::Mode::Create);
        if (part.file_.state() == LockedFile::State::Failed) (void)part.fail();
        if (part.file_.state() == LockedFile::State::Busy) part.state_ = State::Busy;
        if (part.file_.state() != LockedFile::State::Open) return part;
    } while (!part.file_.isStillAt(part.path_));
    part.state_ = State::Open;
    std::ifstream tag(part.tagPath());
    std::getline(tag, part.tag_);
    part.bytes_ = part.file_.bytes();
    if (part.tag_.empty()) part.restart({});
    return part;
}

void PartFile::restart(std::string tag) {
    if (!file_.empty()) (void)fail();
    bytes_ = 0;
    tag_ = std::move(tag);
    std::error_code error;
    fs::remove(tagPath(), error);
    if (tag_.empty()) return;
    const auto line = tag_ + '\n';
    // Without a tag, the file is downloaded from the start.
    if (const auto file = OutputFile::createNew(tagPath()); file.hasValue())
        (void)file.value()->append(std::as_bytes(std::span(line)));
}

bool PartFile::append(ByteSpan bytes) {
    if (!file_.append(bytes)) return fail();
    bytes_ += bytes.size();
    return true;
}

bool PartFile::moveTo(const fs::path& target) {
    if (!file_.rename(path_, target)) return fail();
    std::error_code error;
    fs::remove(tagPath(), error);
    file_.close();
    return true;
}

void PartFile::remove() {
    if (file_.state() != LockedFile::State::Open) return;
    std::error_code error;
    fs::remove(tagPath(), error);
    fs::remove(path_, error);
    file_.close();
}

bool PartFile::fail() {
    problem_ = file_.problem();
    state_ = State::CannotWrite;
    return false;
}

fs::path PartFile::tagPath() const { return fs::path(path_).replace_extension(kTagEnding); }

void removePartsOf(const fs::path& target) {
    const auto begin = target.filename().string() + ".";
    std::error_code error;
    for (fs::directory_iterator it(target.parent_path(), error), end; !error && it != end; it.increment(error)) {
        const auto name = it->path().filename().string();
        if (name.starts_with(begin) && isPartName(it->path())) removeIfUnused(it->path());
    }
}

void removeLeftovers(const fs::path& root, fs::file_time_type::duration age) {
    const auto limit = fs::file_time_type::clock::now() - age;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(root, options, error), end; !error && it != end; it.increment(error)) {
        if (it.depth() == kTreeDepth) it.disable_recursion_pending();
        if (it.depth() != kTreeDepth || !isOurs(it->path())) continue;
        std::error_code gone; // another process may be removing it
        if (!it->is_regular_file(gone) || it->last_write_time(gone) > limit || gone) continue;
        removeIfUnused(it->path());
    }
}

} // namespace highwater::symbols
