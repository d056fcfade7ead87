#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace highwater::symbols {

/// Whether the 0-terminated text at the offset equals `text`. Reads no more of it than needed.
[[nodiscard]] inline bool isTextAt(std::string_view texts, std::uint64_t offset, std::string_view text) {
    if (offset >= texts.size()) return false;
    const auto rest = texts.substr(static_cast<std::size_t>(offset));
    return rest.size() > text.size() && rest.starts_with(text) && rest[text.size()] == '\0';
}

/// Reads names from a table of 0-terminated texts. Names may be parts of each other. In crafted files every name may be
/// the same megabytes, so that reading all of them takes many times the file's size. After a few times the size of the
/// file, all names are empty. One thread.
class SharedNames {
  public:
    explicit SharedNames(std::uint64_t fileBytes) : left_(kAlwaysBytes + fileBytes * kTimesRead) {}

    /// Empty: no name, or not terminated.
    [[nodiscard]] std::string_view at(std::string_view texts, std::uint64_t offset) {
        if (offset >= texts.size()) return {};
        const auto rest = texts.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(left_));
        const auto end = rest.find('\0');
        left_ -= std::min<std::uint64_t>(left_, end == std::string_view::npos ? rest.size() : end);
        return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
    }

  private:
    static constexpr std::uint64_t kAlwaysBytes = std::uint64_t{1} << 20;
    static constexpr std::uint64_t kTimesRead = 4;
    std::uint64_t left_;
};

/// The same limit for texts that the reader of the file finds itself. Single texts may be long, but when long texts add
/// up to many times their section, no more should be read. Any thread.
class LongTexts {
  public:
    static constexpr std::size_t kLong = 4096; ///< shorter texts are not counted

    explicit LongTexts(std::uint64_t sectionBytes)
        : left_(static_cast<std::int64_t>(kAlwaysBytes + sectionBytes * kTimesRead)) {}

    /// For a 0-terminated text. Empty: do not read it.
    [[nodiscard]] std::string_view at(const char* text) {
        if (isUsedUp()) return {};
        const std::string_view begin(text, strnlen(text, kLong));
        if (begin.size() < kLong) return begin;
        const std::string_view all(text);
        use(all.size());
        return all;
    }
    /// Counts a text of that many bytes.
    void use(std::size_t bytes) {
        if (bytes >= kLong) left_ -= static_cast<std::int64_t>(bytes);
    }
    [[nodiscard]] bool isUsedUp() const { return left_ <= 0; }

  private:
    static constexpr std::uint64_t kAlwaysBytes = std::uint64_t{64} << 20;
    static constexpr std::uint64_t kTimesRead = 4;
    std::atomic<std::int64_t> left_;
};

} // namespace highwater::symbols
