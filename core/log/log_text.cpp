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

/// An address without a scheme is also treated as a server. `word`: without blanks.
std::string wordWithoutSecrets(std::string_view word) {
    constexpr auto kNone = std::string_view::npos;
    const auto at = word.find('@');
    const auto colon = at == kNone ? kNone : word.substr(0, at).rfind(':');
    std::string out(word);
    if (colon != kNone) {
        const auto last = word.substr(0, word.find_first_of("/\\?#", at)).rfind('@'); // a password may contain one
        const auto before = word.substr(0, colon).find_last_of("/\\*;");
        const bool isOneWord = word.substr(colon, at - colon).find_first_of("/\\*;") == kNone;
        if (isOneWord) out = std::string(word.substr(0, before == kNone ? 0 : before + 1)) + out.substr(last + 1);
    }
    const auto query = out.find('?');
    const auto isQuery = query != std::string::npos && out.find('=', query) != std::string::npos;
    return isQuery ? out.substr(0, query) : out;
}

std::string withoutSecretsOfWords(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n\"<>";
    std::string out;
    while (!text.empty()) {
        const auto word = text.substr(0, text.find_first_of(kBlanks));
        out += wordWithoutSecrets(word);
        text.remove_prefix(word.size());
        const auto blanks = text.substr(0, text.find_first_not_of(kBlanks));
        out += blanks;
        text.remove_prefix(blanks.size());
    }
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
    case LogArea::Note:
        return "note";
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
    // Before truncation: an address without its end could end within a password.
    const auto harmless = printable(withoutSecretsOfWords(withoutSecretsOfUrls(sentence)));
    const auto start = startOfText(harmless, kMostBytes);
    return start.size() == harmless.size() ? harmless : std::string(start) + "...";
}

} // namespace highwater
