#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::analysis {

/// An element of an XML file, with the data that stack tag files need.
struct XmlElement {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes; ///< predefined entities are replaced by characters
    std::uint32_t line = 0;                                      ///< start line, from 1
    std::vector<XmlElement> elements;
    /// Nothing: the attribute does not exist.
    [[nodiscard]] std::optional<std::string_view> attribute(std::string_view called) const;
};

/// Limits for files that people write. Larger or deeper files are not stack tag files.
inline constexpr std::size_t kMostXmlBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMostXmlDepth = 256;

/// The outermost elements of a UTF-8 or UTF-16 file. Comments, text and processing instructions are skipped, as are
/// document types: their entities are not expanded, and one in a tag is an error. Errors: Damaged, NotATrace,
/// Unsupported, with a sentence that follows the file's name ("line 4: ..."). Any thread.
[[nodiscard]] Result<std::vector<XmlElement>> readXml(std::string_view bytes);

} // namespace highwater::analysis
