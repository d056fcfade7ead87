#pragma once

#include "ui/model/symbol_path_model.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QMenu;
class QPushButton;
class QTreeView;
class QVBoxLayout;

namespace highwater::ui {

/// A folder in the Add menu.
struct OfferedFolder {
    QString words; ///< "Folder of app.exe"
    QString path;
};

/// The checkable list of a symbol path with its buttons. GUI thread only.
class SymbolPathsPage : public QWidget {
    Q_OBJECT
  public:
    explicit SymbolPathsPage(symbols::Environment environment, QWidget* parent = nullptr);

    [[nodiscard]] SymbolPathModel& model() { return model_; }
    void setOffers(const QList<OfferedFolder>& offers);

  private:
    void build();
    void buildButtons(QVBoxLayout& column);
    void buildAddMenu();
    QPushButton* addButton(QVBoxLayout& column, const char* name, const QString& text, void (SymbolPathsPage::*does)());
    void addText(const QString& text);
    void addFolder(symbols::SymbolPathEntry::Kind kind);
    void edit();
    void moveUp() { move(-1); }
    void moveDown() { move(1); }
    void move(int by);
    void remove();
    void reset();
    void copyAll();
    void paste();
    void followCurrent();
    void followTraceFolders();
    void select(int row);
    [[nodiscard]] int currentRow() const;

    symbols::Environment environment_;
    SymbolPathModel model_;
    QTreeView* list_;
    QCheckBox* ngen_;
    QLabel* ngenNote_;
    QLabel* help_;
    QMenu* add_;
    QPushButton *edit_ = nullptr, *up_ = nullptr, *down_ = nullptr, *remove_ = nullptr;
};

} // namespace highwater::ui
