#include "core/symbols/demangling/microsoft_name.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace highwater::symbols {
namespace {

constexpr std::uint64_t kMostMicrosoftPrinted = 256 * 1024;
/// Parts that are not understood may be longer; the estimate for them is far too high.
constexpr double kMostMicrosoftEstimated = 64.0 * 1024 * 1024;
constexpr std::uint64_t kWordLength = 16; ///< "unsigned __int64" and the like
constexpr int kDeepestMicrosoftName = 200;

/// Walks over a name and measures each of its parts. Stops at the first part that it does not understand.
class MicrosoftNameWalk {
  public:
    explicit MicrosoftNameWalk(std::string_view text) : text_(text) {}

    enum class End { Modest, TooLong, Unknown };

    End run() {
        const auto length = symbol();
        if (isTooLong_ || length > kMostMicrosoftPrinted) return End::TooLong;
        return isUnknown_ ? End::Unknown : End::Modest;
    }

  private:
    /// The parts that digits refer to. Demanglers number them differently, so a digit counts as the longest part of its
    /// kind. Template arguments have their own kinds.
    struct Context {
        std::uint64_t longestName = 0;
        std::uint64_t longestParameter = 0;
    };
    class Inside {
      public:
        explicit Inside(MicrosoftNameWalk& walk) : walk_(walk) {
            if (++walk_.depth_ > kDeepestMicrosoftName) walk_.isTooLong_ = true;
        }
        ~Inside() { --walk_.depth_; }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

      private:
        MicrosoftNameWalk& walk_;
    };

    [[nodiscard]] bool stopped() const { return isUnknown_ || isTooLong_; }
    [[nodiscard]] char look(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    [[nodiscard]] static bool isDigit(char c) { return c >= '0' && c <= '9'; }
    char take() {
        if (at_ < text_.size()) return text_[at_++];
        isUnknown_ = true;
        return '\0';
    }
    bool takeIf(std::string_view sign) {
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    std::uint64_t unknown() {
        isUnknown_ = true;
        return 0;
    }
    std::uint64_t checked(std::uint64_t length) {
        if (length > kMostMicrosoftPrinted) isTooLong_ = true;
        return std::min(length, kMostMicrosoftPrinted + 1);
    }
    /// "?name@scope@@" and its type.
    std::uint64_t symbol() {
        const Inside inside(*this);
        if (stopped() || !takeIf("?")) return unknown();
        const bool isSpecial = look() == '?' && look(1) != '$';
        if (isSpecial) {
            at_ += look(1) == '_' ? (look(2) == '_' ? 4 : 3) : 2;
            if (at_ > text_.size()) return unknown();
        }
        auto length = kWordLength + qualifiedName();
        if (stopped()) return length;
        const char kind = take();
        if (kind >= '0' && kind <= '4') return checked(length + variable());
        if (kind >= '5' && kind <= '9') return length;
        return checked(length + function(kind));
    }
    std::uint64_t variable() {
        const auto length = type();
        takePointerSigns();
        take();
        if (look() == 'V' || look() == 'U') return length; // class of a member pointer, already counted
        return length;
    }
    std::uint64_t function(char kind) {
        const bool isMember = kind >= 'A' && kind <= 'X';
        const auto which = (kind - 'A') % 8;
        const bool isStatic = isMember && (which == 2 || which == 3);
        if (isMember && (which == 6 || which == 7)) number(); // thunks
        if (isMember && !isStatic) {
            takePointerSigns();
            take();
        }
        return signature();
    }
    void takePointerSigns() {
        while (look() == 'E' || look() == 'F' || look() == 'I' || look() == 'G' || look() == 'H')
            ++at_;
    }

    /// Calling convention, return type, parameters, exceptions.
    std::uint64_t signature() {
        const Inside inside(*this);
        if (stopped()) return 0;
        take();
        std::uint64_t length = kWordLength;
        if (!takeIf("@")) length += type();
        if (!takeIf("X")) length += parameters();
        if (!takeIf("_E")) take();
        return checked(length);
    }
    std::uint64_t parameters() {
        std::uint64_t length = 0;
        while (!stopped() && !takeIf("@")) {
            if (takeIf("Z")) break;
            if (isDigit(look())) {
                ++at_;
                length += context_.longestParameter;
            } else {
                const auto one = type();
                context_.longestParameter = std::max(context_.longestParameter, one);
                length += one;
            }
            length = checked(length + 2);
        }
        return length;
    }

    std::uint64_t type() {
        const Inside inside(*this);
        if (stopped()) return 0;
        if (takeIf("?")) take(); // qualifiers
        if (takeIf("$$Q") || takeIf("$$R")) return pointer();
        if (takeIf("$$A")) return takeIf("6") ? signature() : unknown();
        if (takeIf("$$B")) return type();
        if (takeIf("$$C")) {
            take();
            return kWordLength + type();
        }
        if (takeIf("$$T")) return kWordLength;
        const char c = take();
        switch (c) {
        case 'T':
        case 'U':
        case 'V':
            return kWordLength + qualifiedName();
        case 'W':
            take();
            return kWordLength + qualifiedName();
        case 'A':
        case 'B':
        case 'P':
        case 'Q':
        case 'R':
        case 'S':
            return pointer();
        case 'Y':
            return array();
        case '_':
            take();
            return kWordLength;
        default:
            return (c >= 'C' && c <= 'O') || c == 'X' || c == 'Z' ? kWordLength : unknown();
        }
    }
    std::uint64_t pointer() {
        takePointerSigns();
        if (takeIf("6")) return kWordLength + signature();
        if (takeIf("8")) {
            const auto owner = qualifiedName();
            takePointerSigns();
            take();
            return checked(kWordLength + owner + signature());
        }
        const char qualifiers = take();
        const auto owner = qualifiers >= 'Q' && qualifiers <= 'T' ? qualifiedName() : 0;
        return checked(kWordLength + owner + type());
    }
    std::uint64_t array() {
        const auto dimensions = number();
        for (std::uint64_t i = 0; i < dimensions && !stopped(); ++i)
            number();
        return kWordLength * std::min<std::uint64_t>(dimensions, text_.size()) + type();
    }
    /// The digit N means N + 1; other numbers are letters up to "@".
    std::uint64_t number() {
        takeIf("?");
        if (isDigit(look())) return static_cast<std::uint64_t>(take() - '0') + 1;
        std::uint64_t value = 0;
        for (char c = take(); c != '@' && !stopped(); c = take()) {
            if (c < 'A' || c > 'P') return unknown();
            value = value * 16 + static_cast<std::uint64_t>(c - 'A');
        }
        return value;
    }

    /// Pieces from the innermost outwards, up to "@".
    std::uint64_t qualifiedName() {
        const Inside inside(*this);
        std::uint64_t length = 0;
        while (!stopped() && !takeIf("@"))
            length = checked(length + 2 + piece());
        return length;
    }
    std::uint64_t piece() {
        if (isDigit(look())) {
            ++at_;
            return context_.longestName;
        }
        if (takeIf("?$")) return known(templateName());
        if (look() == '?' && look(1) == 'A') return simpleName();
        if (takeIf("?")) { // inside a function
            number();
            return look() == '?' ? symbol() : unknown();
        }
        return simpleName();
    }
    std::uint64_t simpleName() {
        const auto end = text_.find('@', at_);
        if (end == std::string_view::npos || end == at_) return unknown();
        const auto length = end - at_;
        at_ = end + 1;
        return known(length);
    }
    std::uint64_t known(std::uint64_t length) {
        context_.longestName = std::max(context_.longestName, length);
        return length;
    }
    std::uint64_t templateName() {
        const Inside inside(*this);
        const auto outer = context_;
        context_ = {};
        std::uint64_t length = 0;
        if (takeIf("?")) { // an operator
            take();
        } else {
            length = simpleName();
        }
        while (!stopped() && !takeIf("@"))
            length = checked(length + 2 + argument());
        context_ = outer;
        return length;
    }
    std::uint64_t argument() {
        if (takeIf("$$$V") || takeIf("$$V") || takeIf("$$Z") || takeIf("$S")) return 0;
        if (takeIf("$$Y")) return qualifiedName();
        if (takeIf("$0")) {
            number();
            return kWordLength;
        }
        if (takeIf("$1") || takeIf("$E")) return symbol();
        return type();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Context context_;
    int depth_ = 0;
    bool isUnknown_ = false;
    bool isTooLong_ = false;
};

/// Whether any name with that many digits, and that many parts that contain some, is short enough.
bool isBoundedByCount(std::string_view name) {
    std::size_t digits = 0;
    std::size_t holders = 1;
    for (std::size_t i = 0; i < name.size(); ++i) {
        digits += name[i] >= '0' && name[i] <= '9';
        holders += name[i] == '$' || name[i] == '6' || name[i] == '8';
    }
    const auto perHolder = 1.0 + static_cast<double>(digits) / static_cast<double>(holders);
    return std::pow(perHolder, static_cast<double>(holders)) * static_cast<double>(name.size()) <=
           kMostMicrosoftEstimated;
}

} // namespace

bool isBoundedMicrosoftName(std::string_view name) {
    const auto end = MicrosoftNameWalk(name).run();
    return end == MicrosoftNameWalk::End::Modest || (end == MicrosoftNameWalk::End::Unknown && isBoundedByCount(name));
}

} // namespace highwater::symbols
