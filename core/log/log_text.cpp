#include "core/log/log_text.h"

#include "core/base/text.h"

#include <array>
#include <utility>

namespace highwater {
namespace {

constexpr std::size_t kMostBytes = 2000;

constexpr std::array kLevels{
    std::pair{LogLevel::Debug, std::string_view("debug")}, std::pair{LogLevel::Information, std::string_view("info")},
    std::pair{LogLevel::Warning, std::string_view("warning")}, std::pair{LogLevel::Error, std::string_view("error")},
    std::pair{LogLevel::Off, std::string_view("off")}};

/// From the host on.
std::string_view withoutSecrets(std::string_view url) {
    const auto at = url.substr(0, url.find_first_of("/?#")).rfind('@');
    if (at != std::string_view::npos) url.remove_prefix(at + 1);
    return url.substr(0, url.find_first_of("?#"));
}

std::string withoutSecretsOfUrls(std::string_view text) {
    constexpr std::string_view kMark = "://", kBehindUrl = " \t\r\n\"<>";
    std::string out;
    for (auto mark = text.find(kMark); mark != std::string_view::npos; mark = text.find(kMark)) {
        const auto begin = mark + kMark.size();
        out += text.substr(0, begin);
        text.remove_prefix(begin);
        const auto url = text.substr(0, text.find_first_of(kBehindUrl));
        out += withoutSecrets(url);
        text.remove_prefix(url.size());
    }
    out += text;
    return out;
}

} // namespace

std::string_view wordOf(LogLevel level) {
    for (const auto& [known, word] : kLevels)
        if (known == level) return word;
    return {};
}

std::string_view wordOf(LogArea area) {
    switch (area) {
    case LogArea::Program:
        return "program";
    case LogArea::Open:
        return "open";
    case LogArea::Loss:
        return "loss";
    case LogArea::Symbols:
        return "symbols";
    case LogArea::Recording:
        return "recording";
    case LogArea::Save:
        return "save";
    case LogArea::Message:
        return "message";
    }
    return {};
}

std::optional<LogLevel> parseLogLevel(std::string_view word) {
    for (const auto& [level, known] : kLevels)
        if (equalsIgnoringCase(word, known)) return level;
    return std::nullopt;
}

std::string loggable(std::string_view sentence) {
    // Before it is cut: an address without its end could end within a password.
    const auto harmless = printable(withoutSecretsOfUrls(sentence));
    const auto start = startOfText(harmless, kMostBytes);
    return start.size() == harmless.size() ? harmless : std::string(start) + "...";
}

} // namespace highwater
