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

/// Renames between the two traces of the Compare page: stored in the settings per pair of trace names, and edited by
/// suggestions and in a dialog. GUI thread only.
class CompareRenames : public QObject {
    Q_OBJECT
  public:
    /// Both must outlive this object.
    CompareRenames(ApplicationSettings& settings, ui::DifferenceView& view);

    /// Sets the names of both traces; empty: no pair.
    void setPair(const QString& pair);
    /// Null: none.
    [[nodiscard]] const std::shared_ptr<const analysis::Renames>& renames() const { return renames_; }

  signals:
    /// Changed by the user, not by setPair().
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
