#include "core/event/mapping_names.h"

#include "core/base/text.h"
#include "core/event/agent_names.h"

namespace highwater {

bool isAgentMapping(std::string_view name) {
    return name == kAgentChannelMapping || name == kAgentPagesMapping || fileName(name).starts_with(kAgentLibraryFile);
}

} // namespace highwater
