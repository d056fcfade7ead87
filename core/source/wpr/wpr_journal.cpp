#include "core/source/wpr/wpr_journal.h"

#include "core/base/text.h"
#include "core/files/output_file.h"
#include "core/files/private_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>

namespace highwater::source {
namespace {

constexpr std::string_view kOwner = "owner";
constexpr std::array<std::string_view, 3> kUndoing{"-snapshotconfig", "-disableperiodicsnapshot", "-cancel"};
constexpr std::size_t kMostBytes = 64 * 1024;

/// Words in a line are separated by tabs, because program names may contain blanks.
std::vector<std::string> wordsOf(const std::string& line) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at <= line.size();) {
        const auto end = std::min(line.find('\t', at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

std::uint32_t numberOf(const std::string& word) {
    std::uint32_t number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    return read.ec == std::errc{} && read.ptr == word.data() + word.size() ? number : 0;
}

} // namespace

Result<void> WprJournal::write(const WprLeftovers& leftovers) {
    std::error_code failed;
    if (leftovers.commands.empty()) {
        std::filesystem::remove(file_, failed);
        return {};
    }
    (void)makePrivateFolder(file_.parent_path(), failed);
    auto text = fmt::format("{}\t{}\n", kOwner, leftovers.owner);
    for (const auto& command : leftovers.commands) {
        for (std::size_t i = 0; i < command.size(); ++i)
            text += (i == 0 ? "" : "\t") + command[i];
        text += '\n';
    }
    auto next = file_;
    next += fmt::format(".{}", leftovers.owner);
    std::filesystem::remove(next, failed);
    auto file = TRY(OutputFile::createNew(next));
    TRY(file->append(std::as_bytes(std::span(text))));
    file.reset();
    std::filesystem::rename(next, file_, failed);
    if (failed) return Error{ErrorKind::Io, fmt::format("Cannot write {}: {}.", utf8(file_), failed.message())};
    return {};
}

WprLeftovers WprJournal::read() const {
    WprLeftovers leftovers;
    std::ifstream file(file_, std::ios::binary);
    std::string text(kMostBytes, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    for (std::size_t at = 0, end = text.find('\n'); end != std::string::npos; at = end + 1, end = text.find('\n', at)) {
        auto words = wordsOf(text.substr(at, end - at));
        if (words.size() == 2 && words[0] == kOwner)
            leftovers.owner = numberOf(words[1]);
        else if (std::ranges::find(kUndoing, std::string_view(words[0])) != kUndoing.end())
            leftovers.commands.push_back(std::move(words));
    }
    return leftovers;
}

} // namespace highwater::source
