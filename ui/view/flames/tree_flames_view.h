#pragma once

#include "ui/state/finders/flame_finder.h"

#include <QWidget>

#include <memory>

class QLineEdit;
class QToolButton;

namespace highwater::ui {

class ElidedLabel;
class FlameCanvas;

/// The tree of a page as a flame graph: a search field, the frames, and a description of the frame under the pointer.
/// Its rows are known by the texts of their paths. GUI thread only.
class TreeFlamesView : public QWidget {
    Q_OBJECT
  public:
    struct Names {
        QString objects; ///< beginning of the names of its objects: "differenceFlame"
        QString title;   ///< for screen readers
        QString picture; ///< name of an exported picture
    };

    explicit TreeFlamesView(Names names, QWidget* parent = nullptr);

    /// Null: none yet.
    void setAnswer(std::shared_ptr<const FlameAnswer> answer);
    void setSearch(std::shared_ptr<const FlameSearch> search);
    /// Stacks start with the allocating function and hang from the top.
    void setBottomUp(bool isBottomUp);
    /// The caption of exported pictures.
    void setSubject(const QString& subject) { subject_ = subject; }
    [[nodiscard]] FlameCanvas& canvas() { return *canvas_; }

  signals:
    void searchWanted(const QString& text);
    /// The texts of the path to a frame whose row, or filter, the user requested.
    void rowWanted(const QStringList& path);
    void filterWanted(const QStringList& path);
    void pictureFailed(const QString& sentence);

  private:
    void build();
    [[nodiscard]] QString nameOf(const char* object) const { return names_.objects + QLatin1String(object); }
    void connectCanvas();
    void refresh();
    void search(const QString& text);
    void showMenu(std::uint32_t node, const QPoint& globalPosition);
    void askForPicture();
    /// Path as in the rows of an answer; empty for the total and for combined frames.
    [[nodiscard]] QStringList pathOf(std::uint32_t node) const;

    Names names_;
    FlameCanvas* canvas_;
    QLineEdit* search_;
    ElidedLabel* matches_;
    QToolButton* all_;
    ElidedLabel* words_;
    QString subject_;
};

} // namespace highwater::ui
