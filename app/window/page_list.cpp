#include "app/window/page_list.h"

#include "app/tools/tools.h"

namespace highwater::app {

std::vector<MakePage> toolPages() {
#define HIGHWATER_LISTED(folder, name) name##Page,
#define HIGHWATER_LEFT_OUT(folder, name)
    return {HIGHWATER_TOOLS(HIGHWATER_LEFT_OUT, HIGHWATER_LISTED)};
#undef HIGHWATER_LEFT_OUT
#undef HIGHWATER_LISTED
}

std::vector<Page*> makePages(const PageContext& context, const std::vector<MakePage>& makers) {
    std::vector<Page*> pages;
    for (const auto makePage : makers)
        pages.push_back(makePage(context));
    return pages;
}

} // namespace highwater::app
