#include "core/analysis/tags/stack_tags.h"

#include "core/analysis/tags/xml_tree.h"
#include "core/base/counted.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace highwater::analysis {
namespace {

constexpr std::string_view kTag = "Tag";
constexpr std::string_view kHintTag = "HintTag";
constexpr std::string_view kEntryPoint = "Entrypoint";
constexpr std::size_t kMostRemarks = 5;
constexpr std::size_t kMostRemarkName = 120;
constexpr std::size_t kMostTagNameBytes = std::size_t{64} << 20; ///< a tag contains the names of its parents

bool isTag(const XmlElement& element) { return element.name == kTag || element.name == kHintTag; }

std::string joined(const std::string& parent, std::string_view name) {
    if (parent.empty() || name.empty()) return parent.empty() ? std::string(name) : parent;
    return fmt::format("{}\\{}", parent, name);
}

/// Reads one file.
class Reader {
  public:
    Result<StackTagFile> read(std::string_view bytes) {
        const auto elements = TRY(readXml(bytes));
        for (const auto& element : elements) {
            if (!isTag(element))
                return Error{ErrorKind::NotATrace,
                             fmt::format("its first element is <{}>, but a stack tag file starts with <Tag>",
                                         startOfText(element.name, 60))};
            TRY(addTag(element, {}));
        }
        if (remarks_ > kMostRemarks)
            file_.remarks.push_back(
                fmt::format("{} more unknown {}", thousands(remarks_ - kMostRemarks),
                            byNumber(remarks_ - kMostRemarks, "element or attribute", "elements or attributes")));
        return std::move(file_);
    }

  private:
    using Definition = StackTags::Definition;

    Result<void> addTag(const XmlElement& element, const std::string& parent) {
        auto definition = TRY(definitionOf(element, parent));
        for (const auto& inner : element.elements) {
            if (isTag(inner)) {
                TRY(addTag(inner, definition.name));
            } else if (inner.name == kEntryPoint) {
                definition.entries.push_back(entryOf(inner));
            } else {
                remark(inner.line, "<{}>", inner.name);
            }
        }
        // A tag without a name is only a group.
        const bool isGroup = trimmed(element.attribute("Name").value_or("")).empty();
        if (!isGroup && !definition.entries.empty()) file_.tags.push_back(std::move(definition));
        return {};
    }

    Result<Definition> definitionOf(const XmlElement& element, const std::string& parent) {
        Definition made;
        made.name = joined(parent, trimmed(element.attribute("Name").value_or("")));
        nameBytes_ += made.name.size();
        if (nameBytes_ > kMostTagNameBytes)
            return wrong(element.line,
                         fmt::format("the full names of all tags exceed {}", bytesText(kMostTagNameBytes)));
        if (const auto priority = element.attribute("Priority")) {
            const auto digits = trimmed(*priority);
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), made.priority);
            if (error != std::errc() || end != digits.data() + digits.size())
                return wrong(element.line, fmt::format("Priority=\"{}\" is not a number", startOfText(*priority, 60)));
        }
        constexpr std::array<std::string_view, 2> kOfTags{"Name", "Priority"};
        constexpr std::array<std::string_view, 5> kOfHints{"Name", "Priority", "HintOperator", "HintOperation",
                                                           "OnlyShowModule"};
        if (element.name == kTag) {
            remarkUnknown(element, kOfTags);
            return made;
        }
        remarkUnknown(element, kOfHints);
        return hint(element, std::move(made));
    }

    static Result<Definition> hint(const XmlElement& element, Definition made) {
        auto what = element.attribute("HintOperator");
        if (!what) what = element.attribute("HintOperation");
        const bool isCallee = what && equalsIgnoringCase(*what, "Callee");
        if (!isCallee && !(what && equalsIgnoringCase(*what, "Caller")))
            return wrong(element.line, fmt::format("a HintTag needs HintOperator=\"Callee\" or \"Caller\", not \"{}\"",
                                                   startOfText(what.value_or(""), 60)));
        made.kind = isCallee ? Definition::Kind::OfCallee : Definition::Kind::OfCaller;
        const auto shown = element.attribute("OnlyShowModule").value_or("true");
        made.showsModuleOnly = equalsIgnoringCase(shown, "true") || shown == "1";
        if (!made.showsModuleOnly && !equalsIgnoringCase(shown, "false") && shown != "0")
            return wrong(element.line,
                         fmt::format("OnlyShowModule=\"{}\" is neither true nor false", startOfText(shown, 60)));
        return made;
    }

    Definition::Entry entryOf(const XmlElement& element) {
        constexpr std::array<std::string_view, 2> kKnown{"Module", "Method"};
        remarkUnknown(element, kKnown);
        return {lowered(element.attribute("Module").value_or("*")), lowered(element.attribute("Method").value_or("*"))};
    }

    template <std::size_t count>
    void remarkUnknown(const XmlElement& element, const std::array<std::string_view, count>& known) {
        for (const auto& [name, value] : element.attributes)
            if (std::ranges::find(known, name) == known.end()) remark(element.line, "{} of <{}>", name, element.name);
    }

    /// Names may be long and numerous, so only the shown part is copied.
    template <typename... Names>
    void remark(std::uint32_t line, std::string_view format, const Names&... names) {
        if (++remarks_ > kMostRemarks) return;
        const auto what = fmt::format(fmt::runtime(format), startOfText(names, kMostRemarkName)...);
        file_.remarks.push_back(fmt::format("line {}: {} is unknown and ignored", line, startOfText(what, 120)));
    }

    static Error wrong(std::uint32_t line, const std::string& what) {
        return {ErrorKind::Damaged, fmt::format("line {}: {}", line, what)};
    }

    StackTagFile file_;
    std::size_t remarks_ = 0; ///< total number
    std::size_t nameBytes_ = 0;
};

} // namespace

Result<StackTagFile> readStackTagFile(std::string_view bytes, const std::string& name) {
    auto file = Reader().read(bytes);
    if (!file.hasValue())
        return Error{file.error().kind, fmt::format("Cannot read stack tags from {}: {}.", name, file.error().message)};
    for (auto& remark : file.value().remarks)
        remark = fmt::format("{}: {}.", name, remark);
    return file;
}

} // namespace highwater::analysis
