#include "app/window/page_list.h"

#include "app/pages/address_map_controller.h"
#include "app/pages/callers_controller.h"
#include "app/pages/heap_controller.h"
#include "app/pages/histogram_controller.h"
#include "app/window/compare_controller.h"
#include "app/window/generations_controller.h"
#include "app/window/leak_controller.h"
#include "ui/state/mark_list.h"

namespace highwater::app {

std::vector<Page*> makePages(const PageContext& context) {
    auto& [tabs, window, symbols, settings, marks] = context;
    std::vector<Page*> pages;
    pages.push_back(new LeakController(tabs, window));
    auto* generations = new GenerationsController(tabs, window);
    QObject::connect(generations, &GenerationsController::renameWanted, &marks, &ui::MarkList::rename);
    pages.push_back(generations);
    pages.push_back(new CompareController(tabs, symbols, settings, window));
    pages.push_back(new HistogramController(tabs, window));
    pages.push_back(new CallersController(tabs, window));
    pages.push_back(new HeapController(tabs, window));
    pages.push_back(new AddressMapController(tabs, window));
    return pages;
}

} // namespace highwater::app
