#pragma once

#include "app/pages/asking_page.h"
#include "app/tools/holders/page/held_by_view.h"

#include <memory>
#include <optional>
#include <vector>

namespace highwater::app {

using HeldByAskingPage = AskingPage<ui::HeldByPageQuery, ui::HeldByPageFound, ui::HeldByView>;

/// The Held By page: queries the pictures of the interval, and the filter if the current graph shows heaps, and filters
/// that graph to the blocks of a row. GUI thread only.
class HeldByController : public HeldByAskingPage {
    Q_OBJECT
  public:
    HeldByController(ui::AnalysisTabs& tabs, QMainWindow& window);

  private:
    using Rows = std::vector<analysis::KeyPath>;

    /// What the answer depends on while a trace grows, except for names.
    struct Subject {
        std::vector<SharedMemoryPicture> pictures;
        std::optional<TraceTime> at, earlier;
        analysis::RowFilter filter;
        std::shared_ptr<const analysis::AllocatorFrames> allocatorFrames;
        bool operator==(const Subject&) const = default;
    };

    void connectPanel(ui::GraphPanel& panel, QObject& until) override;
    void showHoldersOf(ui::GraphPanel& panel);
    bool fill(ui::HeldByPageQuery& query) override;
    void cancel() override;
    void forgetTrace(bool isGone) override;
    void paint(Rows rows);
    void endIntervalAtPicture();
    void filterTo(const Rows& rows, const QString& text);
    void takeFilterBack();
    void openRows(const Rows& rows, const QString& text);

    std::optional<TraceTime> at_;                           ///< the user chose this picture
    std::optional<TraceTime> earlier_;                      ///< and compares with this one
    std::optional<Subject> asked_;                          ///< of the last question; nothing: ask in any case
    ui::FinderOf<ui::FlameSearch, ui::FlameSearch> search_; ///< in the flames
};

} // namespace highwater::app
