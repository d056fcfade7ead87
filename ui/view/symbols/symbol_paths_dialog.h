#pragma once

#include "ui/state/symbol_choices.h"
#include "ui/view/symbols/symbol_load_settings.h"
#include "ui/view/symbols/symbol_paths_page.h"

#include <QDialog>
#include <QStringList>

class QTabWidget;

namespace highwater::ui {

/// The Configure Symbol Paths dialog: where to search for symbols, and which to load. Non-modal; OK or Apply reports
/// the choices. GUI thread only.
class SymbolPathsDialog : public QDialog {
    Q_OBJECT
  public:
    SymbolPathsDialog(const symbols::Environment& environment, const QString& usualCache, QWidget* parent = nullptr);

    /// `traces`: files whose NGENPDB folders are listed.
    void setChoices(const SymbolChoices& choices, const QStringList& traces, const QList<OfferedFolder>& offers);
    /// Whether a trace is open, and whether it was recorded on this computer. Call after setChoices().
    void setTrace(bool isOpen, bool isRecordedHere) { settings_->setTrace(isOpen, isRecordedHere); }
    [[nodiscard]] SymbolChoices choices() const;
    [[nodiscard]] SymbolPathsPage& paths() { return *paths_; }

  signals:
    void applied(const highwater::ui::SymbolChoices& choices);

  private:
    void build();

    QTabWidget* tabs_;
    SymbolPathsPage* paths_;
    SymbolLoadSettings* settings_;
};

} // namespace highwater::ui
