#pragma once

#include "ui/state/record_choices.h"

#include <QWidget>

class QCheckBox;
class QFormLayout;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QToolButton;
class QTreeWidget;
class QVBoxLayout;

namespace highwater::ui {

class MessageStrip;
class PlainLabel;

/// The program to launch and its settings: a part of the Record page. Arguments, folder and environment belong to their
/// program: another program starts without them, and one from the list restores its own. The program
/// field also accepts a whole command line, whose arguments move to their own field. A link restores anything that
/// was replaced or removed from the list. GUI thread only.
class LaunchForm : public QWidget {
    Q_OBJECT
  public:
    enum class Field { Program, Arguments, Folder, Environment };

    explicit LaunchForm(QWidget* parent = nullptr);

    [[nodiscard]] LaunchTarget target() const;
    /// Sets the fields; the previous contents are lost.
    void setTarget(const LaunchTarget& target);
    /// Replaces the contents, which a link restores.
    void take(const LaunchTarget& target);
    /// Newest first.
    void setFormerTargets(const QList<LaunchTarget>& targets);
    [[nodiscard]] bool hasProgram() const;
    /// Accepts the program field even if it still has the focus.
    void settle();
    /// Shows an error next to the field until something is edited.
    void showProblem(MessageStrip& strip, Field field);

  signals:
    /// Something was changed.
    void changed();
    /// The list has changed.
    void formerTargetsChanged(const QList<highwater::ui::LaunchTarget>& targets);
    /// The form's program should be started.
    void startWanted();

  protected:
    /// Handles keys in the list.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    void buildEnvironment();
    void buildFormer();
    void connectAll();
    QVBoxLayout* addField(QFormLayout& form, const QString& label, QWidget* first, QWidget* buddy);
    void browse(QLineEdit& field, bool isFolder);
    void followProgram();
    QString takeArguments();
    void followEnvironment();
    void showWords();
    void showFormer();
    void useFormer(int row);
    void startFormer(int row);
    void removeFormer(int row);
    void showMissingValues();
    void undoBy(const QString& sentence, const LaunchTarget& before);

    QLineEdit *program_, *arguments_, *folder_;
    QPlainTextEdit* environment_;
    QWidget* environmentBox_;
    QToolButton* fold_;
    QCheckBox* keepsEnvironment_;
    PlainLabel* words_; ///< preview of the split arguments
    QTreeWidget* former_;
    PlainLabel* formerTitle_;
    MessageStrip* note_;
    QVBoxLayout* cells_[4] = {}; ///< by Field: an error is shown below the field that causes it
    QList<LaunchTarget> targets_;
    QString settingsProgram_; ///< the program to which the other fields belong
    QStringList forgotten_; ///< its variables whose values are unknown
    bool isWrong_ = false;  ///< the last start failed, so edits are corrections
};

} // namespace highwater::ui
