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

/// Which program to launch and how: a part of the Record page. Arguments, folder and environment are those of the
/// program that they were given for: another program begins without them, and one of the list of former ones brings its
/// own. Whatever is replaced or taken off the list can be had back by a link. GUI thread only.
class LaunchForm : public QWidget {
    Q_OBJECT
  public:
    enum class Field { Program, Arguments, Folder, Environment };

    explicit LaunchForm(QWidget* parent = nullptr);

    [[nodiscard]] LaunchTarget target() const;
    /// As it is; what stood there before goes without a word.
    void setTarget(const LaunchTarget& target);
    /// Instead of what stands there, which a link brings back.
    void take(const LaunchTarget& target);
    /// Newest first.
    void setFormerTargets(const QList<LaunchTarget>& targets);
    [[nodiscard]] bool hasProgram() const;
    /// What stands in the field for the program counts, even if it has not been left.
    void settle();
    /// Says what is wrong beside the field, until something is changed.
    void showProblem(MessageStrip& strip, Field field);

  signals:
    /// Something was changed.
    void changed();
    /// The list is another one.
    void formerTargetsChanged(const QList<highwater::ui::LaunchTarget>& targets);
    /// What stands in the form is to be started.
    void startWanted();

  protected:
    /// Delete in the list.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build();
    void buildEnvironment();
    void buildFormer();
    void connectAll();
    QVBoxLayout* addField(QFormLayout& form, const QString& label, QWidget* first, QWidget* buddy);
    void browse(QLineEdit& field, bool isFolder);
    void followProgram();
    void followEnvironment();
    void showWords();
    void showFormer();
    void takeFormer(int row);
    void startFormer(int row);
    void removeFormer(int row);
    void tellForgotten();
    void undoBy(const QString& sentence, const LaunchTarget& before);

    QLineEdit *program_, *arguments_, *folder_;
    QPlainTextEdit* environment_;
    QWidget* environmentBox_;
    QToolButton* fold_;
    QCheckBox* keepsEnvironment_;
    PlainLabel* words_; ///< what the arguments are split into
    QTreeWidget* former_;
    PlainLabel* formerTitle_;
    MessageStrip* note_;
    QVBoxLayout* cells_[4] = {}; ///< by Field: a strip goes below what causes it
    QList<LaunchTarget> targets_;
    QString givenFor_;     ///< the program of the rest
    QStringList forgotten_; ///< variables that it had, and whose values nobody has
    bool isWrong_ = false; ///< what was asked for could not be started: what is changed now mends it
};

} // namespace highwater::ui
