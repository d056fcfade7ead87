#include "core/source/wpr/wpr_messages.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace highwater::source {
namespace {

struct KnownCode {
    std::uint32_t code;
    ErrorKind kind;
    std::string_view sentence;
};

/// HRESULTs that wpr returns, its own and those of Windows.
constexpr KnownCode kKnownCodes[] = {
    {0x80070005, ErrorKind::AccessDenied,
     "Administrator rights are required. Start the command prompt as "
     "administrator."},
    {0xC5580612, ErrorKind::AccessDenied,
     "Administrator rights are required. Start the command prompt as "
     "administrator."},
    {0xC5583001, ErrorKind::AccessDenied,
     "Windows Performance Recorder is already recording. End that recording first with wpr -stop FILE.etl or wpr "
     "-cancel."},
    {0xC5583000, ErrorKind::NotFound,
     "Nothing is being recorded because the recording was ended outside of "
     "Highwater."},
    {0x80070057, ErrorKind::Unsupported, "wpr does not support this command, or the process does not exist."},
    {0x80070032, ErrorKind::Unsupported, "This version of Windows does not support this command."},
    {0x80070070, ErrorKind::Io, "The disk is full."},
    {0x80070020, ErrorKind::Io, "Another program has the file open."},
};

/// The first line that is not blank; wpr writes blank lines in between.
std::string firstLine(std::string_view output) {
    while (!output.empty()) {
        const auto end = output.find_first_of("\r\n");
        const auto line = output.substr(0, end);
        const auto begin = line.find_first_not_of(" \t");
        if (begin != std::string_view::npos) return printable(line.substr(begin));
        output.remove_prefix(end == std::string_view::npos ? output.size() : end + 1);
    }
    return {};
}

} // namespace

std::string wprCommandText(const std::vector<std::string>& arguments) {
    return fmt::format("wpr {}", fmt::join(arguments, " "));
}

Error wprError(const std::vector<std::string>& arguments, const WprOutcome& outcome) {
    const auto command = wprCommandText(arguments);
    switch (outcome.kind) {
    case WprOutcome::Kind::Missing:
        return {ErrorKind::Unsupported, "wpr.exe was not found. Heap snapshots need Windows 10, version 1803, or "
                                        "later."};
    case WprOutcome::Kind::NotStarted:
        return {ErrorKind::Io, fmt::format("{} cannot be started (error {}).", command, outcome.exitCode)};
    case WprOutcome::Kind::TimedOut:
        return {ErrorKind::Io, fmt::format("{} did not finish in time and was terminated.", command)};
    case WprOutcome::Kind::Ended:
        break;
    }
    auto kind = ErrorKind::Io;
    auto text = fmt::format("{} failed (0x{:08x}).", command, outcome.exitCode);
    if (const auto words = firstLine(outcome.output); !words.empty()) text += " It says: " + words;
    for (const auto& known : kKnownCodes) {
        if (known.code != outcome.exitCode) continue;
        kind = known.kind;
        text += fmt::format(" {}", known.sentence);
    }
    return {kind, std::move(text)};
}

} // namespace highwater::source
