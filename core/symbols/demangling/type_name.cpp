#include "core/symbols/demangling/type_name.h"

#include "core/symbols/demangling/function_name.h"

#include <cstddef>

namespace highwater::symbols {
namespace {

/// Leaves out all arguments of templates but the first one of each list.
class ArgumentCutter {
  public:
    explicit ArgumentCutter(std::string_view text) : text_(text) {}

    std::string run() {
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == ',' && !open_.empty() && open_.back() == '<') {
                out_ += ", ...";
                skipArguments();
            }
            track(text_[at_]);
            out_ += text_[at_];
        }
        return std::move(out_);
    }

  private:
    /// Up to the end of the list.
    void skipArguments() {
        const auto depth = open_.size();
        for (; at_ + 1 < text_.size(); ++at_) {
            if (open_.size() == depth && text_[at_] == '>' && text_[at_ - 1] != '-') return;
            track(text_[at_]);
        }
    }
    /// A sign of comparison is in parentheses, where the end of these ends it, too.
    void track(char c) {
        if (c == '<' || c == '(' || c == '{' || c == '[') return open_.push_back(c);
        if (c == '>') {
            const bool isArrow = at_ > 0 && text_[at_ - 1] == '-';
            if (!isArrow && !open_.empty() && open_.back() == '<') open_.pop_back();
            return;
        }
        const char opening = c == ')' ? '(' : c == '}' ? '{' : c == ']' ? '[' : '\0';
        const auto match = opening == '\0' ? std::string::npos : open_.rfind(opening);
        if (match != std::string::npos) open_.resize(match);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string open_; ///< brackets that have not been closed
    std::string out_;
};

} // namespace

std::optional<std::string> typeOfVirtualTable(std::string_view linkageName) {
    constexpr std::string_view kSymbol = "_ZTV", kReadable = "vtable for ";
    if (!linkageName.starts_with(kSymbol)) return std::nullopt;
    linkageName = linkageName.substr(0, linkageName.find_first_of(".@")); // ".lto_priv.0", "@GLIBCXX_3.4"
    const auto readable = readableName(linkageName, NameStyle::Full);
    if (!readable.starts_with(kReadable) || readable.size() == kReadable.size()) return std::nullopt;
    return ArgumentCutter(std::string_view(readable).substr(kReadable.size())).run();
}

} // namespace highwater::symbols
