#include "app/cli/arguments/suppression_files.h"

#include "app/cli/arguments/text_file.h"

namespace highwater::cli {

Result<std::shared_ptr<const analysis::Suppressions>> readSuppressions(const std::vector<std::string>& files) {
    auto suppressions = std::make_shared<analysis::Suppressions>();
    for (const auto& file : files) {
        const auto text = TRY(textOf(file));
        suppressions->add(text, file);
    }
    return std::shared_ptr<const analysis::Suppressions>(std::move(suppressions));
}

} // namespace highwater::cli
