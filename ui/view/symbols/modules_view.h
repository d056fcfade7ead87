#pragma once

#include "ui/model/module_table_model.h"
#include "ui/view/parts/page_table.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace highwater::ui {

/// The Modules page: the symbol status of each module and, next to it, every place tried for the current one. GUI
/// thread only.
class ModulesView : public QWidget {
    Q_OBJECT
  public:
    explicit ModulesView(QWidget* parent = nullptr);

    /// Preserves selection and scrolling.
    void setStatus(const symbols::SymbolLoadStatus& status, std::shared_ptr<const store::ProcessTable> processes);
    /// No trace is open, or symbols are off: shows `why` instead.
    void clear(const QString& why);
    [[nodiscard]] ModuleTableModel& model() { return model_; }
    [[nodiscard]] QTreeView& table() { return *table_; }

  signals:
    /// For these modules; empty: all.
    void cancelWanted(const std::vector<highwater::store::ModuleIndex>& modules);
    void retryWanted(const std::vector<highwater::store::ModuleIndex>& modules);
    void locateWanted(highwater::store::ModuleIndex module, const QString& file);
    void pathsWanted();

  private:
    void build();
    void buildTable();
    QPushButton* addButton(const char* name, const QString& text, const QString& toolTip);
    void followSelection();
    void showTried();
    void followTitle();
    void askForFile();
    [[nodiscard]] QStringList copiedLines() const;
    [[nodiscard]] std::vector<int> selectedRows() const;
    [[nodiscard]] std::vector<store::ModuleIndex> selectedModules() const;

    ModuleTableModel model_;
    PageTable* table_;
    QTreeWidget* tried_;
    QLabel* summary_;
    QLabel* triedTitle_;
    QWidget* buttons_;
    QPushButton* cancel_;
    QPushButton* retry_;
    QPushButton* locate_;
    QPushButton* copy_;
    symbols::SymbolLoadStatus status_;
};

} // namespace highwater::ui
