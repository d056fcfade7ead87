#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/retired_work.h"
#include "core/pipeline/symbol_loader.h"
#include "core/symbols/demangling/function_name.h"
#include "ui/state/symbol_choices.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <future>
#include <memory>
#include <vector>

namespace highwater::app {

/// The symbols of the trace that is open: loads them when a stack is opened, or at once when they were turned on by
/// hand, and tells when there are other names than before. Frames on screen come first. GUI thread only; nothing here
/// waits for a loader.
class SymbolSession : public QObject {
    Q_OBJECT
  public:
    using VisibleFrames = std::function<std::vector<analysis::LabelId>()>;

    explicit SymbolSession(symbols::Environment environment, QObject* parent = nullptr);
    ~SymbolSession() override;

    /// Asked while names are loaded. Nothing: no frame is preferred.
    void setVisibleFrames(VisibleFrames frames) { visibleFrames_ = std::move(frames); }

    /// Another trace begins. What is returned is for its labels.
    [[nodiscard]] std::shared_ptr<const symbols::NameSource> begin(const QStringList& traces);
    /// A publication of that trace.
    void setTrace(std::shared_ptr<const store::PublishedTrace> trace, std::shared_ptr<analysis::FrameLabels> labels);
    /// No publication will follow.
    void noteEnd();

    /// Off: loading stops and names go away. On: they are loaded as soon as somebody looks at a stack.
    void setEnabled(bool enabled);
    [[nodiscard]] bool isEnabled() const { return isEnabled_; }
    /// Somebody looks at stacks.
    void loadLazily();
    /// By hand: also when no stack is open.
    void loadNow();
    /// C++ and Rust names with their parameters and template arguments, or without.
    void setNameStyle(symbols::NameStyle style);
    [[nodiscard]] symbols::NameStyle nameStyle() const { return style_; }
    /// What the columns of stack tags go by, also of the trace that is open. Not null.
    void setStackTags(std::shared_ptr<const analysis::StackTags> tags);
    [[nodiscard]] const std::shared_ptr<const analysis::StackTags>& stackTags() const { return stackTags_; }
    /// Used from now on, also for the trace that is open.
    void setChoices(const ui::SymbolChoices& choices);
    [[nodiscard]] const ui::SymbolChoices& choices() const { return choices_; }
    /// The trace that is open was recorded on this computer: its modules are looked for where it says that they are.
    [[nodiscard]] bool isRecordedHere() const;
    [[nodiscard]] QString usualCacheFolder() const;

    void cancel(const std::vector<store::ModuleIndex>& modules = {});
    void retry(const std::vector<store::ModuleIndex>& modules = {});
    void locate(store::ModuleIndex module, const QString& file);

    /// What the frames on screen are has changed: they come next.
    void preferVisible();
    [[nodiscard]] bool isLoading() const { return loader_ != nullptr; }
    /// Names that somebody wants are still to come: namesChanged() follows, or statusChanged() when there are none.
    [[nodiscard]] bool areNamesComing() const;
    [[nodiscard]] symbols::SymbolLoadStatus status() const;
    [[nodiscard]] std::shared_ptr<const store::ProcessTable> processes() const;
    [[nodiscard]] const std::shared_ptr<const store::PublishedTrace>& trace() const { return trace_; }
    [[nodiscard]] const std::shared_ptr<analysis::FrameLabels>& labels() const { return labels_; }
    [[nodiscard]] const QStringList& traces() const { return traces_; }

  signals:
    /// Labels are to be asked again.
    void namesChanged();
    /// status() may be another one, or there is no loader any more.
    void statusChanged();

  private:
    void load();
    void retire();
    void poll();
    void pollSoon();
    void notifyNamesChanged(bool isLast);
    [[nodiscard]] pipeline::SymbolSources sources() const;
    [[nodiscard]] pipeline::SymbolScope scope() const;

    symbols::Environment environment_;
    ui::SymbolChoices choices_;
    symbols::NameStyle style_ = symbols::NameStyle::Short;
    std::shared_ptr<const analysis::StackTags> stackTags_ = analysis::StackTags::builtIn();
    bool isEnabled_ = true;
    bool isWanted_ = false;    ///< somebody looked at a stack of this trace, or asked by hand
    bool isCancelled_ = false; ///< by hand: later publications do not begin again
    bool hasEnded_ = false;
    QStringList traces_;
    std::shared_ptr<symbols::SymbolTable> table_;
    std::unique_ptr<pipeline::SymbolLoader> loader_;
    std::shared_ptr<const store::PublishedTrace> trace_, loaded_; ///< the newest; the one that was asked for
    std::shared_ptr<analysis::FrameLabels> labels_;
    std::map<std::uint32_t, std::filesystem::path> located_;
    VisibleFrames visibleFrames_;
    std::vector<analysis::LabelId> preferred_;
    std::uint64_t reportedRevision_ = 0;
    QElapsedTimer sinceTold_, sinceLoad_;
    QTimer timer_;
    RetiredWork retired_; ///< loaders on their way out
};

} // namespace highwater::app
