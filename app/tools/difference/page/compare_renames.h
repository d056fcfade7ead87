#pragma once

#include "core/analysis/difference/renames.h"

#include <QObject>
#include <QString>

#include <memory>

namespace highwater::ui {
class DifferenceView;
} // namespace highwater::ui

namespace highwater::app {

class ApplicationSettings;

/// What was renamed between the two traces of the Compare page: kept in the settings for each pair of their names,
/// changed by what the page offers, and in a dialog. GUI thread only.
class CompareRenames : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive it.
    CompareRenames(ApplicationSettings& settings, ui::DifferenceView& view);

    /// What both traces are called; empty: there are no two.
    void setPair(const QString& pair);
    /// Null: none.
    [[nodiscard]] const std::shared_ptr<const analysis::Renames>& renames() const { return renames_; }

  signals:
    /// By the reader, not by setPair().
    void changed();

  private:
    void set(analysis::Renames renames);
    void add(const QString& before, const QString& after);
    void askForAll();

    ApplicationSettings& settings_;
    ui::DifferenceView& view_;
    QString pair_;
    std::shared_ptr<const analysis::Renames> renames_;
};

} // namespace highwater::app
