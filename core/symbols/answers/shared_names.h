#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace highwater::symbols {

/// Whether a text that ends with 0 is this one; looks at no more of it.
[[nodiscard]] inline bool isTextAt(std::string_view texts, std::uint64_t offset, std::string_view text) {
    if (offset >= texts.size()) return false;
    const auto rest = texts.substr(static_cast<std::size_t>(offset));
    return rest.size() > text.size() && rest.starts_with(text) && rest[text.size()] == '\0';
}

/// Takes names out of a table of texts that end with 0 each. Names may be parts of each other, but only those of
/// crafted files overlap so much that all together are many times their file: there every name may be the same
/// megabytes, and to go over each is too much. From a few times the file's size on all names are empty. One thread.
class SharedNames {
  public:
    explicit SharedNames(std::uint64_t fileBytes) : left_(kAlwaysBytes + fileBytes * kTimesRead) {}

    /// Empty: there is none, or it has no end.
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

/// The same for texts that whoever reads the file finds by himself: any of them may be long, but not all. When long
/// ones come to many times their section, none should be read any more. Any thread.
class LongTexts {
  public:
    static constexpr std::size_t kLong = 4096; ///< shorter texts cost nothing

    explicit LongTexts(std::uint64_t sectionBytes)
        : left_(static_cast<std::int64_t>(kAlwaysBytes + sectionBytes * kTimesRead)) {}

    /// Of a text that ends with 0. Empty: none should be read.
    [[nodiscard]] std::string_view at(const char* text) {
        if (isUsedUp()) return {};
        const std::string_view begin(text, strnlen(text, kLong));
        if (begin.size() < kLong) return begin;
        const std::string_view all(text);
        use(all.size());
        return all;
    }
    /// A text was made of some bytes.
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
